"""What a list is known by beside its costs, in words: who commands it and why, and the figures of its game."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from roster.engine.report import CommanderInfo, Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that a list is known by; `text` says more. `reason`: it says why, which paper has room for."""

    name: str
    value: str
    text: str = ""
    reason: bool = False


def facts(report: Report) -> tuple[Fact, ...]:
    """All of it, who commands first."""
    return tuple(_facts(report))


def _facts(report: Report) -> Iterator[Fact]:
    if report.command:
        yield _command(report.command)
    for figure in report.figures:
        if figure.value:
            yield Fact(name=figure.name, value=format_number(figure.value), text=figure.text)


def _command(found: CommanderInfo) -> Fact:
    words = {"by": found.by, "rank": format_number(found.rank), "able": found.able, "n": found.highest}
    if found.commander:
        only = _("%(by)s %(rank)s, the only one who can command.")
        text = only if found.able == 1 else _("%(by)s %(rank)s, of %(able)s who could command.")
        return Fact(name=found.name, value=found.commander.name, text=text % words, reason=True)
    if found.able:
        text = _("%(n)s have %(by)s %(rank)s. Choose one of them in the menu of its row.") % words
        return Fact(name=found.name, value=_("open"), text=text)
    return Fact(name=found.name, value=_("nobody"), text=_("No character here can command."))
