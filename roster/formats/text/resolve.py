"""Find a pasted list's names in a game's data, and say how certain each is."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.groups import group_by
from catalogue.definitions.numbers import Number, format_number
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
from roster.formats.text.stray_options import FindName, StrayOptions
from roster.formats.text.unit_filler import MAX_KEY, Branch, ResolvedName, UnitFiller, flatten_items, walk_paths

MAX_OFFERED = 300
MAX_TWINS = 20
MAX_PARTED = 20
"""The most units that one typed line may become."""
_IN_BRACKETS = re.compile(r"(?P<name>[^()]+?)\s*\((?P<inside>[^()]+)\)")
_CARRYING = re.compile(r"(?P<name>\S.*?)\s+(?:w/|with|mit|avec)\s*(?P<carried>\S.*)", re.I)
_GIVEN_NAME = re.compile(r"(?P<name>[^\"]+) \"[^\"]+\"")
_AROUND_SIZE = re.compile(r"^\d+[.)]\s+|\s*\(.*")
"""Data writes `2. Strike Force (2000 Point limit)` for a size."""
_SIZE = re.compile(r"(\d[\d.,]*)\s*(?:pts?|points?)\b", re.I)


@dataclass(slots=True, eq=False)
class ResolvedUnit:
    """A unit of the text. `option` is None if no entry is similar."""

    pasted: PastedUnit
    option: CompiledOption | None
    names: list[ResolvedName] = field(default_factory=list)
    item: ListedItem | None = None


class ListResolver:
    """Looks up one list's names in one faction's data.

    `choices` are the user's, by key. `former_names` are by entry id. `avoided` entries are taken only if no other has
    their name. `find_name` finds options of other factions.
    """

    def __init__(
        self,
        catalogue: CompiledCatalogue,
        choices: Mapping[str, str] | None = None,
        former_names: Mapping[str, Iterable[str]] | None = None,
        avoided: Container[str] = (),
        find_name: FindName | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._choices = choices or {}
        self._avoided = avoided
        # Modifiers may show a hidden entry.
        roots = [option for option in catalogue.distinct_roots if not option.hidden or _may_be_shown(option)]
        roots.sort(key=lambda option: option.hidden)
        self._roots = {option.local_id: option for option in roots}

        # Full names come first, then names without the faction in front, then former names.
        named = [(option.name, option) for option in roots]
        # `Grey Seer (Scourge of Ghyran)` is also written with the brackets' content in front.
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
        self._strays = StrayOptions(catalogue, find_name)
        self._paths: dict[CompiledOption, NameLookup[OptionPath]] = {}
        self._counts_models = False
        self._groups: set[str] = set()

    def count_known_units(self, pasted: PastedList) -> int:
        return sum(self._units.find(unit.name).reading is Reading.UNDERSTOOD for unit in pasted.units)

    def recognize(self, name: str) -> Reading:
        match = self._units.find(name)
        if match.value is None:
            return Reading.UNREAD
        # Choices for the whole list cost nothing and contain no units or models.
        inside = (option.entry.target for option in match.value.entry.contents.options)
        targets = (match.value.entry.target, *inside)
        is_unit = any(target.type is not EntryType.UPGRADE for target in targets)
        return match.reading if is_unit or any(match.value.entry.costs.values()) else Reading.UNREAD

    def resolve_units(self, pasted: PastedList, units: Iterable[PastedUnit]) -> list[ResolvedUnit]:
        per_model = pasted.layout in (PastedLayout.NEW_RECRUIT, PastedLayout.WAR_ORGAN)
        self._counts_models = pasted.layout is PastedLayout.ARMY_FORGE
        if pasted.layout is PastedLayout.PLAIN:
            units = chain.from_iterable(map(self._part_units, units))
        return [self._resolve_unit(unit, per_model=per_model) for unit in units]

    def _part_units(self, unit: PastedUnit) -> Iterator[PastedUnit]:
        """Split `2x Immortals 160` into two units if the unit always has more than two models."""
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
        self._rejoin_options(pasted)
        units = self.resolve_units(pasted, pasted.units)
        return [*self._resolve_settings(pasted), *units, *self._resolve_loose(units)]

    def _rejoin_options(self, pasted: PastedList) -> None:
        """Move unknown units that are options of the unit above into it: their bullet may be lost."""
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
        """Resolve unknown lines below a unit that name a unit without points, such as terrain."""
        for unit in units:
            for line, names in group_by(unit.names[1:], lambda name: name.line).items():
                unread = [name for name in names if name.reading is Reading.UNREAD]
                # The name of a unit may contain a comma.
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
        match = NameMatch(chosen, Reading.UNDERSTOOD) if chosen else self._choose_unit(unit, per_model=per_model)
        option = match.value
        offered = [*match.others]
        if match.reading is not Reading.UNDERSTOOD:
            # Offer the guess, too, so that the user can confirm it, and all other units.
            takeable = (root for root in self._roots.values() if root.entry.target.type is not EntryType.UPGRADE)
            offered += sorted(takeable, key=lambda root: root.name)[:MAX_OFFERED]
            offered = list(dict.fromkeys([option, *offered] if option else offered))
        choices = tuple((other.local_id, label) for other, label in self._label_options(offered))

        resolved = ResolvedUnit(unit, option)
        name = option.name if option else ""
        resolved.names.append(ResolvedName(unit.line, unit.name, name, match.reading, key, choices, bool(chosen)))
        if option is not None:
            is_certain = match.reading is Reading.UNDERSTOOD
            _faults, branch, names = self._fill_unit(unit, option, per_model=per_model, is_certain=is_certain)
            resolved.item = branch.build_item(unit.line)
            self._groups.update(make_key(group) for group in branch.list_groups())
            resolved.names += names
        return resolved

    def _fill_unit(
        self, unit: PastedUnit, option: CompiledOption, *, per_model: bool, is_certain: bool = False
    ) -> tuple[int, Branch, list[ResolvedName]]:
        """Resolve nested contents, or flat contents if they fit better; also return the faults.

        Only a unit that `is_certain` may have options of other units.
        """
        # In the order of the lines, which bullets may have nested otherwise.
        flat = sorted(flatten_items(unit.items), key=lambda item: item.line)
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
                strays=self._strays if is_certain else None,
            )
            branch = filler.fill_unit()
            if best is None or filler.faults < best[0]:
                best = filler.faults, branch, filler.names
            if not best[0] or len(flat) == len(unit.items):
                break
        assert best is not None  # noqa: S101 - there is always a first way
        return best

    def _label_options(self, options: Sequence[CompiledOption]) -> Iterator[tuple[CompiledOption, str]]:
        categories = self._catalogue.binding.categories
        labels: dict[CompiledOption, str] = {}
        numbers = Counter(option.name for option in options)
        for option in options:
            slot = categories.get(option.membership.primary)
            facts = [slot.name] if slot else []
            facts += (format_number(value) for value in option.entry.costs.values() if value)
            is_plain = numbers[option.name] == 1 or not facts
            labels[option] = option.name if is_plain else f"{option.name} ({', '.join(facts)})"
        for alike in group_by(options, labels.__getitem__).values():
            for number, option in enumerate(alike, 1):
                labels[option] += f" #{number}" if len(alike) > 1 else ""
        return iter(labels.items())

    def _choose_unit(self, unit: PastedUnit, *, per_model: bool) -> NameMatch[CompiledOption]:
        match, name = self._units.find(unit.name), unit.name
        if match.reading is not Reading.UNDERSTOOD and (given := _GIVEN_NAME.fullmatch(unit.name)):
            # `Lock Warden "Mother Dredge"`: a custom name.
            plain = self._units.find(given["name"])
            if plain.reading is Reading.UNDERSTOOD:
                match, name = plain, given["name"]
        if match.value is None and (carrying := _CARRYING.fullmatch(unit.name)):
            # `imortals w/ tesla`: the rest is an item of the unit.
            plain = self._units.find(carrying["name"])
            if plain.value is not None:
                match, name = plain, carrying["name"]
                carried = carrying["carried"]
                unit.items.append(PastedItem(carried, line=unit.line, written=carried))
                unit.name = name
        options = filter(None, dict.fromkeys((match.value, *match.others)))
        alike = [option for option in options if simplify_name(option.name) == simplify_name(name)]
        if match.reading is not Reading.UNDERSTOOD or len(alike) < 2:
            return match
        chosen, reading = self._choose_twin(unit, alike[:MAX_TWINS], per_model=per_model)
        return NameMatch(chosen, reading, tuple(option for option in alike if option is not chosen))

    def _choose_twin(
        self, unit: PastedUnit, twins: list[CompiledOption], *, per_model: bool
    ) -> tuple[CompiledOption, Reading]:
        """Return the twin that best fits the text: contents, slot, points.

        A tie is a guess, unless an id is the name of the usual twin.
        """
        section, written = make_key(unit.section), simplify_name(twins[0].name)
        twins = _keep_least(twins, lambda twin: (twin.local_id in self._avoided, twin.hidden))
        if unit.items and len(twins) > 1:
            twins = _keep_least(twins, lambda twin: self._fill_unit(unit, twin, per_model=per_model)[0])
        twins = _keep_least(twins, lambda twin: self._rank_slot(twin, section))
        twins = _keep_least(twins, lambda twin: unit.points not in twin.entry.costs.values())
        if len(twins) == 1:
            return twins[0], Reading.UNDERSTOOD
        called = [twin for twin in twins if simplify_name(twin.local_id.rpartition("/")[2]) == written]
        return (called[0], Reading.UNDERSTOOD) if len(called) == 1 else (twins[0], Reading.GUESSED)

    def _rank_slot(self, option: CompiledOption, section: str) -> int:
        categories = self._catalogue.binding.categories
        slot = option.membership.primary
        names = {one: make_key(categories[one].name) for one in option.membership.ids if one in categories}
        if slot in names and names[slot] == section:
            return 0
        # `Special Units` is the slot `Special`.
        if slot in names and section.startswith(f"{names[slot]} "):
            return 1
        return 2 if section in names.values() else 3

    def _index_paths(self, unit: CompiledOption) -> NameLookup[OptionPath]:
        if unit not in self._paths:
            paths = list(walk_paths(unit.entry.contents))
            names = [(path[-1].name, path) for path in paths]
            # Data and texts may both distinguish weapons of one name by their characteristics.
            names += [(plain, path) for name, path in names if (plain := drop_figures(name)) != name]
            self._paths[unit] = NameLookup(names)
        return self._paths[unit]

    # ---- choices for the whole list ----------------------------------------------------------------------------------

    def _resolve_settings(self, pasted: PastedList) -> Iterator[ResolvedUnit]:
        named = {unit.name for unit in pasted.units}
        for root in self._roots.values():
            # The text treats this choice as a unit.
            if root.entry.target.type is not EntryType.UPGRADE or root.name in named:
                continue
            branch = Branch(root)
            for path in self._find_settings(root, pasted):
                branch.follow(path)
            if branch.inside:
                # Drop a default if the head names another option of its group.
                groups = {inner.option.group for inner in branch.inside} - {None}
                for option, _number in root.entry.contents.declared_picks:
                    if option.group in groups and branch.find_branch(option) is None:
                        branch.add_branch(option, 0)
                yield ResolvedUnit(PastedUnit(root.name, 0), root, item=branch.build_item(0))

    def _find_within(self, root: CompiledOption, text: str) -> Iterator[str]:
        left = f" {make_key(text)} "
        names = {make_key(path[-1].name): path[-1].name for path in self._index_paths(root).values}
        # The longest first: a name may be part of another.
        for key in sorted(names, key=len, reverse=True):
            if key and f" {key} " in left:
                left = left.replace(f" {key} ", " | ", 1)
                yield names[key]

    def _find_settings(self, root: CompiledOption, pasted: PastedList) -> Iterator[OptionPath]:
        options = root.entry.contents.options
        sizes: dict[CompiledOption, Number | None] = {}
        for option in options:
            if not option.hidden:
                match = _SIZE.search(option.name)
                sizes[option] = parse_number(match[1]) if match else None
        # Several options with numbers are the sizes of the game.
        if sum(number is not None for number in sizes.values()) > 1:
            size = _choose_size(sizes, pasted)
            if size is not None:
                yield (size,)
            return

        # Detachments, a key with the setting's name, and unknown lines of the head.
        names = list(pasted.claims.detachments)
        for key, value in pasted.claims.other.items():
            if make_key(key) in (make_key(root.name), make_key(write_plainly(root.name))):
                names += self._find_within(root, drop_cost(value))
            elif key.startswith("line "):
                names.append(value)
        index = self._index_paths(root)
        # A line of the head may have lost its line break.
        for name in pasted.claims.detachments:
            if index.find(name).certain is None:
                names += self._find_within(root, name)
        paths = dict.fromkeys(path for name in names if (path := index.find(name).certain))
        yield from paths
        if paths or pasted.claims.detachments:
            return

        # An option is implied if its name begins a used group's name: `Low Water Enhancements`.
        implied: list[CompiledOption] = []
        for option in options:
            start = f"{make_key(option.name)} "
            if option.group and any(group.startswith(start) for group in self._groups):
                implied.append(option)
        if len(implied) == 1:
            yield (implied[0],)


def _keep_least(
    options: list[CompiledOption], rank: Callable[[CompiledOption], int | tuple[bool, bool]]
) -> list[CompiledOption]:
    if len(options) < 2:
        return options
    ranks = list(map(rank, options))
    return [option for option, value in zip(options, ranks, strict=True) if value == min(ranks)]


def _may_be_shown(option: CompiledOption) -> bool:
    return any("hidden" in entry.modifiers for entry in option.merged_entries)


@lru_cache(maxsize=4)
def _keep_containers(catalogue: CompiledCatalogue) -> Containers:
    """Cache a faction's containers: events send many lists of few factions."""
    return Containers()


def _choose_size(sizes: Mapping[CompiledOption, Number | None], pasted: PastedList) -> CompiledOption | None:
    claims = pasted.claims
    key = make_key(claims.size)
    for option in sizes:
        if key and key in make_key(option.name):
            return option
    points = claims.limit or claims.total or pasted.sum_points()
    # Data also has sizes of other kinds of game, which a list would name: `4. Boarding Patrol`.
    usual = {
        option: number for option, number in sizes.items() if is_battle_size(_AROUND_SIZE.sub("", option.name))
    } or sizes
    large = [(number, option) for option, number in usual.items() if number is not None and number >= points]
    return min(large, key=lambda pair: pair[0])[1] if points and large else None


# ---- the document ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ResolvedForce:
    entry: ForceEntry
    faction_id: str
    units: Sequence[ResolvedUnit]
    inner: Sequence["ResolvedForce"] = ()

    def build_listed(self) -> ListedForce:
        items = [unit.item for unit in self.units if unit.item is not None]
        # The text has as many units as it names, however many are automatic.
        items = [replace(item, count=item.count or 1) for item in items]
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
    """Build the document. `has_limit` is whether the game has a default limit."""
    limit: Number | None = pasted.claims.limit
    # Without a stated limit, use the game's default, or none if it has none.
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
