"""Modifiers and groups of them, flattened: each carries the conditions and repeats of all groups around it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import ALWAYS, Change, Effect, Guard, Modifier, Repeat
from catalogue.formats.battlescribe.attributes import Known, attributes
from catalogue.formats.battlescribe.findings import Kind
from catalogue.formats.battlescribe.markup import Element
from catalogue.formats.battlescribe.newrecruit import SEVERITIES, effect, holder_of, message
from catalogue.formats.battlescribe.queries import UnknownMeaningError, both, condition_groups, guard, repeat
from catalogue.formats.battlescribe.source import (
    Attributes,
    Part,
    Ref,
    SourceFile,
    local_name,
    unknown_element,
)

_MODIFIER = Known("type field value id scope affects join position arg")
_MODIFIER_PARTS = frozenset(("conditions", "conditionGroups", "localConditionGroups", "repeats", "comment"))
_GROUP = Known("type id")
_GROUP_PARTS = _MODIFIER_PARTS | {"modifiers", "modifierGroups"}
_CHANGES = {str(change): change for change in Change}
_TEXTS = frozenset(("name", "annotation", "hidden", "description", "page"))
_CATEGORY = "category"
_PICKED = frozenset(("defaultAmount", "defaultSelectionEntryId"))

CHANGES = "changes"
"""The field under which what modifiers become is gathered, before `sorted_out` puts it where it belongs."""


class _Level(NamedTuple):
    """What the groups around a modifier demand of it."""

    guard: Guard = ALWAYS
    repeats: tuple[tuple[Repeat, ...], ...] = ()


_TOP = _Level()


def modifiers(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    """What is inside a `<modifiers>`."""
    return list(_modifiers(container, _TOP, file, owner))


def modifier_groups(container: Element, file: SourceFile, owner: str) -> list[Modifier | Effect | Constraint]:
    """What is inside a `<modifierGroups>`."""
    return list(_groups(container, _TOP, file, owner))


MODIFIER_PARTS = {
    "modifiers": Part(CHANGES, modifiers),
    "modifierGroups": Part(CHANGES, modifier_groups),
}


def sorted_out(
    parts: dict[str, Any], element: Element, file: SourceFile, *, whole: bool = False
) -> dict[str, Any]:
    """`parts` with the changes put under the fields they belong to.

    Only entries (`whole`) can carry effects and messages; elsewhere those are reported and left out.
    """
    changes = parts.pop(CHANGES, ())
    if not changes:
        return parts
    parts["modifiers"] = tuple(c for c in changes if isinstance(c, Modifier))
    others = [c for c in changes if not isinstance(c, Modifier)]
    if others and whole:
        parts["effects"] = tuple(c for c in others if isinstance(c, Effect))
        parts["constraints"] = parts.get("constraints", ()) + tuple(
            c for c in others if isinstance(c, Constraint)
        )
    elif others:
        name = local_name(element.tag)
        named = element.get("name", "")
        what = f"{name} {named} with an effect or a message"
        file.note(Kind.UNKNOWN_REACH, what, element, element.get("id", ""), named)
    return parts


def _modifiers(
    container: Element, level: _Level, file: SourceFile, owner: str
) -> Iterator[Modifier | Effect | Constraint]:
    for element in container:
        if local_name(element.tag) != "modifier":
            unknown_element(element, file, owner)
            continue
        made = _modifier(element, level, file, owner)
        if made is not None:
            yield made


def _groups(
    container: Element, level: _Level, file: SourceFile, owner: str
) -> Iterator[Modifier | Effect | Constraint]:
    for group in container:
        if local_name(group.tag) != "modifierGroup":
            unknown_element(group, file, owner)
            continue
        attrs = attributes(group, _GROUP, file, owner)
        inner = _level(group, level, attrs.get("type", "and"), _GROUP_PARTS, file, owner)
        if inner is None:
            continue
        file.enter(group)
        for inside in group:
            name = local_name(inside.tag)
            if name == "modifiers":
                yield from _modifiers(inside, inner, file, owner)
            elif name == "modifierGroups":
                yield from _groups(inside, inner, file, owner)
        file.depth -= 1


def _level(
    element: Element, level: _Level, joined: str, known: frozenset[str], file: SourceFile, owner: str
) -> _Level | None:
    """`level` with the conditions and repeats of `element`; None where they are not understood, which is reported."""
    if not len(element):
        return level
    depth = file.depth
    try:
        return _deeper(element, level, joined, known, file, owner)
    except UnknownMeaningError as error:
        file.depth = depth
        file.note(Kind.UNKNOWN_CONDITIONS, str(error), element, owner)
        return None


def _deeper(
    element: Element, level: _Level, joined: str, known: frozenset[str], file: SourceFile, owner: str
) -> _Level:
    repeats: list[Repeat] = []
    for container in element:
        name = local_name(container.tag)
        if name == "repeats":
            repeats += [repeat(child, file, owner) for child in container]
        elif name not in known:
            unknown_element(container, file, owner)
    return _Level(
        guard=both(level.guard, guard(element, condition_groups(joined), file, owner)),
        repeats=(*level.repeats, tuple(repeats)) if repeats else level.repeats,
    )


def _modifier(
    element: Element, level: _Level, file: SourceFile, owner: str
) -> Modifier | Effect | Constraint | None:
    attrs = attributes(element, _MODIFIER, file, owner)
    own = _level(element, level, "and", _MODIFIER_PARTS, file, owner)
    if own is None:
        return None
    field = attrs.get("field", "")
    if field in SEVERITIES:
        return message(element, attrs, own.guard, owner)
    if field in _PICKED:
        file.note(Kind.CONVENIENCE, f"modifier of {field}", element)
        return None
    change = _CHANGES.get(attrs.get("type", ""))
    if change is None:
        file.note(Kind.UNKNOWN_MODIFIER, f"type={attrs.get('type', '')!r}", element, owner)
        return None
    _refer(field, attrs, element, file, owner)
    made = _made(change, field, attrs, own, element, file)
    return _placed(made, attrs, element, file, owner)


def _made(
    change: Change, field: str, attrs: Attributes, level: _Level, element: Element, file: SourceFile
) -> Modifier:
    value = attrs.get("value", "")
    if attrs.keys() <= _PLAIN:
        return Modifier(change=change, field=field, value=value, guard=level.guard, repeats=level.repeats)
    return Modifier(
        change=change,
        field=field,
        value=value,
        guard=level.guard,
        repeats=level.repeats,
        join=attrs.get("join", " "),
        position=_position(attrs, element, file),
        arg=attrs.get("arg", ""),
    )


_PLAIN = frozenset(("type", "field", "value", "id"))


def _position(attrs: Attributes, element: Element, file: SourceFile) -> int | None:
    text = attrs.get("position")
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        file.note(Kind.UNKNOWN_VALUE, f"modifier position={text[:40]!r}", element)
        return None


def _placed(
    made: Modifier, attrs: Attributes, element: Element, file: SourceFile, owner: str
) -> Modifier | Effect | None:
    """The modifier itself, or as an effect where it says that it changes something else than its owner."""
    if "affects" not in attrs and "scope" not in attrs:
        return made
    found = effect(made, attrs.get("scope", "self"), attrs.get("affects", ""))
    if found is None:
        named = holder_of(element).get("name", "")
        what = f"{named}, scope={attrs.get('scope', '')!r} affects={attrs.get('affects', '')!r}"
        file.note(Kind.UNKNOWN_REACH, what, element, owner, named)
    return found


def _refer(field: str, attrs: Attributes, element: Element, file: SourceFile, owner: str) -> None:
    if field == _CATEGORY:
        file.refer(Ref.CATEGORY, attrs.get("value", ""), element, owner)
    elif field not in _TEXTS:
        file.refer(Ref.FIELD, field, element, owner)
