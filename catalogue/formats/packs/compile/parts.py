"""Compile unit parts into entries and groups."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.entries import CategoryLink, Cost, Entry, EntryKind, EntryType
from catalogue.definitions.infos import Info
from catalogue.definitions.queries import Change, Guard, Modifier, Scope
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, require_entry
from catalogue.formats.packs.compile.models import find_carriers, is_pool
from catalogue.formats.packs.compile.name_index import MODELS, WEAPONS, walk_models, walk_parts
from catalogue.formats.packs.compile.option_constraints import (
    build_count_limits,
    build_growing_maximum,
    build_swap_limits,
    build_tie_limits,
    find_default,
)
from catalogue.formats.packs.compile.sets_and_figures import (
    build_ability_links,
    build_ability_modifiers,
    build_set_links,
)
from catalogue.formats.packs.compile.shared_infos import build_text_info, make_column_id
from catalogue.formats.packs.features.commander import LEAVE
from catalogue.formats.packs.syntax.base import CarriedItem, Reference
from catalogue.formats.packs.syntax.infos import TableRow
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, ProfileChangeSyntax, UnitSyntax


def build_part(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None = None
) -> Entry | None:
    """Build a part's entry. `inside` is the choice or swap around it."""
    match part.kind:
        case "choice":
            # A choice of models sets the size of the unit.
            if is_pool(part):
                limits = context.build_part_limits(part, "size min", "size max")
            else:
                limits = _limit_choice(part, context)
            return _build_group(part, context, origin, limits, default=find_default(part, context))
        case "swap":
            return _build_group(part, context, origin, list(build_swap_limits(part, context, origin)))
        case "list":
            return _build_list_link(part, context, origin)
    return _build_option(part, context, origin, inside)


def build_parts(
    parts: tuple[PartSyntax, ...], context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None = None
) -> tuple[Entry, ...]:
    entries = (build_part(part, context, origin, inside) for part in parts)
    return tuple(entry for entry in entries if entry is not None)


def _build_option(part: PartSyntax, context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None) -> Entry:
    is_model = part.kind == "model"
    within = origin.replace_owner("model" if is_model else "part")
    # Conditions of prices are seen from the part itself.
    costs, price_modifiers = context.build_costs(part.prices, within)
    if is_model:
        costs.append(Cost(type_id=MODELS, value=1))
    costs += count_extra_weapons(part, context, inside)
    return Entry(
        id=part.id,
        name=part.name,
        type=EntryType.MODEL if is_model else EntryType.UPGRADE,
        hidden=part.hidden,
        note=part.note,
        sort_index=context.index.get_part_number(part),
        costs=tuple(costs),
        constraints=(*build_count_limits(part, context, inside), *build_tie_limits(part, context, within)),
        modifiers=(
            *price_modifiers,
            *build_growing_maximum(part, context, within),
            *build_ability_modifiers(part, context, within),
        ),
        categories=build_part_categories(part, context),
        infos=build_infos(part, context, within),
        entries=build_parts(part.parts, context, within if is_model else origin),
        citation=part.cite,
    )


def _limit_choice(part: PartSyntax, context: CompileContext) -> list[Constraint]:
    most = "choose one" if part.range.high == 1 else "choose several"
    return context.build_part_limits(part, "choose at least", most)


def _build_group(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin, limits: list[Constraint], default: str = ""
) -> Entry:
    within = origin.replace_owner("part")
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP,
        name=part.name,
        note=part.note,
        sort_index=context.index.get_part_number(part),
        default_id=default,
        constraints=(*limits, *build_tie_limits(part, context, within)),
        entries=build_parts(part.parts, context, origin, part),
        citation=part.cite,
    )


def _build_list_link(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Entry | None:
    name = part.target
    if name is None:
        return None
    shared = context.index.lists.get(make_id(name.text))
    if shared is None:
        mend = suggest_names(name.text, context.index.lists) or "Declare it under `lists:` in any file."
        context.problems.add(name.where, "unknown-list", f"There is no shared list “{name.text}”.", mend)
        return None
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP_LINK,
        name=shared.name,
        target_id=shared.id,
        sort_index=context.index.get_part_number(part),
        constraints=(*_limit_choice(part, context), *build_tie_limits(part, context, origin.replace_owner("part"))),
        citation=part.cite,
    )


# ---- what a part brings ---------------------------------------------------------------------------------------------


def build_keyword_links(
    words: Iterable[Reference], owner: str, kinds: tuple[str, ...], context: CompileContext
) -> list[CategoryLink]:
    """Link to keywords, which name something of `kinds`."""
    return [
        CategoryLink(id=f"{owner}@{category_id}", target_id=category_id)
        for category_id in context.index.find_ids(words, *kinds)
    ]


def build_part_categories(part: PartSyntax, context: CompileContext) -> tuple[CategoryLink, ...]:
    links = build_keyword_links(part.keywords, part.id, ("keyword", "type"), context)
    if part.by_leave:
        links.append(CategoryLink(id=f"{part.id}@{LEAVE}", target_id=LEAVE, hidden=True))
    return (*links, *build_ability_links(part, part.id, context), *build_set_links(part, context))


def list_carried(part: PartSyntax, context: CompileContext) -> tuple[CarriedItem, ...]:
    """Return the carried things, by default the thing with the part's name."""
    if part.carries is not None:
        return part.carries
    if part.kind == "option" and context.infos.has_item(part.name):
        return (CarriedItem(name=Reference(part.name, part.where)),)
    return ()


def count_extra_weapons(part: PartSyntax, context: CompileContext, inside: PartSyntax | None) -> list[Cost]:
    if not context.counts_weapons:
        return []
    count = sum(item.count for item in list_carried(part, context) if context.infos.is_weapon(item.name))
    if inside and inside.kind == "swap" and inside.replaces and context.infos.is_weapon(inside.replaces):
        count -= 1
    return [Cost(type_id=WEAPONS, value=count)] if count else []


def build_infos(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> tuple[Info, ...]:
    changes = build_profile_changes(part, part.row, context, origin) if part.row and origin.unit else ()
    gone = build_loss_guards(part, origin) if part.kind == "model" else {}
    infos = (
        *context.infos.build_owned(part, part.id, list_carried(part, context), origin, changes, gone),
        *build_text_info(part.id, part.name, part.text, part.cite),
    )
    if not infos:
        _check_effect(part, context)
    return infos


def _check_effect(part: PartSyntax, context: CompileContext) -> None:
    """Report an option without effect, usually a misspelled item."""
    effects = (part.abilities, part.removes, part.changes, part.counts_as, part.keywords, part.parts, part.note)
    has_effect = any(effects) or any(price.price.value for price in part.prices)
    if part.kind != "option" or part.carries is not None or has_effect:
        return
    message = f"The option “{part.name}” does nothing."
    hint = suggest_names(part.name, [item.name for item in (*context.pack.weapons, *context.pack.abilities)])
    mend = hint if hint.startswith("Did") else "Add `gives:`, `abilities:` or `text:`."
    context.problems.add(part.where, "no-effect", message, mend, Level.WARNING)


# ---- what a part does to the rest of its unit -----------------------------------------------------------------------

TWO_FIGURES = re.compile(r"\d+(?:/|\s*\()\S+")
SIGNS = {"+": Change.INCREMENT, "-": Change.DECREMENT, "−": Change.DECREMENT}


def build_profile_changes(
    holder: PartSyntax | None, row: TableRow, context: CompileContext, origin: QueryOrigin
) -> tuple[Modifier, ...]:
    """Modify a profile of the unit (`holder` None) or of a model."""
    figures = {column.casefold(): value for column, value in row.values}
    modifiers: list[Modifier] = []
    for part in _find_affecting_parts(holder, origin):
        guard = _build_taken_guard(part, 1, holder)
        for change in part.changes:
            column = _resolve_column(change, row, context)
            if not column:
                continue
            value = change.value
            position: int | None = None
            kind = SIGNS.get(value[:1], Change.SET) if value[1:].isdecimal() else Change.SET
            if kind is not Change.SET:
                value = value[1:]
                # In pairs such as `14/2` or `23(10)`, the first number changes.
                if TWO_FIGURES.fullmatch(figures.get(change.column.text.casefold(), "")):
                    position = 0
            modifiers.append(Modifier(change=kind, field=column, value=value, position=position, guard=guard))
    return tuple(modifiers)


def build_loss_guards(holder: PartSyntax | None, origin: QueryOrigin) -> dict[str, Guard]:
    """Guard each thing's loss, by the slug of its name."""
    guards_by_name: defaultdict[str, list[Guard]] = defaultdict(list)
    for part in _find_affecting_parts(holder, origin):
        for name in part.removes:
            guards_by_name[make_id(name.text)].append(_build_taken_guard(part, 1, holder))
        count = _count_swaps_of_all(part, origin)
        if part.replaces and count:
            guards_by_name[make_id(part.replaces.text)].append(_build_taken_guard(part, count, holder))
    return {
        name: guards[0] if len(guards) == 1 else Guard(any_of=True, guards=tuple(guards))
        for name, guards in guards_by_name.items()
    }


def check_removals(context: CompileContext, origin: QueryOrigin) -> None:
    """Report removals of things that the unit never had."""
    unit = origin.unit
    if unit is None:
        return
    names: list[str] = []
    constructs: tuple[UnitSyntax | PartSyntax, ...] = (unit, *walk_parts((*unit.models, *unit.options)))
    for syntax in constructs:
        names += [item.name.text for item in syntax.carries or ()]
        names += [use.name.text for use in syntax.abilities]
    known_ids = set(map(make_id, names))
    for name in chain.from_iterable(part.removes for part in origin.index.walk_unit_parts(unit)):
        if make_id(name.text) not in known_ids:
            message = f"The unit “{unit.name}” has no “{name.text}” to lose."
            context.problems.add_unknown(name.where, name.text, names, message, "Remove this, or give it to the unit.")


def _find_affecting_parts(holder: PartSyntax | None, origin: QueryOrigin) -> Iterator[PartSyntax]:
    unit = origin.unit
    if unit is None:
        return
    foreign_ids: set[str] = set()
    if holder is not None:
        for model in walk_models(unit.models):
            if model.id != holder.id:
                foreign_ids.update(inner.id for inner in walk_parts(model.parts))
    for part in origin.index.walk_unit_parts(unit):
        if part.id not in foreign_ids:
            yield part


def _build_taken_guard(part: PartSyntax, count: int, holder: PartSyntax | None) -> Guard:
    is_inside = holder is None or part in walk_parts(holder.parts)
    return require_entry(part.id, Scope.SELF if is_inside else Scope.UNIT, count)


def _count_swaps_of_all(part: PartSyntax, origin: QueryOrigin) -> int:
    """Return 0 if it depends on the models."""
    unit = origin.unit
    if part.kind != "swap" or unit is None:
        return 0
    if part.whole_unit:
        return 1
    carriers = find_carriers(part, unit)
    ranges = {model.id: model.range for model in walk_parts(unit.models)}
    total = carriers.fixed
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
