"""Profiles and rules as they are shown: links followed, modifiers applied, hidden ones left out."""

from collections.abc import Iterable
from typing import NamedTuple

from catalogue.definitions.citations import Citation
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.queries import Modifier
from roster.engine.case import Case
from roster.engine.demands import Modifiers, by_field
from roster.engine.effects import annotated
from roster.engine.report import EffectiveProfile, EffectiveRule
from roster.engine.state import ForceNode, Node, SelectionNode, SlotNode
from roster.engine.templates import MAX_DEPTH, BoundInfo
from roster.engine.tree import changed


class Display(NamedTuple):
    """The profiles and rules of one thing, in the order of the data."""

    profiles: tuple[EffectiveProfile, ...] = ()
    rules: tuple[EffectiveRule, ...] = ()


def node_display(case: Case, node: SelectionNode) -> Display:
    """The profiles and rules of a selection, without those of what is inside it."""
    return display(case, node.option.template.infos, node) if node.option else Display()


def force_display(case: Case, force: ForceNode) -> Display:
    """The profiles and rules of a force: its entry's, its catalogue's, the game system's."""
    if force.book is None or force.template is None:
        return Display()
    home = force.book.catalogue
    game_system = case.ruleset.binding.game_system
    infos = [BoundInfo(info, home) for info in (*force.template.entry.infos, *home.infos)]
    if game_system and game_system is not home:
        infos += [BoundInfo(info, game_system) for info in game_system.infos]
    return display(case, infos, force)


def slot_display(case: Case, node: SlotNode) -> Display:
    """The profiles and rules of a category in a force."""
    slot, force = node.slot, node.force
    if slot is None or force is None or force.book is None:
        return Display()
    home = force.book.catalogue
    parts = (slot.category, slot.link)
    return display(case, [BoundInfo(info, home) for part in parts if part for info in part.infos], node)


def display(case: Case, infos: Iterable[BoundInfo], node: Node) -> Display:
    """`infos` as seen from `node`."""
    profiles: list[EffectiveProfile] = []
    rules: list[EffectiveRule] = []
    for info, modifiers in _followed(case, infos, node):
        if info.kind is InfoKind.PROFILE:
            profiles.append(_profile(case, info, modifiers, node))
        else:
            rules.append(_rule(case, info, modifiers, node))
    return Display(tuple(profiles), tuple(rules))


def _followed(case: Case, infos: Iterable[BoundInfo], node: Node) -> Iterable[tuple[Info, Modifiers]]:
    """Profiles and rules behind links and in groups, each with all modifiers on the way; hidden ones left out."""
    none: tuple[Modifier, ...] = ()
    pending = [(info, home, none, 0) for info, home in infos][::-1]
    while pending:
        info, home, inherited, depth = pending.pop()
        modifiers = (*info.modifiers, *inherited)
        fields = by_field(modifiers)
        if depth > MAX_DEPTH or case.effects.flag(fields.get("hidden", ()), info.hidden, node):
            continue
        if info.kind is InfoKind.LINK:
            found = case.ruleset.binding.info(info.target_id, home)
            if found:
                pending.append((found.info, found.home, modifiers, depth + 1))
        elif info.kind is InfoKind.GROUP:
            pending += [(inner, home, none, depth + 1) for inner in reversed(info.infos)]
        else:
            yield info, fields


def _profile(case: Case, info: Info, fields: Modifiers, node: Node) -> EffectiveProfile:
    reached = case.influences.get(node, ()) if isinstance(node, SelectionNode) else ()
    profile_type = case.ruleset.binding.profile_types.get(info.type_id)
    type_name = info.type_name or (profile_type.name if profile_type else "")
    outside = [influence for influence in reached if influence.profile_type == type_name]

    def told(field: str, text: str) -> str:
        text = case.effects.text(fields.get(field, ()), text, node)
        for influence in outside:
            if influence.modifier.field == field:
                text = case.effects.text((influence.modifier,), text, influence.source)
        return text

    return EffectiveProfile(
        id=info.id,
        name=annotated(told("name", info.name), told("annotation", "")),
        type_id=info.type_id,
        type_name=type_name,
        characteristics=tuple(
            changed(c, value=told(c.type_id, c.value)) if fields or outside else c
            for c in info.characteristics
        ),
        citation=_citation(case, info.citation, fields, node),
    )


def _rule(case: Case, info: Info, fields: Modifiers, node: Node) -> EffectiveRule:
    return EffectiveRule(
        id=info.id,
        name=case.effects.named(fields, info.name, node),
        description=case.effects.text(fields.get("description", ()), info.description, node),
        parameter=info.parameter,
        citation=_citation(case, info.citation, fields, node),
    )


def _citation(case: Case, citation: Citation, fields: Modifiers, node: Node) -> Citation:
    page = case.effects.text(fields.get("page", ()), citation.page, node)
    return citation if page == citation.page else changed(citation, page=page)
