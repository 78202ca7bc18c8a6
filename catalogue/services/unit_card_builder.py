from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import Info
from catalogue.definitions.numbers import Number
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, CompiledOption
from catalogue.graph.declared import INSIDE_ROSTER, find_limits, find_most
from catalogue.graph.ids import compose_id, get_link_prefix
from catalogue.graph.infos import format_characteristics, resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from catalogue.models import Faction, Option, UnitEntry
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.services.texts import build_citation_columns
from catalogue.services.unit_card import (
    CardProfileRow,
    CardProfileTable,
    CitationColumns,
    UnitAbility,
    UnitAllowance,
    UnitCard,
    UnitChoice,
    UnitLeading,
    UnitPrice,
    UnitRestriction,
    UnitTargets,
)
from catalogue.services.unit_rows import FLAVOUR, OPTION_COLUMNS, UnitContents, name_term_kind

DEEPEST = 8

ALLOWED = "allowed/"
DEMANDED = "demanded/"
NARROWED = "-for-"
"""A part of hidden costs' ids, which packs use for the numbers of other units that a unit allows."""

Item = CompiledOption | CompiledGroup


class PlacedItem(NamedTuple):
    item: Item
    composite_id: str


def build_unit_card(unit: UnitEntry, ruleset: Ruleset | None = None) -> UnitCard | None:
    """Build a unit's card; None if the data lacks it. A list's `ruleset` may change values."""
    ruleset = ruleset or load_faction_ruleset(unit.faction)
    catalogue = ruleset.find_catalogue(unit.faction.faction_id)
    root = catalogue.root_options.find_at(unit.entry_id, "") if catalogue else None
    if catalogue is None or root is None:
        return None
    return UnitCardBuilder(ruleset, catalogue, unit.faction.version.points_id).build_card(unit, root)


def build_draft_card(faction: Faction, ruleset: Ruleset, catalogue_id: str, root: CompiledOption) -> UnitCard | None:
    """Build the card of a unit that is not in the database, for a page of `faction`, from the ruleset alone."""
    catalogue = ruleset.find_catalogue(catalogue_id)
    if catalogue is None:
        return None
    points_id = faction.version.points_id
    unit = UnitContents(ruleset, points_id, most=0).build_row(faction, root)
    return UnitCardBuilder(ruleset, catalogue, points_id).build_card(unit, root)


def list_options(unit: UnitEntry) -> list[Option]:
    ruleset = load_faction_ruleset(unit.faction)
    catalogue = ruleset.find_catalogue(unit.faction.faction_id)
    root = catalogue.root_options.find_at(unit.entry_id, "") if catalogue else None
    if root is None:
        return []
    contents = UnitContents(ruleset, unit.faction.version.points_id, most=unit.option_count)
    options = []
    for position, values in enumerate(contents.get_content(root).options):
        columns = dict(zip(OPTION_COLUMNS, values, strict=True))
        points = columns.pop("points")
        price = None if points is None else Decimal(points)
        options.append(Option(unit=unit, position=position, points=price, **columns))
    return options


class UnitCardBuilder:
    def __init__(self, ruleset: Ruleset, catalogue: CompiledCatalogue, points_id: str) -> None:
        self._binding = ruleset.binding
        self._smallest = ruleset.smallest
        self._leaders = ruleset.leaders
        self._catalogue = catalogue
        self._points_id = points_id

    def build_card(self, unit: UnitEntry, root: CompiledOption) -> UnitCard:
        entry = root.entry
        infos = list(self._collect_infos(entry, entry.contents.items, "", 0))
        inside = list(self._list_inside(entry.contents.items, get_link_prefix(root.local_id), 0))
        costs = self._smallest.sum_costs(entry)
        prices = []
        for type_id, value in costs.items():
            kind = self._binding.cost_types.get(type_id)
            # Points are shown separately.
            if kind and value and not kind.is_never_shown and kind.id != self._points_id:
                prices.append(UnitPrice(kind.name, value))

        ids = entry.ids | {root.local_id}
        introduction = " ".join(info.description for info, _ in infos if info.id.endswith(FLAVOUR))
        all_ids = ids.union(*(placed.item.entry.ids | {placed.composite_id} for placed in inside))
        marks = (mark for catalogue in self._catalogue.closure for mark in catalogue.unchecked)
        return UnitCard(
            unit=unit,
            limits=find_limits(entry.constraints, INSIDE_ROSTER, ids),
            about=entry.note or introduction,
            prices=prices,
            allowances=self._list_allowances(costs),
            tables=self._build_tables(infos),
            abilities=self._list_abilities(infos),
            choices=self._list_choices(entry.contents.items, None, 0),
            restrictions=self._list_restrictions(entry, [placed.item.entry for placed in inside]),
            leading=self._list_leading(unit, root),
            open_points=[mark for mark in marks if mark.subject_id in all_ids],
        )

    def _list_leading(self, row: UnitEntry, unit: CompiledOption) -> UnitLeading:
        roots = {root.entry: root.local_id for root in self._catalogue.distinct_roots if not root.hidden}
        reading = self._leaders.read_entry(unit.entry)

        led = self._leaders.list_led(unit.entry, roots)
        leaders = self._leaders.list_leaders(unit.entry, list(roots), self._catalogue.catalogue.id)
        entry_ids = {roots[entry] for entry in chain(leaders, *led.values())}
        # Most units lead nothing and need no query.
        rows = (
            {other.entry_id: other for other in row.faction.units.filter(entry_id__in=entry_ids)} if entry_ids else {}
        )
        for other in rows.values():
            other.faction = row.faction

        def link_units(entries: Iterable[CompiledEntry]) -> list[UnitEntry]:
            units = [rows[roots[entry]] for entry in entries if roots[entry] in rows]
            return sorted(units, key=attrgetter("name"))

        return UnitLeading(
            leads=[UnitTargets(option, link_units(entries)) for option, entries in led.items() if entries],
            led_by=link_units(leaders),
            unknown=reading.unknown,
            unread=reading.unread,
        )

    def _list_allowances(self, costs: dict[str, Number]) -> list[UnitAllowance]:
        """Read allowances from hidden costs: `allowed/core` is the maximum, `demanded/core` the minimum."""
        allowances = []
        for key, most in costs.items():
            if not key.startswith(ALLOWED):
                continue
            # A type or a unit; `core-for-some-unit` is the type as narrowed by that unit.
            place = key.removeprefix(ALLOWED)
            category_id = place.partition(NARROWED)[0]
            name = category_id
            if category := self._binding.categories.get(category_id):
                name = category.name
            elif homed := self._binding.find_entry(place, self._catalogue.catalogue):
                name = homed.entry.name
            allowances.append(UnitAllowance(name, int(costs.get(DEMANDED + place, 0)), int(most)))
        return allowances

    def _collect_infos(
        self, entry: CompiledEntry, items: Iterable[Item], source: str, depth: int
    ) -> Iterator[tuple[Info, str]]:
        for info in resolve_infos(self._binding, entry.infos):
            yield info, source
        if depth > DEEPEST:
            return
        for item in items:
            if not item.entry.hidden:
                # Groups and inner units are not a source themselves.
                is_part = isinstance(item, CompiledGroup) or item.entry.target.type is EntryType.UNIT
                inner_source = source if is_part else item.entry.name
                yield from self._collect_infos(item.entry, _get_inner_items(item), inner_source, depth + 1)

    def _build_tables(self, infos: Iterable[tuple[Info, str]]) -> list[CardProfileTable]:
        """Merge equal profiles, and put tables without values last."""
        sources: dict[Info, list[str]] = {}
        for info, source in infos:
            if name_term_kind(info.kind, info.type_name) != "ability":
                sources.setdefault(info, []).append(_drop_repeated_name(source, info.name))

        tables: dict[str, CardProfileTable] = {}
        for info, bringers in sources.items():
            profile_type = self._binding.profile_types.get(info.type_id)
            columns = profile_type.characteristic_types if profile_type else info.characteristics
            names = tuple(column.name for column in columns)
            table = tables.setdefault(info.type_id, CardProfileTable(info.type_name, names))
            figures = format_characteristics(info.characteristics, profile_type)
            values = {figure.name: figure.value for figure in figures}
            line = tuple(values.get(column, "") for column in table.columns)
            named = "" if "" in bringers else ", ".join(dict.fromkeys(bringers))
            table.rows.append(CardProfileRow(info.name, info.parameter, line, named, self._build_citation(info)))
        return sorted(tables.values(), key=lambda table: not any("".join(row.values) for row in table.rows))

    def _list_abilities(self, infos: Iterable[tuple[Info, str]]) -> list[UnitAbility]:
        abilities: dict[tuple[str, str], UnitAbility] = {}
        for info, source in infos:
            is_ability = name_term_kind(info.kind, info.type_name) == "ability"
            key = (info.name, info.parameter)
            if is_ability and not info.id.endswith(FLAVOUR) and key not in abilities:
                # Community data uses some profiles as rules.
                values = " ".join(figure.value for figure in info.characteristics if figure.value)
                abilities[key] = UnitAbility(
                    name=info.name,
                    parameter=info.parameter,
                    text=info.description or values,
                    source=_drop_repeated_name(source, info.name),
                    citation=self._build_citation(info),
                    brought=bool(source),
                )
        return list(abilities.values())

    def _list_choices(
        self, items: Iterable[Item], default: CompiledOption | None, depth: int
    ) -> tuple[UnitChoice, ...]:
        if depth > DEEPEST:
            return ()
        choices = []
        for item in items:
            entry = item.entry
            if entry.hidden:
                continue
            is_group = isinstance(item, CompiledGroup)
            inner_default = item.default if isinstance(item, CompiledGroup) else None
            choice = UnitChoice(
                name=entry.name,
                is_group=is_group,
                points=None if is_group else self._smallest.sum_costs(entry).get(self._points_id),
                limits=self._smallest.find_limits(entry),
                note=entry.note,
                is_default=item is default,
                citation=build_citation_columns(self._binding, entry.citation),
                choices=self._list_choices(_get_inner_items(item), inner_default, depth + 1),
            )
            choices.append(choice)
        return tuple(choices)

    def _list_restrictions(self, unit: CompiledEntry, inside: list[CompiledEntry]) -> list[UnitRestriction]:
        notes = {entry.note for entry in inside}
        restrictions: dict[str, UnitRestriction] = {}
        for entry in (unit, *inside):
            for compiled in entry.constraints:
                constraint = compiled.constraint
                # The card already shows the limit on the entry itself.
                is_plain = constraint.query.child_id is None and compiled.is_unconditional
                if is_plain or not constraint.text or constraint.text in notes or constraint.text in restrictions:
                    continue
                name = constraint.name if entry is unit else entry.name
                if name == constraint.text:
                    name = ""
                most = find_most(compiled, unit.ids) if entry is unit else None
                citation = build_citation_columns(self._binding, constraint.citation)
                restrictions[constraint.text] = UnitRestriction(name, constraint.text, citation, constraint.when, most)
        return list(restrictions.values())

    def _list_inside(self, items: Iterable[Item], prefix: str, depth: int) -> Iterator[PlacedItem]:
        for item in items if depth <= DEEPEST else ():
            if item.entry.hidden:
                continue
            composite_id = compose_id(prefix, item)
            yield PlacedItem(item, composite_id)
            inner_prefix = prefix if isinstance(item, CompiledGroup) else get_link_prefix(composite_id)
            yield from self._list_inside(_get_inner_items(item), inner_prefix, depth + 1)

    def _build_citation(self, info: Info) -> CitationColumns:
        return build_citation_columns(self._binding, info.citation)


def _get_inner_items(item: Item) -> tuple[Item, ...]:
    return item.items if isinstance(item, CompiledGroup) else item.entry.contents.items


def _drop_repeated_name(source: str, name: str) -> str:
    return "" if source == name else source
