from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from django.db import transaction

from catalogue.services.texts import fold_text
from roster.club.models import Collection, OwnedKind
from roster.club.services.collections import add_models, list_offered_kinds
from roster.models import Roster
from roster.services.evaluation import count_models, lend_evaluation
from roster.services.outcomes import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class ListNeed:
    roster: Roster
    entry_id: str
    name: str
    emblem: str
    models: int


@dataclass(slots=True)
class KindRow:
    """A kind of model that the owner has, lists need, or both. `needs` has one line for each list.

    `entry_ids` are its own id and that of the current data.
    """

    name: str
    entry_id: str = ""
    emblem: str = ""
    category: str = ""
    kind: OwnedKind | None = None
    entry_ids: Set[str] = frozenset()
    needs: list[ListNeed] = field(default_factory=list)
    needed: int = 0

    @property
    def owned(self) -> int:
        return self.kind.owned if self.kind else 0

    @property
    def at_hand(self) -> int:
        return self.kind.at_hand if self.kind else 0

    @property
    def short(self) -> int:
        """The number of missing models; lent models are not at hand."""
        return max(0, self.needed - self.at_hand)


class Shelf:
    """The rows of a collection, and how units of lists find theirs."""

    def __init__(self, collection: Collection, kinds: Iterable[OwnedKind]) -> None:
        self.rows: list[KindRow] = []
        self.offered = list_offered_kinds(collection)
        self._by_id: dict[str, list[KindRow]] = {}
        self._by_name: dict[str, list[KindRow]] = {}
        for kind in kinds:
            self.add(KindRow(kind.name, kind.entry_id, kind.emblem, kind=kind))

    def add(self, row: KindRow) -> KindRow:
        unit = self.offered.find(row.name, row.entry_id)
        row.category = unit.category if unit else ""
        row.emblem = row.emblem or (unit.emblem if unit else "")
        row.entry_ids = {row.entry_id, unit.entry_id if unit else ""} - {""}
        self.rows.append(row)
        self._by_name.setdefault(fold_text(row.name), []).append(row)
        for entry_id in row.entry_ids:
            self._by_id.setdefault(entry_id, []).append(row)
        return row

    def find(self, entry_id: str, name: str) -> Sequence[KindRow]:
        """Return the rows with a unit's entry id, otherwise those with its name.

        Other games and data versions have other ids.
        """
        return self._by_id.get(entry_id) or self._by_name.get(fold_text(name)) or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToPaint:
    """`number` models that a list needs painted, and that are owned. `painted` of the `needed` ones are ready."""

    kind: OwnedKind
    number: int
    painted: int
    needed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReadiness:
    roster: Roster
    needed: int
    ready: int
    to_paint: Sequence[ToPaint]
    to_buy: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """`shopping` are the rows with missing models."""

    rows: Sequence[KindRow]
    shopping: Sequence[KindRow]
    lists: Sequence[Roster]
    readiness: Sequence[ListReadiness]

    @property
    def kinds(self) -> list[OwnedKind]:
        return [row.kind for row in self.rows if row.kind]

    @property
    def short(self) -> int:
        return sum(row.short for row in self.shopping)

    @property
    def shopping_text(self) -> str:
        """The shopping list to copy. Templates would join its lines."""
        return "\n".join(f"{row.short} {row.name}" for row in self.shopping)


def measure_needs(collection: Collection, lists: Sequence[Roster] | None = None) -> Needs:
    """Measure a collection against some lists, or against the lists that its owner chose."""
    # The model's own order would join the collections.
    shelf = Shelf(collection, OwnedKind.objects.filter(collection=collection).order_by("pk"))
    rows = shelf.rows
    if lists is None:
        lists = list(collection.lists.filter(binned=None).select_related("version__game"))
    for roster in lists:
        for need in list_needs(roster):
            same = shelf.find(need.entry_id, need.name)
            row = same[0] if same else shelf.add(KindRow(need.name, need.entry_id, need.emblem))
            row.needs.append(need)
    for row in rows:
        models = [need.models for need in row.needs]
        row.needed = sum(models) if collection.together else max(models, default=0)
    order = {entry_id: place for place, entry_id in enumerate(shelf.offered.by_id)}
    rows.sort(key=lambda row: order.get(row.entry_id, len(order)))
    needed = [row for row in rows if row.needs]
    return Needs(
        rows=rows,
        shopping=[row for row in needed if row.short],
        lists=lists,
        readiness=[_measure_readiness(roster, needed) for roster in lists],
    )


def list_needs(roster: Roster) -> list[ListNeed]:
    """List a list's models by kind, adding up units of one entry."""
    needs: dict[str, ListNeed] = {}
    with lend_evaluation(roster) as evaluated_list:
        for unit in count_models(evaluated_list.evaluation):
            before = needs[unit.entry_id].models if unit.entry_id in needs else 0
            needs[unit.entry_id] = ListNeed(
                roster=roster, entry_id=unit.entry_id, name=unit.name, emblem=unit.emblem, models=before + unit.models
            )
    return list(needs.values())


def own_list(collection: Collection, roster: Roster, state: str) -> int | Refused:
    """Add the models that a list needs and the collection lacks; return their number. Refuses as `add_models` does."""
    rows = measure_needs(collection, [roster]).rows
    return add_missing(collection, [(row.name, row.needed - row.owned) for row in rows], state)


@transaction.atomic
def add_missing(collection: Collection, missing: Iterable[tuple[str, int]], state: str) -> int | Refused:
    """Add missing models by name, leaving out numbers below 1; return their number. Refuses as `add_models` does."""
    added = 0
    for name, number in missing:
        if number > 0:
            outcome = add_models(collection, name, number, state)
            if isinstance(outcome, Refused):
                transaction.set_rollback(True)
                return outcome
            added += number
    return added


def _measure_readiness(roster: Roster, rows: Iterable[KindRow]) -> ListReadiness:
    needed = ready = 0
    to_paint, to_buy = [], []
    for row in rows:
        models = sum(need.models for need in row.needs if need.roster == roster)
        painted = min(models, row.kind.ready if row.kind else 0)
        unpainted = min(models - painted, row.kind.unpainted if row.kind else 0)
        needed, ready = needed + models, ready + painted
        if row.kind and unpainted:
            to_paint.append(ToPaint(kind=row.kind, number=unpainted, painted=painted, needed=models))
        if models - painted - unpainted:
            to_buy.append((models - painted - unpainted, row.name))
    return ListReadiness(roster=roster, needed=needed, ready=ready, to_paint=to_paint, to_buy=to_buy)
