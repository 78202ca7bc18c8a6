"""From the names of a pasted list to what a game calls them: a list document, and how sure each name is.

Units are looked up within the faction, options within their unit: nearest first, wherever in the unit they stand.
Nothing here judges; the document is built through the same acts as a list on the pages.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from catalogue.definitions.entries import EntryType, ForceEntry
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledOption, ContainerOptions
from catalogue.graph.ruleset import CompiledCatalogue
from roster.formats.list_document.document import ListDocument, ListedForce, ListedItem, ListedLimit
from roster.formats.list_document.values import Text
from roster.formats.list_text import NAME_LENGTH, clean_text, simplify_name
from roster.formats.text.names import NameLookup, NameMatch
from roster.formats.text.pasted import ItemRole, Layout, PastedItem, PastedList, PastedUnit, Reading

MAX_DEPTH = 5
MAX_PATHS = 3_000
"""How many options of one unit are looked at, however many its data has."""
MAX_COUNT = 500
OptionPath = tuple[CompiledOption, ...]
NOTED = frozenset({ItemRole.NOTE, ItemRole.WARLORD})
"""What a text may say of a unit without the game having an option for it."""


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """A name of the text and what it is taken for. `key` is what a choice is remembered by, if one is open."""

    line: int
    written: str
    meant: str
    reading: Reading
    key: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """What else it may be: what is to be remembered, and its name."""


@dataclass(slots=True)
class ResolvedUnit:
    """A unit of the text with its entry, None where nothing is like it."""

    pasted: PastedUnit
    option: CompiledOption | None
    names: list[ResolvedName] = field(default_factory=list)
    item: ListedItem | None = None


@dataclass(slots=True)
class _OptionMatch:
    """What an item means, and below which branch its path starts."""

    base: "_Branch"
    match: NameMatch[OptionPath]

    @property
    def is_sure(self) -> bool:
        return self.match.reading is Reading.UNDERSTOOD and self.match.value is not None


@dataclass(slots=True)
class _Branch:
    """An option that is to be taken, and what inside it."""

    option: CompiledOption
    count: int | None = None
    inside: list["_Branch"] = field(default_factory=list)

    def open_branch(self, option: CompiledOption, *, apart: bool = False) -> "_Branch":
        """Return the branch of an option, a new one where there is none yet; one that holds something stays `apart`."""
        for branch in self.inside:
            if branch.option is option and not (apart and (branch.inside or branch.count)):
                return branch
        self.inside.append(_Branch(option))
        return self.inside[-1]

    def build_item(self, line: int) -> ListedItem:
        options = tuple(branch.build_item(line) for branch in self.inside)
        group = self.option.group
        return ListedItem(
            entry=Text(self.option.local_id, line),
            group=Text(group.local_id, line) if group else Text(),
            count=self.count,
            options=options or None,
        )


_Branches = tuple[_Branch, ...]
"""The unit and, where it is another, the branch that items stand below."""


class ListResolver:
    """Looks the names of one list up in the data of one faction.

    `choices` are what the user settled before, by key; `former_names` names that units had in earlier versions of the
    data, by the ids of their entries.
    """

    def __init__(
        self,
        book: CompiledCatalogue,
        choices: Mapping[str, str] | None = None,
        former_names: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self._book = book
        self._choices = choices or {}
        roots = [option for option in book.distinct_roots if not option.hidden]
        self._roots = {option.local_id: option for option in roots}
        named = [*_name_roots(book, roots), *self._name_former(former_names or {})]
        self._units = NameLookup(named)
        self._options: dict[CompiledOption, NameLookup[OptionPath]] = {}
        self._totals = True

    def _name_former(self, former_names: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, CompiledOption]]:
        for entry_id, names in former_names.items():
            option = self._roots.get(entry_id)
            yield from ((name, option) for name in names if option)

    def count_known_units(self, pasted: PastedList) -> int:
        """Count the units whose names the faction has, spelled like that."""
        return sum(self._units.find(unit.name).reading is Reading.UNDERSTOOD for unit in pasted.units)

    def resolve_list(self, pasted: PastedList) -> list[ResolvedUnit]:
        """Resolve the units, and the choices for the whole list that the head names."""
        self._totals = pasted.layout is not Layout.NEW_RECRUIT
        return [*self._resolve_claims(pasted), *(self._resolve_unit(unit) for unit in pasted.units)]

    def _resolve_claims(self, pasted: PastedList) -> Iterator[ResolvedUnit]:
        """Resolve detachments that the data offers as options of something for the whole list."""
        names = [name for name in (pasted.claims.size, *pasted.claims.detachments) if name]
        if not names:
            return
        for root in self._roots.values():
            if root.entry.target.type is not EntryType.UPGRADE:
                continue
            for name in names:
                match = self._index_options(root).find(name)
                if match.reading is Reading.UNDERSTOOD and match.value is not None:
                    branch = _open_path(root, match.value)
                    yield ResolvedUnit(PastedUnit(name, 0), root, item=branch.build_item(0))

    # ---- units -------------------------------------------------------------------------------------------------------

    def _resolve_unit(self, unit: PastedUnit) -> ResolvedUnit:
        key = f"unit:{simplify_name(unit.name)}"[:150]
        chosen = self._roots.get(self._choices.get(key, ""))
        match = NameMatch(chosen, Reading.UNDERSTOOD) if chosen else self._units.find(unit.name)
        choices = tuple((option.local_id, option.name) for option in match.others)
        meant = match.value.name if match.value else ""
        resolved = ResolvedUnit(unit, match.value)
        resolved.names.append(ResolvedName(unit.line, unit.name, meant, match.reading, key, choices))
        if match.value is not None:
            branch = _Branch(match.value)
            self._resolve_items(resolved, (branch,), unit.items)
            resolved.item = branch.build_item(unit.line)
        return resolved

    # ---- options -----------------------------------------------------------------------------------------------------

    def _index_options(self, unit: CompiledOption) -> NameLookup[OptionPath]:
        if unit not in self._options:
            self._options[unit] = NameLookup((path[-1].name, path) for path in walk_paths(unit.entry.contents))
        return self._options[unit]

    def _resolve_items(self, unit: ResolvedUnit, branches: _Branches, items: Sequence[PastedItem]) -> None:
        """Resolve items that stand side by side below a branch, the last of `branches`; the first is the unit."""
        place = 0
        while place < len(items):
            place += self._resolve_row(unit, branches, items[place : place + 2])

    def _resolve_row(self, unit: ResolvedUnit, branches: _Branches, items: Sequence[PastedItem]) -> int:
        """Resolve the first item, together with the next where only both are a name; return how many are done."""
        first = items[0]
        if first.role is ItemRole.PART:
            self._resolve_items(unit, branches, first.items)
            return 1
        whole = self._match_item(branches, first.written) if first.counted and not first.items else None
        if whole is not None and whole.is_sure:
            # The number is a part of the name: `2 magma cutters` are one option.
            self._take(unit, branches, replace(first, count=1), whole)
            return 1
        match = self._match_item(branches, first.name)
        joined = None if match.is_sure else self._match_joined(branches, items)
        if joined is not None:
            self._take(unit, branches, first, joined)
            return 2
        if match.match.value is None:
            self._leave_open(unit, branches, first, match.match)
        else:
            self._take(unit, branches, first, match)
        return 1

    def _match_item(self, branches: _Branches, name: str) -> _OptionMatch:
        """Match a name below the last branch, else anywhere in the unit."""
        root, branch = branches[0], branches[-1]
        chosen = self._find_chosen(root.option, name)
        if chosen:
            return _OptionMatch(root, NameMatch(chosen, Reading.UNDERSTOOD))
        inner = _OptionMatch(branch, self._index_options(branch.option).find(name))
        return (
            inner
            if inner.is_sure or root is branch
            else _OptionMatch(root, self._index_options(root.option).find(name))
        )

    def _find_chosen(self, unit: CompiledOption, name: str) -> OptionPath | None:
        wanted = self._choices.get(_name_key(unit, name))
        if wanted is None:
            return None
        return next((path for path in walk_paths(unit.entry.contents) if _write_path(path) == wanted), None)

    def _leave_open(
        self, unit: ResolvedUnit, branches: _Branches, item: PastedItem, match: NameMatch[OptionPath]
    ) -> None:
        """Note an item that nothing in the unit is called like; what it holds is looked up all the same."""
        if item.role in NOTED or _is_label(item) or _names_unit(unit, item):
            unit.names.append(ResolvedName(item.line, item.written or item.name, "", Reading.UNDERSTOOD))
        else:
            unit.names.append(self._describe(unit, item, match))
        self._resolve_items(unit, branches, item.items)

    def _match_joined(self, branches: _Branches, items: Sequence[PastedItem]) -> _OptionMatch | None:
        """Return what the first two items are together, where that is sure."""
        if len(items) < 2 or items[0].items:
            return None
        match = self._match_item(branches, f"{items[0].name} and {items[1].name}")
        return match if match.is_sure else None

    def _take(self, unit: ResolvedUnit, branches: _Branches, item: PastedItem, match: _OptionMatch) -> None:
        path = match.match.value or ()
        unit.names.append(self._describe(unit, item, match.match))
        outer = match.base
        for option in path[:-1]:
            outer = outer.open_branch(option)
        parts = [part for part in item.items if part.role is ItemRole.PART]
        for part in parts:
            self._take_part(unit, branches, outer.inside, path[-1], item, part)
        if not parts:
            leaf = outer.open_branch(path[-1], apart=bool(item.items))
            leaf.count = min((leaf.count or 0) + self._divide(item.count, outer), MAX_COUNT)
            self._resolve_items(unit, (branches[0], leaf), item.items)

    def _take_part(
        self,
        unit: ResolvedUnit,
        branches: _Branches,
        row: list[_Branch],
        option: CompiledOption,
        item: PastedItem,
        part: PastedItem,
    ) -> None:
        """Take some of the models, by the name that they have with one of their weapons where the data has such."""
        for inner in part.items:
            variant = self._match_item(branches, f"{item.name} w/ {inner.name}")
            if variant.is_sure and variant.match.value and len(variant.match.value) == 1:
                option = variant.match.value[0]
                break
        leaf = _Branch(option, min(part.count, MAX_COUNT))
        row.append(leaf)
        per_model = [_multiply(inner, part.count) for inner in part.items]
        self._resolve_items(unit, (branches[0], leaf), per_model if self._totals else part.items)

    def _divide(self, count: int, outer: _Branch) -> int:
        """Return how many each of the models around has; most layouts give what all of them have together."""
        if not self._totals or outer.option.entry.target.type is not EntryType.MODEL:
            return count
        return max(1, -(-count // (outer.count or 1)))

    def _describe(self, unit: ResolvedUnit, item: PastedItem, match: NameMatch[OptionPath]) -> ResolvedName:
        assert unit.option is not None  # noqa: S101 - options are looked up in units that have an entry
        choices = tuple((_write_path(path), path[-1].name) for path in match.others)
        meant = match.value[-1].name if match.value else ""
        alike = simplify_name(meant)
        open_choices = tuple(choice for choice in choices if simplify_name(choice[1]) != alike)
        key = _name_key(unit.option, item.name)
        return ResolvedName(item.line, item.written or item.name, meant, match.reading, key, open_choices)


def _open_path(root: CompiledOption, path: OptionPath) -> _Branch:
    """Return a branch of `root` with what is on the way to the last option of `path`."""
    branch = outer = _Branch(root)
    for option in path:
        outer = outer.open_branch(option)
    return branch


def _name_roots(book: CompiledCatalogue, roots: Sequence[CompiledOption]) -> Iterator[tuple[str, CompiledOption]]:
    """Name what stands at the root, first in full, then without the faction that some data writes in front."""
    yield from ((option.name, option) for option in roots)
    prefix = f"{book.catalogue.name.rsplit(' - ', 1)[-1]} "
    for option in roots:
        if option.name.casefold().startswith(prefix.casefold()):
            yield option.name[len(prefix) :], option


def walk_paths(contents: ContainerOptions) -> Iterator[OptionPath]:
    """Walk everything that may be taken inside, the nearest first."""
    pending: deque[OptionPath] = deque((option,) for option in contents.options)
    walked = 0
    while pending and walked < MAX_PATHS:
        path = pending.popleft()
        walked += 1
        yield path
        if len(path) < MAX_DEPTH:
            pending.extend((*path, option) for option in path[-1].entry.contents.options)


def _write_path(path: OptionPath) -> str:
    return "/".join(option.local_id for option in path)


def _name_key(unit: CompiledOption, name: str) -> str:
    return f"{unit.local_id}:{simplify_name(name)}"[:150]


def _is_label(item: PastedItem) -> bool:
    """Whether an item only names what stands below it."""
    return bool(item.items) and item.role is ItemRole.OPTION


def _names_unit(unit: ResolvedUnit, item: PastedItem) -> bool:
    return simplify_name(item.name) == simplify_name(unit.pasted.name)


def _multiply(item: PastedItem, count: int) -> PastedItem:
    """Return an item of a part of the models with the number that all of them have."""
    return PastedItem(item.name, item.count * count, item.points, item.role, item.items, item.line, item.written)


# ---- the document ----------------------------------------------------------------------------------------------------


def build_resolved_document(
    pasted: PastedList,
    units: Sequence[ResolvedUnit],
    force: ForceEntry,
    *,
    game: str,
    version: str,
    faction_id: str,
    points_id: str,
) -> ListDocument:
    """Build the document of everything that was resolved; what was not is left out, and said by its lines."""
    limit: Number | None = pasted.claims.limit
    limits = (ListedLimit(type=Text(points_id), value=limit),) if limit is not None and points_id else ()
    items = tuple(unit.item for unit in units if unit.item is not None)
    return ListDocument(
        game=Text(game),
        version=Text(version),
        faction=Text(faction_id),
        name=clean_text(pasted.claims.title)[:NAME_LENGTH],
        player=clean_text(pasted.claims.player)[:NAME_LENGTH],
        limits=limits,
        detachments=(ListedForce(force=Text(force.id), units=items),),
    )


def choose_force_entry(book: CompiledCatalogue, pasted: PastedList, units: Sequence[ResolvedUnit]) -> ForceEntry | None:
    """Return the kind of detachment that a list is, by its name, else by how many of its units have a slot in it."""
    named = NameLookup((force.name, force) for force in book.force_entries)
    for name in pasted.claims.detachments:
        match = named.find(name)
        if match.reading is Reading.UNDERSTOOD and match.value is not None:
            return match.value
    taken = [unit.option for unit in units if unit.option is not None]
    return max(book.force_entries, key=lambda force: _count_slots(book, force, taken), default=None)


def _count_slots(book: CompiledCatalogue, force: ForceEntry, taken: Sequence[CompiledOption]) -> int:
    slots = book.compile_force(force).slots_by_category
    return sum(any(category in slots for category in option.membership.ids) for option in taken)
