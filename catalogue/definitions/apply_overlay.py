"""Apply an overlay to data: a pure function that loses nothing.

Facts that depend on a list, such as a type that an option changes, count as printed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.constraints import Constraint, rewrite_queries
from catalogue.definitions.entries import Category, CategoryLink, CostType, Entry, ForceEntry
from catalogue.definitions.link_index import walk_entries
from catalogue.definitions.overlays import NameSet, Overlay, OverlayUnitType
from catalogue.definitions.queries import KNOWN, Condition, Guard, Operator, Query, Scope

# ---- laying ---------------------------------------------------------------------------------------------------------

UNITS = "units"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedUnit:
    """A unit on offer, its type in the overlay, and its faction keywords by name."""

    id: str
    name: str
    type_id: str
    factions: frozenset[str]


@dataclass(slots=True)
class NameSets:
    """`names` are by category id."""

    names: dict[str, str] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    stand_ins: set[str] = field(default_factory=set)
    _of: dict[str, list[str]] = field(default_factory=dict)

    def get_sets_of(self, unit_id: str) -> Sequence[str]:
        return self._of.get(unit_id, ())

    def add_set(self, family: NameSet, category_id: str, name: str, members: Iterable[str]) -> None:
        """Add a set of at least two members: rules of fewer would have no effect."""
        units = list(dict.fromkeys(members))
        if len(units) < 2:
            return
        self.names[category_id] = name
        for unit in units:
            self._of.setdefault(unit, []).append(category_id)
        mixed = Guard()
        if family.mixed:
            pairs = combinations([_require_taken(unit_id) for unit_id in units], 2)
            mixed = Guard(any_of=True, guards=tuple(Guard(conditions=pair) for pair in pairs))
        self.constraints += [_bind_constraint(c, family.id, category_id, mixed) for c in family.constraints]

    def add_stand_in(self, family: NameSet, unit_id: str, members: Iterable[str]) -> None:
        """Apply the rules of `members` to a unit that can replace one of them, if none is taken."""
        self.stand_ins.add(unit_id)
        for member in dict.fromkeys(members):
            # If the member is taken, its own rule already counts the stand-in's content.
            alone = Condition(operator=Operator.AT_MOST, query=Query(scope=Scope.ROSTER, child_id=member), value=0)
            guard = Guard(conditions=(_require_taken(unit_id), alone))
            self.constraints += [_bind_constraint(c, family.id, member, guard) for c in family.constraints]


def build_name_sets(units: Sequence[OfferedUnit], overlay: Overlay) -> NameSets:
    name_sets = NameSets()
    for family in overlay.families:
        inside = [unit for unit in units if not family.within or unit.type_id in family.within]
        if family.of:
            # One set per pair: the rule binds the two forms of one unit, not all units with two forms.
            for title, name, pair in _pair_alike(inside, family):
                name_sets.add_set(family, f"{family.id}-{title}", name, pair)
            continue
        members = [unit.id for unit in inside if is_called(unit, family.called)]
        name_sets.add_set(family, family.id, family.name, members)
        for unit in inside:
            if is_called(unit, family.also_in):
                name_sets.add_stand_in(family, unit.id, members)
    return name_sets


def is_called(unit: OfferedUnit, names: Iterable[str]) -> bool:
    return _fold_name(unit.name) in {_fold_name(name) for name in names}


def _pair_alike(units: Sequence[OfferedUnit], family: NameSet) -> Iterator[tuple[str, str, tuple[str, str]]]:
    titled = []
    for unit in units:
        title = unit.name
        for words in family.strike:
            title = re.sub(rf"\b{re.escape(words)}\b", " ", title, flags=re.IGNORECASE)
        titled.append((" ".join(title.lower().split()), unit))
    others = {title: unit for title, unit in titled if family.to in unit.factions}
    for title, unit in titled:
        other = others.get(title) if family.of in unit.factions else None
        # A unit with both keywords would be its own counterpart.
        if other and other.id != unit.id:
            yield title.replace(" ", "-"), other.name, (other.id, unit.id)


def _fold_name(name: str) -> str:
    """Fold case, spaces and the community's "w/" for "with"."""
    return " ".join(name.casefold().replace("w/", "with").split())


def _require_taken(unit_id: str) -> Condition:
    query = Query(scope=Scope.ROSTER, child_id=unit_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)


def _bind_constraint(constraint: Constraint, family_id: str, counted_id: str, mixed: Guard) -> Constraint:
    def change(query: Query) -> Query:
        return msgspec.structs.replace(query, child_id=counted_id) if query.child_id == family_id else query

    rewritten = rewrite_queries(constraint, change)
    # One constraint per set: each needs its own id.
    constraint_id = rewritten.id if counted_id == family_id else f"{rewritten.id}-{counted_id}"
    when = Guard(guards=(rewritten.when, mixed)) if rewritten.when and mixed else rewritten.when or mixed
    return msgspec.structs.replace(rewritten, id=constraint_id, when=when)


def overlay_data(data: DataSet, pack_system: Catalogue, overlay: Overlay) -> DataSet:
    """Return `data` with an overlay's rules. `pack_system` is the overlay's game system."""
    laying = OverlayApplication(data, pack_system, overlay)
    return DataSet(catalogues=tuple(laying.apply_to_catalogue(catalogue) for catalogue in data.catalogues))


def find_overlay(system: Catalogue, pack_system: Catalogue) -> Overlay | None:
    """Return the overlay for `system`, or None."""
    return next((overlay for overlay in pack_system.overlays if overlay.over == system.id), None)


@dataclass(frozen=True, slots=True)
class DataNames:
    """The ids of categories, costs and shared options by the data's names."""

    categories: dict[str, str]
    costs: dict[str, str]
    entries: dict[str, str]

    @classmethod
    def read_names(cls, data: DataSet) -> "DataNames":
        categories = chain.from_iterable(catalogue.categories for catalogue in data.catalogues)
        cost_types = chain.from_iterable(catalogue.cost_types for catalogue in data.catalogues)
        options = walk_entries(data.game_system.shared_entries)
        return cls(
            {category.id: category.name.strip() for category in categories},
            # By name: ids of community data change with the edition.
            {cost_type.name.strip(): cost_type.id for cost_type in cost_types},
            {entry.name.strip(): entry.id for entry in options},
        )

    def find_keyword(self, name: str) -> str:
        """Return a category's or option's id. An unknown name returns itself, and matches nothing."""
        matching_ids = (category_id for category_id, called in self.categories.items() if called == name)
        return next(matching_ids, self.entries.get(name, name))

    def list_after_prefix(self, start: str) -> dict[str, str]:
        """Return the categories whose names begin with `start`, without that prefix."""
        return {
            category_id: name.removeprefix(start).strip()
            for category_id, name in self.categories.items()
            if start and name.startswith(start)
        }


class OverlayApplication:
    def __init__(self, data: DataSet, pack_system: Catalogue, overlay: Overlay) -> None:
        names = DataNames.read_names(data)
        self.pack_system, self.overlay = pack_system, overlay
        self.shared: dict[str, Entry] = {}
        for catalogue in data.catalogues:
            candidates = (*catalogue.shared_entries, *catalogue.entries)
            self.shared |= {entry.id: entry for entry in candidates if not entry.is_link}
        self.types: dict[str, OverlayUnitType] = {}
        for kind in overlay.kinds:
            self.types |= {category_id: kind for category_id, name in names.categories.items() if name in kind.called}
        # Map the pack's ids of costs and keywords to the data's.
        self.changes = {type_id: names.costs.get(name, type_id) for type_id, name in overlay.costs.items()}
        self.changes |= {category_id: names.find_keyword(name) for category_id, name in overlay.keywords.items()}
        self.factions = names.list_after_prefix(overlay.faction_keywords)
        roots = (self._describe_unit(entry) for catalogue in data.catalogues for entry in catalogue.entries)
        self.families = build_name_sets([root for root in roots if root.type_id], overlay)
        self.common = None
        if overlay.common is not None and self.factions:
            barred = tuple(key for key, name in self.factions.items() if name in overlay.common.barred)
            self.common = msgspec.structs.replace(overlay.common, of=tuple(self.factions), barred=barred)

    def _translate_query(self, query: Query) -> Query:
        # `limit::points` contains the id of a cost.
        word, mark, type_id = query.field.rpartition(KNOWN)
        field = f"{word}{mark}{self.changes.get(type_id, type_id)}"
        child = self.changes.get(query.child_id, query.child_id) if query.child_id else query.child_id
        return msgspec.structs.replace(query, field=field, child_id=child)

    # ---- catalogues ----------------------------------------------------------------------------------------------

    def apply_to_catalogue(self, catalogue: Catalogue) -> Catalogue:
        changed = msgspec.structs.replace(
            catalogue,
            entries=tuple(self._apply_to_entry(entry) for entry in catalogue.entries),
            forces=tuple(self._apply_to_force(force) for force in catalogue.forces),
        )
        return self._apply_to_system(changed) if catalogue.kind is CatalogueKind.GAME_SYSTEM else changed

    def _apply_to_system(self, system: Catalogue) -> Catalogue:
        pack = self.pack_system
        constraints = (*self.overlay.constraints, *self.families.constraints)
        common = system.common
        if pack.common and self.common:
            common = msgspec.structs.replace(pack.common, of=self.common.of, among=self.common.among)
        # The overlay's own categories are hidden: pages show the data's categories.
        category_ids = {UNITS}
        for kind in self.overlay.kinds:
            category_ids |= {kind.type_id, *kind.sets}
        names = {category.id: category.name for category in pack.categories if category.id in category_ids}
        names |= self.families.names
        categories = (Category(id=category_id, name=name, hidden=True) for category_id, name in names.items())
        unchecked = (Unchecked(code=r.code, text=r.text, citation=r.citation) for r in self.overlay.unchecked)
        return msgspec.structs.replace(
            system,
            publications=(*system.publications, *pack.publications),
            categories=(*system.categories, *categories),
            cost_types=tuple(map(self._apply_to_cost_type, system.cost_types)),
            constraints=(*system.constraints, *(rewrite_queries(c, self._translate_query) for c in constraints)),
            words=(*system.words, *pack.words),
            common=common,
            specials=(*system.specials, *pack.specials),
            missions=(*system.missions, *pack.missions),
            play=pack.play,
            planning=pack.planning,
            unchecked=(*system.unchecked, *unchecked),
            # Kept in the data, so that every view of a list can say that house rules apply.
            leaders=self.overlay.leaders,
            overlay_name=self.overlay.name,
        )

    def _apply_to_cost_type(self, there: CostType) -> CostType:
        for cost_type in self.pack_system.cost_types:
            if self.changes.get(cost_type.id) == there.id:
                if not cost_type.rule:
                    return there
                return msgspec.structs.replace(
                    there,
                    presets=cost_type.presets,
                    rule=cost_type.rule,
                    rule_name=cost_type.rule_name,
                    rule_text=cost_type.rule_text,
                    citation=cost_type.citation,
                )
        return there

    def _apply_to_force(self, force: ForceEntry) -> ForceEntry:
        inner = tuple(map(self._apply_to_force, force.forces))
        common = self.common
        if common is None:
            return msgspec.structs.replace(force, forces=inner)
        if force.name.startswith(tuple(self.overlay.broad)):
            common = msgspec.structs.replace(common, barred=(), barred_only=None)
        return msgspec.structs.replace(force, common=common, forces=inner)

    # ---- units ---------------------------------------------------------------------------------------------------

    def _describe_unit(self, entry: Entry) -> OfferedUnit:
        target = self.shared.get(entry.target_id, entry) if entry.is_link else entry
        links = (*target.categories, *entry.categories)
        # The last primary link counts.
        primary_id = next((link.target_id for link in reversed(links) if link.primary), "")
        kind = self.types.get(primary_id)
        return OfferedUnit(
            id=entry.target_id or entry.id,
            name=(entry.name or target.name).strip(),
            type_id=kind.type_id if kind else "",
            factions=frozenset(self.factions[link.target_id] for link in links if link.target_id in self.factions),
        )

    def _apply_to_entry(self, entry: Entry) -> Entry:
        rooted = self._describe_unit(entry)
        kind = next((kind for kind in self.overlay.kinds if kind.type_id == rooted.type_id), None)
        if kind is None:
            return entry
        members = (UNITS, kind.type_id, *kind.sets, *self.families.get_sets_of(rooted.id))
        links = (
            CategoryLink(id=f"{entry.id}@{category_id}", target_id=category_id, hidden=True) for category_id in members
        )

        def count_unit(query: Query) -> Query:
            named = query if query.child_id else msgspec.structs.replace(query, child_id=rooted.id)
            return self._translate_query(named)

        # A stand-in represents another unit and is not counted itself.
        is_stand_in = rooted.id in self.families.stand_ins
        constraints = (
            rewrite_queries(constraint, count_unit)
            for constraint in kind.constraints
            if constraint.query.child_id or not is_stand_in
        )
        return msgspec.structs.replace(
            entry, categories=(*entry.categories, *links), constraints=(*entry.constraints, *constraints)
        )
