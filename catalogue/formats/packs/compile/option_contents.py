"""Compile what a part brings: keywords, weapons and gear, profiles, abilities, words."""

from collections.abc import Iterable

from catalogue.definitions.diagnostics import Level
from catalogue.definitions.entries import CategoryLink, Cost
from catalogue.definitions.infos import Info
from catalogue.definitions.queries import Modifier
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.name_index import WEAPONS
from catalogue.formats.packs.compile.option_effects import build_loss_guards, build_profile_changes
from catalogue.formats.packs.compile.sets_and_figures import build_ability_links, build_set_links
from catalogue.formats.packs.compile.shared_infos import build_text_info
from catalogue.formats.packs.features.commander import LEAVE
from catalogue.formats.packs.syntax.base import CarriedItem, Reference
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax


def build_keyword_links(
    words: Iterable[Reference], owner: str, kinds: tuple[str, ...], context: CompileContext
) -> list[CategoryLink]:
    """Return the links of a unit or part to its keywords, of which each names something of one of `kinds`."""
    links = []
    for word in words:
        target = context.index.find_target(word, None, kinds)
        if target:
            links.append(CategoryLink(id=f"{owner}@{target.id}", target_id=target.id))
    return links


def build_part_categories(part: PartSyntax, context: CompileContext) -> tuple[CategoryLink, ...]:
    links = build_keyword_links(part.keywords, part.id, ("keyword", "type"), context)
    if part.by_leave:
        links.append(CategoryLink(id=f"{part.id}@{LEAVE}", target_id=LEAVE, hidden=True))
    return (*links, *build_ability_links(part, part.id, context), *build_set_links(part, context))


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
    # A swap takes away the weapon that it replaces.
    if inside and inside.kind == "swap" and inside.replaces and context.infos.is_weapon(inside.replaces):
        count -= 1
    return [Cost(type_id=WEAPONS, value=count)] if count else []


def build_infos(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> tuple[Info, ...]:
    changes: tuple[Modifier, ...] = ()
    if part.row and origin.unit:
        changes = build_profile_changes(part, part.row, context, origin)
    gone = build_loss_guards(part, origin) if part.kind == "model" else {}
    infos = (
        *context.infos.build_owned(part, part.id, list_carried(part, context), origin, changes, gone),
        *build_text_info(part.id, part.name, part.text, part.cite),
    )
    if not infos:
        _check_effect(part, context)
    return infos


def _check_effect(part: PartSyntax, context: CompileContext) -> None:
    """Report an option that changes nothing: most often its weapon or gear is spelled differently."""
    effects = (
        part.abilities,
        part.removes,
        part.changes,
        part.counts_as,
        part.keywords,
        part.parts,
        part.note,
    )
    is_priced = any(price.price.value for price in part.prices)
    if part.kind != "option" or part.carries is not None or is_priced or any(effects):
        return
    known = [item.name for item in (*context.pack.weapons, *context.pack.abilities)]
    hint = suggest_names(part.name, known) if len(known) > 12 or part.name else ""
    mend = hint if hint.startswith("Did") else "Add `gives:`, `abilities:` or `text:`."
    message = f"The option “{part.name}” does nothing."
    context.problems.add(part.where, "no-effect", message, mend, Level.WARNING)
