"""What a part brings: keywords, weapons and gear, profiles, abilities, words."""

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.entries import CategoryLink, Cost
from catalogue.definitions.infos import Info, InfoKind
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.name_index import WEAPONS
from catalogue.formats.packs.compile.option_effects import build_loss_guards, build_profile_changes
from catalogue.formats.packs.features.commander import LEAVE
from catalogue.formats.packs.syntax.base import CarriedItem, Reference
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax


def build_keyword_links(part: PartSyntax, context: CompileContext) -> tuple[CategoryLink, ...]:
    links = []
    for word in part.keywords:
        target = context.index.find_target(word, None, ("keyword", "type"))
        if target:
            links.append(CategoryLink(id=f"{part.id}@{target.id}", target_id=target.id))
    if part.by_leave:
        links.append(CategoryLink(id=f"{part.id}@{LEAVE}", target_id=LEAVE, hidden=True))
    return tuple(links)


def list_carried(part: PartSyntax, context: CompileContext) -> tuple[CarriedItem, ...]:
    """Return what a part brings: what it lists, else the weapon or gear that has its name."""
    if part.carries is not None:
        return part.carries
    gear_id = make_id(part.name)
    known = gear_id in context.infos.weapons or gear_id in context.infos.abilities
    return (CarriedItem(name=Reference(part.name, part.where)),) if known and part.kind == "option" else ()


def count_extra_weapons(part: PartSyntax, context: CompileContext, inside: PartSyntax | None) -> list[Cost]:
    """Return how many more weapons there are with this part, where the pack counts weapons."""
    if not context.counts_weapons:
        return []
    count = sum(item.count for item in list_carried(part, context) if context.infos.is_weapon(item.name))
    if inside and inside.kind == "swap" and inside.replaces and context.infos.is_weapon(inside.replaces):
        count -= 1
    return [Cost(type_id=WEAPONS, value=count)] if count else []


def build_infos(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> list[Info]:
    infos: list[Info | None] = []
    if part.row and origin.unit:
        modifiers = build_profile_changes(part, part.row, context, origin)
        infos.append(context.infos.build_profile(part.row, f"{part.id}~profile", part.cite, modifiers))
    rows = ((f"{part.id}~{row.table}/{make_id(row.name)}", row) for row in part.rows)
    infos += [context.infos.build_profile(row, row_id, part.cite) for row_id, row in rows]
    gone = build_loss_guards(part, origin) if part.kind == "model" else {}
    infos += [
        context.infos.link_item(item, part.id, gone.get(make_id(item.name.text)))
        for item in list_carried(part, context)
    ]
    infos += [
        context.infos.link_ability(use, part.id, origin, gone.get(make_id(use.name.text)))
        for use in part.abilities
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
    _check_effect(part, infos, context)
    return [info for info in infos if info is not None]


def _check_effect(part: PartSyntax, infos: list[Info | None], context: CompileContext) -> None:
    """Report an option that changes nothing: most often its weapon or gear is spelled differently."""
    priced = any(form.price.value for form in part.prices)
    tied = part.removes or part.changes or part.counts_as or part.keywords or part.parts or part.note
    if part.kind != "option" or infos or priced or tied or part.carries is not None:
        return
    known = [form.name for form in (*context.forms.weapons, *context.forms.abilities)]
    hint = suggest_names(part.name, known) if len(known) > 12 or part.name else ""
    mend = hint if hint.startswith("Did") else "Add `gives:`, `abilities:` or `text:`."
    context.problems.add(
        part.where, "no-effect", f"The option “{part.name}” does nothing.", mend, Level.WARNING
    )
