"""Read modifiers, which get the conditions and repeats of all groups around them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import DEFAULT_AMOUNT
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
_PICKED = frozenset((DEFAULT_AMOUNT, "defaultSelectionEntryId"))

CHANGES = "changes"


class GuardLevel(NamedTuple):
    guard: Guard = ALWAYS
    repeats: tuple[tuple[Repeat, ...], ...] = ()


_TOP = GuardLevel()


def read_modifiers(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    return list(_walk_modifiers(container, _TOP, file, owner))


def read_modifier_groups(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    return list(_walk_groups(container, _TOP, file, owner))


MODIFIER_PARTS = {
    "modifiers": ContainerPart(CHANGES, read_modifiers),
    "modifierGroups": ContainerPart(CHANGES, read_modifier_groups),
}


_FIELDS: dict[type, str] = {Modifier: "modifiers", Effect: "effects", Constraint: "constraints"}
CHANGES_ITSELF = frozenset(("modifiers",))
SPEAKS = CHANGES_ITSELF | {"constraints"}
"""The fields of definitions that can hold messages."""
REACHES = SPEAKS | {"effects"}
"""The fields of definitions that can change other definitions."""


def read_inside(
    element: Element, readers: ContainerParts, file: SourceFile, owner: str, fields: frozenset[str] = CHANGES_ITSELF
) -> dict[str, Any]:
    """Return the contents by field. Changes for other fields than `fields` are reported and left out."""
    if not len(element):
        return {}
    parts = read_parts(element, readers, file, owner)
    if CHANGES in parts:
        by_field: dict[str, list[Modifier | Effect | Constraint]] = {}
        for change in parts.pop(CHANGES):
            by_field.setdefault(_FIELDS[type(change)], []).append(change)
        if not by_field.keys() <= fields:
            name = element.get("name", "")
            what = f"{local_name(element.tag)} {name} with an effect or a message"
            file.report_oddity(FindingKind.UNKNOWN_REACH, what, element, element.get("id", ""), name)
        for field in by_field.keys() & fields:
            parts[field] = (*parts.get(field, ()), *by_field[field])
    return parts


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
    element: Element, level: GuardLevel, joined: str, tags: frozenset[str], file: SourceFile, owner: str
) -> GuardLevel | None:
    """Return None for an unknown condition."""
    if not len(element):
        return level
    # Unknown conditions can stop at any depth.
    depth = file.depth
    repeats: list[Repeat] = []
    # List them once: lxml creates each element again if nothing refers to it.
    containers = list(element)
    try:
        for container in containers:
            name = local_name(container.tag)
            if name == "repeats":
                repeats += [read_repeat(child, file, owner) for child in container]
            elif name == "localConditionGroups":
                repeats += [read_local_repeat(child, file, owner) for child in container if is_local_repeat(child)]
            elif name not in tags:
                report_unknown_element(container, file, owner)
        guard = read_guard(containers, parse_joining(joined), file, owner)
    except UnknownMeaningError as error:
        file.depth = depth
        file.report_oddity(FindingKind.UNKNOWN_CONDITIONS, str(error), element, owner)
        return None
    return GuardLevel(
        guard=combine_guards(level.guard, guard), repeats=(*level.repeats, tuple(repeats)) if repeats else level.repeats
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
    if field in _PICKED and not _counts_defaults(attrs):
        file.report_oddity(FindingKind.CONVENIENCE, f"modifier of {field}", element)
        return None
    change = _CHANGES.get(attrs.get("type", ""))
    if change is None:
        file.report_oddity(FindingKind.UNKNOWN_MODIFIER, f"type={attrs.get('type', '')!r}", element, owner)
        return None
    if field == _CATEGORY:
        file.register_reference(_TO_CATEGORY, attrs.get("value", ""), element, owner)
    elif field not in _TEXTS and field != DEFAULT_AMOUNT:
        file.register_reference(_TO_FIELD, field, element, owner)

    position = None
    if attrs.get("position"):
        try:
            position = parse_whole_number(attrs["position"])
        except ValueError:
            file.report_oddity(FindingKind.UNKNOWN_VALUE, f"modifier position={attrs['position'][:40]!r}", element)
    modifier = Modifier(
        change=change,
        field=field,
        value=attrs.get("value", ""),
        guard=inner_level.guard,
        repeats=inner_level.repeats,
        join=attrs.get("join", " "),
        position=position,
        arg=attrs.get("arg", ""),
    )
    return _place_modifier(modifier, attrs, element, file, owner)


def _counts_defaults(attrs: Attributes) -> bool:
    """Check that it sets its owner's default amount to one number. New Recruit also writes lists."""
    is_own = attrs.get("field") == DEFAULT_AMOUNT and not ("affects" in attrs or "scope" in attrs)
    return is_own and attrs.get("value", "").removeprefix("-").isdecimal()


def _place_modifier(
    modifier: Modifier, attrs: Attributes, element: Element, file: SourceFile, owner: str
) -> Modifier | Effect | None:
    if "affects" not in attrs and "scope" not in attrs:
        return modifier
    scope, affects = attrs.get("scope", Scope.SELF), attrs.get("affects", "")
    effect = build_effect(modifier, scope, affects)
    if effect is None:
        named = find_holder(element).get("name", "")
        what = f"{named}, scope={scope!r} affects={affects!r}"
        file.report_oddity(FindingKind.UNKNOWN_REACH, what, element, owner, named)
    return effect
