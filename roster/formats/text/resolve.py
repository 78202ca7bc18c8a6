"""Resolve the names of a pasted list in the data of a game: a list document, and how certain each name is.

Units are looked up within the faction, what the head says among what the data has for a whole list; what is in a
unit is taken there by `unit_filler`. Nothing here judges; the document is built through the same acts as a list on the
pages.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem, ListedLimit
from roster.formats.list_document.values import Text
from roster.formats.list_text import NAME_LENGTH, clean_text, simplify_name
from roster.formats.text.loadouts import Containers, OptionPath
from roster.formats.text.names import NameLookup, NameMatch, make_key
from roster.formats.text.pasted import PastedLayout, PastedList, PastedUnit, Reading
from roster.formats.text.shapes import parse_number
from roster.formats.text.unit_filler import MAX_KEY, Branch, Choices, ResolvedName, UnitFiller, walk_paths

MAX_OFFERED = 300
"""Among how many units a user may choose what one is that nothing is called like."""
_SIZE = re.compile(r"(\d[\d.,]*)\s*(?:pts?|points?)\b", re.I)


@dataclass(slots=True, eq=False)
class ResolvedUnit:
    """A unit of the text with its entry, None where nothing is like it."""

    pasted: PastedUnit
    option: CompiledOption | None
    names: list[ResolvedName] = field(default_factory=list)
    item: ListedItem | None = None


class ListResolver:
    """Looks the names of one list up in the data of one faction.

    `choices` are what the user settled before, by key; `former_names` names that units had in earlier versions of the
    data, by the ids of their entries.
    """

    def __init__(
        self,
        catalogue: CompiledCatalogue,
        choices: Mapping[str, str] | None = None,
        former_names: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._choices = choices or {}
        roots = [option for option in catalogue.distinct_roots if not option.hidden]
        self._roots = {option.local_id: option for option in roots}
        named = [*_name_roots(catalogue, roots), *self._name_former(former_names or {})]
        self._units = NameLookup(named)
        self._containers = _keep_containers(catalogue)
        self._paths: dict[CompiledOption, NameLookup[OptionPath]] = {}
        self._groups: set[str] = set()
        """The keys of the groups that units take something from."""

    def _name_former(self, former_names: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, CompiledOption]]:
        for entry_id, names in former_names.items():
            option = self._roots.get(entry_id)
            yield from ((name, option) for name in names if option)

    def count_known_units(self, pasted: PastedList) -> int:
        """Count the units whose names the faction has, spelled like that."""
        return sum(self._units.find(unit.name).reading is Reading.UNDERSTOOD for unit in pasted.units)

    def resolve_units(self, pasted: PastedList, units: Iterable[PastedUnit]) -> list[ResolvedUnit]:
        """Resolve units of a list whose head is about another faction."""
        per_model = pasted.layout in (PastedLayout.NEW_RECRUIT, PastedLayout.WAR_ORGAN)
        return [self._resolve_unit(unit, per_model=per_model) for unit in units]

    def resolve_list(self, pasted: PastedList) -> list[ResolvedUnit]:
        """Resolve the units, and the choices for the whole list that the head names."""
        units = self.resolve_units(pasted, pasted.units)
        return [*self._resolve_settings(pasted), *units]

    def _resolve_unit(self, unit: PastedUnit, *, per_model: bool) -> ResolvedUnit:
        key = f"unit:{self._catalogue.catalogue.id}:{simplify_name(unit.name)}"[:MAX_KEY]
        chosen = self._roots.get(self._choices.get(key, ""))
        match = NameMatch(chosen, Reading.UNDERSTOOD) if chosen else self._choose_unit(unit)
        resolved = ResolvedUnit(unit, match.value)
        name = match.value.name if match.value else ""
        choices = self._list_choices(match)
        resolved.names.append(ResolvedName(unit.line, unit.name, name, match.reading, key, choices, bool(chosen)))
        if match.value is not None:
            self._fill_unit(resolved, match.value, per_model=per_model)
        return resolved

    def _list_choices(self, match: NameMatch[CompiledOption]) -> Choices:
        return tuple((option.local_id, option.name) for option in self._list_offered(match))

    def _list_offered(self, match: NameMatch[CompiledOption]) -> Iterable[CompiledOption]:
        """List what else a unit may be; where it is not understood, everything that may be taken."""
        if match.reading is Reading.UNDERSTOOD:
            return match.others
        # A guess is offered, too: who agrees settles it.
        others = (match.value, *match.others, *self._list_takeable())
        return dict.fromkeys(option for option in others if option)

    def _fill_unit(self, resolved: ResolvedUnit, option: CompiledOption, *, per_model: bool) -> None:
        unit = resolved.pasted
        filler = UnitFiller(unit, option, self._containers, self._index_paths, self._choices, per_model=per_model)
        branch = filler.fill_unit()
        resolved.item = branch.build_item(unit.line)
        self._groups.update(make_key(name) for name in branch.list_groups())
        resolved.names += filler.names

    def _choose_unit(self, unit: PastedUnit) -> NameMatch[CompiledOption]:
        """Find what a unit is called like; of several of one name, the one that knows the most of what is in it."""
        match = self._units.find(unit.name)
        alike = _list_called(match, unit)
        if match.reading is not Reading.UNDERSTOOD or len(alike) < 2:
            return match
        return self._choose_likeliest(alike, unit)

    def _choose_likeliest(self, alike: list[CompiledOption], unit: PastedUnit) -> NameMatch[CompiledOption]:
        """Return the one of several of one name that knows the most of what is in a unit; a guess where two do."""
        known = [self._count_known(option, unit) for option in alike]
        best = max(known)
        reading = Reading.GUESSED if known.count(best) > 1 else Reading.UNDERSTOOD
        chosen = alike.pop(known.index(best))
        return NameMatch(chosen, reading, tuple(alike))

    def _count_known(self, option: CompiledOption, unit: PastedUnit) -> int:
        """Count what of a unit's contents an option may have in it."""
        container = self._containers.open(option)
        return sum(map(container.knows, {make_key(item.name) for item in unit.items}))

    def _list_takeable(self) -> list[CompiledOption]:
        """List all that a list may have, for a unit whose name is like nothing."""
        taken = (option for option in self._roots.values() if option.entry.target.type is not EntryType.UPGRADE)
        return sorted(taken, key=lambda option: option.name)[:MAX_OFFERED]

    def _index_paths(self, unit: CompiledOption) -> NameLookup[OptionPath]:
        if unit not in self._paths:
            self._paths[unit] = NameLookup((path[-1].name, path) for path in walk_paths(unit.entry.contents))
        return self._paths[unit]

    # ---- what holds for the whole list -------------------------------------------------------------------------------

    def _resolve_settings(self, pasted: PastedList) -> Iterator[ResolvedUnit]:
        """Resolve size, detachments and whatever else the head names that the data offers for a whole list."""
        for root in self._list_unnamed_upgrades(pasted):
            branch = Branch(root)
            for path in self._find_settings(root, pasted):
                branch.follow(path)
            if branch.inside:
                yield ResolvedUnit(PastedUnit(root.name, 0), root, item=branch.build_item(0))

    def _list_unnamed_upgrades(self, pasted: PastedList) -> Iterator[CompiledOption]:
        """List what a whole list may have that is no unit and that the text does not take for one."""
        named = {unit.name for unit in pasted.units}
        for root in self._roots.values():
            # What the text itself takes for a unit is resolved as one.
            if root.entry.target.type is EntryType.UPGRADE and root.name not in named:
                yield root

    def _find_settings(self, root: CompiledOption, pasted: PastedList) -> Iterator[OptionPath]:
        options = root.entry.contents.options
        sizes = _read_sizes(options)
        if _has_sizes(sizes):
            chosen = _choose_size(sizes, pasted)
        else:
            names = _list_setting_names(root, pasted)
            yield from self._find_named_settings(root, names)
            chosen = None if names else self._find_implied(options)
        if chosen is not None:
            yield (chosen,)

    def _find_named_settings(self, root: CompiledOption, names: Sequence[str]) -> Iterator[OptionPath]:
        for name in names:
            if path := self._index_paths(root).find(name).certain:
                yield path

    def _find_implied(self, options: Sequence[CompiledOption]) -> CompiledOption | None:
        """Return the option whose name is that of a group of units' options: `Low Water Enhancements`."""
        implied = [option for option in options if option.group and self._is_start_of_group(make_key(option.name))]
        return implied[0] if len(implied) == 1 else None

    def _is_start_of_group(self, key: str) -> bool:
        """Whether the name of a group that units take something from begins with a name."""
        return any(group.startswith(f"{key} ") for group in self._groups)


@lru_cache(maxsize=4)
def _keep_containers(catalogue: CompiledCatalogue) -> Containers:
    """Return what is known of the containers of a faction; an event sends many lists of the same few."""
    return Containers()


def _is_called(option: CompiledOption, unit: PastedUnit) -> bool:
    return simplify_name(option.name) == simplify_name(unit.name)


def _list_called(match: NameMatch[CompiledOption], unit: PastedUnit) -> list[CompiledOption]:
    """List of what a name may mean that which is called just so."""
    return [option for option in (match.value, *match.others) if option and _is_called(option, unit)]


def _list_setting_names(root: CompiledOption, pasted: PastedList) -> list[str]:
    """List what the head of a list names under a setting: its detachments, and one line that is called like it."""
    names = list(pasted.claims.detachments)
    for key, value in pasted.claims.other.items():
        if make_key(key) == make_key(root.name):
            return [*names, value.split(", ")[0]]
    return names


def _read_size(name: str) -> Number | None:
    match = _SIZE.search(name)
    return parse_number(match[1]) if match else None


def _read_sizes(options: Iterable[CompiledOption]) -> dict[CompiledOption, Number | None]:
    """Read the sizes that options are called like."""
    # What is hidden is no size that anybody could choose.
    return {option: _read_size(option.name) for option in options if not option.hidden}


def _has_sizes(sizes: Mapping[CompiledOption, Number | None]) -> bool:
    """Whether options are the sizes of a game: several of them say a number."""
    return sum(number is not None for number in sizes.values()) > 1


def _choose_size(sizes: Mapping[CompiledOption, Number | None], pasted: PastedList) -> CompiledOption | None:
    """Return the size of game that a list says or, where it says none, the smallest that its points go into."""
    claims = pasted.claims
    if named := _find_named_size(sizes, make_key(claims.size)):
        return named
    points = claims.limit or claims.total or pasted.sum_points()
    return _find_smallest_size(sizes, points) if points else None


def _find_named_size(sizes: Iterable[CompiledOption], key: str) -> CompiledOption | None:
    named = (option for option in sizes if key in make_key(option.name))
    return next(named, None) if key else None


def _find_smallest_size(sizes: Mapping[CompiledOption, Number | None], points: Number) -> CompiledOption | None:
    """Return the smallest size of game that so many points go into."""
    large = [(number, option) for option, number in sizes.items() if number is not None and number >= points]
    return min(large, key=lambda pair: pair[0])[1] if large else None


def _name_roots(catalogue: CompiledCatalogue, roots: Sequence[CompiledOption]) -> Iterator[tuple[str, CompiledOption]]:
    """Name what is at the root, first in full, then without the faction that some data writes in front."""
    yield from ((option.name, option) for option in roots)
    prefix = f"{catalogue.catalogue.name.rsplit(' - ', 1)[-1]} "
    for option in roots:
        if option.name.casefold().startswith(prefix.casefold()):
            yield option.name[len(prefix) :], option


# ---- the document ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResolvedForce:
    """A detachment of a faction, with its units."""

    entry: ForceEntry
    faction_id: str
    units: Sequence[ResolvedUnit]

    def build_listed(self) -> ListedForce:
        items = tuple(unit.item for unit in self.units if unit.item is not None)
        return ListedForce(force=Text(self.entry.id), catalogue=Text(self.faction_id), units=items)


def build_resolved_document(
    pasted: PastedList, forces: Sequence[ResolvedForce], *, game: str, version: str, points_id: str
) -> ListDocument:
    """Build the document of everything that was resolved; what was not is left out, and said by its lines."""
    limit: Number | None = pasted.claims.limit
    limits = (ListedLimit(type=Text(points_id), value=limit),) if limit is not None and points_id else ()
    return ListDocument(
        game=Text(game),
        version=Text(version),
        faction=Text(forces[0].faction_id),
        name=clean_text(pasted.claims.title)[:NAME_LENGTH],
        player=clean_text(pasted.claims.player)[:NAME_LENGTH],
        limits=limits,
        detachments=tuple(force.build_listed() for force in forces),
    )


def _find_named_force(catalogue: CompiledCatalogue, names: Iterable[str]) -> ForceEntry | None:
    """Return the first kind of detachment that is called like any of some names."""
    known = NameLookup((force.name, force) for force in catalogue.force_entries)
    matches = (match.certain for match in map(known.find, names))
    return next(filter(None, matches), None)


def choose_force_entry(
    catalogue: CompiledCatalogue, pasted: PastedList, units: Sequence[ResolvedUnit]
) -> ForceEntry | None:
    """Return the kind of detachment that a list is, by its name, else by how many of its units have a slot in it."""
    if named := _find_named_force(catalogue, pasted.claims.detachments):
        return named
    taken = [unit.option for unit in units if unit.option is not None]
    return max(catalogue.force_entries, key=lambda force: _count_slots(catalogue, force, taken), default=None)


def _count_slots(catalogue: CompiledCatalogue, force: ForceEntry, taken: Sequence[CompiledOption]) -> int:
    slots = catalogue.compile_force(force).slots_by_category
    return sum(any(category in slots for category in option.membership.ids) for option in taken)
