"""Options, models, choices, swaps and lists as entries and groups."""

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost, Entry, EntryKind, EntryType
from catalogue.definitions.queries import Bound
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.models import is_pool
from catalogue.formats.packs.compile.name_index import MODELS
from catalogue.formats.packs.compile.option_constraints import counts, default_of, ties
from catalogue.formats.packs.compile.option_contents import infos_of, keywords, weapons
from catalogue.formats.packs.compile.sets_and_figures import ability_links, ability_modifiers, set_links
from catalogue.formats.packs.compile.swaps import swap_limits
from catalogue.formats.packs.forms.units import PartForm
from catalogue.formats.packs.problems import did_you_mean
from catalogue.formats.packs.words import slug


def build_part(
    part: PartForm, context: CompileContext, origin: QueryOrigin, inside: PartForm | None = None
) -> Entry | None:
    """One part; `inside` is the choice or swap it stands in."""
    match part.kind:
        case "choice":
            return _choice(part, context, origin)
        case "swap":
            return _swap(part, context, origin)
        case "list":
            return _list(part, context, origin)
    return _entry(part, context, origin, inside)


def build_all(
    parts: tuple[PartForm, ...], context: CompileContext, origin: QueryOrigin, inside: PartForm | None = None
) -> tuple[Entry, ...]:
    found = (build_part(part, context, origin, inside) for part in parts)
    return tuple(entry for entry in found if entry is not None)


def _entry(part: PartForm, context: CompileContext, origin: QueryOrigin, inside: PartForm | None) -> Entry:
    model = part.kind == "model"
    within = origin.asking_of("model" if model else "part")
    costs, modifiers = context.priced(part.prices, within)
    limits, more = counts(part, context, within, inside)
    if model:
        costs.append(Cost(type_id=MODELS, value=1))
    costs += weapons(part, context, inside)
    return Entry(
        id=part.id,
        name=part.name,
        type=EntryType.MODEL if model else EntryType.UPGRADE,
        hidden=part.hidden,
        note=part.note,
        sort_index=context.index.place(part),
        costs=tuple(costs),
        constraints=(*limits, *ties(part, context, within)),
        modifiers=(*modifiers, *more, *ability_modifiers(part, context, within)),
        categories=(
            *keywords(part, context),
            *ability_links(part, part.id, context),
            *set_links(part, context),
        ),
        infos=tuple(infos_of(part, context, within)),
        entries=build_all(part.parts, context, within if model else origin),
        citation=part.cite,
    )


def _choice(part: PartForm, context: CompileContext, origin: QueryOrigin) -> Entry:
    low, high = part.range
    pool = is_pool(part)
    limits = []
    if low:
        words = context.words("size min" if pool else "choose at least")
        limits.append(context.made(f"{part.id}#min", Bound.MIN, low, words, part.cite))
    if high is not None:
        words = context.words("size max" if pool else "choose one" if high == 1 else "choose several")
        limits.append(context.made(f"{part.id}#max", Bound.MAX, high, words, part.cite))
    return _group(part, context, origin, limits, default=default_of(part, context))


def _swap(part: PartForm, context: CompileContext, origin: QueryOrigin) -> Entry:
    return _group(part, context, origin, list(swap_limits(part, context, origin)))


def _group(
    part: PartForm, context: CompileContext, origin: QueryOrigin, limits: list[Constraint], default: str = ""
) -> Entry:
    within = origin.asking_of("part")
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP,
        name=part.name,
        note=part.note,
        sort_index=context.index.place(part),
        default_id=default,
        constraints=(*limits, *ties(part, context, within)),
        entries=build_all(part.parts, context, origin, part),
        citation=part.cite,
    )


def _list(part: PartForm, context: CompileContext, origin: QueryOrigin) -> Entry | None:
    """A link to a shared list."""
    name = part.target
    shared = context.index.lists.get(slug(name.text)) if name else None
    if shared is None:
        if name:
            mend = did_you_mean(name.text, context.index.lists) or "Declare it under `lists:` in any file."
            context.problems.add(name.where, "unknown-list", f"There is no shared list “{name.text}”.", mend)
        return None
    limits = []
    if part.range.low:
        words = context.words("choose at least")
        limits.append(context.made(f"{part.id}#min", Bound.MIN, part.range.low, words, part.cite))
    if part.range.high is not None:
        words = context.words("choose one" if part.range.high == 1 else "choose several")
        limits.append(context.made(f"{part.id}#max", Bound.MAX, part.range.high, words, part.cite))
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP_LINK,
        name=shared.name,
        target_id=shared.id,
        sort_index=context.index.place(part),
        constraints=(*limits, *ties(part, context, origin.asking_of("part"))),
        citation=part.cite,
    )
