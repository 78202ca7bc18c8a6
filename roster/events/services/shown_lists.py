"""What of a submitted list is shown to whom: decks are hidden until their own time, wherever they are named."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from catalogue.definitions.entries import CARDS
from catalogue.graph.ids import get_target_id
from catalogue.graph.ruleset import Ruleset
from catalogue.models import DeckRule
from roster.engine.tree import Force, RosterTree, Selection, copy_with
from roster.events.models import Submission
from roster.events.services.judging import judge_tree, load_rules
from roster.services.deck_board import list_card_needs
from roster.services.evaluation import EvaluatedList


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleList:
    """A submitted list as somebody may see it: what it was judged to be, its tree, its text, what is wrong with it.

    `judged` and `tree` are None for what could not be read. `text` is blank where it would tell what is hidden, and so
    is `tree` without its decks.
    """

    judged: EvaluatedList | None
    tree: RosterTree | None
    text: str
    report: dict[str, Any]
    shows_decks: bool


def show_submission(submission: Submission, report: dict[str, Any], *, with_decks: bool) -> VisibleList:
    """Return a submission, under the rules that it was received by, with the report on it, as far as it may be seen."""
    if not submission.document or submission.version is None:
        return _show_unreadable(submission, report, with_decks=with_decks)
    force = load_rules(submission.version, submission.rules)
    judged = judge_tree(force, submission.faction_id, submission.tree, tree=True)
    if with_decks or not judged.knows_decks:
        return VisibleList(judged=judged, tree=submission.tree, text=submission.text, report=report, shows_decks=True)
    secret = _find_secret(judged.ruleset, submission.tree)
    tree = copy_with(submission.tree, forces=tuple(map(secret.strip_force, submission.tree.forces)))
    return VisibleList(judged=judged, tree=tree, text="", report=secret.strip_report(report), shows_decks=False)


def _show_unreadable(submission: Submission, report: dict[str, Any], *, with_decks: bool) -> VisibleList:
    # Nobody can tell where in an unreadable text the deck stands.
    text = submission.text if with_decks or not _has_decks(submission) else ""
    return VisibleList(judged=None, tree=None, text=text, report=report, shows_decks=with_decks)


def _has_decks(submission: Submission) -> bool:
    """Return whether lists of the game that a submission was made for have decks."""
    return DeckRule.objects.filter(faction__version__game=submission.participant.event.version.game_id).exists()


@dataclass(frozen=True, slots=True)
class _DeckSecret:
    """What would tell of the decks of a list: the ids of selections, and of the entries of decks and cards."""

    selections: frozenset[str]
    decks: frozenset[str]
    entries: frozenset[str]

    def strip_force(self, force: Force) -> Force:
        """Return a detachment without its decks."""
        units = tuple(one for one in force.selections if get_target_id(one.entry_id) not in self.decks)
        inner = tuple(self.strip_force(one) for one in force.forces)
        return copy_with(force, selections=units, forces=inner)

    def strip_report(self, report: dict[str, Any]) -> dict[str, Any]:
        """Return a report without what is about decks: on one, caused by one, or counting cards."""
        violations = [one for one in report.get("violations", ()) if not self._tells(one)]
        notes = [note for note in report.get("unchecked", ()) if get_target_id(note["on"]) not in self.entries]
        return report | {"violations": violations, "unchecked": notes}

    def _tells(self, violation: dict[str, Any]) -> bool:
        places = (violation["on"], *violation["cause"])
        entries = {violation["counted"]["id"], *(place["entry"] for place in places)}
        return any(place["id"] in self.selections for place in places) or self._has_any_deck(entries)

    def _has_any_deck(self, entry_ids: Iterable[str]) -> bool:
        return any(get_target_id(entry_id) in self.entries for entry_id in entry_ids if entry_id)


def _find_secret(ruleset: Ruleset, tree: RosterTree) -> _DeckSecret:
    decks = frozenset(deck.entry_id for catalogue in ruleset.data.catalogues for deck in catalogue.decks)
    entries = frozenset({CARDS, *decks, *list_card_needs(ruleset)})
    inside = (one.id for deck in _walk_decks(tree.forces, decks) for one in _walk_selections((deck,)))
    return _DeckSecret(selections=frozenset(inside), decks=decks, entries=entries)


def _walk_decks(forces: Iterable[Force], decks: frozenset[str]) -> Iterator[Selection]:
    for force in forces:
        yield from (one for one in force.selections if get_target_id(one.entry_id) in decks)
        yield from _walk_decks(force.forces, decks)


def _walk_selections(selections: Iterable[Selection]) -> Iterator[Selection]:
    for selection in selections:
        yield selection
        yield from _walk_selections(selection.selections)
