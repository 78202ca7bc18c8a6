"""Show the values of players' house rules that count in an event or a season."""

from collections.abc import Sequence
from dataclasses import dataclass

from catalogue.models import PackVersion
from roster.formats.homebrew.document import Homebrew, read_homebrew
from roster.models.homebrew import CopiedHomebrew
from roster.services.homebrew import list_refused
from roster.views.homebrew import LineRow, list_line_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingValues:
    """`rows` is empty while staff hide the house rules."""

    chosen: CopiedHomebrew
    rows: Sequence[LineRow] = ()


def describe_homebrew(
    chosen: CopiedHomebrew | None, version: PackVersion, *, is_checked: bool = False
) -> CountingValues | None:
    """Return the lines of chosen house rules, or None without a choice.

    If `is_checked`, say which lines do not fit the data.
    """
    if chosen is None:
        return None
    homebrew = read_homebrew(chosen.document.encode())
    if chosen.is_hidden or not isinstance(homebrew, Homebrew):
        return CountingValues(chosen=chosen)
    refused = list_refused(homebrew, version) if is_checked else ()
    return CountingValues(chosen=chosen, rows=list_line_rows(homebrew, refused))
