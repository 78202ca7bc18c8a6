"""Options, models, choices, swaps and lists as entries and groups."""

from dataclasses import replace

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.entries import CategoryLink, Cost, Entry, EntryKind, EntryType
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.queries import Bound, Condition, Guard, Modifier, Operator, Query, Scope, Term
from catalogue.formats.packs.asking import Ask
from catalogue.formats.packs.asks import Context, guard_of
from catalogue.formats.packs.build_changes import changes_for, gone_for
from catalogue.formats.packs.build_models import carried_outside, is_pool
from catalogue.formats.packs.forms import Carried, Named, PartForm
from catalogue.formats.packs.index import MODELS, WEAPONS
from catalogue.formats.packs.items import did_you_mean
from catalogue.formats.packs.words import slug
from catalogue.formats.packs.workshop import Workshop


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
    limits, more = _counts(part, shop, within, inside)
    if model:
        costs.append(Cost(type_id=MODELS, value=1))
    costs += _weapons(part, shop, inside)
    return Entry(
        id=part.id,
        name=part.name,
        type=EntryType.MODEL if model else EntryType.UPGRADE,
        note=part.note,
        costs=tuple(costs),
        constraints=(*limits, *ties(part, shop, within)),
        modifiers=(*modifiers, *more),
        categories=_keywords(part, shop),
        infos=tuple(_infos(part, shop, within)),
        entries=build_all(part.parts, shop, within if model else context),
        citation=part.cite,
    )


def _counts(
    part: PartForm, shop: Workshop, context: Context, inside: PartForm | None
) -> tuple[list[Constraint], list[Modifier]]:
    """How many of a part there may be. What a choice around it says already is not said again."""
    low, high = part.range
    found = []
    model = part.kind == "model"
    if low:
        words = shop.words("size min" if model else "choose at least")
        found.append(shop.made(f"{part.id}#min", Bound.MIN, low, words, part.cite))
    silent = inside is not None and not part.explicit
    if high is not None and not silent:
        name = "size max" if model else "option once" if high == 1 and not inside else "option limit"
        found.append(shop.made(f"{part.id}#max", Bound.MAX, high, shop.words(name), part.cite))
    if part.per is None:
        return found, []
    every, noun = part.per
    ask = Ask(noun.text, "", noun.where)
    modifier = shop.growing(f"{part.id}#max", 1, ask, every, context)
    return found, [modifier] if modifier else []


def ties(part: PartForm, shop: Workshop, context: Context) -> list[Constraint]:
    """What ties a part to others: conditions, footnotes, exclusions, needs."""
    found = []
    if part.only_when:
        when = guard_of(part.only_when, context, negated=True)
        words = shop.words("only when")
        words = replace(words, text=part.note or words.text)
        found.append(shop.made(f"{part.id}#only-when", Bound.MAX, 0, words, part.cite, when=when))
    for number, limit in enumerate(part.limits, 1):
        when = guard_of(limit.when, context)
        words = shop.words("footnote")
        words = limit.text if limit.text.rule else replace(words, text=limit.text.text or words.text)
        for bound in limit.bounds:
            own = f"{part.id}#limit-{number}-{bound.bound}"
            found.append(
                shop.bounded(own, bound, Query(), words, context, when, limit.text.cite or part.cite)
            )
    for name, others, operator in (
        ("not with", part.not_with, Operator.AT_LEAST),
        ("needs", part.needs, Operator.LESS_THAN),
    ):
        for other in others:
            beside = _beside(other, operator, context)
            if beside is not None:
                own = f"{part.id}#{slug(name)}-{slug(other.text)}"
                found.append(shop.made(own, Bound.MAX, 0, shop.words(name), part.cite, when=beside))
    return found


def _beside(other: Named, operator: Operator, context: Context) -> Guard | None:
    target = context.index.target(other, context.unit)
    if target is None:
        return None
    scope = Scope.UNIT if target.kind == "part" else Scope.ROSTER
    query = Query(scope=scope, child_id=target.id, deep=True)
    return Guard(conditions=(Condition(operator=operator, query=query, value=1),))


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
    return _group(part, shop, context, limits, default=_default(part, shop))


def _default(part: PartForm, shop: Workshop) -> str:
    """The id of the member that is taken unless another is."""
    if part.default is None:
        return ""
    if not part.range.low:
        mend = "Write `choose: one`, or remove the default."
        message = "Nothing has to be chosen here, so a default has no effect."
        shop.problems.add(part.default.where, "idle-default", message, mend, Level.WARNING)
    wanted = slug(part.default.text)
    found = [member.id for member in part.parts if wanted in (slug(member.name), member.id.split("/")[-1])]
    if found:
        return found[0]
    mend = did_you_mean(part.default.text, [member.name for member in part.parts])
    message = f"The default “{part.default.text}” is not among the choices."
    shop.problems.add(part.default.where, "unknown-name", message, mend)
    return ""


def _swap(part: PartForm, shop: Workshop, context: Context) -> Entry:
    """Replacements for what is carried: never more than is carried."""
    words = shop.words("swap")
    fixed, terms = carried_outside(part, context)
    if not fixed and not terms and part.replaces:
        message = f"Nobody here carries “{part.replaces.text}”."
        shop.problems.add(part.replaces.where, "unknown-name", message, "Add it to `carries:`.")
    if part.whole_unit:
        limits = [shop.made(f"{part.id}#max", Bound.MAX, 1, words, part.cite)]
    elif part.explicit and part.range.high is not None:
        limits = [shop.made(f"{part.id}#max", Bound.MAX, part.range.high, words, part.cite)]
    else:
        summed = tuple(
            Term(query=Query(scope=Scope.UNIT, child_id=own, deep=True), coefficient=n) for own, n in terms
        )
        limits = [shop.made(f"{part.id}#max", Bound.MAX, fixed, words, part.cite, terms=summed)]
    return _group(part, shop, context, limits)


def _group(
    part: PartForm, shop: Workshop, context: Context, limits: list[Constraint], default: str = ""
) -> Entry:
    within = context.asking_of("part")
    return Entry(
        id=part.id,
        kind=EntryKind.GROUP,
        name=part.name,
        note=part.note,
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
            mend = did_you_mean(name.text, shop.index.lists)
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
        constraints=(*limits, *ties(part, shop, context.asking_of("part"))),
        citation=part.cite,
    )


def _keywords(part: PartForm, shop: Workshop) -> tuple[CategoryLink, ...]:
    found = []
    for word in part.keywords:
        target = shop.index.target(word, None, ("keyword", "type"))
        if target:
            found.append(CategoryLink(id=f"{part.id}@{target.id}", target_id=target.id))
    return tuple(found)


def brought(part: PartForm, shop: Workshop) -> tuple[Carried, ...]:
    """What a part brings: what it lists, else the weapon or gear that has its name."""
    if part.carries is not None:
        return part.carries
    own = slug(part.name)
    known = own in shop.infos.weapons or own in shop.infos.abilities
    return (Carried(name=Named(part.name, part.where)),) if known and part.kind == "option" else ()


def _weapons(part: PartForm, shop: Workshop, inside: PartForm | None) -> list[Cost]:
    """How many weapons more there are with this part, where the pack counts weapons."""
    if not shop.counts_weapons:
        return []
    count = sum(item.count for item in brought(part, shop) if shop.infos.is_weapon(item.name))
    if inside and inside.kind == "swap" and inside.replaces and shop.infos.is_weapon(inside.replaces):
        count -= 1
    return [Cost(type_id=WEAPONS, value=count)] if count else []


def _infos(part: PartForm, shop: Workshop, context: Context) -> list[Info]:
    infos: list[Info | None] = []
    if part.row and context.unit:
        modifiers = changes_for(part, part.row, shop, context)
        infos.append(shop.infos.profile(part.row, f"{part.id}~profile", part.cite, modifiers))
    gone = gone_for(part, context) if part.kind == "model" else {}
    infos += [shop.infos.item(item, part.id, gone.get(slug(item.name.text))) for item in brought(part, shop)]
    infos += [
        shop.infos.ability(use, part.id, context, gone.get(slug(use.name.text))) for use in part.abilities
    ]
    if part.text:
        rule = Info(
            id=f"{part.id}~text",
            kind=InfoKind.RULE,
            name=part.name,
            description=part.text,
            citation=part.cite,
        )
        infos.append(rule)
    _check_effect(part, infos, shop)
    return [info for info in infos if info is not None]


def _check_effect(part: PartForm, infos: list[Info | None], shop: Workshop) -> None:
    """Report an option that changes nothing: most often its weapon or gear is spelled otherwise."""
    priced = any(form.price.value for form in part.prices)
    tied = part.removes or part.changes or part.keywords or part.parts or part.note
    if part.kind != "option" or infos or priced or tied or part.carries is not None:
        return
    known = [form.name for form in (*shop.forms.weapons, *shop.forms.abilities)]
    hint = did_you_mean(part.name, known) if len(known) > 12 or part.name else ""
    mend = hint if hint.startswith("Did") else "Add `gives:`, `abilities:` or `text:`."
    shop.problems.add(part.where, "no-effect", f"The option “{part.name}” does nothing.", mend, Level.WARNING)
