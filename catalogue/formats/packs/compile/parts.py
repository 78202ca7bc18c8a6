"""Compile options, models, choices, swaps and lists into entries and groups."""

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost, Entry, EntryKind, EntryType
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import is_pool
from catalogue.formats.packs.compile.name_index import MODELS
from catalogue.formats.packs.compile.option_constraints import (
    build_count_limits,
    build_growing_maximum,
    build_swap_limits,
    build_tie_limits,
    find_default,
)
from catalogue.formats.packs.compile.option_contents import (
    build_infos,
    build_part_categories,
    count_extra_weapons,
)
from catalogue.formats.packs.compile.sets_and_figures import (
    build_ability_modifiers,
)
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax


def build_part(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None = None
) -> Entry | None:
    """Return the entry of a part; `inside` is the choice or swap that it is in."""
    match part.kind:
        case "choice":
            return _build_choice(part, context, origin)
        case "swap":
            return _build_swap(part, context, origin)
        case "list":
            return _build_list_link(part, context, origin)
    return _build_option(part, context, origin, inside)


def build_parts(
    parts: tuple[PartSyntax, ...],
    context: CompileContext,
    origin: QueryOrigin,
    inside: PartSyntax | None = None,
) -> tuple[Entry, ...]:
    entries = (build_part(part, context, origin, inside) for part in parts)
    return tuple(entry for entry in entries if entry is not None)


def _build_option(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None
) -> Entry:
    is_model = part.kind == "model"
    within = origin.replace_owner("model" if is_model else "part")
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
        constraints=(
            *build_count_limits(part, context, inside),
            *build_tie_limits(part, context, within),
        ),
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


def _build_choice(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Entry:
    limits = _limit_choice(part, context)
    if is_pool(part):
        limits = context.build_part_limits(part, "size min", "size max")
    return _build_group(part, context, origin, limits, default=find_default(part, context))


def _limit_choice(part: PartSyntax, context: CompileContext) -> list[Constraint]:
    most = "choose one" if part.range.high == 1 else "choose several"
    return context.build_part_limits(part, "choose at least", most)


def _build_swap(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Entry:
    return _build_group(part, context, origin, list(build_swap_limits(part, context, origin)))


def _build_group(
    part: PartSyntax,
    context: CompileContext,
    origin: QueryOrigin,
    limits: list[Constraint],
    default: str = "",
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
    """Return a link to a shared list; report a list that does not exist."""
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
        constraints=(
            *_limit_choice(part, context),
            *build_tie_limits(part, context, origin.replace_owner("part")),
        ),
        citation=part.cite,
    )
