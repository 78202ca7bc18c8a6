"""Options, models, choices, swaps and lists as entries and groups."""

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import Cost, Entry, EntryKind, EntryType
from catalogue.definitions.queries import Bound
from catalogue.formats.packs.compile.context import Workshop
from catalogue.formats.packs.compile.expressions import Context
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
    part: PartForm, shop: Workshop, context: Context, inside: PartForm | None = None
) -> Entry | None:
    """One part; `inside` is the choice or swap it stands in."""
    match part.kind:
        case "choice":
            return _choice(part, shop, context)
        case "swap":
            return _swap(part, shop, context)
        case "list":
            return _list(part, shop, context)
    return _entry(part, shop, context, inside)


def build_all(
    parts: tuple[PartForm, ...], shop: Workshop, context: Context, inside: PartForm | None = None
) -> tuple[Entry, ...]:
    found = (build_part(part, shop, context, inside) for part in parts)
    return tuple(entry for entry in found if entry is not None)


def _entry(part: PartForm, shop: Workshop, context: Context, inside: PartForm | None) -> Entry:
    model = part.kind == "model"
    within = context.asking_of("model" if model else "part")
    costs, modifiers = shop.priced(part.prices, within)
    limits, more = counts(part, shop, within, inside)
    if model:
        costs.append(Cost(type_id=MODELS, value=1))
    costs += weapons(part, shop, inside)
    return Entry(
        id=part.id,
        name=part.name,
        type=EntryType.MODEL if model else EntryType.UPGRADE,
        hidden=part.hidden,
        note=part.note,
        sort_index=shop.index.place(part),
        costs=tuple(costs),
        constraints=(*limits, *ties(part, shop, within)),
        modifiers=(*modifiers, *more, *ability_modifiers(part, shop, within)),
        categories=(*keywords(part, shop), *ability_links(part, part.id, shop), *set_links(part, shop)),
        infos=tuple(infos_of(part, shop, within)),
        entries=build_all(part.parts, shop, within if model else context),
        citation=part.cite,
    )


def _choice(part: PartForm, shop: Workshop, context: Context) -> Entry:
    low, high = part.range
    pool = is_pool(part)
    limits = []
    if low:
        words = shop.words("size min" if pool else "choose at least")
        limits.append(shop.made(f"{part.id}#min", Bound.MIN, low, words, part.cite))
    if high is not None:
        words = shop.words("size max" if pool else "choose one" if high == 1 else "choose several")
        limits.append(shop.made(f"{part.id}#max", Bound.MAX, high, words, part.cite))
    return _group(part, shop, context, limits, default=default_of(part, shop))


def _swap(part: PartForm, shop: Workshop, context: Context) -> Entry:
    return _group(part, shop, context, list(swap_limits(part, shop, context)))


def _group(
    part: PartForm, shop: Workshop, context: Context, limits: list[Constraint], default: str = ""
) -> Entry:
    within = context.asking_of("part")
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP,
        name=part.name,
        note=part.note,
        sort_index=shop.index.place(part),
        default_id=default,
        constraints=(*limits, *ties(part, shop, within)),
        entries=build_all(part.parts, shop, context, part),
        citation=part.cite,
    )


def _list(part: PartForm, shop: Workshop, context: Context) -> Entry | None:
    """A link to a shared list."""
    name = part.target
    shared = shop.index.lists.get(slug(name.text)) if name else None
    if shared is None:
        if name:
            mend = did_you_mean(name.text, shop.index.lists) or "Declare it under `lists:` in any file."
            shop.problems.add(name.where, "unknown-list", f"There is no shared list “{name.text}”.", mend)
        return None
    limits = []
    if part.range.low:
        words = shop.words("choose at least")
        limits.append(shop.made(f"{part.id}#min", Bound.MIN, part.range.low, words, part.cite))
    if part.range.high is not None:
        words = shop.words("choose one" if part.range.high == 1 else "choose several")
        limits.append(shop.made(f"{part.id}#max", Bound.MAX, part.range.high, words, part.cite))
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP_LINK,
        name=shared.name,
        target_id=shared.id,
        sort_index=shop.index.place(part),
        constraints=(*limits, *ties(part, shop, context.asking_of("part"))),
        citation=part.cite,
    )
