"""Profiles and rules as they are shown: links followed, modifiers applied, hidden ones left out."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.infos import Info, InfoKind, ProfileType
from catalogue.definitions.link_index import Binding
from catalogue.definitions.queries import Modifier
from catalogue.graph.compiled_constraints import Modifiers, group_by_field
from catalogue.graph.compiled_entry import MAX_DEPTH, HomedInfo
from catalogue.graph.ids import extend_prefix
from catalogue.graph.infos import format_characteristics
from roster.engine.effective_values import append_annotation
from roster.engine.effects import HIDDEN, ProfileEffect
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, SelectionNode, SlotNode, TextNode
from roster.engine.report import EffectiveProfile, EffectiveRule
from roster.engine.tree import copy_with


class Display(NamedTuple):
    """The profiles and rules of one thing, in the order of the data."""

    profiles: tuple[EffectiveProfile, ...] = ()
    rules: tuple[EffectiveRule, ...] = ()


def display_selection(evaluation: Evaluation, node: SelectionNode) -> Display:
    """Return the profiles and rules of a selection, without those of what is inside it."""
    return display_infos(evaluation, node.option.entry.infos, node) if node.option else Display()


def display_force(evaluation: Evaluation, force: ForceNode) -> Display:
    """Return the profiles and rules of a force: of its entry, its catalogue, what that imports, and the game."""
    if force.compiled_catalogue is None or force.compiled_force is None:
        return Display()
    home = force.compiled_catalogue.catalogue
    infos = [HomedInfo(info, home) for info in force.compiled_force.entry.infos]
    for catalogue in force.compiled_catalogue.imported:
        infos += [HomedInfo(info, catalogue) for info in catalogue.infos]
    return display_infos(evaluation, infos, force)


def display_category(evaluation: Evaluation, node: SlotNode) -> Display:
    """Return the profiles and rules of a category in a force."""
    slot, force = node.slot, node.force
    if slot is None or force is None or force.compiled_catalogue is None:
        return Display()
    home = force.compiled_catalogue.catalogue
    infos = chain.from_iterable(part.infos for part in (slot.category, slot.link) if part)
    return display_infos(evaluation, [HomedInfo(info, home) for info in infos], node)


def display_infos(evaluation: Evaluation, infos: Iterable[HomedInfo], node: Node) -> Display:
    """Return `infos` as seen from `node`."""
    profiles: list[EffectiveProfile] = []
    rules: list[EffectiveRule] = []
    reached = evaluation.profile_effects.get(node, ()) if isinstance(node, SelectionNode) else ()
    for bound in infos:
        display = _display_changing(evaluation, bound, node, reached) if reached else _display(evaluation, bound, node)
        profiles += display.profiles
        rules += display.rules
    return Display(tuple(profiles), tuple(rules))


def _display(evaluation: Evaluation, bound: HomedInfo, node: Node) -> Display:
    """Return a text that nothing from elsewhere reaches: one without modifiers is the same in every list."""

    def show_fixed() -> Display | None:
        # None stands for “not the same everywhere”, and is remembered as well.
        is_fixed = not any(traced.fields or traced.hiding for traced in _trace_infos(evaluation, bound))
        return _display_changing(evaluation, bound, node, ()) if is_fixed else None

    # By identity: comparing texts would cost more than showing them.
    key = (_display, id(bound.info), id(bound.home), _get_path_start(bound, node))
    return evaluation.ruleset.derive(key, show_fixed) or _display_changing(evaluation, bound, node, ())


def _display_changing(
    evaluation: Evaluation, bound: HomedInfo, node: Node, reached: Sequence[ProfileEffect]
) -> Display:
    profiles: list[EffectiveProfile] = []
    rules: list[EffectiveRule] = []
    # Modifiers of a text ask as the text does, which is a part of its owner and no selection of its own.
    place = TextNode(node) if isinstance(node, SelectionNode) else node
    start = _get_path_start(bound, node)
    for traced in _trace_infos(evaluation, bound):
        if any(evaluation.values.adjust_flag(modifiers, hidden, place) for modifiers, hidden in traced.hiding):
            continue
        path = start + traced.links
        if traced.info.kind is InfoKind.PROFILE:
            profiles.append(_show_profile(evaluation, traced, path, place, reached))
        else:
            rules.append(_show_rule(evaluation, traced, path, place))
    return Display(tuple(profiles), tuple(rules))


Hiding = tuple[tuple[tuple[Modifier, ...], bool], ...]
"""What may hide a text: modifiers of the flag of each thing on the way to it, with what the flag is without them."""


class _TracedInfo(NamedTuple):
    """A profile or rule with all modifiers on the way to it, the links of that way, and what may hide it there."""

    info: Info
    fields: Modifiers
    links: str
    hiding: Hiding


def _trace_infos(evaluation: Evaluation, bound: HomedInfo) -> tuple[_TracedInfo, ...]:
    """Trace a text to the profiles and rules that it stands for: the data alone says that, once for all lists."""
    key = (_trace_infos, id(bound.info), id(bound.home))
    return evaluation.ruleset.derive(key, lambda: tuple(_follow_links(evaluation.ruleset.binding, bound)))


def _follow_links(binding: Binding, bound: HomedInfo) -> Iterator[_TracedInfo]:
    """Yield profiles and rules behind links and in groups, without those that are hidden whatever is chosen."""
    pending = [_InfoStep(bound.info, bound.home)]
    while pending:
        step = pending.pop()
        info = step.info
        # What the link changes is changed after what its target changes.
        modifiers = (*info.modifiers, *step.inherited)
        fields = group_by_field(modifiers)
        if step.depth > MAX_DEPTH or (info.hidden and HIDDEN not in fields):
            continue
        hiding = (*step.hiding, (fields[HIDDEN], info.hidden)) if HIDDEN in fields else step.hiding
        if info.kind in (InfoKind.LINK, InfoKind.GROUP):
            # Reversed, since the last is taken up first.
            pending += reversed([*_enter_info(binding, step._replace(inherited=modifiers, hiding=hiding))])
        else:
            yield _TracedInfo(info, fields, step.links, hiding)


class _InfoStep(NamedTuple):
    """A text on the way to profiles and rules: with the modifiers, links and hiding of that way, and its length."""

    info: Info
    home: Catalogue
    inherited: tuple[Modifier, ...] = ()
    links: str = ""
    hiding: Hiding = ()
    depth: int = 0


def _enter_info(binding: Binding, step: _InfoStep) -> Iterator[_InfoStep]:
    """Yield what is behind a link, or in a group."""
    info, depth = step.info, step.depth + 1
    if info.kind is InfoKind.GROUP:
        # Modifiers of a group change the group, not what is in it.
        yield from (step._replace(info=inner, inherited=(), depth=depth) for inner in info.infos)
    elif target := binding.find_info(info.target_id, step.home):
        links = extend_prefix(step.links, info.id)
        yield step._replace(info=target.info, home=target.home, links=links, depth=depth)


def _get_path_start(bound: HomedInfo, node: Node) -> str:
    """Return what the path of a text begins with: the links that led to its owner."""
    if not isinstance(node, SelectionNode):
        return ""
    return node.container.start if bound.on_link else node.start


def _show_profile(
    evaluation: Evaluation, traced: _TracedInfo, path: str, node: Node, reached: Sequence[ProfileEffect]
) -> EffectiveProfile:
    info, fields = traced.info, traced.fields
    profile_type = evaluation.ruleset.binding.profile_types.get(info.type_id)
    type_name = info.type_name or _get_type_name(profile_type)
    # Effects name a type of profile as people do, by its name.
    outside = [influence for influence in reached if influence.profile_type == type_name]

    def adjust_field(field: str, text: str) -> str:
        text = evaluation.values.adjust_text(fields.get(field, ()), text, node)
        return _adjust_from_outside(evaluation, outside, field, text)

    characteristics = tuple(
        copy_with(c, value=adjust_field(c.type_id, c.value)) if fields or outside else c for c in info.characteristics
    )
    return EffectiveProfile(
        id=info.id,
        name=append_annotation(adjust_field("name", info.name), adjust_field("annotation", "")),
        type_id=info.type_id,
        type_name=type_name,
        characteristics=format_characteristics(characteristics, profile_type),
        citation=evaluation.values.adjust_citation(fields, info.citation, node),
        path=path,
    )


def _get_type_name(profile_type: ProfileType | None) -> str:
    return profile_type.name if profile_type else ""


def _adjust_from_outside(evaluation: Evaluation, outside: Sequence[ProfileEffect], field: str, text: str) -> str:
    """Apply what other entries change of one field of a profile."""
    for influence in outside:
        if influence.modifier.field == field:
            text = evaluation.values.adjust_text((influence.modifier,), text, influence.source)
    return text


def _show_rule(evaluation: Evaluation, traced: _TracedInfo, path: str, node: Node) -> EffectiveRule:
    info, fields = traced.info, traced.fields
    return EffectiveRule(
        id=info.id,
        name=evaluation.values.adjust_name(fields, info.name, node),
        description=evaluation.values.adjust_text(fields.get("description", ()), info.description, node),
        phase=info.phase.value,
        parameter=info.parameter,
        citation=evaluation.values.adjust_citation(fields, info.citation, node),
        path=path,
    )
