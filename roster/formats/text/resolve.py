"""Resolve the names of a pasted list in the data of a game: a list document, and how certain each name is.

Units are looked up within the faction, what the head says among what the data has for a whole list; what is in a
unit is taken there by `unit_filler`. Nothing here judges; the document is built through the same acts as a list on the
pages.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem, ListedLimit
from roster.formats.list_document.values import Text
from roster.formats.list_text import NAME_LENGTH, clean_text, simplify_name
from roster.formats.text.items import drop_figures
from roster.formats.text.loadouts import Containers, OptionPath, count_coming_models
from roster.formats.text.names import NameLookup, NameMatch, make_key
from roster.formats.text.outline import write_plainly
from roster.formats.text.pasted import (
    ItemRole,
    LineKind,
    PastedItem,
    PastedLayout,
    PastedList,
    PastedSection,
    PastedUnit,
    Reading,
)
from roster.formats.text.shapes import drop_cost, is_battle_size, parse_number
from roster.formats.text.unit_filler import MAX_KEY, Branch, ResolvedName, UnitFiller, flatten_items, walk_paths

MAX_OFFERED = 300
"""Among how many units a user may choose what one is that nothing is called like."""
MAX_PARTED = 20
"""How many equal units one typed line may be."""
_IN_BRACKETS = re.compile(r"(?P<name>[^()]+?)\s*\((?P<inside>[^()]+)\)")
_CARRYING = re.compile(r"(?P<name>\S.*?)\s+(?:w/|with|mit|avec)\s*(?P<carried>\S.*)", re.I)
_GIVEN_NAME = re.compile(r"(?P<name>[^\"]+) \"[^\"]+\"")
_AROUND_SIZE = re.compile(r"^\d+[.)]\s+|\s*\(.*")
"""What data writes around the name of a size: `2. Strike Force (2000 Point limit)`."""
_SIZE = re.compile(r"(\d[\d.,]*)\s*(?:pts?|points?)\b", re.I)


@dataclass(slots=True, eq=False)
class ResolvedUnit:
    """A unit of the text with its entry, None if nothing is like it."""

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
        # What is hidden at first may be shown by the force or a setting that the text names. The visible come first.
        roots = [option for option in catalogue.distinct_roots if not option.hidden or _may_be_shown(option)]
        roots.sort(key=lambda option: option.hidden)
        self._roots = {option.local_id: option for option in roots}

        # What is at the root by its full name, then without the faction that some data writes in front, then as before.
        named = [(option.name, option) for option in roots]
        # `Grey Seer (Scourge of Ghyran)` is written with what is in brackets in front, too.
        for option in roots:
            if match := _IN_BRACKETS.fullmatch(option.name):
                named.append((f"{match['inside']} {match['name']}", option))
        prefix = f"{catalogue.catalogue.name.rsplit(' - ', 1)[-1]} "
        for option in roots:
            if option.name.casefold().startswith(prefix.casefold()):
                named.append((option.name[len(prefix) :], option))
        for entry_id, names in (former_names or {}).items():
            if former := self._roots.get(entry_id):
                named += ((name, former) for name in names)
        self._units = NameLookup(named)
        self._containers = _keep_containers(catalogue)
        self._paths: dict[CompiledOption, NameLookup[OptionPath]] = {}
        self._counts_models = False
        self._groups: set[str] = set()
        """The keys of the groups that units take something from."""

    def count_known_units(self, pasted: PastedList) -> int:
        """Count the units whose names the faction has, spelled like that."""
        return sum(self._units.find(unit.name).reading is Reading.UNDERSTOOD for unit in pasted.units)

    def recognize(self, name: str) -> Reading:
        """Return how surely the faction has a unit of a name."""
        match = self._units.find(name)
        if match.value is None:
            return Reading.UNREAD
        # Choices for the whole list cost nothing, and hold neither units nor models.
        inside = (option.entry.target for option in match.value.entry.contents.options)
        targets = (match.value.entry.target, *inside)
        is_unit = any(target.type is not EntryType.UPGRADE for target in targets)
        return match.reading if is_unit or any(match.value.entry.costs.values()) else Reading.UNREAD

    def resolve_units(self, pasted: PastedList, units: Iterable[PastedUnit]) -> list[ResolvedUnit]:
        """Resolve units of a list whose head is about another faction."""
        per_model = pasted.layout in (PastedLayout.NEW_RECRUIT, PastedLayout.WAR_ORGAN)
        self._counts_models = pasted.layout is PastedLayout.ARMY_FORGE
        if pasted.layout is PastedLayout.PLAIN:
            units = chain.from_iterable(map(self._part_units, units))
        return [self._resolve_unit(unit, per_model=per_model) for unit in units]

    def _part_units(self, unit: PastedUnit) -> Iterator[PastedUnit]:
        """Part `2x Immortals 160` into units if fewer models than these are never one, so that the number is theirs."""
        number = unit.count or 1
        option = self._units.find(unit.name).certain if number > 1 and not unit.items else None
        points = unit.points
        is_shared = points is None or points % number == 0
        if option is None or number > MAX_PARTED or not is_shared or count_coming_models(option) <= number:
            yield unit
            return
        for _ in range(number):
            yield replace(unit, count=None, points=None if points is None else points // number)

    def resolve_list(self, pasted: PastedList) -> list[ResolvedUnit]:
        """Resolve the units, and the choices for the whole list that the head names."""
        self._rejoin_options(pasted)
        units = self.resolve_units(pasted, pasted.units)
        return [*self._resolve_settings(pasted), *units, *self._resolve_loose(units)]

    def _rejoin_options(self, pasted: PastedList) -> None:
        """Put units that nothing is called like into the unit above them if they are options there.

        An option with points that lost its bullet looks like a unit.
        """
        units: list[PastedUnit] = []
        for unit in pasted.units:
            above = self._units.find(units[-1].name).certain if units else None
            is_unit = self._units.find(unit.name).certain is not None
            if above is None or is_unit or self._index_paths(above).find(unit.name).certain is None:
                units.append(unit)
                continue
            role = ItemRole.ENHANCEMENT if unit.points else ItemRole.OPTION
            item = PastedItem(unit.name, unit.count or 1, unit.points, role, unit.items, unit.line, unit.name)
            units[-1].items.append(item)
            units[-1].points = (units[-1].points or 0) + (unit.points or 0)
            for line in pasted.lines:
                if line.number == unit.line:
                    line.kind = LineKind.OPTION
        pasted.units = units
        self._rejoin_headings(pasted)

    def _rejoin_headings(self, pasted: PastedList) -> None:
        """Put lines that were guessed to be headings into the unit above them if they are options there."""
        guessed = {line.number: line for line in pasted.lines if line.reading is Reading.GUESSED}
        headings: list[PastedSection] = []
        for section in pasted.sections:
            line = guessed.get(section.line)
            unit = next((unit for unit in reversed(pasted.units) if unit.line < section.line), None)
            option = self._units.find(unit.name).certain if unit and line else None
            if not (unit and line and option) or self._index_paths(option).find(section.name).certain is None:
                headings.append(section)
                continue
            unit.items.append(PastedItem(section.name, line=section.line, written=section.name))
            line.kind, line.reading = LineKind.OPTION, Reading.UNDERSTOOD
            for below in pasted.units:
                if below.line > section.line and below.section == section.name:
                    below.section = headings[-1].name if headings else ""
        pasted.sections = headings

    def _resolve_loose(self, units: Iterable[ResolvedUnit]) -> Iterator[ResolvedUnit]:
        """Resolve lines below a unit that it knows nothing of, and that are called like a unit without points.

        A heading may be missing: the terrain of a faction is the last line of some lists.
        """
        for unit in units:
            for line, names in group_by(unit.names[1:], lambda name: name.line).items():
                unread = [name for name in names if name.reading is Reading.UNREAD]
                # A comma in the name of a unit divides nothing.
                written = ", ".join(name.written for name in unread)
                option = self._units.find(written).certain if unread and line != unit.pasted.line else None
                if option is None or any(option.entry.costs.values()):
                    continue
                unit.names = [name for name in unit.names if name not in unread]
                unit.names.append(ResolvedName(line, written, option.name, Reading.UNDERSTOOD))
                yield self._resolve_unit(PastedUnit(option.name, line), per_model=False)

    def _resolve_unit(self, unit: PastedUnit, *, per_model: bool) -> ResolvedUnit:
        key = f"unit:{self._catalogue.catalogue.id}:{simplify_name(unit.name)}"[:MAX_KEY]
        chosen = self._roots.get(self._choices.get(key, ""))
        match = NameMatch(chosen, Reading.UNDERSTOOD) if chosen else self._choose_unit(unit)
        option = match.value
        offered = [*match.others]
        if match.reading is not Reading.UNDERSTOOD:
            # A guess is offered, too: a user who agrees settles it. So is everything that a list may have.
            takeable = (root for root in self._roots.values() if root.entry.target.type is not EntryType.UPGRADE)
            offered += sorted(takeable, key=lambda root: root.name)[:MAX_OFFERED]
            offered = list(dict.fromkeys([option, *offered] if option else offered))
        choices = tuple((other.local_id, other.name) for other in offered)

        resolved = ResolvedUnit(unit, option)
        name = option.name if option else ""
        resolved.names.append(ResolvedName(unit.line, unit.name, name, match.reading, key, choices, bool(chosen)))
        if option is not None:
            branch, names = self._fill_unit(unit, option, per_model=per_model)
            resolved.item = branch.build_item(unit.line)
            self._groups.update(make_key(group) for group in branch.list_groups())
            resolved.names += names
        return resolved

    def _fill_unit(
        self, unit: PastedUnit, option: CompiledOption, *, per_model: bool
    ) -> tuple[Branch, list[ResolvedName]]:
        """Take what is in a unit as it is written, or as if no line were indented if that fits the data better."""
        flat = list(flatten_items(unit.items))
        best: tuple[int, Branch, list[ResolvedName]] | None = None
        for items in (unit.items, flat):
            filler = UnitFiller(
                replace(unit, items=items),
                option,
                self._containers,
                self._index_paths,
                self._choices,
                per_model=per_model,
                counts_models=self._counts_models,
            )
            branch = filler.fill_unit()
            if best is None or filler.faults < best[0]:
                best = filler.faults, branch, filler.names
            if not best[0] or len(flat) == len(unit.items):
                break
        assert best is not None  # noqa: S101 - there is always a first way
        return best[1], best[2]

    def _choose_unit(self, unit: PastedUnit) -> NameMatch[CompiledOption]:
        """Find what a unit is called like; of several of one name, the one that knows the most of what is in it."""
        match, name = self._units.find(unit.name), unit.name
        if match.reading is not Reading.UNDERSTOOD and (given := _GIVEN_NAME.fullmatch(unit.name)):
            # `Lock Warden "Mother Dredge"`: the player gave the unit a name.
            plain = self._units.find(given["name"])
            if plain.reading is Reading.UNDERSTOOD:
                match, name = plain, given["name"]
        if match.value is None and (carrying := _CARRYING.fullmatch(unit.name)):
            # `imortals w/ tesla`: what is behind the name is in the unit.
            plain = self._units.find(carrying["name"])
            if plain.value is not None:
                match, name = plain, carrying["name"]
                carried = carrying["carried"]
                unit.items.append(PastedItem(carried, line=unit.line, written=carried))
                unit.name = name
        written = simplify_name(name)
        options = filter(None, dict.fromkeys((match.value, *match.others)))
        alike = [option for option in options if simplify_name(option.name) == written]
        if visible := [option for option in alike if not option.hidden]:
            alike = visible
        if match.reading is not Reading.UNDERSTOOD or len(alike) < 2:
            return match

        contents = {make_key(item.name) for item in unit.items}
        known = [sum(map(self._containers.open(option).knows, contents)) for option in alike]
        best = max(known)
        # Of twins for several slots the one is meant whose id is its name. If two know as much, the first is a guess,
        # unless the points of the text tell.
        likely = [option for option, number in zip(alike, known, strict=True) if number == best]
        priced = [one for one in likely if unit.points and unit.points in one.entry.costs.values()]
        likely = priced if len(priced) == 1 else likely
        called = [one for one in likely if simplify_name(one.local_id.rpartition("/")[2]) == written]
        reading = Reading.UNDERSTOOD if 1 in (len(likely), len(called)) else Reading.GUESSED
        chosen = called[0] if len(called) == 1 else likely[0]
        alike.remove(chosen)
        return NameMatch(chosen, reading, tuple(alike))

    def _index_paths(self, unit: CompiledOption) -> NameLookup[OptionPath]:
        if unit not in self._paths:
            paths = list(walk_paths(unit.entry.contents))
            names = [(path[-1].name, path) for path in paths]
            # Data may tell weapons of one name by their figures, as texts do.
            names += [(plain, path) for name, path in names if (plain := drop_figures(name)) != name]
            self._paths[unit] = NameLookup(names)
        return self._paths[unit]

    # ---- what holds for the whole list -------------------------------------------------------------------------------

    def _resolve_settings(self, pasted: PastedList) -> Iterator[ResolvedUnit]:
        """Resolve size, detachments and whatever else the head names that the data offers for a whole list."""
        named = {unit.name for unit in pasted.units}
        for root in self._roots.values():
            # What the text itself takes for a unit is resolved as a unit.
            if root.entry.target.type is not EntryType.UPGRADE or root.name in named:
                continue
            branch = Branch(root)
            for path in self._find_settings(root, pasted):
                branch.follow(path)
            if branch.inside:
                # A default goes if the head names another of its group.
                groups = {inner.option.group for inner in branch.inside} - {None}
                for option, _number in root.entry.contents.declared_picks:
                    if option.group in groups and branch.find_branch(option) is None:
                        branch.add_branch(option, 0)
                yield ResolvedUnit(PastedUnit(root.name, 0), root, item=branch.build_item(0))

    def _find_within(self, root: CompiledOption, text: str) -> Iterator[str]:
        """Find the options of a setting that a text names one after the other, whatever words join them."""
        left = f" {make_key(text)} "
        names = {make_key(path[-1].name): path[-1].name for path in self._index_paths(root).values}
        # The longest first: a name may be a part of another.
        for key in sorted(names, key=len, reverse=True):
            if key and f" {key} " in left:
                left = left.replace(f" {key} ", " | ", 1)
                yield names[key]

    def _find_settings(self, root: CompiledOption, pasted: PastedList) -> Iterator[OptionPath]:
        """Find the options of a setting that the head of a list names, or that follow from its units or points."""
        options = root.entry.contents.options
        sizes: dict[CompiledOption, Number | None] = {}
        for option in options:
            # A hidden option is no size that anybody could choose.
            if not option.hidden:
                match = _SIZE.search(option.name)
                sizes[option] = parse_number(match[1]) if match else None
        # Options are the sizes of a game if several of them say a number.
        if sum(number is not None for number in sizes.values()) > 1:
            size = _choose_size(sizes, pasted)
            if size is not None:
                yield (size,)
            return

        # The head names detachments, may have a key that is called like the setting, and has bare lines.
        names = list(pasted.claims.detachments)
        for key, value in pasted.claims.other.items():
            if make_key(key) in (make_key(root.name), make_key(write_plainly(root.name))):
                names += self._find_within(root, drop_cost(value))
            elif key.startswith("line "):
                names.append(value)
        known = self._index_paths(root)
        # A line of the head may have lost the break to the next one.
        for name in pasted.claims.detachments:
            if known.find(name).certain is None:
                names += self._find_within(root, name)
        paths = dict.fromkeys(path for name in names if (path := known.find(name).certain))
        yield from paths
        if paths or pasted.claims.detachments:
            return

        # An option is implied if a group that units take something from begins with its name: `Low Water Enhancements`.
        implied: list[CompiledOption] = []
        for option in options:
            start = f"{make_key(option.name)} "
            if option.group and any(group.startswith(start) for group in self._groups):
                implied.append(option)
        if len(implied) == 1:
            yield (implied[0],)


def _may_be_shown(option: CompiledOption) -> bool:
    """Return whether an option that is hidden by declaration could be shown by a modifier."""
    return any("hidden" in entry.modifiers for entry in option.merged_entries)


@lru_cache(maxsize=4)
def _keep_containers(catalogue: CompiledCatalogue) -> Containers:
    """Return what is known of the containers of a faction; an event sends many lists of the same few."""
    return Containers()


def _choose_size(sizes: Mapping[CompiledOption, Number | None], pasted: PastedList) -> CompiledOption | None:
    """Return the size of game that a list says or, if it says none, the smallest that its points fit into."""
    claims = pasted.claims
    key = make_key(claims.size)
    for option in sizes:
        if key and key in make_key(option.name):
            return option
    points = claims.limit or claims.total or pasted.sum_points()
    # Data has sizes of other kinds of game among its own, which a list would name: `4. Boarding Patrol`.
    usual = {
        option: number for option, number in sizes.items() if is_battle_size(_AROUND_SIZE.sub("", option.name))
    } or sizes
    large = [(number, option) for option, number in usual.items() if number is not None and number >= points]
    return min(large, key=lambda pair: pair[0])[1] if points and large else None


# ---- the document ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResolvedForce:
    """A detachment of a faction, with its units and the detachments inside it."""

    entry: ForceEntry
    faction_id: str
    units: Sequence[ResolvedUnit]
    inner: Sequence["ResolvedForce"] = ()

    def build_listed(self) -> ListedForce:
        items = [unit.item for unit in self.units if unit.item is not None]
        # Of units that come along with the force, each of several equal ones in the text is one.
        numbers = Counter(item.entry.value for item in items)
        items = [replace(item, count=item.count or 1) if numbers[item.entry.value] > 1 else item for item in items]
        return ListedForce(
            force=Text(self.entry.id),
            catalogue=Text(self.faction_id),
            units=tuple(items),
            detachments=tuple(force.build_listed() for force in self.inner),
        )


def build_resolved_document(
    pasted: PastedList,
    forces: Sequence[ResolvedForce],
    *,
    game: str,
    version: str,
    points_id: str,
    has_limit: bool = True,
) -> ListDocument:
    """Build the document of everything that was resolved; what was not is left out, and said by its lines.

    `has_limit` is whether the game has a limit that lists have if they say none.
    """
    limit: Number | None = pasted.claims.limit
    # A text without a limit has the usual one of the game; where that is nothing at all, it has none.
    is_known = limit is not None or not has_limit
    limits = (ListedLimit(type=Text(points_id), value=limit),) if is_known and points_id else ()
    return ListDocument(
        game=Text(game),
        version=Text(version),
        faction=Text(forces[0].faction_id),
        name=clean_text(pasted.claims.title)[:NAME_LENGTH],
        player=clean_text(pasted.claims.player)[:NAME_LENGTH],
        limits=limits,
        detachments=tuple(force.build_listed() for force in forces),
    )
