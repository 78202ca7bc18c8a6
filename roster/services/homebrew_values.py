"""Read a unit's values that house rules can change, and turn a completed form into lines."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Citation
from catalogue.definitions.entries import CostType, Entry, EntryType
from catalogue.definitions.identity import find_slot_emblem
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.numbers import format_number
from catalogue.definitions.queries import ANY, Bound, Change, Condition, Field, Guard, Operator, Query, Repeat, Scope
from catalogue.graph.compiled_entry import CompiledEntry, CompiledOption
from catalogue.graph.ids import split_id
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset, compile_ruleset
from catalogue.models import PackVersion
from roster.formats.homebrew.apply import RefusedLine, identify_price_rule, is_plain_limit, is_price_rule, read_price
from roster.formats.homebrew.document import (
    NAMED_FIELDS,
    ChangedField,
    ChangedValue,
    CopiedUnit,
    Homebrew,
    HomebrewLine,
    NeededPlace,
)
from roster.formats.list_text import NAME_LENGTH, simplify_name
from roster.services.homebrew import apply_to_version, is_inside

DEEPEST = 6
MOST_VALUES = 300
MOST_CONDITIONS = 3
LONGEST_FIGURE = 40
"""Longer values of profiles are texts, which house rules replace as abilities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeableValue:
    """`thing` is the model, option or profile that has the value, `label` the value's name."""

    catalogue: str
    entry: str
    field: ChangedField
    id: str = ""
    column: str = ""
    value: str
    thing: str
    label: str
    citation: Citation

    @property
    def key(self) -> str:
        parts = (self.catalogue, self.entry, self.field, self.id, self.column)
        named = (self.value,) if self.field in NAMED_FIELDS else ()
        return f"{zlib.crc32('|'.join((*parts, *named)).encode()):08x}"

    @property
    def name(self) -> str:
        return f"{self.thing}, {self.label}"[:NAME_LENGTH]

    @property
    def is_figure(self) -> bool:
        return self.field in (ChangedField.COST, ChangedField.PRICE, ChangedField.STAT, ChangedField.LIMIT)

    def write_line(self, to: str, *, why: str = "", source: str = "", page: str = "") -> ChangedValue:
        return ChangedValue(
            catalogue=self.catalogue,
            entry=self.entry,
            field=self.field.value,
            id=self.id,
            column=self.column,
            was=self.value,
            to=to,
            name=self.name,
            why=why,
            source=source,
            cited_page=page,
        )


class ValueReader:
    """Reads each changeable value once, outer things first."""

    def __init__(self, ruleset: Ruleset, root: CompiledOption) -> None:
        self._binding = ruleset.binding
        self._root = root
        self._seen: set[str] = set()
        self.fixed_prices: dict[str, None] = {}
        """The names of things with a price that lines cannot change."""

    def list_values(self) -> list[ChangeableValue]:
        values: list[ChangeableValue] = []
        for value in self._walk_entry(self._root.entry, 0):
            if value.key not in self._seen:
                self._seen.add(value.key)
                values.append(value)
            if len(values) >= MOST_VALUES:
                break
        return values

    def _walk_entry(self, entry: CompiledEntry, depth: int) -> Iterator[ChangeableValue]:
        parts = [(entry.target, entry.home)]
        if entry.link:
            parts.append((entry.link, entry.link_home))
        if depth == 0:
            yield self._build(entry, *parts[0], ChangedField.NAME, entry.target.name or entry.name, _("name"))
        yield from self._list_costs(entry, parts)
        for part, home in parts:
            yield from self._list_price_rules(entry, part, home)
            yield from self._list_limits(entry, part, home)
            yield from self._list_slots(entry, part, home)
            for info in part.infos:
                yield from self._list_infos(entry, part, home, info)
        if depth < DEEPEST:
            for item in entry.contents.items:
                if not item.entry.hidden:
                    yield from self._walk_entry(item.entry, depth + 1)

    def _build(
        self,
        entry: CompiledEntry,
        part: Entry,
        home: Catalogue,
        field: ChangedField,
        value: str,
        label: str,
        *,
        key: str = "",
        column: str = "",
        thing: str = "",
        citation: Citation | None = None,
        shared: bool = False,
    ) -> ChangeableValue:
        return ChangeableValue(
            catalogue=home.id,
            entry="" if shared else part.id,
            field=field,
            id=key,
            column=column,
            value=value,
            thing=thing or self._name_thing(entry),
            label=label,
            citation=citation or entry.citation,
        )

    def _name_thing(self, entry: CompiledEntry) -> str:
        is_model = entry.target.type is EntryType.MODEL and entry is not self._root.entry
        return _("%(name)s (each model)") % {"name": entry.name} if is_model else entry.name

    def _list_costs(self, entry: CompiledEntry, parts: Sequence[tuple[Entry, Catalogue]]) -> Iterator[ChangeableValue]:
        # The costs of a link replace those of its target.
        owners = {cost.type_id: (cost, part, home) for part, home in parts for cost in part.costs}
        for cost, part, home in owners.values():
            cost_type = self._binding.cost_types.get(cost.type_id)
            if cost_type and not cost_type.is_never_shown:
                label = cost_type.name.strip()
                value = format_number(cost.value)
                yield self._build(entry, part, home, ChangedField.COST, value, label, key=cost.type_id)

    def _list_price_rules(self, entry: CompiledEntry, part: Entry, home: Catalogue) -> Iterator[ChangeableValue]:
        for modifier in part.modifiers:
            cost_type = self._find_shown_cost(modifier.field)
            if cost_type is None:
                continue
            if not is_price_rule(modifier):
                self.fixed_prices[self._name_thing(entry)] = None
                continue
            rules = [self._describe_guard(modifier.guard, home)] if modifier.guard else []
            rules += [self._describe_repeat(one, home) for level in modifier.repeats for one in level]
            words = {"cost": cost_type.name.strip(), "rule": ", ".join(rules)}
            label = {
                Change.SET: "%(cost)s %(rule)s",
                Change.INCREMENT: _("more %(cost)s %(rule)s"),
                Change.DECREMENT: _("fewer %(cost)s %(rule)s"),
            }[modifier.change]
            yield self._build(
                entry,
                part,
                home,
                ChangedField.PRICE,
                read_price(modifier),
                (label % words).strip(),
                key=modifier.field,
                column=identify_price_rule(modifier),
            )
        if any(self._find_shown_cost(effect.modifier.field) for effect in part.effects):
            self.fixed_prices[self._name_thing(entry)] = None

    def _find_shown_cost(self, type_id: str) -> CostType | None:
        cost_type = self._binding.cost_types.get(type_id)
        return None if cost_type is None or cost_type.is_never_shown else cost_type

    def _describe_guard(self, guard: Guard, home: Catalogue) -> str:
        """Describe when a rule applies: "if models ≥ 6"; in general terms if that takes more than a line."""
        while len(guard.guards) == 1 and not (guard.conditions or guard.negated or guard.least):
            (guard,) = guard.guards
        parts = [self._describe_condition(one, home) for one in guard.conditions]
        if guard.guards or guard.negated or guard.least or not all(parts) or len(parts) > MOST_CONDITIONS:
            return _("by a rule of the data")
        return _("if %(conditions)s") % {"conditions": (" / " if guard.any_of else ", ").join(parts)}

    def _describe_condition(self, condition: Condition, home: Catalogue) -> str:
        query = condition.query
        name = self._name_counted(query, home)
        if not name or query.percent or query.where:
            return ""
        if condition.operator is Operator.INSTANCE_OF:
            return name
        if condition.operator is Operator.NOT_INSTANCE_OF:
            return _("not %(name)s") % {"name": name}
        if condition.operator not in _SIGNS:
            return ""
        place = _(_PLACES[query.scope]) if _PLACES.get(query.scope) else ""
        return " ".join(filter(None, (name, place, _SIGNS[condition.operator], format_number(condition.value))))

    def _describe_repeat(self, repeat: Repeat, home: Catalogue) -> str:
        name = self._name_counted(repeat.query, home)
        if not name or repeat.query.where:
            return _("by a rule of the data")
        return f"× {name}" if repeat.value == 1 else f"× {name} / {format_number(repeat.value)}"

    def _name_counted(self, query: Query, home: Catalogue) -> str:
        cost_type = self._binding.cost_types.get(query.field)
        if cost_type is not None:
            return cost_type.name.strip() if query.child_id == ANY else ""
        if query.field != Field.SELECTIONS:
            return ""
        if query.child_id in _KINDS:
            return _(_KINDS[query.child_id])
        category = self._binding.categories.get(query.child_id or "")
        if category is not None:
            return category.name
        target = self._binding.find_entry(query.child_id or "", home)
        return target.entry.name if target else ""

    def _list_limits(self, entry: CompiledEntry, part: Entry, home: Catalogue) -> Iterator[ChangeableValue]:
        for limit in part.constraints:
            query = limit.query
            is_own = query.child_id is None or query.child_id in entry.ids
            is_counted = query.field == Field.SELECTIONS and query.scope in _PLACES
            if not (is_plain_limit(limit) and is_own and is_counted) or limit.value < 0:
                continue
            words = _BOUNDS[limit.bound]
            yield self._build(
                entry,
                part,
                home,
                ChangedField.LIMIT,
                format_number(limit.value),
                format_limit(words, _PLACES[query.scope]),
                key=limit.id,
                citation=limit.citation or None,
            )

    def _list_slots(self, entry: CompiledEntry, part: Entry, home: Catalogue) -> Iterator[ChangeableValue]:
        for link in part.categories:
            category = self._binding.categories.get(link.target_id)
            if category is None or category.hidden or link.hidden or not category.name:
                continue
            field, label = ChangedField.KEYWORD, _("keyword")
            if link.primary:
                field, label = ChangedField.SLOT, _("slot")
            yield self._build(entry, part, home, field, category.name, label)

    def _list_infos(self, entry: CompiledEntry, part: Entry, home: Catalogue, info: Info) -> Iterator[ChangeableValue]:
        target_info, target_home, is_shared = info, home, False
        if info.kind is InfoKind.LINK:
            target = self._binding.find_info(info.target_id, home)
            if target is None:
                return
            target_info, target_home, is_shared = target.info, target.home, True
        name = info.name or target_info.name
        if info.hidden or target_info.hidden or not name:
            return
        if target_info.kind is InfoKind.PROFILE and not is_shared and not target_info.modifiers:
            yield from self._list_figures(entry, part, target_home, target_info)
            return
        yield self._build(entry, part, home, ChangedField.ABILITY, name, _("ability"), thing=entry.name)
        if target_info.kind is InfoKind.PROFILE:
            yield from self._list_figures(entry, part, target_home, target_info, shared=True)

    def _list_figures(
        self, entry: CompiledEntry, part: Entry, home: Catalogue, info: Info, *, shared: bool = False
    ) -> Iterator[ChangeableValue]:
        for figure in info.characteristics:
            if len(figure.value) <= LONGEST_FIGURE:
                yield self._build(
                    entry,
                    part,
                    home,
                    ChangedField.STAT,
                    figure.value,
                    figure.name,
                    key=info.id,
                    column=figure.type_id,
                    thing=info.name,
                    citation=info.citation or None,
                    shared=shared,
                )


_BOUNDS = {
    Bound.MIN: gettext_noop("at least"),
    Bound.MAX: gettext_noop("at most"),
    Bound.EXACTLY: gettext_noop("exactly"),
}
_PLACES: Mapping[str, str] = {
    Scope.PARENT: "",
    Scope.SELF: "",
    Scope.ROSTER: gettext_noop("in a list"),
    Scope.FORCE: gettext_noop("in a detachment"),
}


_KINDS: Mapping[str | None, str] = {
    ANY: gettext_noop("selections"),
    EntryType.MODEL: gettext_noop("models"),
    EntryType.UNIT: gettext_noop("units"),
}
_SIGNS: Mapping[Operator, str] = {
    Operator.LESS_THAN: "<",
    Operator.GREATER_THAN: ">",
    Operator.EQUAL_TO: "=",
    Operator.NOT_EQUAL_TO: "≠",
    Operator.AT_LEAST: "≥",
    Operator.AT_MOST: "≤",
}


NEEDED_PLACES: Mapping[str, str] = {
    NeededPlace.LIST: gettext_noop("in the list"),
    NeededPlace.DETACHMENT: gettext_noop("in the same detachment"),
}


def format_limit(bound: str, place: str) -> str:
    """Label a limit, from words marked for translation: "at most (in a list)"."""
    words, where = _(bound), _(place) if place else ""
    return f"{words} ({where})" if where else words


def find_root(ruleset: Ruleset, faction_id: str, entry_id: str) -> CompiledOption | None:
    catalogue = ruleset.find_catalogue(faction_id)
    return catalogue.root_options.find_at(entry_id, "") if catalogue else None


def find_original(ruleset: Ruleset, faction_id: str, entry_id: str) -> tuple[str, str]:
    """Return the catalogue that offers a unit, perhaps an imported library, and its id there."""
    root_id = split_id(entry_id)[0]
    catalogue = ruleset.binding.by_id.get(faction_id)
    roots = ruleset.binding.list_root_entries(catalogue) if catalogue else ()
    return next(((root.home.id, root_id) for root in roots if root.entry.id == root_id), (faction_id, root_id))


def read_values(ruleset: Ruleset, faction_id: str, entry_id: str) -> tuple[list[ChangeableValue], list[str]]:
    """Return a unit's changeable values, and the names of things with a price that lines cannot change."""
    root = find_root(ruleset, faction_id, entry_id)
    if root is None:
        return [], []
    reader = ValueReader(ruleset, root)
    return reader.list_values(), list(reader.fixed_prices)


# ---- units of one's own ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedUnit:
    """A copied unit: `values` as copied, current `changes` by key. `others` are the names of units that it may need."""

    unit: CopiedUnit
    original: str
    values: tuple[ChangeableValue, ...]
    changes: Mapping[str, ChangedValue]
    added: tuple[ChangedValue, ...]
    fixed_prices: tuple[str, ...]
    slots: Mapping[str, str]
    others: Mapping[str, str]

    @property
    def lines(self) -> tuple[HomebrewLine, ...]:
        return (self.unit, *self.changes.values(), *self.added)


def find_line(lines: Iterable[ChangedValue], value: ChangeableValue) -> ChangedValue | None:
    """Return the line that changes a value. A line about a profile need not name its entry."""
    line, by_subject = value.write_line(""), {one.subject: one for one in lines}
    return by_subject.get(line.subject) or by_subject.get(replace(line, entry="").subject)


def read_unit(homebrew: Homebrew, version: PackVersion, unit_id: str) -> EditedUnit | None:
    """Return a copied unit on a version of the data, or None."""
    unit = next((one for one in homebrew.units if one.unit == unit_id), None)
    if unit is None:
        return None
    copied = apply_to_version(replace(homebrew, changes=()), version, [unit.catalogue])
    ruleset = compile_ruleset(copied.data)
    values, fixed_prices = read_values(ruleset, unit.catalogue, unit_id)
    catalogue = ruleset.find_catalogue(unit.catalogue)
    # The original may be a link, whose id on offer includes that of its target.
    original = catalogue.root_options.find_option(unit.of) if catalogue else None
    if not values or catalogue is None or original is None:
        return None
    inside = [line for line in homebrew.changes if is_inside(line, unit_id)]
    changes = {value.key: line for value in values if (line := find_line(inside, value))}
    return EditedUnit(
        unit=unit,
        original=original.entry.name,
        values=tuple(values),
        changes=changes,
        added=tuple(line for line in inside if not line.was),
        fixed_prices=tuple(fixed_prices),
        slots=list_slots(catalogue),
        others={
            split_id(root.local_id)[0]: root.entry.name
            for root in sorted(catalogue.distinct_roots, key=lambda root: root.entry.name)
            if not root.hidden and split_id(root.local_id)[0] != unit_id
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftUnit:
    """A copied unit with its changes, as far as the data takes them, and the `refused` lines."""

    ruleset: Ruleset
    root: CompiledOption
    refused: tuple[RefusedLine, ...]


def compile_unit(homebrew: Homebrew, version: PackVersion, unit: CopiedUnit) -> DraftUnit | None:
    """Compile a copied unit on a version of the data; None if the data does not take it."""
    applied = apply_to_version(homebrew, version, [unit.catalogue])
    ruleset = compile_ruleset(applied.data)
    root = find_root(ruleset, unit.catalogue, unit.unit)
    return DraftUnit(ruleset=ruleset, root=root, refused=applied.refused) if root else None


def list_slots(catalogue: CompiledCatalogue) -> Mapping[str, str]:
    """Map the names of slots that a faction's units fill to their emblems."""
    categories = catalogue.binding.categories
    primary = dict.fromkeys(option.membership.primary for option in catalogue.distinct_roots)
    used = (categories[key] for key in primary if key in categories and not categories[key].hidden)
    return {one.name: one.emblem or find_slot_emblem(one.name) for one in used if one.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledUnit:
    """A unit's completed form: new values by key, removed keys, and additions. `needs` are number, unit and place."""

    name: str
    why: str
    source: str
    page: str
    values: Mapping[str, str]
    removed: frozenset[str]
    keywords: tuple[str, ...]
    abilities: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    most: str
    needs: tuple[tuple[str, str, str], ...] = ()


def write_unit_lines(edited: EditedUnit, filled: FilledUnit) -> Iterator[CopiedUnit | ChangedValue]:
    """Yield a form's lines: the unit, then each value that differs from the copied one."""
    unit = edited.unit
    cited = {"why": filled.why, "source": filled.source, "page": filled.page}
    yield replace(unit, name=filled.name, why=filled.why, source=filled.source, cited_page=filled.page)
    for value in edited.values:
        if value.field in NAMED_FIELDS:
            if value.key in filled.removed:
                yield value.write_line("", **cited)
        elif value.field is not ChangedField.NAME:
            to = filled.values.get(value.key, value.value)
            if to != value.value:
                yield value.write_line(to, **cited)

    # In packs, the unit is inside the choice that a list takes.
    inner = next((value for value in edited.values if value.field is ChangedField.KEYWORD), edited.values[0])

    def add(field: ChangedField, to: str, *, text: str = "", points: str = "") -> ChangedValue:
        label = {ChangedField.KEYWORD: _("keyword"), ChangedField.ABILITY: _("ability")}.get(field, _("option"))
        return ChangedValue(
            catalogue=inner.catalogue,
            entry=inner.entry,
            field=field.value,
            to=to,
            text=text,
            points=points,
            name=f"{filled.name}, {label}"[:NAME_LENGTH],
            why=filled.why,
            source=filled.source,
            cited_page=filled.page,
        )

    for keyword in filled.keywords:
        yield add(ChangedField.KEYWORD, keyword)
    for ability, text in filled.abilities:
        yield add(ChangedField.ABILITY, ability, text=text)
    for option, points in filled.options:
        yield add(ChangedField.OPTION, option, points=points)
    if filled.most:
        line = add(ChangedField.MOST, filled.most)
        label = format_limit(_BOUNDS[Bound.MAX], _PLACES[Scope.ROSTER])
        name = f"{filled.name}, {label}"[:NAME_LENGTH]
        yield replace(line, entry=unit.unit, catalogue=unit.catalogue, name=name)
    for number, other, place in filled.needs:
        label = _("needs %(name)s") % {"name": edited.others.get(other, other)}
        where = _(NEEDED_PLACES[place]) if place in NEEDED_PLACES else place
        name = f"{filled.name}, {label} ({where})"[:NAME_LENGTH]
        line = replace(add(ChangedField.NEEDS, number), entry=unit.unit, catalogue=unit.catalogue, name=name)
        yield replace(line, id=other, column=place)


def choose_unit_id(homebrew: Homebrew, name: str) -> str:
    base = f"house/{simplify_name(name).replace(' ', '-')[:60] or 'unit'}"
    used = {unit.unit for unit in homebrew.units}
    return next(key for key in (base, *(f"{base}-{number}" for number in range(2, 1000))) if key not in used)
