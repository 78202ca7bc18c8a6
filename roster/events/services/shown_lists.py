"""Show what a reader may see of a submitted list. Decks stay hidden everywhere until they are revealed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from catalogue.definitions.entries import CARDS
from catalogue.graph.ids import get_target_id
from catalogue.models import DeckRule
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.events.models import Submission
from roster.events.services.judging import judge_tree, load_rules
from roster.services.deck_board import list_card_needs
from roster.services.evaluation import EvaluatedList


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleList:
    """What a reader may see of a submitted list.

    `evaluated_list` and `tree` are None for an unreadable list. While decks are hidden, `tree` lacks them and `text` is
    "".
    """

    evaluated_list: EvaluatedList | None
    tree: RosterTree | None
    text: str
    report: dict[str, Any]
    shows_decks: bool


def show_submission(submission: Submission, report: dict[str, Any], *, with_decks: bool) -> VisibleList:
    """Return what a reader may see of a submission, under the rules at its receipt."""
    if not submission.document or submission.version is None:
        # The deck in an unreadable text cannot be told from the rest.
        shows_text = with_decks
        if not shows_text:
            game_id = submission.participant.event.version.game_id
            shows_text = not DeckRule.objects.filter(faction__version__game=game_id).exists()
        text = submission.text if shows_text else ""
        return VisibleList(evaluated_list=None, tree=None, text=text, report=report, shows_decks=with_decks)

    force = load_rules(submission.version, submission.rules, submission.homebrew)
    evaluated_list = judge_tree(force, submission.faction_id, submission.tree, tree=True)
    if with_decks or not evaluated_list.knows_decks:
        return VisibleList(
            evaluated_list=evaluated_list, tree=submission.tree, text=submission.text, report=report, shows_decks=True
        )

    decks = frozenset(deck.entry_id for catalogue in evaluated_list.ruleset.data.catalogues for deck in catalogue.decks)
    hidden = _DeckSecret(
        selections=frozenset(one.id for one in _walk_selections(_walk_decks(submission.tree.forces, decks))),
        decks=decks,
        entries=frozenset({CARDS, *decks, *list_card_needs(evaluated_list.ruleset)}),
    )
    tree = copy_with(submission.tree, forces=tuple(map(hidden.strip_force, submission.tree.forces)))
    return VisibleList(
        evaluated_list=evaluated_list, tree=tree, text="", report=hidden.strip_report(report), shows_decks=False
    )


@dataclass(frozen=True, slots=True)
class _DeckSecret:
    selections: frozenset[str]
    decks: frozenset[str]
    entries: frozenset[str]

    def strip_force(self, force: Force) -> Force:
        units = tuple(one for one in force.selections if get_target_id(one.entry_id) not in self.decks)
        inner = tuple(self.strip_force(one) for one in force.forces)
        return copy_with(force, selections=units, forces=inner)

    def strip_report(self, report: dict[str, Any]) -> dict[str, Any]:
        """Remove violations and notes that concern a deck or count cards."""
        violations = []
        for violation in report.get("violations", ()):
            places = (violation["on"], *violation["cause"])
            entries = {violation["counted"]["id"], *(place["entry"] for place in places)}
            is_on_deck = any(place["id"] in self.selections for place in places)
            names_deck = any(get_target_id(entry_id) in self.entries for entry_id in entries if entry_id)
            if not (is_on_deck or names_deck):
                violations.append(violation)
        notes = [note for note in report.get("unchecked", ()) if get_target_id(note["on"]) not in self.entries]
        return report | {"violations": violations, "unchecked": notes}


def _walk_decks(forces: Iterable[Force], decks: frozenset[str]) -> Iterator[Selection]:
    for force in forces:
        yield from (one for one in force.selections if get_target_id(one.entry_id) in decks)
        yield from _walk_decks(force.forces, decks)


def _walk_selections(selections: Iterable[Selection]) -> Iterator[Selection]:
    for selection in selections:
        yield selection
        yield from _walk_selections(selection.selections)
