"""Profiles as tables, whose columns are as wide in one place of a list as in all others."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roster.engine.report import EffectiveProfile
from roster.pdf.column_widths import CELL, share_width
from roster.pdf.shapes import Cell, Column, SheetRow, SheetTable
from roster.pdf.text_width import add_break_points, measure_widest_word, measure_width

HALF = 75
"""How many average characters stand side by side on a card of half the page's width."""
FULL = 154
LONG = 70
"""A text above this many characters is no figure of a table: it is printed among the rules."""
AIR = 2.2
"""The edges of a cell, and what keeps two figures apart."""
# Average characters: the least room for names, and the widest word of a name that gets room in one line.
_SHORT_NAME, _LONG_NAME = 9.0, 22.0
# Letters of the longest text in a column of figures, which is centered.
_FIGURE = 8
# The same as for names, for all other columns.
_NARROW, _WORD = 2.2, 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPlan:
    """The columns of one table. `width` is in average characters, `name` in hundredths of it."""

    width: int
    name: int
    columns: tuple[Column, ...]


ColumnPlans = Mapping[str, tuple[ColumnPlan, ...]]
"""By type of profile: one plan, or several where all columns do not fit side by side."""


def get_type_key(profile: EffectiveProfile) -> str:
    """Return a key that is equal for profiles of one table."""
    return profile.type_id or profile.type_name


def is_text(profile: EffectiveProfile) -> bool:
    """Say whether a profile is a rule in disguise: a name and one text."""
    filled = [c for c in profile.characteristics if c.value]
    return len(profile.characteristics) <= 1 or (len(filled) == 1 and len(filled[0].value) > LONG)


def has_long_text(profile: EffectiveProfile) -> bool:
    """Say whether some text of a profile is too long for a table."""
    return is_text(profile) or any(len(c.value) > LONG for c in profile.characteristics)


def plan_columns(profiles: Iterable[EffectiveProfile], width: int, *, cut: bool) -> ColumnPlans:
    """Plan the tables of a list, `width` average characters wide.

    A type with more columns than fit is cut into several tables; without `cut` it gets no plan.
    """
    by_type = _group_by_type(profiles)
    names = _measure_least_name(profile.name for group in by_type.values() for profile in group)
    plans: dict[str, tuple[ColumnPlan, ...]] = {}
    for key, group in by_type.items():
        type_plans = tuple(_plan_tables(group, names, width))
        if cut or len(type_plans) == 1:
            plans[key] = type_plans
    return plans


def _group_by_type(profiles: Iterable[EffectiveProfile]) -> dict[str, list[EffectiveProfile]]:
    """Return the profiles that stand in tables, by the key of their type."""
    by_type: dict[str, list[EffectiveProfile]] = {}
    for profile in profiles:
        if not is_text(profile):
            by_type.setdefault(get_type_key(profile), []).append(profile)
    return by_type


def _plan_tables(profiles: Sequence[EffectiveProfile], names: float, width: int) -> Iterator[ColumnPlan]:
    heads = list(dict.fromkeys(c.name for profile in profiles for c in profile.characteristics))
    texts = [[head, *_list_values(profiles, head)] for head in heads]
    least = [min(max(measure_widest_word(column), _NARROW), _WORD) + AIR for column in texts]
    titles = [profiles[0].type_name, *(profile.name for profile in profiles)]
    for start, end in _cut_columns(least, width - names):
        rows = [[measure_width(text) for text in row] for row in zip(titles, *texts[start:end], strict=True)]
        name, *shares = _round_to_hundredths(share_width(rows, [names, *least[start:end]], width), width)
        columns = (
            Column(name=head, width=share, figures=max(map(len, column)) <= _FIGURE)
            for head, share, column in zip(heads[start:end], shares, texts[start:end], strict=True)
        )
        yield ColumnPlan(width=width, name=name, columns=tuple(columns))


def _measure_least_name(names: Iterable[str]) -> float:
    return min(max(measure_widest_word(names), _SHORT_NAME), _LONG_NAME) + AIR


def _list_values(profiles: Sequence[EffectiveProfile], head: str) -> list[str]:
    values = [next((c.value for c in profile.characteristics if c.name == head), "") for profile in profiles]
    return ["" if len(value) > LONG else add_break_points(value) for value in values]


def _cut_columns(least: Sequence[float], room: float) -> Iterator[tuple[int, int]]:
    """Yield runs of columns that fit beside the names, as start and end."""
    start, used = 0, 0.0
    for index, need in enumerate(least):
        if used + need > room and index > start:
            yield start, index
            start, used = index, 0.0
        used += need
    yield start, len(least)


def _round_to_hundredths(wide: Sequence[float], width: float) -> list[int]:
    """Return widths in hundredths of the table; equal ones if words are too long for any other."""
    shares = [int(100 * one / width) for one in wide[1:]]
    if sum(shares) >= 100 or 0 in shares:
        shares = [100 // len(wide)] * len(shares)
    return [100 - sum(shares), *shares]


def build_tables(
    profiles: Iterable[EffectiveProfile], plans: ColumnPlans, names: Container[str]
) -> tuple[SheetTable, ...]:
    """Return the tables of these profiles, those of the unit and its models first; `names` are what they are called."""
    groups = sorted(
        _group_by_type(profiles).items(),
        key=lambda item: not any(profile.name in names for profile in item[1]),
    )
    return tuple(_build_table(group, plan) for key, group in groups for plan in plans[key])


def has_plans(profiles: Iterable[EffectiveProfile], plans: ColumnPlans) -> bool:
    """Say whether each of the profiles has a plan."""
    return all(is_text(profile) or get_type_key(profile) in plans for profile in profiles)


def _build_table(profiles: Sequence[EffectiveProfile], plan: ColumnPlan) -> SheetTable:
    return SheetTable(
        name=profiles[0].type_name,
        width=plan.name,
        columns=plan.columns,
        rows=tuple(_build_row(profile, plan) for profile in profiles),
    )


def _build_row(profile: EffectiveProfile, plan: ColumnPlan) -> SheetRow:
    return SheetRow(
        name=profile.name,
        tight=_is_tight(profile.name, plan.name, plan),
        cells=tuple(_build_cells(profile, plan)),
    )


def _build_cells(profile: EffectiveProfile, plan: ColumnPlan) -> Iterator[Cell]:
    values = {c.name: c.value for c in profile.characteristics}
    for column in plan.columns:
        yield _build_cell(values.get(column.name, ""), column, plan)


def _build_cell(text: str, column: Column, plan: ColumnPlan) -> Cell:
    if len(text) > LONG:
        return Cell(text="", figures=column.figures, see=True)
    text = add_break_points(text)
    return Cell(text=text, figures=column.figures, tight=_is_tight(text, column.width, plan))


def _is_tight(text: str, share: int, plan: ColumnPlan) -> bool:
    return measure_widest_word([text]) > share * plan.width / 100 - CELL
