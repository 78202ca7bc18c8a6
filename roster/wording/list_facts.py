"""Notes beside lists and units: who commands and why, figures, what the book advises, who leads whom."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rulebook import RuleKind, RuleStage
from roster.engine.report import CommanderInfo, EffectiveAttachment, EffectiveSelection, Report
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


# ---- what goes with what ---------------------------------------------------------------------------------------------


def list_bond_words(selection: EffectiveSelection) -> Iterator[str]:
    """Say what a selection is attached to, then what is attached to it: "Leads Reed Cutters", "Led by Lock Warden"."""
    for attachment in selection.attachments:
        yield describe_attachment(attachment)
    for attachment in selection.joined_by:
        yield describe_joining(attachment)


def describe_attachment(attachment: EffectiveAttachment) -> str:
    """Say what something is attached to."""
    words = {"name": attachment.name, "unit": attachment.to.name}
    if is_leading(attachment.name):
        return _("Leads %(unit)s") % words
    return _("%(name)s: %(unit)s") % words if attachment.name else _("Attached to %(unit)s") % words


def describe_joining(attachment: EffectiveAttachment) -> str:
    """Say what is attached to something."""
    words = {"name": attachment.name, "unit": attachment.to.name}
    return _("Led by %(unit)s") % words if is_leading(attachment.name) else _("Joined by %(unit)s") % words


def name_control(name: str) -> str:
    """Return what is above the choice of what to be attached to."""
    if is_leading(name):
        return _("Leads")
    return name or _("Attached to")


def is_leading(name: str) -> bool:
    """Return whether being attached so is to lead."""
    return name.casefold().startswith("lead")
