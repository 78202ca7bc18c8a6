"""Apply house rules that change values of a data set, or refuse lines with a reason."""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from operator import is_

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet, Unchecked
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Category, CategoryLink, Cost, Entry, EntryKind
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.link_index import Binding, LocatedEntry, walk_entries, walk_infos
from catalogue.definitions.numbers import Number, format_number, parse_number
from catalogue.definitions.queries import Bound, Change, Field, Modifier, Query, Scope
from catalogue.graph.ruleset import find_points_type
from roster.formats.homebrew.copies import copy_unit, is_copyable
from roster.formats.homebrew.document import ChangedField, ChangedValue, CopiedUnit, Homebrew, HomebrewLine, NeededPlace
from roster.formats.list_text import simplify_name

PREFIX = "homebrew"
REFUSED = "homebrew-refused"
"""The code of a remark about a line that does not fit a list's data."""
LARGEST = 100_000
_WIDTHS: Mapping[str, int] = {Scope.PARENT: 0, Scope.FORCE: 1, Scope.ROSTER: 2}
"""Scopes from the narrowest: a wider one counts at least as many selections."""
_GROUP_KINDS = (EntryKind.GROUP, EntryKind.GROUP_LINK)


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """Why a line is not applied.

    Codes: `catalogue-gone`, `entry-gone`, `value-gone` (the entry has no such value), `value-differs` (the data says
    `given`), `value-already` (the data says the new value), `contradicts` (an earlier line says `given`), `removed`
    (another line takes out `given`), `no-change`, `not-a-value` (`given` is not a number of this field), `below-other`
    and `above-other` (the opposite limit is `given`), `needs-text`, `unknown-slot`, `id-taken`, `not-copyable`.
    """

    line: HomebrewLine
    code: str
    given: str = ""


@dataclass(frozen=True, slots=True)
class AppliedHomebrew:
    data: DataSet
    refused: tuple[RefusedLine, ...]


class _RefusedError(Exception):
    def __init__(self, code: str, given: str = "") -> None:
        super().__init__(code)
        self.code, self.given = code, given


def apply_homebrew(data: DataSet, homebrew: Homebrew, *, is_partial: bool = False) -> AppliedHomebrew:
    """Return the changed data and the refused lines.

    If `data` `is_partial`, lines about missing factions are ignored instead of refused.
    """
    return _LineApplication(data, homebrew, is_partial=is_partial).run()


@dataclass(frozen=True, slots=True)
class _SetLimit:
    """A limit that a line sets or adds on its `owner`, an entry as in the data. It counts selections of `counted`."""

    line: ChangedValue
    owner: LocatedEntry
    counted: LocatedEntry
    constraint: Constraint


@dataclass(slots=True)
class _OpenCatalogue:
    """`changed` maps the identity of old entries and infos to the new ones."""

    catalogue: Catalogue
    entries: dict[str, Entry] = field(default_factory=dict)
    infos: dict[str, Info] = field(default_factory=dict)
    changed: dict[int, Entry] = field(default_factory=dict)
    changed_infos: dict[int, Info] = field(default_factory=dict)
    added: list[Entry] = field(default_factory=list)
    categories: list[Category] = field(default_factory=list)

    @classmethod
    def open(cls, catalogue: Catalogue) -> "_OpenCatalogue":
        opened = cls(catalogue)
        opened.index(walk_entries((*catalogue.shared_entries, *catalogue.entries)))
        for info in walk_infos((*catalogue.shared_infos, *catalogue.infos)):
            opened.infos.setdefault(info.id, info)
        return opened

    def index(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.entries.setdefault(entry.id, entry)
            for info in walk_infos(entry.infos):
                self.infos.setdefault(info.id, info)

    def close(self) -> Catalogue:
        catalogue = self.catalogue
        return msgspec.structs.replace(
            catalogue,
            entries=tuple(map(self._rebuild, (*catalogue.entries, *self.added))),
            shared_entries=tuple(map(self._rebuild, catalogue.shared_entries)),
            infos=tuple(map(self._rebuild_info, catalogue.infos)),
            shared_infos=tuple(map(self._rebuild_info, catalogue.shared_infos)),
            categories=(*catalogue.categories, *self.categories),
        )

    def _rebuild(self, entry: Entry) -> Entry:
        now = self.changed.get(id(entry), entry)
        entries, infos = tuple(map(self._rebuild, now.entries)), tuple(map(self._rebuild_info, now.infos))
        if all(map(is_, entries, now.entries)) and all(map(is_, infos, now.infos)):
            return now
        return msgspec.structs.replace(now, entries=entries, infos=infos)

    def _rebuild_info(self, info: Info) -> Info:
        now = self.changed_infos.get(id(info), info)
        infos = tuple(map(self._rebuild_info, now.infos))
        return now if all(map(is_, infos, now.infos)) else msgspec.structs.replace(now, infos=infos)


class _LineApplication:
    def __init__(self, data: DataSet, homebrew: Homebrew, *, is_partial: bool) -> None:
        self.data, self.homebrew, self.is_partial = data, homebrew, is_partial
        self.binding = Binding(data)
        self.opened: dict[str, _OpenCatalogue] = {}
        self.publications: dict[str, Publication] = {}
        self.refused: list[RefusedLine] = []
        self.new_categories: dict[str, str] = {}
        self.points = find_points_type(data)
        self.limits: list[_SetLimit] = []
        # By the identity of the data's entries and infos.
        self.removed: dict[int, str] = {}
        self.figures: dict[tuple[int, str], ChangedValue] = {}

    def run(self) -> AppliedHomebrew:
        for unit in self.homebrew.units:
            self._try_line(unit, partial(self._add_unit, unit))
        subjects: dict[tuple[str, ...], ChangedValue] = {}
        for line in self.homebrew.changes:
            before = subjects.setdefault(line.subject, line)
            if before is not line:
                self.refused.append(RefusedLine(line, *_describe_contradiction(before)))
                continue
            self._try_line(line, partial(self._change_value, line))
        self._check_removed()
        self._check_limits()
        places = {id(line): place for place, line in enumerate(self.homebrew.lines)}
        self.refused.sort(key=lambda one: places[id(one.line)])

        catalogues = []
        for catalogue in self.data.catalogues:
            opened = self.opened.get(catalogue.id)
            now = opened.close() if opened and opened.catalogue is catalogue else catalogue
            catalogues.append(self._mark_system(now) if now.kind is CatalogueKind.GAME_SYSTEM else now)
        return AppliedHomebrew(DataSet(catalogues=tuple(catalogues)), tuple(self.refused))

    def _try_line(self, line: HomebrewLine, change: Callable[[_OpenCatalogue], None]) -> None:
        catalogue = self.binding.by_id.get(line.catalogue)
        if catalogue is None:
            if not self.is_partial:
                self.refused.append(RefusedLine(line, "catalogue-gone"))
            return
        if catalogue.id not in self.opened:
            self.opened[catalogue.id] = _OpenCatalogue.open(catalogue)
        try:
            change(self.opened[catalogue.id])
        except _RefusedError as error:
            self.refused.append(RefusedLine(line, error.code, error.given))

    def _mark_system(self, system: Catalogue) -> Catalogue:
        """Name the rules in the data, so that every view of a list can say that they apply."""
        notes = [Unchecked(code=REFUSED, text=one.line.name) for one in self.refused]
        names = (system.overlay_name, self.homebrew.name)
        return msgspec.structs.replace(
            system,
            publications=(*system.publications, *self.publications.values()),
            unchecked=(*system.unchecked, *notes),
            overlay_name=", ".join(filter(None, names)),
            homebrew=", ".join(filter(None, (system.homebrew, self.homebrew.name))),
        )

    def _cite(self, line: HomebrewLine) -> Citation:
        title = self.homebrew.get_source(line)
        publication = self.publications.setdefault(title, Publication(id=f"{PREFIX}/{title}", name=title))
        return Citation(publication_id=publication.id, page=line.cited_page)

    # ---- units ---------------------------------------------------------------------------------------------------

    def _add_unit(self, unit: CopiedUnit, opened: _OpenCatalogue) -> None:
        taken = {*opened.entries, *(entry.id for entry in opened.added)}
        if unit.unit in taken:
            raise _RefusedError("id-taken", unit.unit)
        original = next((entry for entry in opened.catalogue.entries if entry.id == unit.of), None)
        if original is None:
            raise _RefusedError("entry-gone", unit.of)
        if not is_copyable(self.binding, opened.catalogue, original):
            raise _RefusedError("not-copyable", unit.of)
        copied = copy_unit(self.binding, opened.catalogue, original, unit.unit, unit.name)
        copied = msgspec.structs.replace(copied, citation=self._cite(unit))
        opened.added.append(copied)
        opened.index(walk_entries((copied,)))

    # ---- values --------------------------------------------------------------------------------------------------

    def _change_value(self, line: ChangedValue, opened: _OpenCatalogue) -> None:
        if line.was == line.to:
            raise _RefusedError("no-change")
        if line.field == ChangedField.STAT:
            self._change_stat(opened, line)
            return
        original = opened.entries.get(line.entry)
        if original is None:
            raise _RefusedError("entry-gone", line.entry)
        entry = opened.changed.get(id(original), original)
        change = {
            ChangedField.COST: self._change_cost,
            ChangedField.PRICE: self._change_price,
            ChangedField.LIMIT: self._change_limit,
            ChangedField.MOST: self._limit_list,
            ChangedField.NEEDS: self._need_unit,
            ChangedField.NAME: self._change_name,
            ChangedField.SLOT: self._change_slot,
            ChangedField.KEYWORD: self._change_keyword,
            ChangedField.ABILITY: self._change_ability,
            ChangedField.OPTION: self._change_option,
        }[ChangedField(line.field)]
        opened.changed[id(original)] = change(opened, entry, line)

    def _change_stat(self, opened: _OpenCatalogue, line: ChangedValue) -> None:
        original = _find_profile(opened, line)
        # Lines may name the same profile with and without its entry.
        before = self.figures.setdefault((id(original), line.column), line)
        if before is not line:
            raise _RefusedError(*_describe_contradiction(before))
        info = opened.changed_infos.get(id(original), original)
        figures = list(info.characteristics)
        place = next((place for place, figure in enumerate(figures) if figure.type_id == line.column), None)
        if place is None:
            raise _RefusedError("value-gone")
        _compare(line, figures[place].value)
        figures[place] = msgspec.structs.replace(figures[place], value=line.to)
        opened.changed_infos[id(original)] = msgspec.structs.replace(
            info, characteristics=tuple(figures), citation=self._cite(line)
        )

    def _change_cost(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        value = _read_number(line.to, least=-LARGEST)
        if line.id not in self.binding.cost_types:
            raise _RefusedError("value-gone")
        costs = {cost.type_id: cost for cost in entry.costs}
        current = costs.get(line.id, Cost(type_id=line.id, value=0))
        _compare(line, format_number(current.value))
        costs[line.id] = msgspec.structs.replace(current, value=value)
        return msgspec.structs.replace(entry, costs=tuple(costs.values()), citation=self._cite(line))

    def _change_price(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        value = _read_number(line.to, least=-LARGEST)
        modifiers = list(entry.modifiers)
        places = [
            place
            for place, one in enumerate(modifiers)
            if one.field == line.id and is_price_rule(one) and identify_price_rule(one) == line.column
        ]
        if not places:
            raise _RefusedError("value-gone")
        place = next((place for place in places if read_price(modifiers[place]) == line.was), places[0])
        _compare(line, read_price(modifiers[place]))
        modifiers[place] = msgspec.structs.replace(modifiers[place], value=format_number(value))
        return msgspec.structs.replace(entry, modifiers=tuple(modifiers), citation=self._cite(line))

    def _change_limit(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        value = _read_number(line.to)
        constraints = list(entry.constraints)
        places = [place for place, one in enumerate(constraints) if one.id == line.id and is_plain_limit(one)]
        if not places:
            raise _RefusedError("value-gone")
        place = next((place for place in places if format_number(constraints[place].value) == line.was), places[0])
        _compare(line, format_number(constraints[place].value))
        constraints[place] = msgspec.structs.replace(constraints[place], value=value, citation=self._cite(line))
        owner = LocatedEntry(opened.entries[line.entry], opened.catalogue)
        self.limits.append(_SetLimit(line, owner, owner, constraints[place]))
        return msgspec.structs.replace(entry, constraints=tuple(constraints))

    def _limit_list(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        if line.was:
            raise _RefusedError("value-gone")
        limit = Constraint(
            id=f"{PREFIX}/{entry.id}#most",
            bound=Bound.MAX,
            value=_read_number(line.to),
            query=Query(scope=Scope.ROSTER, child_id=entry.id, deep=True, include_child_forces=True),
            rule=PREFIX,
            name=line.name,
            text=line.why,
            citation=self._cite(line),
        )
        owner = LocatedEntry(opened.entries[line.entry], opened.catalogue)
        self.limits.append(_SetLimit(line, owner, owner, limit))
        return msgspec.structs.replace(entry, constraints=(*entry.constraints, limit))

    def _need_unit(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        if line.was or line.column not in list(NeededPlace):
            raise _RefusedError("value-gone")
        roots = [LocatedEntry(one, other.catalogue) for other in self.opened.values() for one in other.added]
        roots += self.binding.list_root_entries(opened.catalogue)
        needed = next((root for root in roots if root.entry.id == line.id), None)
        if needed is None:
            raise _RefusedError("entry-gone", line.id)
        is_list = line.column == NeededPlace.LIST
        need = Constraint(
            id=f"{PREFIX}/{entry.id}#needs/{line.column}/{line.id}",
            bound=Bound.MIN,
            value=_read_number(line.to, least=1),
            query=Query(
                scope=Scope.ROSTER if is_list else Scope.FORCE,
                child_id=line.id,
                deep=True,
                include_child_forces=is_list,
            ),
            rule=PREFIX,
            name=line.name,
            text=line.why or line.name,
            citation=self._cite(line),
        )
        owner = LocatedEntry(opened.entries[line.entry], opened.catalogue)
        self.limits.append(_SetLimit(line, owner, needed, need))
        return msgspec.structs.replace(entry, constraints=(*entry.constraints, need))

    def _change_name(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        if not line.to:
            raise _RefusedError("not-a-value")
        _compare(line, entry.name)
        return msgspec.structs.replace(entry, name=line.to)

    def _change_slot(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        places = [place for place, link in enumerate(entry.categories) if link.primary]
        if not places:
            raise _RefusedError("value-gone")
        link = entry.categories[places[-1]]
        _compare(line, self._name_category(link))
        target_id = self._find_category(line.to)
        if not target_id:
            raise _RefusedError("unknown-slot", line.to)
        links = list(entry.categories)
        links[places[-1]] = msgspec.structs.replace(link, target_id=target_id, name=line.to)
        return msgspec.structs.replace(entry, categories=tuple(links))

    def _change_keyword(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        links = list(entry.categories)
        known = opened.entries[line.entry].categories
        if line.was:
            place = _find_named(line.was, map(self._name_category, links))
            # What another line adds is not in the data.
            if place is None or links[place].primary or links[place] not in known:
                raise _RefusedError("value-gone")
            del links[place]
        if line.to:
            if _find_named(line.to, map(self._name_category, links)) is not None:
                raise _RefusedError("value-already", line.to)
            category_id = self._find_category(line.to) or self._create_category(opened, line.to)
            links.append(CategoryLink(id=f"{entry.id}@{category_id}", target_id=category_id, name=line.to))
        return msgspec.structs.replace(entry, categories=tuple(links))

    def _name_category(self, link: CategoryLink) -> str:
        category = self.binding.categories.get(link.target_id)
        return category.name if category else link.name or self.new_categories.get(link.target_id, "")

    def _find_category(self, name: str) -> str:
        simplified = simplify_name(name)
        visible = (one for one in self.binding.categories.values() if not one.hidden)
        category_id = next((one.id for one in visible if simplify_name(one.name) == simplified), "")
        return category_id or next(
            (key for key, one in self.new_categories.items() if simplify_name(one) == simplified), ""
        )

    def _create_category(self, opened: _OpenCatalogue, name: str) -> str:
        category_id = f"{PREFIX}/{simplify_name(name)}"
        self.new_categories[category_id] = name
        opened.categories.append(Category(id=category_id, name=name))
        return category_id

    def _change_ability(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        infos = list(entry.infos)
        home = opened.catalogue
        removed = None

        def name_info(info: Info) -> str:
            target = self.binding.find_info(info.target_id, home) if info.kind is InfoKind.LINK else None
            return info.name or (target.info.name if target else "")

        if line.was:
            place = _find_named(line.was, map(name_info, infos))
            # What another line adds is not in the data.
            if place is None or infos[place] not in opened.entries[line.entry].infos:
                raise _RefusedError("value-gone")
            removed = infos.pop(place)
        if line.to:
            if _find_named(line.to, map(name_info, infos)) is not None:
                raise _RefusedError("value-already", line.to)
            infos.append(self._build_ability(home, entry, line))
        if removed is not None:
            self.removed |= {id(info): line.was for info in walk_infos((removed,))}
        return msgspec.structs.replace(entry, infos=tuple(infos))

    def _build_ability(self, home: Catalogue, entry: Entry, line: ChangedValue) -> Info:
        info_id = f"{entry.id}~{PREFIX}/{simplify_name(line.to)}"
        if line.text:
            return Info(id=info_id, kind=InfoKind.RULE, name=line.to, description=line.text, citation=self._cite(line))
        rule = next(
            (
                info
                for catalogue in self.binding.list_visible(home)
                for info in walk_infos((*catalogue.shared_infos, *catalogue.infos))
                if info.kind is not InfoKind.LINK and simplify_name(info.name) == simplify_name(line.to)
            ),
            None,
        )
        if rule is None:
            raise _RefusedError("needs-text", line.to)
        return Info(id=info_id, kind=InfoKind.LINK, name=rule.name, target_id=rule.id, citation=self._cite(line))

    def _change_option(self, opened: _OpenCatalogue, entry: Entry, line: ChangedValue) -> Entry:
        entries = list(entry.entries)
        removed = None
        # A link may have another name than its target.
        parts_of = partial(self._list_parts, home=opened.catalogue)
        if line.was:
            known = opened.entries[line.entry].entries
            names = [[part.name for part in parts_of(inner) if part.name] for inner in entries]
            # What another line adds is not in the data.
            places = [place for place, inner in enumerate(entries) if inner in known and line.id in ("", inner.id)]
            place = next((place for place in places if line.was in names[place]), None)
            if place is None:
                if line.id and places:
                    raise _RefusedError("value-differs", names[places[0]][0])
                raise _RefusedError("value-gone")
            removed = entries.pop(place)
        if line.to:
            # Groups are not options, and hidden options are not offered.
            offered = [
                parts
                for parts in map(parts_of, entries)
                if not any(part.hidden or part.kind in _GROUP_KINDS for part in parts)
            ]
            if _find_named(line.to, (part.name for part in chain.from_iterable(offered) if part.name)) is not None:
                raise _RefusedError("value-already", line.to)
            points = _read_number(line.points or "0", least=-LARGEST)
            costs = (Cost(type_id=self.points.id, value=points),) if self.points and points else ()
            option_id = f"{entry.id}/{PREFIX}/{simplify_name(line.to)}"
            if option_id in opened.entries:
                raise _RefusedError("id-taken", option_id)
            once = Constraint(id=f"{option_id}#max", bound=Bound.MAX, value=1, query=Query(), name=line.to)
            entries.append(
                Entry(
                    id=option_id,
                    name=line.to,
                    note=line.text,
                    costs=costs,
                    constraints=(once,),
                    citation=self._cite(line),
                )
            )
        if removed is not None:
            for inner in walk_entries((removed,)):
                self.removed |= {id(thing): line.was for thing in (inner, *walk_infos(inner.infos))}
        return msgspec.structs.replace(entry, entries=tuple(entries))

    def _list_parts(self, entry: Entry, home: Catalogue) -> list[Entry]:
        """Return an entry with the target of its link, if it is one, in front."""
        target = self.binding.find_entry(entry.target_id, home) if entry.is_link else None
        return [target.entry, entry] if target else [entry]

    # ---- lines against each other --------------------------------------------------------------------------------

    def _check_removed(self) -> None:
        """Refuse lines about the inside of what another line takes out. Their change is gone with it."""
        refused = {id(one.line) for one in self.refused}
        for line in self.homebrew.changes:
            opened = self.opened.get(line.catalogue)
            if opened is None or id(line) in refused:
                continue
            things: list[Entry | Info | None] = [opened.entries.get(line.entry)]
            if line.field == ChangedField.STAT:
                things.append(_find_profile(opened, line))
            removed = next((self.removed[id(thing)] for thing in things if id(thing) in self.removed), None)
            if removed is not None:
                self.refused.append(RefusedLine(line, "removed", removed))
                self.limits = [limit for limit in self.limits if limit.line is not line]

    def _check_limits(self) -> None:
        """Refuse limits of lines that contradict others, later lines first, and take them back."""
        is_settled = False
        while not is_settled:
            is_settled = True
            # Taking one limit back may bring another into contradiction.
            for limit in tuple(reversed(self.limits)):
                mine = limit.constraint
                least, most = self._find_opposites(limit)
                if mine.bound is not Bound.MIN and mine.value < least:
                    refused = RefusedLine(limit.line, "below-other", format_number(least))
                elif mine.bound is not Bound.MAX and most is not None and mine.value > most:
                    refused = RefusedLine(limit.line, "above-other", format_number(most))
                else:
                    continue
                is_settled = False
                self.refused.append(refused)
                self.limits.remove(limit)
                original, opened = limit.owner.entry, self.opened[limit.owner.home.id]
                entry = opened.changed[id(original)]
                place = next(place for place, one in enumerate(entry.constraints) if one is mine)
                # Added limits follow those of the data, which keep their places.
                before = original.constraints[place : place + 1]
                constraints = (*entry.constraints[:place], *before, *entry.constraints[place + 1 :])
                opened.changed[id(original)] = msgspec.structs.replace(entry, constraints=constraints)

    def _find_opposites(self, limit: _SetLimit) -> tuple[Number, Number | None]:
        """Return the highest minimum and the lowest maximum, if any, that a line's limit must leave room for."""
        counted, mine = limit.counted, limit.constraint
        target = self.binding.find_entry(counted.entry.target_id, counted.home) if counted.entry.is_link else None
        parts = [counted, *([target] if target else [])]
        # Limits, each with its owner, or with the counted entry if a line adds it.
        others = [(other.constraint, counted.entry) for other in self.limits if other.counted.entry is counted.entry]
        modified = set(self.binding.effect_fields)
        is_root = False
        for part in parts:
            opened = self.opened.get(part.home.id)
            entry = opened.changed.get(id(part.entry), part.entry) if opened else part.entry
            others += [(constraint, part.entry) for constraint in entry.constraints]
            modified.update(modifier.field for modifier in entry.modifiers)
            is_root |= any(part.entry is one for one in (*part.home.entries, *(opened.added if opened else ())))
        if mine.id in modified:
            return 0, None
        ids = {None, *(part.entry.id for part in parts)}
        linked = parts[-1].entry

        def counts_every_link(query: Query, owner: Entry) -> bool:
            if query.child_id is None:
                return query.shared and (owner is linked or query.scope != Scope.PARENT)
            return query.shared and query.child_id == linked.id

        def includes(wide: tuple[Constraint, Entry], narrow: tuple[Constraint, Entry]) -> bool:
            wide_query, narrow_query = wide[0].query, narrow[0].query
            if counts_every_link(narrow_query, narrow[1]) and not counts_every_link(wide_query, wide[1]):
                return False
            if wide_query == narrow_query:
                return True
            for query in (wide_query, narrow_query):
                if query.child_id not in ids or query.field != Field.SELECTIONS or query.scope not in _WIDTHS:
                    return False
            # The parent of a root entry is its detachment.
            widths = [max(_WIDTHS[query.scope], int(is_root)) for query in (wide_query, narrow_query)]
            is_as_deep = is_root or wide_query.deep or wide_query.scope == narrow_query.scope
            return widths[0] >= widths[1] and is_as_deep

        plain = [one for one in others if one[0] is not mine and is_plain_limit(one[0]) and one[0].id not in modified]
        bounded = (mine, counted.entry)
        minimums = [one.value for one, owner in plain if one.bound is not Bound.MAX and includes(bounded, (one, owner))]
        maximums = [one.value for one, owner in plain if one.bound is not Bound.MIN and includes((one, owner), bounded)]
        return max(minimums, default=0), min((value for value in maximums if value >= 0), default=None)


def _describe_contradiction(before: ChangedValue) -> tuple[str, str]:
    return ("contradicts", before.to) if before.to else ("removed", before.was)


def _find_profile(opened: _OpenCatalogue, line: ChangedValue) -> Info:
    """Return the profile inside the line's entry, or the first of a file if it names none. Raises _RefusedError."""
    first = opened.infos.get(line.id)
    if first is None:
        raise _RefusedError("entry-gone", line.id)
    if not line.entry:
        return first
    owner = opened.entries.get(line.entry)
    if owner is None:
        raise _RefusedError("entry-gone", line.entry)
    # An id may occur twice in a file.
    infos = (info for entry in walk_entries((owner,)) for info in walk_infos(entry.infos))
    info = next((info for info in infos if info.id == line.id), None)
    if info is None:
        raise _RefusedError("value-gone")
    return info


def is_price_rule(modifier: Modifier) -> bool:
    """Return whether a modifier sets, raises or lowers its field by a number, which people can change."""
    if modifier.change not in (Change.SET, Change.INCREMENT, Change.DECREMENT) or modifier.position is not None:
        return False
    try:
        parse_number(modifier.value)
    except ValueError:
        return False
    return True


def read_price(modifier: Modifier) -> str:
    return format_number(parse_number(modifier.value))


def identify_price_rule(modifier: Modifier) -> str:
    """Return a key of when and how a modifier changes a price, which stays if only the price changes."""
    return f"{zlib.crc32(msgspec.json.encode((modifier.change, modifier.guard, modifier.repeats))):08x}"


def is_plain_limit(constraint: Constraint) -> bool:
    """Return whether a constraint is a fixed number, which people can change."""
    return not (constraint.when or constraint.terms or constraint.query.percent or constraint.query.where)


def _compare(line: ChangedValue, now: str) -> None:
    if now != line.was:
        raise _RefusedError("value-already" if now == line.to else "value-differs", now)


def _read_number(text: str, least: int = 0) -> Number:
    try:
        value = parse_number(text)
    except ValueError:
        raise _RefusedError("not-a-value", text) from None
    if not least <= value <= LARGEST:
        raise _RefusedError("not-a-value", text)
    return value


def _find_named(name: str, names: Iterable[str]) -> int | None:
    simplified = simplify_name(name)
    return next((place for place, other in enumerate(names) if simplify_name(other) == simplified), None)
