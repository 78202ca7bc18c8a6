"""What is said beside every list: who commands it and why, its figures, and what the book advises about models."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rulebook import RuleKind, RuleStage
from roster.engine.report import CommanderInfo, Report
from roster.services.evaluation import EvaluatedList
from roster.wording.figures import format_citation


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
    words = {"by": commander.by, "rank": format_number(commander.rank), "able": commander.able, "n": commander.highest}
    if commander.commander:
        only = _("%(by)s %(rank)s, the only one who can command.")
        text = only if commander.able == 1 else _("%(by)s %(rank)s, of %(able)s who could command.")
        return ListFact(name=commander.name, value=commander.commander.name, text=text % words, reason=True)
    if commander.able:
        text = _("%(n)s have %(by)s %(rank)s. Choose one of them in the menu of its row.") % words
        return ListFact(name=commander.name, value=_("open"), text=text)
    return ListFact(name=commander.name, value=_("nobody"), text=_("No character here can command."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A rule to keep in mind: its name, our words for it, and `place`, where to read it, in words as `citation`."""

    id: str
    name: str
    text: str
    place: Citation
    citation: str


def list_reminders(judged: EvaluatedList) -> Iterator[Reminder]:
    """List all reminders of a game, in the order of its book."""
    system = judged.ruleset.binding.game_system
    for rule in system.rulebook if system else ():
        if rule.kind is RuleKind.SOFT and rule.stage is RuleStage.PRINT:
            yield Reminder(
                id=rule.id,
                name=rule.name,
                text=rule.text,
                place=rule.citation,
                citation=format_citation(rule.citation, judged.books),
            )
