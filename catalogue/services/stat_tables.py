"""The units of a faction as tables of their figures."""

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
"""Letters of a figure: what is longer is a text, and no column of a table."""


MOST_BRIEF = 3


@dataclass(frozen=True, slots=True)
class StatCell:
    """A column, or a figure in it. `brief`: it is one of the few that sum a unit up, where there is little room."""

    text: str
    brief: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StatRow:
    """A unit in its table: why a search found it, and a figure for each column."""

    unit: UnitEntry
    reasons: Sequence[Reason]
    figures: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatTable:
    """The units of one type."""

    name: str
    columns: tuple[StatCell, ...]
    rows: tuple[StatRow, ...]


def build_stat_tables(faction: Faction, units: Iterable[tuple[UnitEntry, Sequence[Reason]]]) -> list[StatTable]:
    """Build a table for each type; its columns are those of the profile that most of its units have."""
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
    # Columns of two types of profile do not mix: only profiles of the type that most units have are shown.
    profiles = [find_profile(unit) for unit, _ in units]
    types = Counter(profile.type_id for profile in profiles if profile)
    commonest = max(types, key=types.__getitem__, default="")
    shown = [profile if profile and profile.type_id == commonest else None for profile in profiles]

    # Columns are figures in every profile. One long text makes a column a text for all rows: a table with half a column
    # helps nobody compare.
    widths: dict[str, int] = {}
    for figure in chain.from_iterable(profile.characteristics for profile in shown if profile):
        widths[figure.name] = max(widths.get(figure.name, 0), len(figure.value))
    names = [name for name, width in widths.items() if width <= WIDEST_FIGURE]
    if len(names) > MOST_COLUMNS:
        names = []
    # The data can name the columns that sum a unit up.
    first = next(filter(None, shown), None)
    kind = binding.profile_types.get(commonest)
    glance = (
        [figure.name for figure in first.characteristics if figure.type_id in kind.glance] if first and kind else []
    )
    brief = glance or names[:MOST_BRIEF]
    columns = tuple(StatCell(name, name in brief) for name in names)

    rows = []
    for (unit, reasons), profile in zip(units, shown, strict=True):
        figures = {figure.name: figure.value for figure in profile.characteristics} if profile else {}
        cells = tuple(StatCell(figures.get(column.text) or "–", column.brief) for column in columns)
        rows.append(StatRow(unit=unit, reasons=reasons, figures=cells))
    return StatTable(name=name, columns=columns, rows=tuple(rows))


def find_first_profile(
    binding: Binding, entry: CompiledEntry, fits: Callable[[Info], bool], depth: int = 0
) -> Info | None:
    """Return the first profile that fits, of an entry or of the models inside it."""
    for info in resolve_infos(binding, entry.infos):
        if fits(info):
            return info
    # Community data often has the profile at the models inside, and none at the unit.
    inner = entry.contents.options if depth < DEEPEST else ()
    for option in inner:
        if option.entry.target.type in (EntryType.MODEL, EntryType.UNIT):
            profile = find_first_profile(binding, option.entry, fits, depth + 1)
            if profile:
                return profile
    return None
