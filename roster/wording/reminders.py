"""What the book advises about models and paper, which no list shows: said beside every list of its game."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.definitions.citations import Citation
from catalogue.definitions.rulebook import RuleKind, RuleStage
from roster.services.evaluation import EvaluatedList
from roster.wording.citations import format_citation


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
