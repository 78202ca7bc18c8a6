"""Profiles as tables, one per type."""

from collections.abc import Container, Iterable, Iterator, Sequence

from roster.engine.report import EffectiveProfile
from roster.pdf.column_widths import CELL
from roster.pdf.shapes import Cell, Column, Row, Table
from roster.pdf.table_columns import LONG, Plan, Plans, is_text, type_key
from roster.pdf.text_width import breakable, widest_word


def tables_of(profiles: Iterable[EffectiveProfile], plans: Plans, names: Container[str]) -> tuple[Table, ...]:
    """The tables of these profiles, those of the unit and its models first; `names` are what they are called."""
    by_type: dict[str, list[EffectiveProfile]] = {}
    for profile in profiles:
        if not is_text(profile):
            by_type.setdefault(type_key(profile), []).append(profile)
    groups = sorted(by_type.items(), key=lambda item: not any(profile.name in names for profile in item[1]))
    return tuple(_table(group, plan) for key, group in groups for plan in plans[key])


def fits(profiles: Iterable[EffectiveProfile], plans: Plans) -> bool:
    """Whether there is a plan for all of them."""
    return all(is_text(profile) or type_key(profile) in plans for profile in profiles)


def _table(profiles: Sequence[EffectiveProfile], plan: Plan) -> Table:
    return Table(
        name=profiles[0].type_name,
        width=plan.name,
        columns=plan.columns,
        rows=tuple(_row(profile, plan) for profile in profiles),
    )


def _row(profile: EffectiveProfile, plan: Plan) -> Row:
    return Row(
        name=profile.name,
        tight=_is_tight(profile.name, plan.name, plan),
        cells=tuple(_cells(profile, plan)),
    )


def _cells(profile: EffectiveProfile, plan: Plan) -> Iterator[Cell]:
    values = {c.name: c.value for c in profile.characteristics}
    for column in plan.columns:
        yield _cell(values.get(column.name, ""), column, plan)


def _cell(text: str, column: Column, plan: Plan) -> Cell:
    if len(text) > LONG:
        return Cell(text="", figures=column.figures, see=True)
    text = breakable(text)
    return Cell(text=text, figures=column.figures, tight=_is_tight(text, column.width, plan))


def _is_tight(text: str, share: int, plan: Plan) -> bool:
    return widest_word([text]) > share * plan.width / 100 - CELL
