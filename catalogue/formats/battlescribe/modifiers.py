"""Modifiers and groups of them, flattened: each carries the conditions and repeats of all groups around it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import ALWAYS, Change, Effect, Guard, Modifier, Repeat, Scope
from catalogue.formats.battlescribe.attributes import KnownAttributes, parse_whole_number, read_attributes
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.newrecruit import SEVERITIES, build_effect, build_message, find_holder
from catalogue.formats.battlescribe.queries import (
    UnknownMeaningError,
    combine_guards,
    is_local_repeat,
    parse_joining,
    read_guard,
    read_local_repeat,
    read_repeat,
)
from catalogue.formats.battlescribe.source_file import (
    Attributes,
    ContainerPart,
    ContainerParts,
    ReferenceKind,
    SourceFile,
    local_name,
    read_parts,
    report_unknown_element,
)
from catalogue.formats.battlescribe.xml_parser import Element

_MODIFIER = KnownAttributes("type field value id scope affects join position arg", convenience="automatic")
_MODIFIER_PARTS = frozenset(("conditions", "conditionGroups", "localConditionGroups", "repeats", "comment"))
_GROUP = KnownAttributes("type id")
_GROUP_PARTS = _MODIFIER_PARTS | {"modifiers", "modifierGroups"}
_CHANGES = {str(change): change for change in Change}
_TEXTS = frozenset(("name", "annotation", "hidden", "description", "page"))
_CATEGORY = "category"
_TO_CATEGORY, _TO_FIELD = ReferenceKind.CATEGORY, ReferenceKind.FIELD
_PICKED = frozenset(("defaultAmount", "defaultSelectionEntryId"))

CHANGES = "changes"
"""The field under which what modifiers become is gathered, before `read_inside` puts it where it belongs."""


class GuardLevel(NamedTuple):
    """The conditions that the groups around a modifier add to it."""

    guard: Guard = ALWAYS
    repeats: tuple[tuple[Repeat, ...], ...] = ()


_TOP = GuardLevel()


def read_modifiers(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    """Return what is inside a `<modifiers>`."""
    return list(_walk_modifiers(container, _TOP, file, owner))


def read_modifier_groups(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    """Return what is inside a `<modifierGroups>`."""
    return list(_walk_groups(container, _TOP, file, owner))


MODIFIER_PARTS = {
    "modifiers": ContainerPart(CHANGES, read_modifiers),
    "modifierGroups": ContainerPart(CHANGES, read_modifier_groups),
}


_FIELDS: dict[type, str] = {Modifier: "modifiers", Effect: "effects", Constraint: "constraints"}
CHANGES_ITSELF = frozenset(("modifiers",))
SPEAKS = CHANGES_ITSELF | {"constraints"}
"""The fields of what carries messages besides."""
REACHES = SPEAKS | {"effects"}
"""The fields of what changes other things, too."""


def read_inside(
    element: Element, known: ContainerParts, file: SourceFile, owner: str, fields: frozenset[str] = CHANGES_ITSELF
) -> dict[str, Any]:
    """Return what is inside `element`, by field, with the changes under the fields they belong to.

    What belongs to none of `fields`, which are those that the definition has, is reported and left out.
    """
    # Most elements have nothing inside.
    if not len(element):
        return {}
    parts = read_parts(element, known, file, owner)
    if CHANGES in parts:
        _sort_changes(parts, element, file, fields)
    return parts


def _sort_changes(parts: dict[str, Any], element: Element, file: SourceFile, fields: frozenset[str]) -> None:
    by_field: dict[str, list[Modifier | Effect | Constraint]] = {}
    for change in parts.pop(CHANGES):
        by_field.setdefault(_FIELDS[type(change)], []).append(change)
    if not by_field.keys() <= fields:
        _report_reach(element, file)
    for field in by_field.keys() & fields:
        parts[field] = (*parts.get(field, ()), *by_field[field])


def _report_reach(element: Element, file: SourceFile) -> None:
    name = element.get("name", "")
    what = f"{local_name(element.tag)} {name} with an effect or a message"
    file.report_oddity(FindingKind.UNKNOWN_REACH, what, element, element.get("id", ""), name)


def _walk_modifiers(
    container: Element, level: GuardLevel, file: SourceFile, owner: str
) -> Iterator[Modifier | Effect | Constraint]:
    for element in container:
        if local_name(element.tag) != "modifier":
            report_unknown_element(element, file, owner)
            continue
        change = _read_modifier(element, level, file, owner)
        if change is not None:
            yield change


def _walk_groups(
    container: Element, level: GuardLevel, file: SourceFile, owner: str
) -> Iterator[Modifier | Effect | Constraint]:
    for group in container:
        if local_name(group.tag) != "modifierGroup":
            report_unknown_element(group, file, owner)
            continue
        attrs = read_attributes(group, _GROUP, file, owner)
        inner = _read_level(group, level, attrs.get("type", "and"), _GROUP_PARTS, file, owner)
        if inner is None:
            continue
        file.enter_element(group)
        for inside in group:
            name = local_name(inside.tag)
            if name == "modifiers":
                yield from _walk_modifiers(inside, inner, file, owner)
            elif name == "modifierGroups":
                yield from _walk_groups(inside, inner, file, owner)
        file.depth -= 1


def _read_level(
    element: Element, level: GuardLevel, joined: str, known: frozenset[str], file: SourceFile, owner: str
) -> GuardLevel | None:
    """Return `level` with the conditions and repeats of `element`; None, and a report, where they are unknown."""
    if not len(element):
        return level
    # What is not understood may stop reading anywhere inside; the depth goes back to this.
    depth = file.depth
    try:
        return _read_deeper_level(element, level, joined, known, file, owner)
    except UnknownMeaningError as error:
        file.depth = depth
        file.report_oddity(FindingKind.UNKNOWN_CONDITIONS, str(error), element, owner)
        return None


def _read_deeper_level(
    element: Element, level: GuardLevel, joined: str, known: frozenset[str], file: SourceFile, owner: str
) -> GuardLevel:
    repeats: list[Repeat] = []
    # Listed once for both walks: lxml makes each element anew whenever nothing holds it.
    containers = list(element)
    for container in containers:
        name = local_name(container.tag)
        if name == "repeats":
            repeats += [read_repeat(child, file, owner) for child in container]
        elif name == "localConditionGroups":
            repeats += [read_local_repeat(child, file, owner) for child in container if is_local_repeat(child)]
        elif name not in known:
            report_unknown_element(container, file, owner)
    return GuardLevel(
        guard=combine_guards(level.guard, read_guard(containers, parse_joining(joined), file, owner)),
        repeats=(*level.repeats, tuple(repeats)) if repeats else level.repeats,
    )


def _read_modifier(
    element: Element, level: GuardLevel, file: SourceFile, owner: str
) -> Modifier | Effect | Constraint | None:
    attrs = read_attributes(element, _MODIFIER, file, owner)
    inner_level = _read_level(element, level, "and", _MODIFIER_PARTS, file, owner)
    if inner_level is None:
        return None
    field = attrs.get("field", "")
    if field in SEVERITIES:
        return build_message(element, attrs, inner_level.guard, inner_level.repeats, owner)
    if field in _PICKED:
        file.report_oddity(FindingKind.CONVENIENCE, f"modifier of {field}", element)
        return None
    change = _CHANGES.get(attrs.get("type", ""))
    if change is None:
        file.report_oddity(FindingKind.UNKNOWN_MODIFIER, f"type={attrs.get('type', '')!r}", element, owner)
        return None
    _register_field(field, attrs, element, file, owner)
    modifier = _build_modifier(change, field, attrs, inner_level, element, file)
    return _place_modifier(modifier, attrs, element, file, owner)


def _build_modifier(
    change: Change, field: str, attrs: Attributes, level: GuardLevel, element: Element, file: SourceFile
) -> Modifier:
    value = attrs.get("value", "")
    # Nearly all modifiers have no other attributes, and a data set has tens of thousands.
    if attrs.keys() <= _PLAIN:
        return Modifier(change=change, field=field, value=value, guard=level.guard, repeats=level.repeats)
    return Modifier(
        change=change,
        field=field,
        value=value,
        guard=level.guard,
        repeats=level.repeats,
        join=attrs.get("join", " "),
        position=_read_position(attrs, element, file),
        arg=attrs.get("arg", ""),
    )


_PLAIN = frozenset(("type", "field", "value", "id"))


def _read_position(attrs: Attributes, element: Element, file: SourceFile) -> int | None:
    text = attrs.get("position")
    if not text:
        return None
    try:
        return parse_whole_number(text)
    except ValueError:
        file.report_oddity(FindingKind.UNKNOWN_VALUE, f"modifier position={text[:40]!r}", element)
        return None


def _place_modifier(
    modifier: Modifier, attrs: Attributes, element: Element, file: SourceFile, owner: str
) -> Modifier | Effect | None:
    """Return the modifier itself, or an effect where it changes something other than its owner."""
    if "affects" not in attrs and "scope" not in attrs:
        return modifier
    scope, affects = attrs.get("scope", Scope.SELF), attrs.get("affects", "")
    effect = build_effect(modifier, scope, affects)
    if effect is None:
        named = find_holder(element).get("name", "")
        what = f"{named}, scope={scope!r} affects={affects!r}"
        file.report_oddity(FindingKind.UNKNOWN_REACH, what, element, owner, named)
    return effect


def _register_field(field: str, attrs: Attributes, element: Element, file: SourceFile, owner: str) -> None:
    if field == _CATEGORY:
        file.register_reference(_TO_CATEGORY, attrs.get("value", ""), element, owner)
    elif field not in _TEXTS:
        file.register_reference(_TO_FIELD, field, element, owner)
