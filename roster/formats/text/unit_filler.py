"""What is in a unit of a text, taken in the unit of the data: models with what they carry, options, upgrades."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from catalogue.definitions.entries import EntryType
from catalogue.definitions.numbers import format_number
from catalogue.graph.compiled_entry import CompiledGroup, CompiledOption, ContainerOptions
from roster.formats.list_document.document import ListedItem
from roster.formats.list_document.values import Text
from roster.formats.list_text import simplify_name
from roster.formats.text.loadouts import (
    Container,
    Containers,
    FittedModels,
    ModelFitter,
    ModelKind,
    Offer,
    OptionPath,
    Pick,
    Wares,
    list_model_kinds,
    scale_wares,
)
from roster.formats.text.names import NameLookup, NameMatch, make_key
from roster.formats.text.pasted import ItemRole, PastedItem, PastedUnit, Reading

MAX_COUNT = 500
MAX_KEY = 150
MAX_OFFERED = 40
"""Among how many options of a unit a user may choose what one is that nothing is called like."""
MAX_DEPTH = 5
MAX_PATHS = 3_000
"""How many options of one unit are looked at, however many its data has."""
NOTED = frozenset({ItemRole.NOTE, ItemRole.WARLORD})
"""What a text may say of a unit without the game having an option for it."""


Choices = tuple[tuple[str, str], ...]
"""What a name may be: what is to be remembered, and its name."""


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """A name of the text and what it is taken for. `key` is what a choice is remembered by, if one is open."""

    line: int
    written: str
    resolved: str
    reading: Reading
    key: str = ""
    choices: Choices = ()
    """What else it may be."""
    settled: bool = False
    """Whether the user said what it means."""


@dataclass(slots=True)
class Branch:
    """An option that is to be taken, and what inside it."""

    option: CompiledOption
    count: int | None = None
    inside: list["Branch"] = field(default_factory=list)

    def add_branch(self, option: CompiledOption, count: int | None = None) -> "Branch":
        # A text may say any number; a document has no room for all of them.
        self.inside.append(Branch(option, None if count is None else min(count, MAX_COUNT)))
        return self.inside[-1]

    def follow(self, path: Iterable[CompiledOption]) -> "Branch":
        """Return the branch at the end of a path; what is not there yet is opened."""
        branch = self
        for option in path:
            branch = branch.find_branch(option) or branch.add_branch(option)
        return branch

    def find_branch(self, option: CompiledOption) -> "Branch | None":
        # By identity: the same entry at two places of a unit is two options.
        return next((inner for inner in self.inside if inner.option is option), None)

    def can_be_split(self, count: int) -> bool:
        """Whether only some of what is taken here may have something in it that `count` of them have."""
        return self.count is not None and self.count > count and not self.inside

    def list_groups(self) -> Iterator[str]:
        """List what the groups are called that something is taken from, at any depth."""
        for branch in self.inside:
            yield from (group.entry.name for group in branch.option.groups)
            yield from branch.list_groups()

    def build_item(self, line: int) -> ListedItem:
        options = tuple(branch.build_item(line) for branch in self.inside)
        group = self.option.group
        return ListedItem(
            entry=Text(self.option.local_id, line),
            group=Text(group.local_id, line) if group else Text(),
            count=self.count,
            options=options or None,
        )


@dataclass(slots=True)
class _Row:
    """Models of a text that carry the same things, and which of the data's models they may be.

    `per_model`: the numbers are those of one model, `summed`: those of all, whatever the layout.
    """

    kinds: list[ModelKind]
    count: int
    items: list[PastedItem]
    per_model: bool = False
    summed: bool = False


class UnitFiller:
    """Fills one unit. `per_model`: the layout gives what one model has, not what all of a row have together."""

    def __init__(
        self,
        pasted: PastedUnit,
        option: CompiledOption,
        containers: Containers,
        index_paths: Callable[[CompiledOption], NameLookup[OptionPath]],
        choices: Mapping[str, str],
        *,
        per_model: bool,
    ) -> None:
        self._pasted = pasted
        self._option = option
        self._containers = containers
        self._index_paths = index_paths
        self._choices = choices
        self._per_model = per_model
        self._root = Branch(option)
        self.names: list[ResolvedName] = []

    def fill_unit(self) -> Branch:
        count = self._pasted.count
        if count and count > 1 and not self._has_models():
            # Nothing inside could be its models: it is taken in numbers.
            self._root.count = min(count, MAX_COUNT)
        self._place_anywhere(self._fill(self._root, self._pasted.items, self._pasted.count))
        return self._root

    @property
    def _paths(self) -> NameLookup[OptionPath]:
        """Everything in the unit, at any depth, by its name: asked for only where a name is in none of its places."""
        return self._index_paths(self._option)

    def _has_models(self) -> bool:
        """Whether the data has entries for the models of the unit, beside those that may join it."""
        kinds = list_model_kinds(self._option.entry.contents)
        return any(kind.path[0].entry.constraints.minimums or kind.option.group for kind in kinds)

    def _fill(self, branch: Branch, items: Sequence[PastedItem], count: int | None = None) -> list[PastedItem]:
        """Take items in a branch; return those that nothing in it stands for."""
        kinds = list(list_model_kinds(branch.option.entry.contents))
        rows, wares = self._sort_items(branch, kinds, items)
        for row in self._merge_bundled(rows):
            wares += self._place_row(branch, row)
        if rows:
            self._drop_unnamed(branch, kinds, _count_models(rows), count)
        elif self._has_other_models(kinds):
            wares = self._place_unnamed(branch, kinds, wares, count)
        return self._place_wares(branch, wares)

    def _has_other_models(self, kinds: Sequence[ModelKind]) -> bool:
        """Whether a unit has models; one that is a model by itself has no others to be told apart."""
        return bool(kinds) and self._option.entry.target.type is not EntryType.MODEL

    # ---- telling models from what they carry -------------------------------------------------------------------------

    def _sort_items(
        self, branch: Branch, kinds: list[ModelKind], items: Sequence[PastedItem]
    ) -> tuple[list[_Row], list[PastedItem]]:
        rows: list[_Row] = []
        wares: list[PastedItem] = []
        named = {make_key(item.name) for item in items}
        for item in items:
            item_rows, item_wares = self._sort_item(branch, kinds, item, named)
            rows += filter(attrgetter("kinds"), item_rows)
            wares += item_wares
        return rows, wares

    def _sort_item(
        self, branch: Branch, kinds: list[ModelKind], item: PastedItem, named: set[str]
    ) -> tuple[list[_Row], list[PastedItem]]:
        """Return the models that an item stands for, or what else is to be taken; what is settled is taken at once."""
        # A part without a name says what some of the models have.
        if item.role is ItemRole.PART:
            return [_Row(_choose_unnamed(branch, kinds), item.count, item.items, per_model=True)], []
        # What the user said of a name is believed before anything is guessed.
        if self._take_settled(item):
            return [], []
        return self._sort_named(branch, kinds, item, named)

    def _sort_named(
        self, branch: Branch, kinds: list[ModelKind], item: PastedItem, named: set[str]
    ) -> tuple[list[_Row], list[PastedItem]]:
        """Return the models that a name stands for, or what else is to be taken by it."""
        bundle = _find_bundle(kinds, item)
        if bundle:
            return [], self._fill_bundle(branch, bundle, item)
        # What is called like an option is that option, though a model may have a name much like it.
        if item.role is not ItemRole.OPTION or self._is_ware(branch, item):
            return [], [item]
        return self._sort_models(branch, kinds, item, named)

    def _sort_models(
        self, branch: Branch, kinds: list[ModelKind], item: PastedItem, named: set[str]
    ) -> tuple[list[_Row], list[PastedItem]]:
        """Return the models that an item is called like; what is below it where it is the label of that."""
        matched = self._match_kinds(kinds, item, named)
        if matched:
            return _split_parts(matched, item), []
        if item.items:
            return self._open_label(branch, kinds, item)
        return [], [item]

    def _fill_bundle(self, branch: Branch, bundle: ModelKind, item: PastedItem) -> list[PastedItem]:
        """Take models that only come together; return what nothing in them stands for."""
        self._note(item, bundle.option.name)
        leaf = branch.follow(bundle.path)
        leaf.count = 1
        # What is on the line itself is a part of the name.
        return self._fill(leaf, [inner for inner in item.items if inner.line != item.line])

    def _open_label(
        self, branch: Branch, kinds: list[ModelKind], item: PastedItem
    ) -> tuple[list[_Row], list[PastedItem]]:
        """Look into an item that only names what is below it."""
        if kinds and item.counted and not _is_called(item, self._pasted.name):
            self._add_name(item, "", Reading.UNREAD, _list_kind_choices(kinds[:5]))
        else:
            self._add_name(item, "", Reading.UNDERSTOOD)
        return self._sort_items(branch, kinds, item.items)

    def _is_ware(self, branch: Branch, item: PastedItem) -> bool:
        """Whether something that is not a model is called like an item."""
        container = self._contain(branch)
        return bool(container.find_own(make_key(item.name)) or _find_whole([container], item))

    def _match_kinds(self, kinds: list[ModelKind], item: PastedItem, named: set[str]) -> list[ModelKind]:
        """List the models that an item may be, and note its name; one that another item is called like is not it."""
        key = make_key(item.name)
        called = _list_called_kinds(kinds, key)
        if called:
            self._note(item, called[0].option.name)
            return called
        if not key or not _can_be_models(item):
            return []
        return self._guess_kinds(kinds, item, [kind for kind in kinds if kind.key not in named])

    def _guess_kinds(self, kinds: list[ModelKind], item: PastedItem, possible: Sequence[ModelKind]) -> list[ModelKind]:
        """List the models that an item may be whose name is not quite theirs, and note what it was taken for."""
        similar = _list_similar_kinds(possible, make_key(item.name))
        if not similar:
            return []
        self._add_name(item, similar[0].option.name, Reading.GUESSED, _list_kind_choices(similar))
        return _list_sizes(kinds, similar[0])

    # ---- models ------------------------------------------------------------------------------------------------------

    def _place_row(self, branch: Branch, row: _Row) -> list[PastedItem]:
        """Take the models of a row; return what they carry and none of them has."""
        plain, special = self._split_special(row)
        fitted = self._fit_row(row, plain)
        leaf = branch
        for loadout, number in fitted.loadouts:
            leaf = branch.follow(loadout.path[:-1]).add_branch(loadout.path[-1], number)
            _add_picks(leaf, loadout.picks)
            _drop_defaults(leaf, self._contain(leaf))
        for item in special:
            self._place_special(leaf, item)
        left = Counter(fitted.left)
        return list(self._note_placed(plain, left))

    def _merge_bundled(self, rows: Sequence[_Row]) -> list[_Row]:
        """Put rows of the same models together where these only come in bundles."""
        merged: list[_Row] = []
        for row in rows:
            same = _find_row(merged, row.kinds)
            if same and _has_bundles(row.kinds):
                self._merge_row(same, row)
            else:
                merged.append(row)
        return merged

    def _merge_row(self, row: _Row, other: _Row) -> None:
        # From here on numbers are those of all: two rows that are one have no number per model.
        row.items = [*self._multiply_items(row), *self._multiply_items(other)]
        row.count, row.per_model, row.summed = row.count + other.count, False, True

    def _multiply_items(self, row: _Row) -> list[PastedItem]:
        """Return what a row carries with the numbers of all its models."""
        if row.summed or not (row.per_model or self._per_model):
            return row.items
        return [replace(item, count=item.count * row.count) for item in row.items]

    def _fit_row(self, row: _Row, items: Sequence[PastedItem]) -> FittedModels:
        """Fit a row by numbers for each model and by numbers for all, whichever comes out even."""
        fitter = ModelFitter(row.kinds, self._containers)
        first, *others = self._list_countings(row, items)
        best = fitter.fit(row.count, first)
        for wanted in others:
            # Fitting is slow, and one that comes out even cannot be bettered.
            if not best.faults:
                break
            fitted = fitter.fit(row.count, wanted)
            if fitted.faults < best.faults:
                best = fitted
        return best

    def _list_countings(self, row: _Row, items: Sequence[PastedItem]) -> list[Wares]:
        """List what a row may carry in all, the likelier first: numbers are those of each model, or of all of them."""
        together = _sum_items(items)
        per_model = scale_wares(together, row.count)
        if row.per_model:
            return [per_model]
        if row.summed or row.count == 1:
            return [together]
        return [per_model, together] if self._per_model else [together, per_model]

    def _split_special(self, row: _Row) -> tuple[list[PastedItem], list[PastedItem]]:
        """Split off what holds something that does not come along in it; models of one kind alone can have such."""
        plain: list[PastedItem] = []
        special: list[PastedItem] = []
        for item in _name_whole(self._open_kinds(row.kinds), row.items):
            inner = self._list_special(row.kinds, item)
            if inner and len(row.kinds) == 1:
                special.append(item)
            else:
                plain += self._unpack_item(item, inner)
        return plain, special

    def _list_special(self, kinds: Sequence[ModelKind], item: PastedItem) -> list[PastedItem]:
        """List what is in an item and does not come along in it."""
        return [child for child in item.items if not self._comes_along(kinds, item, child)]

    def _unpack_item(self, item: PastedItem, inner: Sequence[PastedItem]) -> list[PastedItem]:
        """Return an item and beside it what does not come along in it."""
        # Named, though it comes along by itself: the line is read, and nothing is taken for it.
        self._note_read(child for child in item.items if child not in inner)
        return [replace(item, items=[]), *inner]

    def _note_read(self, items: Iterable[PastedItem]) -> None:
        for item in items:
            self._add_name(item, item.name, Reading.UNDERSTOOD)

    def _comes_along(self, kinds: Sequence[ModelKind], item: PastedItem, child: PastedItem) -> bool:
        offers = [offer for container in self._open_kinds(kinds) for offer in container.find_own(make_key(item.name))]
        return any(make_key(child.name) in offer.inside for offer in offers)

    def _open_kinds(self, kinds: Sequence[ModelKind]) -> list[Container]:
        """Return what models of some kinds may carry."""
        return [self._containers.open(kind.option, as_model=True) for kind in kinds]

    def _place_special(self, branch: Branch, item: PastedItem) -> None:
        """Take an option together with what a text says is in it."""
        offers = self._contain(branch).find_own(make_key(item.name))
        if not offers:
            self._place_anywhere([replace(item, items=[]), *item.items])
            return
        self._note(item, offers[0].option.name)
        leaf = branch.add_branch(offers[0].option, item.count)
        self._place_anywhere(self._fill(leaf, item.items))

    def _drop_unnamed(self, branch: Branch, kinds: Sequence[ModelKind], named: int, count: int | None) -> None:
        """Drop models that come along and that a text which lists all models does not name."""
        # The text names only some of its models; the others are those that come along.
        if count is not None and named < count:
            return
        unnamed = _find_unnamed(branch, kinds)
        for option, _number in branch.option.entry.contents.declared_picks:
            if option in unnamed:
                branch.add_branch(option, 0)

    def _place_unnamed(
        self, branch: Branch, kinds: list[ModelKind], items: list[PastedItem], count: int | None
    ) -> list[PastedItem]:
        """Take the models of a unit whose text names none: their number, and what only models can carry."""
        coming = _count_coming(branch, kinds)
        present = sum(coming.values())
        number = max(count or 0, present)
        carried = self._list_carried_by_models(branch, items)
        # With several kinds of models nobody can say which of them carry what.
        if carried and len(coming) == 1 and number:
            left = self._place_row(branch, _Row(_choose_unnamed(branch, kinds), number, carried))
            return _leave_out(items, carried) + left
        if number > present:
            _enlarge(branch, kinds, coming, number - present)
        return items

    def _list_carried_by_models(self, branch: Branch, items: Sequence[PastedItem]) -> list[PastedItem]:
        """List the options that the unit itself does not know: only its models can carry them."""
        knows = self._contain(branch).knows
        return [item for item in items if item.role is ItemRole.OPTION and not knows(make_key(item.name))]

    # ---- options -----------------------------------------------------------------------------------------------------

    def _place_wares(self, branch: Branch, items: Sequence[PastedItem]) -> list[PastedItem]:
        """Take what is in a branch itself; return what nothing there is called."""
        container = self._contain(branch)
        plain: list[PastedItem] = []
        for item in _name_whole([container], items):
            if item.items:
                self._place_special(branch, item)
            else:
                plain.append(item)
        allocation = container.allocate(_sum_items(plain))
        _add_picks(branch, allocation.picks)
        _drop_defaults(branch, container)
        return list(self._note_placed(plain, allocation.left, container))

    def _note_placed(
        self, items: Sequence[PastedItem], left: Wares, container: Container | None = None
    ) -> Iterator[PastedItem]:
        """Note the names that were placed; yield what was not, with its number."""
        for item in items:
            key = make_key(item.name)
            missing = min(item.count, left[key])
            if missing:
                left[key] -= missing
                yield replace(item, count=missing)
            else:
                self._note_taken(item, container.find_own(key) if container else ())

    def _note_taken(self, item: PastedItem, called: Sequence[Offer]) -> None:
        """Note what was taken; where several at different costs are called so, which one is meant is a guess."""
        open_options = _list_open_options(item, called)
        if open_options:
            self._add_name(item, open_options[0].name, Reading.GUESSED, self._list_places(open_options))
        else:
            self._note(item, item.name)

    def _list_places(self, options: Sequence[CompiledOption]) -> Choices:
        """List options of one name as answers to a question, each by its last place in the unit."""
        paths = {path[-1]: path for path in self._paths.values if path[-1] in options}
        return tuple((_write_path(path), _tell_apart(option)) for option, path in paths.items())

    def _place_anywhere(self, items: Sequence[PastedItem]) -> None:
        """Look items up by their names wherever in the unit something is called so; what is not, is left open."""
        place = 0
        while place < len(items):
            match, number = self._find_path_at(items, place)
            self._take_path(items[place], match)
            place += number

    def _find_path_at(self, items: Sequence[PastedItem], place: int) -> tuple[NameMatch[OptionPath], int]:
        """Find what an item is called like, and how many items that name takes up."""
        match = self._paths.find(items[place].name)
        if match.reading is Reading.UNDERSTOOD or place + 1 == len(items):
            return match, 1
        # `Hammer and Shield` may have been split at its “and”, as lists are.
        joined = self._paths.find(f"{items[place].name} and {items[place + 1].name}")
        return (joined, 2) if joined.reading is Reading.UNDERSTOOD else (match, 1)

    def _take_path(self, item: PastedItem, match: NameMatch[OptionPath]) -> None:
        choices = self._list_choices(match)
        if match.value is None:
            known = item.role in NOTED or _is_called(item, self._pasted.name)
            self._add_name(item, "", Reading.UNDERSTOOD if known else match.reading, choices)
            return
        *path, option = match.value
        self._add_name(item, option.name, match.reading, choices)
        self._take_option(item, path, option)

    def _take_option(self, item: PastedItem, path: Sequence[CompiledOption], option: CompiledOption) -> None:
        """Take an option as often as an item says, in what is at its path."""
        outer = self._root.follow(path)
        if outer.can_be_split(item.count):
            self._split_off(path, item.count).add_branch(option, 1)
            return
        leaf = outer.follow([option])
        leaf.count = min((leaf.count or 0) + item.count, MAX_COUNT)

    def _split_off(self, path: Sequence[CompiledOption], count: int) -> Branch:
        """Take some of what is at a path by themselves: only so many have what is in them."""
        outer = self._root.follow(path)
        outer.count = (outer.count or 0) - count
        return self._root.follow(path[:-1]).add_branch(outer.option, count)

    def _list_choices(self, match: NameMatch[OptionPath]) -> Choices:
        """List what a name may stand for, as a user is asked; where it is not understood, every option of the unit."""
        near = match.others if match.reading is Reading.UNDERSTOOD else self._list_offered(match)
        return tuple(dict.fromkeys((_write_path(path), path[-1].name) for path in near))

    def _list_offered(self, match: NameMatch[OptionPath]) -> Iterator[OptionPath]:
        # A guess is offered, too: who agrees settles it.
        if match.value:
            yield match.value
        yield from match.others
        yield from ((offer.option,) for offer in self._contain(self._root).offers[:MAX_OFFERED])

    def _take_settled(self, item: PastedItem) -> bool:
        """Take an item for what the user said that it is."""
        wanted = self._choices.get(self._name_key(item.name))
        path = self._find_written_path(wanted) if wanted else None
        if path is None:
            return False
        self._take_path(item, NameMatch(path, Reading.UNDERSTOOD))
        self.names[-1] = replace(self.names[-1], settled=True)
        return True

    def _find_written_path(self, wanted: str) -> OptionPath | None:
        return next((path for path in self._paths.values if _write_path(path) == wanted), None)

    def _contain(self, branch: Branch) -> Container:
        is_part = branch is not self._root and branch.option.entry.target.type is EntryType.MODEL
        return self._containers.open(branch.option, as_model=is_part)

    # ---- names -------------------------------------------------------------------------------------------------------

    def _note(self, item: PastedItem, name: str) -> None:
        self._add_name(item, name, Reading.UNDERSTOOD)

    def _add_name(self, item: PastedItem, name: str, reading: Reading, choices: Choices = ()) -> None:
        """Note what an item is taken for, and what else it may be."""
        if reading is Reading.UNDERSTOOD:
            choices = _drop_alike(choices, name)
        key = self._name_key(item.name)
        self.names.append(ResolvedName(item.line, item.written or item.name, name, reading, key, choices))

    def _name_key(self, name: str) -> str:
        return f"{self._option.local_id}:{simplify_name(name)}"[:MAX_KEY]


def walk_paths(contents: ContainerOptions) -> Iterator[OptionPath]:
    """Walk everything that may be taken inside, the nearest first."""
    pending: deque[OptionPath] = deque((option,) for option in contents.options)
    walked = 0
    # A queue and not a stack: of two things of a name the nearer one is meant.
    while pending and walked < MAX_PATHS:
        path = pending.popleft()
        walked += 1
        yield path
        pending.extend(_list_paths_below(path))


def _list_paths_below(path: OptionPath) -> Iterator[OptionPath]:
    # Data may link in circles, so the walk has to end somewhere.
    if len(path) < MAX_DEPTH:
        yield from ((*path, option) for option in path[-1].entry.contents.options)


def _write_path(path: OptionPath) -> str:
    return "/".join(option.local_id for option in path)


def _tell_apart(option: CompiledOption) -> str:
    """Return an option's name with what tells it from others of that name: its group and its cost."""
    facts = ", ".join(_list_facts(option))
    return f"{option.name} ({facts})" if facts else option.name


def _list_facts(option: CompiledOption) -> Iterator[str]:
    if option.group:
        yield option.group.entry.name
    yield from (format_number(cost.value) for cost in option.entry.target.costs if cost.value)


def _drop_alike(choices: Choices, name: str) -> Choices:
    """Return the choices that are called otherwise."""
    alike = simplify_name(name)
    return tuple(choice for choice in choices if simplify_name(choice[1]) != alike)


def _can_be_models(item: PastedItem) -> bool:
    """Whether an item may be models that are spelled in another way."""
    # A lone word without a number is more likely an option.
    return bool(item.items) or item.counted


def _leave_out(items: Sequence[PastedItem], others: Sequence[PastedItem]) -> list[PastedItem]:
    return [item for item in items if item not in others]


def _is_called(item: PastedItem, name: str) -> bool:
    return simplify_name(item.name) == simplify_name(name)


def _sum_items(items: Sequence[PastedItem]) -> Wares:
    wares: Wares = Counter()
    for item in items:
        wares[make_key(item.name)] += item.count
    return wares


def _find_bundle(kinds: Sequence[ModelKind], item: PastedItem) -> ModelKind | None:
    """Return the models that only come together and are called like an item."""
    keys = (make_key(item.written), make_key(item.name))
    return next((kind for kind in kinds if kind.is_bundle and kind.key in keys), None)


def _list_called_kinds(kinds: Sequence[ModelKind], key: str) -> list[ModelKind]:
    """List the models of that very name, then those that a part of their name calls so."""
    called = [kind for kind in kinds if key in (kind.key, *kind.bases)]
    return sorted(called, key=lambda kind: kind.key != key)


def _list_sizes(kinds: Sequence[ModelKind], model: ModelKind) -> list[ModelKind]:
    """List the forms of one model in several sizes: the number of models decides between them later."""
    return [kind for kind in kinds if kind.bases == model.bases]


def _find_row(rows: Iterable[_Row], kinds: Sequence[ModelKind]) -> _Row | None:
    """Return the row of some models."""
    return next((row for row in rows if row.kinds == kinds), None)


def _find_unnamed(branch: Branch, kinds: Iterable[ModelKind]) -> set[CompiledOption]:
    """Return what models are in that nothing is taken of yet."""
    return {kind.path[0] for kind in kinds} - {inner.option for inner in branch.inside}


def _has_bundles(kinds: Sequence[ModelKind]) -> bool:
    return any(kind.is_bundle for kind in kinds)


def _count_coming(branch: Branch, kinds: Iterable[ModelKind]) -> dict[ModelKind, int]:
    """Count the models that come along, by their kind."""
    picks = dict(branch.option.entry.contents.declared_picks)
    return {kind: picks[kind.path[0]] * kind.size for kind in kinds if kind.path[0] in picks}


def _choose_unnamed(branch: Branch, kinds: list[ModelKind]) -> list[ModelKind]:
    """List the models that a row without a name is about: those that come along, and their like."""
    coming = list(_count_coming(branch, kinds)) or kinds[:1]
    bases = frozenset().union(*(kind.bases for kind in coming))
    return [kind for kind in kinds if kind.bases & bases]


def _list_kind_choices(kinds: Sequence[ModelKind]) -> Choices:
    """List models as the answers to a question which of them is meant."""
    return tuple((_write_path(kind.path), kind.option.name) for kind in kinds)


def _list_similar_kinds(kinds: Sequence[ModelKind], key: str) -> list[ModelKind]:
    """List the models that a name may stand for: the only one with all its words first, then those spelled alike."""
    match = NameLookup(_name_kinds(kinds)).find(key)
    likeliest = _find_only_holding(kinds, set(key.split())) or match.value
    return list(dict.fromkeys((likeliest, *match.others))) if likeliest else []


def _name_kinds(kinds: Iterable[ModelKind]) -> Iterator[tuple[str, ModelKind]]:
    """Yield models by all that a text may call them."""
    for kind in kinds:
        yield from ((name, kind) for name in (*kind.bases, kind.key))


def _find_only_holding(kinds: Iterable[ModelKind], words: set[str]) -> ModelKind | None:
    """Return the model whose name has all of some words; None where there are several."""
    holding = [kind for kind in kinds if words <= set(kind.key.split())]
    # Of several with these words none is likelier than the others.
    return holding[0] if len(holding) == 1 else None


def _name_whole(containers: Sequence[Container], items: Iterable[PastedItem]) -> list[PastedItem]:
    """Return items with the names that data has for them."""
    return [_find_whole(containers, item) or item for item in items]


def _list_open_options(item: PastedItem, called: Sequence[Offer]) -> list[CompiledOption]:
    """List the options among which an item leaves a choice open."""
    missing = item.count - sum(offer.least for offer in called)
    options = [offer.option for offer in called if offer.may_be_added]
    # Taking none of them, or all, leaves no choice; and what costs the same may stand for one another.
    return options if 0 < missing < len(options) and _differ_in_cost(options) else []


def _find_whole(containers: Sequence[Container], item: PastedItem) -> PastedItem | None:
    """Return an item whose number is a part of a name: `2 magma cutters` are one option."""
    if not item.counted:
        return None
    # In the ways in which data writes such names.
    for name in (f"{item.count}x {item.name}", f"{item.count} {item.name}", item.written):
        if _is_in_any(containers, name):
            return replace(item, name=name, count=1)
    return None


def _is_in_any(containers: Iterable[Container], name: str) -> bool:
    return any(container.find_own(make_key(name)) for container in containers)


def _split_parts(kinds: list[ModelKind], item: PastedItem) -> list[_Row]:
    """Return a row for each part of the models that carries things of its own."""
    rows = [_Row(kinds, part.count, part.items, per_model=True) for part in item.parts]
    others = [inner for inner in item.items if inner.role is not ItemRole.PART]
    if others or not rows:
        # Those models that no part speaks of; one at least, since the text has things for them.
        rows.append(_Row(kinds, max(1, item.count - _count_models(rows)), others))
    return rows


def _count_models(rows: Iterable[_Row]) -> int:
    return sum(row.count for row in rows)


def _add_picks(branch: Branch, picks: Sequence[Pick]) -> None:
    for pick in picks:
        branch.add_branch(pick.offer.option, pick.total)


def _differ_in_cost(options: Iterable[CompiledOption]) -> bool:
    return len({tuple(cost.value for cost in option.entry.target.costs) for option in options}) > 1


def _drop_defaults(branch: Branch, container: Container) -> None:
    """Drop what comes along by itself where a group has no room for that beside what is named."""
    taken = {inner.option: inner.count or 1 for inner in branch.inside}
    for option, number in _list_open_picks(container, taken):
        left = _count_left(container, taken, option, number)
        if left < number:
            branch.add_branch(option, max(0, left))


def _list_open_picks(container: Container, taken: Mapping[CompiledOption, int]) -> Iterator[tuple[CompiledOption, int]]:
    """Yield what comes along by itself and need not, and is not taken by its name."""
    for option, number in container.contents.declared_picks:
        if not (option in taken or container.is_fixed(option)):
            yield option, number


def _count_left(container: Container, taken: Mapping[CompiledOption, int], option: CompiledOption, number: int) -> int:
    """Count how many of what comes along its group has room for, beside what is taken of that."""
    used = _count_in_group(taken, option.group) if option.group else 0
    # Nothing is dropped from a group of which the text takes nothing: what comes along is what it means.
    if option.group is None or not used:
        return number
    return container.group_room.get(option.group, used + number) - used


def _count_in_group(taken: Mapping[CompiledOption, int], group: CompiledGroup) -> int:
    """Count what is taken of a group, or of one inside it."""
    return sum(number for option, number in taken.items() if group in option.groups)


def _enlarge(branch: Branch, kinds: Sequence[ModelKind], coming: Mapping[ModelKind, int], missing: int) -> None:
    """Take more models of a kind that comes along, or the bundle that is as large as it has to be."""
    chosen = _find_growing(coming, missing) or _find_larger_bundle(kinds, coming, missing)
    kind, number = chosen or (_find_joining(kinds, coming, missing), missing)
    if kind:
        branch.follow(kind.path).count = number


def _find_growing(coming: Mapping[ModelKind, int], missing: int) -> tuple[ModelKind, int] | None:
    """Return the models that come along and of which there may be so many more, with their number then."""
    for kind, number in coming.items():
        if not kind.is_bundle and kind.most >= number + missing:
            return kind, number + missing
    return None


def _find_larger_bundle(
    kinds: Sequence[ModelKind], coming: Mapping[ModelKind, int], missing: int
) -> tuple[ModelKind, int] | None:
    """Return the bundle that holds all of those in one that comes along, and those that are missing."""
    bundles = _map_bundles(kinds)
    for kind, number in coming.items():
        if kind.is_bundle and number + missing in bundles:
            return bundles[number + missing], 1
    return None


def _map_bundles(kinds: Sequence[ModelKind]) -> dict[int, ModelKind]:
    """Return bundles by how many models they have."""
    # Reversed, so that of two bundles of one size the first one stays.
    return {kind.size: kind for kind in reversed(kinds) if kind.is_bundle}


def _find_joining(kinds: Sequence[ModelKind], coming: Mapping[ModelKind, int], missing: int) -> ModelKind | None:
    """Return models that do not come along and of which all that are missing may be."""
    # Where no model comes along, what nothing demands may be something that joins the unit.
    possible = kinds if coming else filter(_is_demanded, kinds)
    return next((kind for kind in possible if kind not in coming and kind.has_room_for(missing)), None)


def _is_demanded(kind: ModelKind) -> bool:
    """Whether the group of a model asks for some of it."""
    group = kind.option.group
    return group is not None and bool(group.entry.constraints.minimums)
