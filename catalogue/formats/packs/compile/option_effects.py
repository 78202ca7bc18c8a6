"""Compile what options do to the rest of their unit: figures they change, gear and abilities they take away."""

import re
from collections.abc import Iterator

from catalogue.definitions.queries import Change, Guard, Modifier, Scope
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, require_entry
from catalogue.formats.packs.compile.models import find_carriers
from catalogue.formats.packs.compile.shared_infos import make_column_id
from catalogue.formats.packs.compile.unit_names import walk_models, walk_parts
from catalogue.formats.packs.syntax.infos import TableRow
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, ProfileChangeSyntax, UnitSyntax

TWO_FIGURES = re.compile(r"\d+(?:/|\s*\()\S+")


def build_profile_changes(
    holder: PartSyntax | None, row: TableRow, context: CompileContext, origin: QueryOrigin
) -> tuple[Modifier, ...]:
    """Return the modifiers of a profile of the unit (`holder` None) or of one of its models."""
    modifiers = []
    for part in _find_affecting_parts(holder, origin):
        for change in part.changes:
            column = _resolve_column(change, row, context)
            if column:
                guard = _build_taken_guard(part, 1, holder)
                kind, value = _parse_change(change.value)
                place = None if kind is Change.SET else _find_figure_position(change, row)
                modifiers.append(
                    Modifier(change=kind, field=column, value=value, position=place, guard=guard)
                )
    return tuple(modifiers)


def build_loss_guards(holder: PartSyntax | None, origin: QueryOrigin) -> dict[str, Guard]:
    """Return when each thing is lost, by the id made of its name."""
    guards_by_name: dict[str, list[Guard]] = {}
    for part in _find_affecting_parts(holder, origin):
        for name in part.removes:
            guard = _build_taken_guard(part, 1, holder)
            guards_by_name.setdefault(make_id(name.text), []).append(guard)
        count = _count_swaps_of_all(part, origin)
        if part.replaces and count:
            guard = _build_taken_guard(part, count, holder)
            guards_by_name.setdefault(make_id(part.replaces.text), []).append(guard)
    # Any one of several ways to lose a thing is enough.
    return {
        name: guards[0] if len(guards) == 1 else Guard(any_of=True, guards=tuple(guards))
        for name, guards in guards_by_name.items()
    }


def check_removals(context: CompileContext, origin: QueryOrigin) -> None:
    """Report what an option takes away that the unit never had."""
    unit = origin.unit
    if unit is None:
        return
    names: list[str] = []
    forms: list[UnitSyntax | PartSyntax] = [unit, *walk_parts((*unit.models, *unit.options))]
    for form in forms:
        names += [item.name.text for item in form.carries or ()]
        names += [use.name.text for use in form.abilities]
    known_ids = {make_id(name) for name in names}
    for part in origin.index.walk_unit_parts(unit):
        for name in part.removes:
            if make_id(name.text) not in known_ids:
                message = f"The unit “{unit.name}” has no “{name.text}” to lose."
                mend = suggest_names(name.text, names) or "Remove this, or give it to the unit."
                context.problems.add(name.where, "unknown-name", message, mend)


def _find_affecting_parts(holder: PartSyntax | None, origin: QueryOrigin) -> Iterator[PartSyntax]:
    """Yield the parts that act on a holder: those of the unit as a whole, and those inside the holder itself."""
    unit = origin.unit
    if unit is None:
        return
    foreign: set[str] = set()
    if holder is not None:
        for model in walk_models(unit.models):
            if model.id != holder.id:
                foreign |= {inner.id for inner in walk_parts(model.parts)}
    yield from (part for part in origin.index.walk_unit_parts(unit) if part.id not in foreign)


def _build_taken_guard(part: PartSyntax, count: int, holder: PartSyntax | None) -> Guard:
    is_inside = holder is None or part in walk_parts(holder.parts)
    return require_entry(part.id, Scope.SELF if is_inside else Scope.UNIT, count)


def _count_swaps_of_all(part: PartSyntax, origin: QueryOrigin) -> int:
    """Return how many swaps leave nobody with what they replace; 0 where the number of models decides."""
    unit = origin.unit
    if part.kind != "swap" or unit is None:
        return 0
    if part.whole_unit:
        return 1
    carriers = find_carriers(part, unit)
    total = carriers.fixed
    ranges = {model.id: model.range for model in walk_parts(unit.models)}
    for model_id, number in carriers.by_model_id:
        low, high = ranges[model_id]
        if low != high:
            return 0
        total += low * number
    return total


def _resolve_column(change: ProfileChangeSyntax, row: TableRow, context: CompileContext) -> str:
    table = context.pack.tables[row.table]
    by_folded = {column.casefold(): column for column in table.columns}
    name = by_folded.get(change.column.text.casefold())
    if name:
        return make_column_id(table.id, name)
    mend = suggest_names(change.column.text, table.columns)
    message = f"The table “{table.name}” has no column “{change.column.text}”."
    context.problems.add(change.column.where, "unknown-column", message, mend)
    return ""


def _find_figure_position(change: ProfileChangeSyntax, row: TableRow) -> int | None:
    """Return which number of a figure of two, such as `14/2` or `23(10)`, counts: the first. None for other figures."""
    given = {column.casefold(): value for column, value in row.values}
    return 0 if TWO_FIGURES.fullmatch(given.get(change.column.text.casefold(), "")) else None


def _parse_change(value: str) -> tuple[Change, str]:
    if value[:1] == "+" and value[1:].isdigit():
        return Change.INCREMENT, value[1:]
    if value[:1] in "-−" and value[1:].isdigit():
        return Change.DECREMENT, value[1:]
    return Change.SET, value
