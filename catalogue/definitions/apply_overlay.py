"""Laying an overlay over data: a function from data to data, pure, with nothing of the data lost.

Units get the overlay's categories beside their own, so that its rules count them as they count the pack's units; costs
and keywords in its rules become those of the data. What only some unit in a list shows, such as a type that an option
changes, is taken as the data prints it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.constraints import CommonCategory, Constraint
from catalogue.definitions.entries import Category, CategoryLink, CostType, Entry, ForceEntry
from catalogue.definitions.link_index import walk_entries
from catalogue.definitions.overlay_name_sets import OfferedUnit, build_name_sets
from catalogue.definitions.overlays import Overlay, OverlayUnitType
from catalogue.definitions.queries import KNOWN, Query
from catalogue.definitions.rewrite_queries import rewrite_queries

UNITS = "units"


def overlay_data(data: DataSet, pack_system: Catalogue, overlay: Overlay) -> DataSet:
    """Lay the rules of `overlay` over `data`; `pack_system` is the game system of the overlay's pack."""
    laying = OverlayApplication(data, pack_system, overlay)
    return DataSet(catalogues=tuple(laying.apply_to_catalogue(catalogue) for catalogue in data.catalogues))


def find_overlay(system: Catalogue, pack_system: Catalogue) -> Overlay | None:
    """Return the overlay that the pack of `pack_system` has for data of `system`; None where it has none."""
    return next((overlay for overlay in pack_system.overlays if overlay.over == system.id), None)


@dataclass(frozen=True, slots=True)
class DataNames:
    """What the data calls its categories, its costs, and the options that its game system shares."""

    categories: dict[str, str]
    costs: dict[str, str]
    entries: dict[str, str]

    @classmethod
    def read_names(cls, data: DataSet) -> "DataNames":
        categories = {c.id: c.name.strip() for catalogue in data.catalogues for c in catalogue.categories}
        costs = {c.name.strip(): c.id for catalogue in data.catalogues for c in catalogue.cost_types}
        options = walk_entries(data.game_system.shared_entries)
        return cls(categories, costs, {entry.name.strip(): entry.id for entry in options})

    def find_keyword(self, name: str) -> str:
        """Return the id of the category or option of that name; else the name, which nothing is of."""
        matching_ids = (category_id for category_id, called in self.categories.items() if called == name)
        return next(matching_ids, self.entries.get(name, name))

    def list_after_prefix(self, start: str) -> dict[str, str]:
        """Return the categories whose names begin with `start`, by id, with the rest of the name."""
        return {
            category_id: name.removeprefix(start).strip()
            for category_id, name in self.categories.items()
            if start and name.startswith(start)
        }


class OverlayApplication:
    """One overlay while it is laid over one data set."""

    def __init__(self, data: DataSet, pack_system: Catalogue, overlay: Overlay) -> None:
        self.pack_system, self.overlay, self.names = pack_system, overlay, DataNames.read_names(data)
        self.shared = {
            e.id: e
            for catalogue in data.catalogues
            for e in (*catalogue.shared_entries, *catalogue.entries)
            if not e.is_link
        }
        self.types = {
            category_id: kind
            for kind in overlay.kinds
            for category_id, name in self.names.categories.items()
            if name in kind.called
        }
        self.changes = self._map_ids()
        self.factions = self.names.list_after_prefix(overlay.faction_keywords)
        roots = (self._describe_unit(entry) for catalogue in data.catalogues for entry in catalogue.entries)
        self.families = build_name_sets([root for root in roots if root.type_id], overlay)
        self.common = self._translate_common()

    def _map_ids(self) -> dict[str, str]:
        ids = {type_id: self.names.costs.get(name, type_id) for type_id, name in self.overlay.costs.items()}
        for category_id, name in self.overlay.keywords.items():
            ids[category_id] = self.names.find_keyword(name)
        return ids

    def _translate_query(self, query: Query) -> Query:
        word, mark, asked = query.field.rpartition(KNOWN)
        field = f"{word}{mark}{self.changes.get(asked, asked)}"
        child = self.changes.get(query.child_id, query.child_id) if query.child_id else query.child_id
        return msgspec.structs.replace(query, field=field, child_id=child)

    def _translate_common(self) -> CommonCategory | None:
        """Return what units share, by the ids of the data's faction keywords."""
        common, known = self.overlay.common, self.factions
        if common is None or not known:
            return None
        barred = tuple(category_id for category_id, name in known.items() if name in common.barred)
        return msgspec.structs.replace(common, of=tuple(known), barred=barred)

    # ---- catalogues ----------------------------------------------------------------------------------------------

    def apply_to_catalogue(self, catalogue: Catalogue) -> Catalogue:
        """Apply the overlay to a catalogue's units and forces; the game system also gets the rules of lists."""
        changed = msgspec.structs.replace(
            catalogue,
            entries=tuple(self._apply_to_entry(entry) for entry in catalogue.entries),
            forces=tuple(self._apply_to_force(force) for force in catalogue.forces),
        )
        return self._apply_to_system(changed) if catalogue.kind is CatalogueKind.GAME_SYSTEM else changed

    def _apply_to_system(self, system: Catalogue) -> Catalogue:
        pack = self.pack_system
        rules = (
            rewrite_queries(c, self._translate_query)
            for c in (*self.overlay.constraints, *self.families.constraints)
        )
        remarks = (Unchecked(code=r.code, text=r.text, citation=r.citation) for r in self.overlay.unchecked)
        army = pack.common if self.common else None
        return msgspec.structs.replace(
            system,
            publications=(*system.publications, *pack.publications),
            categories=(*system.categories, *self._list_categories()),
            cost_types=tuple(self._apply_to_cost_type(cost_type) for cost_type in system.cost_types),
            constraints=(*system.constraints, *rules),
            words=(*system.words, *pack.words),
            common=self._narrow_common(army) if army else system.common,
            specials=(*system.specials, *pack.specials),
            missions=(*system.missions, *pack.missions),
            play=pack.play,
            planning=pack.planning,
            unchecked=(*system.unchecked, *remarks),
            laid=self.overlay.name,
        )

    def _narrow_common(self, common: CommonCategory) -> CommonCategory:
        assert self.common is not None  # noqa: S101 - asked only where there is one
        return msgspec.structs.replace(common, of=self.common.of, among=self.common.among)

    def _list_categories(self) -> Iterator[Category]:
        """Yield the overlay's own categories, hidden: the data shows its units by its own."""
        sets = {set_id for kind in self.overlay.kinds for set_id in kind.sets}
        wanted = {UNITS, *sets, *(kind.type_id for kind in self.overlay.kinds)}
        names = {
            category.id: category.name for category in self.pack_system.categories if category.id in wanted
        }
        for category_id, name in {**names, **self.families.names}.items():
            yield Category(id=category_id, name=name, hidden=True)

    def _apply_to_cost_type(self, there: CostType) -> CostType:
        """Give a cost type the words of the rule that a list over its limit breaks."""
        pack_type = next(
            (
                cost_type
                for cost_type in self.pack_system.cost_types
                if self.changes.get(cost_type.id) == there.id
            ),
            None,
        )
        if pack_type is None or not pack_type.rule:
            return there
        return msgspec.structs.replace(
            there,
            presets=pack_type.presets,
            rule=pack_type.rule,
            rule_name=pack_type.rule_name,
            rule_text=pack_type.rule_text,
            citation=pack_type.citation,
        )

    def _apply_to_force(self, force: ForceEntry) -> ForceEntry:
        common = self.common
        if common and any(force.name.startswith(name) for name in self.overlay.broad):
            common = msgspec.structs.replace(common, barred=(), barred_only=None)
        return msgspec.structs.replace(
            force,
            common=common or force.common,
            forces=tuple(self._apply_to_force(inner) for inner in force.forces),
        )

    # ---- units ---------------------------------------------------------------------------------------------------

    def _describe_unit(self, entry: Entry) -> OfferedUnit:
        target = self.shared.get(entry.target_id, entry) if entry.is_link else entry
        links = (*target.categories, *entry.categories)
        primary = next((link.target_id for link in reversed(links) if link.primary), "")
        kind = self.types.get(primary)
        return OfferedUnit(
            id=entry.target_id or entry.id,
            name=(entry.name or target.name).strip(),
            type_id=kind.type_id if kind else "",
            factions=frozenset(self.factions[o] for link in links if (o := link.target_id) in self.factions),
        )

    def _apply_to_entry(self, entry: Entry) -> Entry:
        """Give a unit the categories of its type and what each such unit keeps to; leave anything else as it is."""
        rooted = self._describe_unit(entry)
        kind = next((kind for kind in self.overlay.kinds if kind.type_id == rooted.type_id), None)
        if kind is None:
            return entry
        members = (UNITS, kind.type_id, *kind.sets, *self.families.get_sets_of(rooted.id))
        links = (
            CategoryLink(id=f"{entry.id}@{category_id}", target_id=category_id, hidden=True)
            for category_id in members
        )
        return msgspec.structs.replace(
            entry,
            categories=(*entry.categories, *links),
            constraints=(*entry.constraints, *self._list_constraints(kind, rooted.id)),
        )

    def _list_constraints(self, kind: OverlayUnitType, unit_id: str) -> Iterable[Constraint]:
        def change(query: Query) -> Query:
            filled = query if query.child_id else msgspec.structs.replace(query, child_id=unit_id)
            return self._translate_query(filled)

        stand_in = (
            unit_id in self.families.stand_ins
        )  # it stands for another unit, and is none that is counted itself
        return (
            rewrite_queries(constraint, change)
            for constraint in kind.constraints
            if constraint.query.child_id or not stand_in
        )
