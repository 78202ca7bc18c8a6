from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import msgspec

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import Info
from catalogue.definitions.link_index import Binding
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.infos import format_characteristics, resolve_infos
from catalogue.models import Faction, UnitEntry
from catalogue.services.rulesets import load_faction_ruleset
from catalogue.services.search import Reason

DEEPEST = 3
MOST_COLUMNS = 12
WIDEST_FIGURE = 12
"""Longer values are texts and get no column."""


MOST_BRIEF = 3


@dataclass(frozen=True, slots=True)
class StatCell:
    """`brief` cells stay if there is little room."""

    text: str
    brief: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatRow:
    """A unit, why a search found it, and its figures by column."""

    unit: UnitEntry
    reasons: Sequence[Reason]
    figures: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatTable:
    name: str
    columns: tuple[StatCell, ...]
    rows: tuple[StatRow, ...]


def build_stat_tables(faction: Faction, units: Iterable[tuple[UnitEntry, Sequence[Reason]]]) -> list[StatTable]:
    """Build a table per type, with the columns of its units' most frequent profile type."""
    ruleset = load_faction_ruleset(faction)
    catalogue = ruleset.find_catalogue(faction.faction_id)
    options = {option.local_id: option for option in catalogue.root_options.options} if catalogue else {}

    def has_figures(info: Info) -> bool:
        return any(figure.value.strip("-– ") for figure in info.characteristics)

    def find_profile(unit: UnitEntry) -> Info | None:
        option = options.get(unit.entry_id)
        profile = find_first_profile(ruleset.binding, option.entry, has_figures) if option else None
        if profile is None:
            return None
        profile_type = ruleset.binding.profile_types.get(profile.type_id)
        figures = format_characteristics(profile.characteristics, profile_type)
        return msgspec.structs.replace(profile, characteristics=figures)

    return [
        _build_table(name, list(rows), find_profile, ruleset.binding)
        for name, rows in groupby(units, key=lambda row: row[0].category)
    ]


def _build_table(
    name: str,
    units: list[tuple[UnitEntry, Sequence[Reason]]],
    find_profile: Callable[[UnitEntry], Info | None],
    binding: Binding,
) -> StatTable:
    profiles = [find_profile(unit) for unit, _ in units]
    types = Counter(profile.type_id for profile in profiles if profile)
    commonest = max(types, key=types.__getitem__, default="")
    profiles_shown = [profile if profile and profile.type_id == commonest else None for profile in profiles]

    # A single long value makes the whole column a text, because half a column helps no comparison.
    widths: dict[str, int] = {}
    for figure in chain.from_iterable(profile.characteristics for profile in profiles_shown if profile):
        widths[figure.name] = max(widths.get(figure.name, 0), len(figure.value))
    names = [name for name, width in widths.items() if width <= WIDEST_FIGURE]
    if len(names) > MOST_COLUMNS:
        names = []
    first = next(filter(None, profiles_shown), None)
    kind = binding.profile_types.get(commonest)
    glance = (
        [figure.name for figure in first.characteristics if figure.type_id in kind.glance] if first and kind else []
    )
    brief = glance or names[:MOST_BRIEF]
    columns = tuple(StatCell(name, name in brief) for name in names)

    rows = []
    for (unit, reasons), profile in zip(units, profiles_shown, strict=True):
        figures = {figure.name: figure.value for figure in profile.characteristics} if profile else {}
        cells = tuple(StatCell(figures.get(column.text) or "–", column.brief) for column in columns)
        rows.append(StatRow(unit=unit, reasons=reasons, figures=cells))
    return StatTable(name=name, columns=columns, rows=tuple(rows))


def find_first_profile(
    binding: Binding, entry: CompiledEntry, fits: Callable[[Info], bool], depth: int = 0
) -> Info | None:
    for info in resolve_infos(binding, entry.infos):
        if fits(info):
            return info
    # Community data often has profiles only on the models.
    inner = entry.contents.options if depth < DEEPEST else ()
    for option in inner:
        if option.entry.target.type in (EntryType.MODEL, EntryType.UNIT):
            profile = find_first_profile(binding, option.entry, fits, depth + 1)
            if profile:
                return profile
    return None
