from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Prefetch

from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset
from roster.club.models import Collection, OwnedKind
from roster.club.services.collections import list_collections, select_counting, start_collection
from roster.club.services.needs import Shelf, add_missing, list_needs
from roster.engine import edits
from roster.engine.evaluation import Evaluation
from roster.engine.offers import OfferedOption, list_offers
from roster.engine.report import find_cost
from roster.engine.tree import RosterTree
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, count_models, encode_tree, evaluate_roster, evaluate_with
from roster.services.limits import check_history, check_size
from roster.services.outcomes import Outcome, Refused
from roster.services.owners import Visitor
from roster.services.revisions import NewRevision, append_revision

MOST_ADDED = 60
"""The most units that one filling adds; each costs an evaluation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedKind:
    """A kind of model that a list needs, and how many its owner has at hand and painted."""

    name: str
    emblem: str
    needed: int
    at_hand: int
    ready: int

    @property
    def short(self) -> int:
        return max(0, self.needed - self.at_hand)

    @property
    def to_paint(self) -> int:
        return max(0, min(self.needed, self.at_hand) - self.ready)


class Holdings:
    """The models of all collections that count for a game, because a list may take units of several factions."""

    def __init__(self, collections: Iterable[Collection]) -> None:
        self.shelves = [Shelf(collection, collection.kinds.all()) for collection in collections]

    def find(self, entry_id: str, name: str) -> list[OwnedKind]:
        """Return a unit's kinds in all collections."""
        return [row.kind for shelf in self.shelves for row in shelf.find(entry_id, name) if row.kind]

    def count(self, entry_id: str, name: str) -> int:
        """Count a unit's models at hand."""
        return sum(kind.at_hand for kind in self.find(entry_id, name))


def load_holdings(visitor: Visitor, roster: Roster) -> Holdings:
    collections = select_counting(list_collections(visitor), roster.version.game_id)
    # The model's own order would join the collections.
    return Holdings(collections.prefetch_related(Prefetch("kinds", OwnedKind.objects.order_by("pk"))))


def list_kinds(roster: Roster, holdings: Holdings) -> list[ListedKind]:
    return [
        ListedKind(
            name=need.name,
            emblem=need.emblem,
            needed=need.models,
            at_hand=sum(kind.at_hand for kind in kinds),
            ready=sum(kind.ready for kind in kinds),
        )
        for need in list_needs(roster)
        for kinds in [holdings.find(need.entry_id, need.name)]
    ]


@transaction.atomic
def own_models(visitor: Visitor, roster: Roster, state: str) -> int | Refused:
    """Add the models that a list needs and its owner lacks to its faction's collection; return their number.

    Refuses as `start_collection` and `add_models` do.
    """
    collection = start_collection(visitor, roster.version.game, roster.faction_id)
    if isinstance(collection, Refused):
        return collection
    holdings = load_holdings(visitor, roster)
    missing: list[tuple[str, int]] = []
    for need in list_needs(roster):
        kinds = holdings.find(need.entry_id, need.name)
        # The collection may know the unit by another name.
        name = next((kind.name for kind in kinds if kind.collection_id == collection.pk), need.name)
        missing.append((name, need.models - sum(kind.owned for kind in kinds)))
    return add_missing(collection, missing, state)


def fill_from_holdings(roster: Roster, holdings: Holdings) -> Outcome:
    """Add fitting units that the owner has models for, as one step. Refuses `nothing-owned-fits`.

    The list's units stay. The dearest fitting unit comes first, so that few steps fill the list.
    """
    if full := check_history(roster):
        return full
    evaluated_list = evaluate_roster(roster, tree=False)
    tree = _OwnedFilling(evaluated_list, holdings).fill()
    if tree == evaluated_list.tree:
        return Refused(code="nothing-owned-fits")
    if too_large := check_size(tree, len(encode_tree(tree))):
        return too_large
    filled = evaluate_with(evaluated_list.ruleset, tree, evaluated_list.game, before=evaluated_list)
    return append_revision(roster, NewRevision(evaluated_list=filled, version=roster.version, act="fill"))


class _OwnedFilling:
    def __init__(self, evaluated_list: EvaluatedList, holdings: Holdings) -> None:
        self._ruleset: Ruleset = evaluated_list.ruleset
        self._points_id = evaluated_list.points_id
        self._holdings = holdings
        self._evaluation = evaluated_list.evaluation
        self._counts = _count_kinds(evaluated_list.evaluation)
        self._refused: set[tuple[str, str]] = set()
        """Forces and units that do not fit, or that need more models than there are."""

    def fill(self) -> RosterTree:
        for _number in range(MOST_ADDED):
            if not self._add_one():
                break
        return self._evaluation.roster.document

    def _add_one(self) -> bool:
        for force_id, offer in sorted(self._list_fitting(), key=self._rank, reverse=True):
            added = edits.select(self._ruleset, self._evaluation.roster.document, force_id, offer.entry_id)
            if not isinstance(added, Refused):
                evaluation = Evaluation(self._ruleset, added.roster)
                counts = _count_kinds(evaluation)
                if self._is_owned(counts):
                    self._evaluation, self._counts = evaluation, counts
                    return True
            self._refused.add((force_id, offer.entry_id))
        return False

    def _list_fitting(self) -> Iterator[tuple[str, OfferedOption]]:
        for force in self._evaluation.roster.all_forces:
            force_id = force.document.id
            for offer in list_offers(self._evaluation, force_id).options:
                is_out = offer.hidden or offer.blocked or (force_id, offer.entry_id) in self._refused
                if not is_out and self._holdings.count(offer.entry_id, offer.name):
                    yield force_id, offer

    def _rank(self, fitting: tuple[str, OfferedOption]) -> Number:
        cost = find_cost(fitting[1].costs, self._points_id)
        return cost.value if cost else 0

    def _is_owned(self, counts: Counter[tuple[str, str]]) -> bool:
        return all(self._holdings.count(*key) >= counts[key] for key in counts - self._counts)


def _count_kinds(evaluation: Evaluation) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for unit in count_models(evaluation):
        counts[unit.entry_id, unit.name] += unit.models
    return counts
