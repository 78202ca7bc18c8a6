"""What a list is known by beside its costs, in words: who commands it and why, and the figures of its game."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from roster.engine.report import CommanderInfo, Report


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFact:
    """Something that a list is known by; `text` says more. `reason`: it says why, which paper has room for."""

    name: str
    value: str
    text: str = ""
    reason: bool = False


def describe_facts(report: Report) -> tuple[ListFact, ...]:
    """Describe commander and figures, the commander first."""
    return tuple(_list_facts(report))


def _list_facts(report: Report) -> Iterator[ListFact]:
    if report.command:
        yield _describe_commander(report.command)
    for figure in report.figures:
        if figure.value:
            yield ListFact(name=figure.name, value=format_number(figure.value), text=figure.text)


def _describe_commander(commander: CommanderInfo) -> ListFact:
    words = {
        "by": commander.by,
        "rank": format_number(commander.rank),
        "able": commander.able,
        "n": commander.highest,
    }
    if commander.commander:
        only = _("%(by)s %(rank)s, the only one who can command.")
        text = only if commander.able == 1 else _("%(by)s %(rank)s, of %(able)s who could command.")
        return ListFact(name=commander.name, value=commander.commander.name, text=text % words, reason=True)
    if commander.able:
        text = _("%(n)s have %(by)s %(rank)s. Choose one of them in the menu of its row.") % words
        return ListFact(name=commander.name, value=_("open"), text=text)
    return ListFact(name=commander.name, value=_("nobody"), text=_("No character here can command."))
