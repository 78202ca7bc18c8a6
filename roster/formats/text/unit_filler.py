"""Find a pasted unit's models, equipment, options and upgrades in the data."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from catalogue.definitions.entries import EntryType
from catalogue.definitions.numbers import format_number
from catalogue.graph.compiled_entry import CompiledGroup, CompiledOption, ContainerOptions
from catalogue.graph.declared import INSIDE_UNIT, find_limits
from roster.formats.list_document.document import ListedItem
from roster.formats.list_document.values import Text
from roster.formats.list_text import simplify_name
from roster.formats.text.items import drop_figures
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
from roster.formats.text.names import OFFERED, NameLookup, NameMatch, is_misspelled, make_key
from roster.formats.text.pasted import ItemRole, PastedItem, PastedUnit, Reading
from roster.formats.text.shapes import split_count
from roster.formats.text.stray_options import StrayOptions
from roster.formats.text.words import WARLORD_WORDS, simplify_words

MAX_COUNT = 500
MAX_KEY = 150
MAX_OFFERED = 40
MAX_DEPTH = 5
MAX_BEARERS = 10
"""How many more models than the number of an item are tried."""
MAX_PATHS = 3_000
MAX_JOINED = 4
"""The most parts of a name that contains commas."""
NOTED = frozenset({ItemRole.NOTE, ItemRole.WARLORD})
"""The roles of items that need no option in the game."""


_GLUED = re.compile(r"(?<=[a-z)])(?=[A-Z])")
_SIZE_OF_UNIT = re.compile(r"\b(\d{1,3}) models?\b", re.I)
Choices = tuple[tuple[str, str], ...]
"""The possible meanings of a name: the value to store, and the name to show."""


@dataclass(frozen=True, slots=True)
class ResolvedName:
    """A name and its meaning. `key` identifies the user's choice."""

    line: int
    written: str
    resolved: str
    reading: Reading
    key: str = ""
    choices: Choices = ()
    settled: bool = False
    """Whether the user has chosen the meaning."""


@dataclass(slots=True)
class Branch:
    """An option to take, with its contents. `count` is None if the text has no number."""

    option: CompiledOption
    count: int | None = None
    inside: list["Branch"] = field(default_factory=list)
    strays: list[ListedItem] = field(default_factory=list)
    """Options that only other units have."""

    def add_branch(self, option: CompiledOption, count: int | None = None) -> "Branch":
        # Texts may give any number.
        self.inside.append(Branch(option, None if count is None else min(count, MAX_COUNT)))
        return self.inside[-1]

    def follow(self, path: Iterable[CompiledOption]) -> "Branch":
        branch = self
        for option in path:
            branch = branch.find_branch(option) or branch.add_branch(option)
        return branch

    def find_branch(self, option: CompiledOption) -> "Branch | None":
        # Compare by identity: one entry at two places of a unit is two options.
        return next((inner for inner in self.inside if inner.option is option), None)

    def list_groups(self) -> Iterator[str]:
        for branch in self.inside:
            yield from (group.entry.name for group in branch.option.groups)
            yield from branch.list_groups()

    def build_item(self, line: int) -> ListedItem:
        options = (*(branch.build_item(line) for branch in self.inside), *self.strays)
        group = self.option.group
        return ListedItem(
            entry=Text(self.option.local_id, line),
            group=Text(group.local_id, line) if group else Text(),
            count=self.count,
            options=options or None,
        )


@dataclass(slots=True)
class _Row:
    """Equally equipped models of a text, and the kinds that they may be.

    `per_model` means that the numbers are per model, `summed` that they are for all models, whatever the layout.
    """

    kinds: list[ModelKind]
    count: int
    items: list[PastedItem]
    per_model: bool = False
    summed: bool = False


class UnitFiller:
    """Fills one unit.

    `per_model` means that the layout gives one model's equipment rather than the equipment of all in a row,
    `counts_models` that a unit's number counts models, even if the data has no models in it.
    """

    def __init__(
        self,
        pasted: PastedUnit,
        option: CompiledOption,
        containers: Containers,
        index_paths: Callable[[CompiledOption], NameLookup[OptionPath]],
        choices: Mapping[str, str],
        *,
        per_model: bool,
        counts_models: bool = False,
        strays: StrayOptions | None = None,
    ) -> None:
        self._pasted = pasted
        self._option = option
        self._containers = containers
        self._index_paths = index_paths
        self._choices = choices
        self._per_model = per_model
        self._counts_models = counts_models
        self._strays = strays
        self._model_counts = {pasted.count} if pasted.count else set[int]()
        """Numbers that may also be numbers of an item that each model has."""
        self._root = Branch(option)
        self._faults = 0
        self.names: list[ResolvedName] = []

    @property
    def faults(self) -> int:
        """Unread names, unmatched numbers, and too many selections."""
        unread = sum(name.reading is not Reading.UNDERSTOOD for name in self.names)
        return unread + len(self._root.strays) + self._faults + self._count_excess(self._root)

    def _count_excess(self, branch: Branch) -> int:
        numbers: Counter[CompiledOption | CompiledGroup] = Counter()
        room: dict[CompiledOption | CompiledGroup, int] = dict(self._contain(branch).group_room.items())
        for inner in branch.inside:
            number = 1 if inner.count is None else inner.count
            numbers[inner.option] += number
            for group in inner.option.groups:
                numbers[group] += number
            most = find_limits(inner.option.entry.constraints, INSIDE_UNIT, inner.option.entry.ids).max
            if most is not None:
                room[inner.option] = most
        excess = sum(max(0, numbers[counted] - most) for counted, most in room.items())
        return excess + sum(map(self._count_excess, branch.inside))

    def fill_unit(self) -> Branch:
        count = self._pasted.count
        if count and count > 1:
            kinds = list_model_kinds(self._option.entry.contents)
            # Optional models may only join the unit.
            has_models = any(kind.path[0].entry.constraints.minimums or kind.option.group for kind in kinds)
            if size := _find_size(self._option, count):
                self._root.follow((size,)).count = 1
            elif not has_models and not self._counts_models:
                # The unit contains no models, so the number counts units.
                self._root.count = min(count, MAX_COUNT)
        items = self._join_commas(self._split_glued(self._pasted.items))
        if self._counts_models:
            # This layout lists every weapon, and most of them are automatic.
            coming = self._list_coming(self._root)
            for item in items:
                if make_key(item.name) in coming:
                    self._note(item, item.name)
            items = [item for item in items if make_key(item.name) not in coming]
        self._place_anywhere(self._fill(self._root, items, count))
        return self._root

    @property
    def _paths(self) -> NameLookup[OptionPath]:
        return self._index_paths(self._option)

    def _contain(self, branch: Branch) -> Container:
        is_part = branch is not self._root and branch.option.entry.target.type is EntryType.MODEL
        return self._containers.open(branch.option, as_model=is_part)

    def _contain_model(self, kind: ModelKind) -> Container:
        return self._containers.open(kind.option, as_model=True)

    def _fill(self, branch: Branch, items: Sequence[PastedItem], count: int | None = None) -> list[PastedItem]:
        kinds = list(list_model_kinds(branch.option.entry.contents))
        items = [_name_fully(kinds, item) for item in items]
        flat = _nest_flat(self._contain(branch), kinds, self._containers, items)
        rows, wares = self._sort_items(branch, kinds, flat)
        self._model_counts |= {row.count for row in rows} | {_count_models(rows)}
        for row in self._merge_bundled(rows):
            wares += self._place_row(branch, row)
        # If the unit is itself a model, its models need not be distinguished.
        if kinds and self._option.entry.target.type is not EntryType.MODEL:
            if not rows:
                wares = self._place_unnamed(branch, kinds, wares, count)
            elif count and (others := _list_others(branch, kinds, rows)):
                # `15 Warriors` with a named champion and musician: the unit's number also counts the others.
                number = count - _count_models(row for row in rows if not _is_upgrade(row, others))
                if number > 0:
                    wares = self._place_unnamed(branch, others, wares, number)

        # If the text names all models, drop unnamed automatic models. If it names fewer, they are the others.
        if rows and (count is None or _count_models(rows) >= count):
            unnamed = {kind.path[0] for kind in kinds} - {inner.option for inner in branch.inside}
            for option, _number in branch.option.entry.contents.declared_picks:
                if option in unnamed:
                    branch.add_branch(option, 0)
        return self._place_wares(branch, wares)

    # ---- sorting models and equipment --------------------------------------------------------------------------------

    def _sort_items(
        self, branch: Branch, kinds: list[ModelKind], items: Sequence[PastedItem]
    ) -> tuple[list[_Row], list[PastedItem]]:
        """Return the rows of models and the remaining items. Takes bundles and answered names at once."""
        rows: list[_Row] = []
        wares: list[PastedItem] = []
        container = self._contain(branch)
        named = {make_key(item.name) for item in items}
        for item in items:
            # A part without a name describes some of the models.
            if item.role is ItemRole.PART:
                if kinds and branch.option.entry.target.type is not EntryType.MODEL:
                    rows.append(_Row(_choose_unnamed(branch, kinds), item.count, item.items, per_model=True))
                else:
                    # The unit is its only model; models inside it are its drones.
                    inner_rows, inner_wares = self._sort_items(branch, kinds, item.items)
                    rows += inner_rows
                    wares += inner_wares
                continue
            # The user's answers come before guesses.
            if self._take_settled(item):
                continue
            if bundle := _find_bundle(kinds, item):
                self._note(item, bundle.option.name)
                leaf = branch.follow(bundle.path)
                leaf.count = 1
                # Items on the bundle's own line are part of its name.
                wares += self._fill(leaf, [inner for inner in item.items if inner.line != item.line])
                continue

            # An exact name of an option beats a similar name of a model.
            is_ware = bool(container.find_own(make_key(item.name)) or _find_whole([container], item))
            if item.role is not ItemRole.OPTION or is_ware:
                wares.append(item)
            elif self._is_named_by_model(kinds, item, named):
                self._note(item, item.name)
            elif matched := self._match_kinds(kinds, item, named):
                rows += _split_parts(matched, item)
            elif item.items:
                # The item is only a heading for its contents.
                if item.counted and not _is_called(item, self._pasted.name):
                    self._add_name(item, "", Reading.UNREAD, _list_kind_choices(kinds[:5]))
                else:
                    self._note(item, "")
                inner_rows, inner_wares = self._sort_items(branch, kinds, item.items)
                rows += inner_rows
                wares += inner_wares
            else:
                wares.append(item)
        return [row for row in rows if row.kinds], wares

    def _is_named_by_model(self, kinds: Sequence[ModelKind], item: PastedItem, named: set[str]) -> bool:
        """Return whether a model is named after an item that it lacks, and has another named item."""
        key = make_key(item.name)
        words = set(key.split())
        if any(self._contain_model(kind).knows(key) for kind in kinds):
            return False
        for kind in kinds:
            carried = set(kind.key.split()) - {word for base in kind.bases for word in base.split()}
            if not item.items and words and words <= carried and any(map(self._contain_model(kind).knows, named)):
                return True
        return False

    def _match_kinds(self, kinds: list[ModelKind], item: PastedItem, named: set[str]) -> list[ModelKind]:
        key = make_key(item.name)
        # Models of the exact name come before models whose base name matches.
        called = sorted((kind for kind in kinds if key in (kind.key, *kind.bases)), key=lambda kind: kind.key != key)
        if called:
            self._note(item, called[0].option.name)
            return called
        # A lone word without a number, or the equipment of a model, is more likely an option.
        is_carried = not item.items and any(self._contain_model(kind).knows(key) for kind in kinds)
        if not key or is_carried or not (item.items or item.counted):
            return []

        possible = [kind for kind in kinds if kind.key not in named]
        match = NameLookup((name, kind) for kind in possible for name in (*kind.bases, kind.key)).find(key)
        # The only model with all words of the name beats a model of similar spelling.
        words = set(key.split())
        holding = [kind for kind in possible if words <= set(kind.key.split())]
        likeliest = holding[0] if len(holding) == 1 else match.value
        if likeliest is None:
            return []
        choices = _list_kind_choices(list(dict.fromkeys((likeliest, *match.others[:OFFERED]))))
        self._add_name(item, likeliest.option.name, Reading.GUESSED, choices)
        # Keep the sizes of the form: the number of models decides between them later.
        return [kind for kind in kinds if kind.bases == likeliest.bases]

    # ---- models ------------------------------------------------------------------------------------------------------

    def _place_row(self, branch: Branch, row: _Row) -> list[PastedItem]:
        plain, special = self._split_special(row)
        fitted = self._fit_row(row, plain)
        self._faults += fitted.faults
        leaf = branch
        for loadout, number in fitted.loadouts:
            leaf = branch.follow(loadout.path[:-1]).add_branch(loadout.path[-1], number)
            _add_picks(leaf, loadout.picks)
            _drop_defaults(leaf, self._contain(leaf))
        for item in special:
            self._place_special(leaf, item)
        return self._note_placed(plain, Counter(fitted.left))

    def _merge_bundled(self, rows: Sequence[_Row]) -> list[_Row]:
        merged: list[_Row] = []
        for row in rows:
            same = next((other for other in merged if other.kinds == row.kinds), None)
            if same is None or not any(kind.is_bundle for kind in row.kinds):
                merged.append(row)
                continue
            same.items = [*self._multiply_items(same), *self._multiply_items(row)]
            same.count, same.per_model, same.summed = same.count + row.count, False, True
        return merged

    def _multiply_items(self, row: _Row) -> list[PastedItem]:
        if row.summed or not (row.per_model or self._per_model):
            return row.items
        return [replace(item, count=item.count * row.count) for item in row.items]

    def _split_special(self, row: _Row) -> tuple[list[PastedItem], list[PastedItem]]:
        plain: list[PastedItem] = []
        special: list[PastedItem] = []
        containers = [self._containers.open(kind.option, as_model=True) for kind in row.kinds]
        for item in _name_whole(containers, row.items):
            offers = [offer for container in containers for offer in container.find_own(make_key(item.name))]
            inner: list[PastedItem] = []
            for child in item.items:
                if not any(make_key(child.name) in offer.inside for offer in offers):
                    inner.append(child)
            if inner and len(row.kinds) == 1:
                special.append(item)
                continue
            for child in item.items:
                if child not in inner:
                    self._note(child, child.name)
            plain += [replace(item, items=[]), *inner]
        return plain, special

    def _fit_row(self, row: _Row, items: Sequence[PastedItem]) -> FittedModels:
        together = _sum_items(items)
        per_model = scale_wares(together, row.count)
        if row.per_model:
            countings = [per_model]
        elif row.summed or row.count == 1:
            countings = [together]
        else:
            countings = [per_model, together] if self._per_model else [together, per_model]

        fitter = ModelFitter(row.kinds, self._containers)
        best = fitter.fit(row.count, countings[0])
        for counting in countings[1:]:
            # Fitting is slow, and a fit without faults is final.
            if not best.faults:
                break
            fitted = fitter.fit(row.count, counting)
            if fitted.faults < best.faults:
                best = fitted
        return best

    def _place_special(self, branch: Branch, item: PastedItem) -> None:
        offers = self._contain(branch).find_own(make_key(item.name))
        if not offers:
            self._place_anywhere([replace(item, items=[]), *item.items])
            return
        self._note(item, offers[0].option.name)
        leaf = branch.add_branch(offers[0].option, item.count)
        self._place_anywhere(self._fill(leaf, item.items))

    def _place_unnamed(
        self, branch: Branch, kinds: list[ModelKind], items: list[PastedItem], count: int | None
    ) -> list[PastedItem]:
        """Take models of a unit that names none, and equipment that only models can have."""
        coming = _count_coming(branch, kinds)
        present = sum(coming.values())
        number = max(count or 0, present)
        knows = self._contain(branch).knows
        carried = [item for item in items if item.role is ItemRole.OPTION and not knows(make_key(item.name))]
        if carried and coming and number:
            row = _Row(_choose_unnamed(branch, kinds), number, carried)
            if number == present:
                row.count = self._count_bearers(row)
            others = [item for item in items if item not in carried]
            # Perhaps only some kinds can have the equipment: two wardens with a blade and a bow among eight models.
            bearers = [kind for kind in coming if any(map(self._contain_model(kind).knows, _sum_items(carried)))]
            some = _Row(bearers, sum(coming[kind] for kind in bearers), carried)
            if bearers and len(bearers) < len(coming):
                some.count = self._count_bearers(some)
                if not self._fit_row(some, carried).faults:
                    self._model_counts.add(some.count)
                    rest = {kind: models for kind, models in coming.items() if kind not in bearers}
                    if (missing := (count or 0) - some.count - sum(rest.values())) > 0:
                        _enlarge(branch, kinds, rest, missing)
                    return others + self._place_row(branch, some)
            # With several kinds, trust the assignment only if all numbers match.
            if len(coming) == 1 or not self._fit_row(row, carried).faults:
                self._model_counts.add(row.count)
                return others + self._place_row(branch, row)
        if number > present:
            _enlarge(branch, kinds, coming, number - present)
        elif count == present:
            # State the number, because modifiers may change the automatic one. A lower number counts units.
            for kind, models in coming.items():
                if not kind.is_bundle:
                    branch.follow(kind.path).count = models
        return items

    def _count_bearers(self, row: _Row) -> int:
        containers = [self._contain_model(kind) for kind in row.kinds]
        numbers = _sum_items([item for item in row.items if any(one.knows(make_key(item.name)) for one in containers)])
        fitter = ModelFitter(row.kinds, self._containers)
        least = max([row.count, *numbers.values()])
        most = min(numbers.total(), least + MAX_BEARERS)
        faults = {number: fitter.fit(number, numbers).faults for number in dict.fromkeys((row.count, least))}
        for number in range(least + 1, most + 1):
            if not min(faults.values()):
                break
            faults[number] = fitter.fit(number, numbers).faults
        return min(faults, key=lambda number: (faults[number], number))

    # ---- options -----------------------------------------------------------------------------------------------------

    def _place_wares(self, branch: Branch, items: Sequence[PastedItem]) -> list[PastedItem]:
        container = self._contain(branch)
        plain: list[PastedItem] = []
        for named in _name_whole([container], items):
            item = self._count_each(named, [offer.option for offer in container.find_own(make_key(named.name))])
            if item.items:
                self._place_special(branch, item)
            elif option := _find_priced(container, item):
                branch.add_branch(option, item.count)
                self._note(item, option.name)
            else:
                plain.append(item)
        allocation = container.allocate(_sum_items(plain))
        self._faults += allocation.faults
        _add_picks(branch, allocation.picks)
        _drop_defaults(branch, container)
        return self._note_placed(plain, allocation.left, container)

    def _note_placed(
        self, items: Sequence[PastedItem], left: Wares, container: Container | None = None
    ) -> list[PastedItem]:
        missed: list[PastedItem] = []
        for item in items:
            key = make_key(item.name)
            missing = min(item.count, left[key])
            if missing:
                left[key] -= missing
                missed.append(replace(item, count=missing))
            else:
                self._note_taken(item, container.find_own(key) if container else ())
        return missed

    def _note_taken(self, item: PastedItem, called: Sequence[Offer]) -> None:
        missing = item.count - sum(offer.least for offer in called)
        options = [offer.option for offer in called if offer.may_be_added]
        prices = {tuple(option.entry.costs.items()) for option in options}
        # All or none of the options are taken, or they cost the same: nothing is left to choose.
        if not 0 < missing < len(options) or len(prices) < 2:
            self._note(item, item.name)
            return

        # Offer each option with its last path in the unit.
        paths = {path[-1]: path for path in self._paths.values if path[-1] in options}
        choices: list[tuple[str, str]] = []
        for option, path in paths.items():
            facts = [option.group.entry.name] if option.group else []
            facts += (format_number(value) for value in option.entry.costs.values() if value)
            choices.append((_write_path(path), f"{option.name} ({', '.join(facts)})" if facts else option.name))
        self._add_name(item, options[0].name, Reading.GUESSED, tuple(choices))

    def _place_anywhere(self, items: Sequence[PastedItem]) -> None:
        self._faults += len(items)
        place = 0
        while place < len(items):
            item, number = items[place], 1
            match = self._paths.find(item.name)
            if match.reading is not Reading.UNDERSTOOD and place + 1 < len(items):
                # `Hammer and Shield` may have been split at its "and".
                joined = self._paths.find(f"{item.name} and {items[place + 1].name}")
                if joined.reading is Reading.UNDERSTOOD:
                    match, number = joined, 2
            if item.role is ItemRole.WARLORD and match.certain is None:
                match = self._find_warlord()
            self._take_path(item, match)
            place += number

    def _find_warlord(self) -> NameMatch[OptionPath]:
        marks = [path for path in self._paths.values if simplify_words(path[-1].name) in WARLORD_WORDS]
        return NameMatch(marks[0], Reading.UNDERSTOOD) if marks else NameMatch(None, Reading.UNREAD)

    def _list_coming(self, branch: Branch) -> set[str]:
        names: set[str] = set()
        taken = {inner.option: inner for inner in branch.inside}
        coming = dict.fromkeys((*taken, *(option for option, _number in branch.option.entry.contents.declared_picks)))
        for option in coming:
            # A taken option replaces the automatic option of its group.
            if option in taken or option.group is None or all(option.group not in one.groups for one in taken):
                names.add(make_key(drop_figures(option.name)))
                names |= self._list_coming(taken.get(option) or Branch(option))
        return names

    def _take_path(self, item: PastedItem, match: NameMatch[OptionPath]) -> None:
        if match.value and match.reading is Reading.GUESSED and is_misspelled(item.name, match.value[-1].name):
            match = replace(match, reading=Reading.UNDERSTOOD)
        is_open = match.reading is not Reading.UNDERSTOOD and item.role not in NOTED
        is_unread = match.reading is Reading.UNREAD
        stray = self._strays.find(self._option, item.name, anywhere=is_unread) if self._strays and is_open else None
        if stray:
            self._note(item, stray.name)
            count = min(item.count, MAX_COUNT)
            listed = ListedItem(entry=Text(stray.entry, item.line), count=count, is_elsewhere=stray.is_elsewhere)
            self._root.strays.append(listed)
            return
        is_unlikely = item.role in NOTED or self._counts_models
        if is_unlikely and match.reading is not Reading.UNDERSTOOD:
            # Do not guess from a rule's name, and do not buy a guessed weapon.
            match = NameMatch(None, Reading.UNREAD, tuple(filter(None, (match.value, *match.others))))
        near = list(match.others[:OFFERED])
        if match.reading is not Reading.UNDERSTOOD:
            # Offer the guess, too, so that the user can confirm it, and all options of the unit.
            near = [match.value, *near] if match.value else near
            near += ((offer.option,) for offer in self._contain(self._root).offers[:MAX_OFFERED])
        choices = tuple(dict.fromkeys((_write_path(path), path[-1].name) for path in near))
        if match.value is None:
            is_noted = item.role in NOTED or _is_called(item, self._pasted.name)
            self._add_name(item, "", Reading.UNDERSTOOD if is_noted else match.reading, choices)
            return

        name = simplify_name(match.value[-1].name)
        paths = [match.value, *(path for path in match.others if simplify_name(path[-1].name) == name)]
        # Prefer a path through a taken branch.
        *above, option = max(paths, key=lambda path: self._root.find_branch(path[0]) is not None)
        item = self._count_each(item, [option])
        self._add_name(item, option.name, match.reading, choices)
        outer = self._root.follow(above)
        if outer.count is not None and outer.count > item.count and not outer.inside:
            # Only some of the models have the option: split them off.
            outer.count -= item.count
            holder = self._root.follow(above[:-1])
            holder.add_branch(outer.option, item.count).add_branch(option, 1)
            # In front, because automatic contents belong to the first branch.
            holder.inside.insert(holder.inside.index(outer), holder.inside.pop())
            return
        leaf = outer.follow([option])
        leaf.count = min((leaf.count or 0) + item.count, MAX_COUNT)
        branch = self._root
        for inner in (*above, option):
            _drop_defaults(branch, self._contain(branch))
            branch = branch.follow((inner,))

    def _count_each(self, item: PastedItem, options: Sequence[CompiledOption]) -> PastedItem:
        """Count an item once if its number is the number of models and its options are taken once for all."""
        if item.count < 2 or item.count not in self._model_counts or not options:
            return item
        return replace(item, count=1) if all(_find_most(option) == 1 for option in options) else item

    def _split_glued(self, items: Sequence[PastedItem]) -> list[PastedItem]:
        """Split names that lost their line break: `Glass lance upgradeSun shield`."""
        split: list[PastedItem] = []
        for item in items:
            if item.items:
                item = replace(item, items=self._split_glued(item.items))
            places = [match.start() for match in _GLUED.finditer(item.name)]
            if not places or self._paths.find(item.name).certain:
                split.append(item)
                continue
            halves = [(item.name[:place], item.name[place:]) for place in places]
            pairs = [pair for pair in halves if all(self._paths.find(name).certain for name in pair)]
            # The contents belong to the second name.
            first, second = pairs[0] if pairs else ("", item.name)
            split += [replace(item, name=first, items=[])] if first else []
            split.append(replace(item, name=second))
        return split

    def _join_commas(self, items: Sequence[PastedItem]) -> list[PastedItem]:
        """Join names that contain commas: `Claws, Blades and Fangs`."""
        full_names = {simplify_name(path[-1].name) for path in self._paths.values if "," in path[-1].name}
        if not full_names:
            return list(items)
        joined: list[PastedItem] = []
        place = 0
        while place < len(items):
            parts = _list_split(items[place : place + MAX_JOINED])
            names = (", ".join(part.name for part in parts[:end]) for end in range(len(parts), 1, -1))
            # The longest name wins.
            name = next((name for name in names if simplify_name(name) in full_names), "")
            item, number = items[place], name.count(", ") + 1
            if name:
                last = parts[number - 1]
                item = replace(item, name=name, written=name, role=last.role, points=last.points, items=last.items)
            joined.append(replace(item, items=self._join_commas(item.items)))
            place += number
        return joined

    def _take_settled(self, item: PastedItem) -> bool:
        answer = self._choices.get(self._name_key(item.name))
        if not answer:
            return False
        path = next((path for path in self._paths.values if _write_path(path) == answer), None)
        if path is None:
            return False
        self._take_path(item, NameMatch(path, Reading.UNDERSTOOD))
        self.names[-1] = replace(self.names[-1], settled=True)
        return True

    # ---- names -------------------------------------------------------------------------------------------------------

    def _note(self, item: PastedItem, name: str) -> None:
        self._add_name(item, name, Reading.UNDERSTOOD)

    def _add_name(self, item: PastedItem, name: str, reading: Reading, choices: Choices = ()) -> None:
        if reading is Reading.UNDERSTOOD:
            # An option of the same name is not another choice.
            folded = simplify_name(name)
            choices = tuple(choice for choice in choices if simplify_name(choice[1]) != folded)
        key = self._name_key(item.name)
        self.names.append(ResolvedName(item.line, item.written or item.name, name, reading, key, choices))

    def _name_key(self, name: str) -> str:
        return f"{self._option.local_id}:{simplify_name(name)}"[:MAX_KEY]


def _name_fully(kinds: Sequence[ModelKind], item: PastedItem) -> PastedItem:
    """Put brackets into the name if they belong to it: `3x Grot Tank (Shoota)`."""
    name = split_count(item.written)[1]
    if not item.items or make_key(name) == make_key(item.name) or all(kind.key != make_key(name) for kind in kinds):
        return item
    return replace(item, name=name, items=[inner for inner in item.items if inner.line != item.line])


def _list_split(items: Sequence[PastedItem]) -> list[PastedItem]:
    """Return the first item and the next ones that may be one name with it, split at commas."""
    parts = [items[0]]
    for item in items[1:]:
        if item.line != parts[-1].line or item.counted or parts[-1].items or parts[-1].points is not None:
            break
        parts.append(item)
    return parts


def walk_paths(contents: ContainerOptions) -> Iterator[OptionPath]:
    pending: deque[OptionPath] = deque((option,) for option in contents.options)
    walked = 0
    # Breadth first: of two options of a name, the nearer is meant.
    while pending and walked < MAX_PATHS:
        path = pending.popleft()
        walked += 1
        yield path
        # Data may have circular links.
        if len(path) < MAX_DEPTH:
            pending.extend((*path, option) for option in path[-1].entry.contents.options)


def _write_path(path: OptionPath) -> str:
    return "/".join(option.local_id for option in path)


def _is_called(item: PastedItem, name: str) -> bool:
    return simplify_name(item.name) == simplify_name(name)


def _sum_items(items: Sequence[PastedItem]) -> Wares:
    wares: Wares = Counter()
    for item in items:
        wares[make_key(item.name)] += item.count
    return wares


def flatten_items(items: Iterable[PastedItem]) -> Iterator[PastedItem]:
    """Yield items without nesting, except items on their parent's line."""
    for item in items:
        yield replace(item, items=[inner for inner in item.items if inner.line == item.line])
        yield from flatten_items(inner for inner in item.items if inner.line != item.line)


def _nest_flat(
    container: Container, kinds: Sequence[ModelKind], containers: Containers, items: Sequence[PastedItem]
) -> list[PastedItem]:
    """Nest the items after a model in it, if the model can have them and the unit cannot."""
    holders: dict[int, list[ModelKind]] = {}
    bundle: ModelKind | None = None
    carriers = [container, *(containers.open(kind.option, as_model=True) for kind in kinds)]
    for place, item in enumerate(items):
        # The rows below a bundle are its own.
        if bundle and containers.open(bundle.option, as_model=True).find_own(make_key(item.name)):
            continue
        key = make_key(item.name)
        called = [kind for kind in kinds if key in (kind.key, *kind.bases)]
        # Some layouts write a single model without its number.
        is_model = item.counted or (
            key in (kind.key for kind in called) and not any(one.knows(key) for one in carriers)
        )
        if named := _find_bundle(kinds, item):
            holders[place] = [named]
            bundle = named
        elif is_model and item.role is ItemRole.OPTION and called:
            holders[place] = called
            bundle = None
    # Without any nesting, an item that no model can have may be a misspelled model.
    is_flat = bool(kinds) and not any(item.items for item in items)
    lookup = NameLookup((base, kind) for kind in kinds for base in kind.bases)
    for place, item in enumerate(items):
        key = make_key(item.name)
        if not is_flat or place in holders or not item.counted or any(one.knows(key) for one in carriers):
            continue
        if alike := lookup.find(key).value:
            holders[place] = [kind for kind in kinds if kind.bases == alike.bases]

    nested: list[PastedItem] = []
    inside: list[PastedItem] = []
    bearers: list[ModelKind] = []
    models = {kind.path[0] for kind in kinds}
    in_unit = {key for offer in container.offers if offer.option not in models for key in offer.names}
    for place, item in enumerate(items):
        key = make_key(item.name)
        if place in holders:
            inside = list(item.items)
            nested.append(replace(item, items=inside))
            # A model with nested items is complete.
            is_closed = bool(inside) and not any(kind.is_bundle for kind in holders[place])
            bearers = [] if is_closed else holders[place]
        elif item.role is ItemRole.PART:
            (inside if bearers else nested).append(item)
        elif (
            item.role is ItemRole.OPTION
            and key not in in_unit
            and any(_carries(kind, key, containers) for kind in bearers)
        ):
            inside.append(item)
        else:
            nested.append(item)
    return nested


def _carries(kind: ModelKind, key: str, containers: Containers) -> bool:
    return key in kind.wares or containers.open(kind.option, as_model=True).knows(key)


def _find_size(unit: CompiledOption, count: int) -> CompiledOption | None:
    for option in unit.entry.contents.options:
        match = _SIZE_OF_UNIT.search(option.name)
        if match and int(match[1]) == count:
            return option
    return None


def _find_most(option: CompiledOption) -> int | None:
    limits = [find_limits(option.entry.constraints, INSIDE_UNIT, option.entry.ids).max]
    limits += [find_limits(group.entry.constraints, INSIDE_UNIT, group.entry.ids).max for group in option.groups]
    return min((limit for limit in limits if limit is not None), default=None)


def _find_bundle(kinds: Sequence[ModelKind], item: PastedItem) -> ModelKind | None:
    keys = (make_key(item.written), make_key(item.name))
    return next((kind for kind in kinds if kind.is_bundle and kind.key in keys), None)


def _count_coming(branch: Branch, kinds: Iterable[ModelKind]) -> dict[ModelKind, int]:
    picks = dict(branch.option.entry.contents.declared_picks)
    return {kind: picks[kind.path[0]] * kind.size for kind in kinds if kind.path[0] in picks}


def _choose_unnamed(branch: Branch, kinds: list[ModelKind]) -> list[ModelKind]:
    coming = list(_count_coming(branch, kinds)) or kinds[:1]
    bases = frozenset().union(*(kind.bases for kind in coming))
    return [kind for kind in kinds if kind.bases & bases]


def _list_kind_choices(kinds: Sequence[ModelKind]) -> Choices:
    return tuple((_write_path(kind.path), kind.option.name) for kind in kinds)


def _name_whole(containers: Sequence[Container], items: Iterable[PastedItem]) -> list[PastedItem]:
    """Name items whose number is part of a name, unless they repeat the contents of one above.

    Without indents, `2x Cutter` below `2 cutters` is in the same place.
    """
    named: list[PastedItem] = []
    first: dict[str, PastedItem] = {}
    for item in items:
        whole = _find_whole(containers, item)
        key = make_key(whole.name) if whole else ""
        above = first.setdefault(key, item) if whole else item
        offers = [offer for container in containers for offer in container.find_own(key)]
        is_inside = any(_find_most(offer.option) == 1 and make_key(item.name) in offer.inside for offer in offers)
        named.append(whole if whole and (not is_inside or item.written == above.written) else item)
    return named


def _find_whole(containers: Sequence[Container], item: PastedItem) -> PastedItem | None:
    """Return an item whose number is part of a name: `2 magma cutters` is one option."""
    if not item.counted:
        return None
    for name in (f"{item.count}x {item.name}", f"{item.count} {item.name}", item.written):
        key = make_key(name)
        if any(container.find_own(key) for container in containers):
            return replace(item, name=name, count=1)
    return None


def _find_priced(container: Container, item: PastedItem) -> CompiledOption | None:
    options = [offer.option for offer in container.find_own(make_key(item.name))]
    if item.points is None or len(options) < 2:
        return None
    priced = [option for option in options if item.points in option.entry.costs.values()]
    return priced[0] if len(priced) == 1 else None


def _split_parts(kinds: list[ModelKind], item: PastedItem) -> list[_Row]:
    rows = [_Row(kinds, part.count, part.items, per_model=True) for part in item.parts]
    others = [inner for inner in item.items if inner.role is not ItemRole.PART]
    if others and len(rows) == 1 and rows[0].count >= item.count:
        rows[0].items = [*rows[0].items, *others]
    elif others or not rows:
        # The models that no part mentions; at least one, since the text gives them equipment.
        rows.append(_Row(kinds, max(1, item.count - _count_models(rows)), others))
    return rows


def _list_others(branch: Branch, kinds: Iterable[ModelKind], rows: Iterable[_Row]) -> list[ModelKind]:
    named = {kind for row in rows for kind in row.kinds}
    return [kind for kind in _count_coming(branch, kinds) if kind not in named]


def _is_upgrade(row: _Row, others: Sequence[ModelKind]) -> bool:
    prices = [sum(kind.option.entry.costs.values()) for kind in (*row.kinds, *others)]
    return max(prices[: len(row.kinds)]) < min(prices[len(row.kinds) :])


def _count_models(rows: Iterable[_Row]) -> int:
    return sum(row.count for row in rows)


def _add_picks(branch: Branch, picks: Sequence[Pick]) -> None:
    for pick in picks:
        branch.add_branch(pick.offer.option, pick.total)


def _drop_defaults(branch: Branch, container: Container) -> None:
    taken = {inner.option: inner.count or 1 for inner in branch.inside}
    for option, number in container.contents.declared_picks:
        group = option.group
        if group is None or option in taken or container.is_fixed(option):
            continue
        used = sum(count for other, count in taken.items() if group in other.groups)
        left = container.group_room.get(group, used + number) - used
        # Keep the automatic options of groups that the text does not mention.
        if used and left < number:
            branch.add_branch(option, max(0, left))


def _enlarge(branch: Branch, kinds: Sequence[ModelKind], coming: Mapping[ModelKind, int], missing: int) -> None:
    for kind, number in coming.items():
        if not kind.is_bundle and kind.most >= number + missing:
            branch.follow(kind.path).count = number + missing
            return

    # Reversed, so that the first of two bundles of one size is kept.
    bundles = {kind.size: kind for kind in reversed(kinds) if kind.is_bundle}
    for kind, number in coming.items():
        if kind.is_bundle and number + missing in bundles:
            branch.follow(bundles[number + missing].path).count = 1
            return

    for kind in kinds:
        if kind in coming or kind.is_bundle or missing > kind.most:
            continue
        # Without automatic models, a kind that no group requires may be something that joins the unit.
        group = kind.option.group
        if coming or (group is not None and group.entry.constraints.minimums):
            branch.follow(kind.path).count = missing
            return
