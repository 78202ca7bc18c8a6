"""Tell model profiles from equipment profiles by the words that games use."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from catalogue.definitions.entries import EntryType
from catalogue.definitions.infos import InfoKind
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import Ruleset
from roster.engine.nodes import SelectionNode
from roster.engine.report import EffectiveProfile, EffectiveSelection

LIFE = ("W", "FOR", "Endurance", "Wounds", "Health", "HP", "Hit Points", "Hits", "Damage Points", "Structure", "HULL")
"""Columns for how much damage a model can take."""
_KINDS = frozenset(
    (
        *("unit", "model", "models", "operative", "player", "mercenary", "infantry", "vehicle", "vehicles", "aircraft"),
        *("team", "squad", "squads", "hero", "warrior", "detachment", "transports", "manifestation", "fortification"),
        *("global", "offensive", "defensive", "troop"),
    )
)
"""Words in the names of tables of models."""
_OTHERS = frozenset(["weapon", "weapons", "track", "tracks", "trackers"])
"""Words in the names of other tables that may have a column of wounds."""
_WORD = re.compile(r"[^\W\d_]+")


def is_model_table(title: str, columns: Iterable[str]) -> bool:
    """Return whether a table holds profiles of models.

    >>> is_model_table("Unit", ["Quality", "Defense"]), is_model_table("Melee Weapon", ["Attacks"])
    (True, False)
    >>> is_model_table("Siege", ["Strength", "Wounds"]), is_model_table("Wound Track", ["Wounds", "Move"])
    (True, False)
    """
    words = {word.casefold() for word in _WORD.findall(title)}
    return not words & _OTHERS and (bool(words & _KINDS) or any(column in LIFE for column in columns))


def is_model_profile(profile: EffectiveProfile) -> bool:
    """Return False for a profile with a single text, which is a rule."""
    columns = [characteristic.name for characteristic in profile.characteristics]
    return len(columns) > 1 and is_model_table(profile.type_name, columns)


def has_model_profile(node: EffectiveSelection) -> bool:
    return any(map(is_model_profile, node.profiles))


def has_models(node: EffectiveSelection) -> bool:
    """Return whether a selection is or contains a model, or has a model's profile."""
    return any(part.type == "model" or has_model_profile(part) for part in node.walk())


def holds_models(node: EffectiveSelection) -> bool:
    """Return whether a selection of any type is or contains a unit or model."""
    return any(part.type in ("unit", "model") or has_model_profile(part) for part in node.walk())


def list_models(
    node: EffectiveSelection,
    list_inside: Callable[[EffectiveSelection], Iterable[EffectiveSelection]] = lambda part: part.selections,
) -> list[EffectiveSelection]:
    """Return the models of a unit, which may be the unit itself.

    Without models in the data, return the outermost selections with a model's profile; [] if the unit has its own.
    """
    return _find_models(node, list_inside, lambda part: part.type, has_model_profile)


Part = TypeVar("Part", EffectiveSelection, SelectionNode)


def _find_models(
    node: Part,
    list_inside: Callable[[Part], Iterable[Part]],
    get_type: Callable[[Part], str],
    has_profile: Callable[[Part], bool],
) -> list[Part]:
    models, outermost = [], []
    is_unit = get_type(node) == EntryType.UNIT and has_profile(node)
    pending: list[tuple[Part, bool]] = [(node, is_unit)]
    while pending:
        part, is_inside = pending.pop(0)
        if get_type(part) == EntryType.MODEL:
            models.append(part)
        if not is_inside and has_profile(part):
            outermost.append(part)
            is_inside = True
        pending[:0] = [(child, is_inside) for child in list_inside(part)]
    return models or outermost


def list_units_together(choice: EffectiveSelection) -> list[EffectiveSelection]:
    """Return units taken together as one choice; [] if the choice is a unit."""
    if choice.profiles or any(part.type == EntryType.MODEL for part in choice.selections):
        return []
    return [part for part in choice.selections if part.type == EntryType.UNIT]


_UNITS = (EntryType.UNIT, EntryType.MODEL)
_DEEPEST = 2
"""How deep models are inside an entry that wraps their unit."""


def is_unit_entry(ruleset: Ruleset, entry: CompiledEntry) -> bool:
    """Decide by the definitions alone whether an entry is or wraps a unit or model."""
    return ruleset.derive((is_unit_entry, entry), lambda: _wraps_models(ruleset, entry, _DEEPEST))


def _wraps_models(ruleset: Ruleset, entry: CompiledEntry, depth: int) -> bool:
    if entry.target.type in _UNITS or _has_model_info(ruleset, entry):
        return True
    return depth > 0 and any(_wraps_models(ruleset, child, depth - 1) for child in entry.children)


def _has_model_info(ruleset: Ruleset, entry: CompiledEntry) -> bool:
    for info in resolve_infos(ruleset.binding, entry.infos):
        if info.kind is InfoKind.PROFILE and len(info.characteristics) > 1:
            profile_type = ruleset.binding.profile_types.get(info.type_id)
            title = info.type_name or (profile_type.name if profile_type else "")
            if is_model_table(title, [characteristic.name for characteristic in info.characteristics]):
                return True
    return False


def is_unit_node(ruleset: Ruleset, node: SelectionNode) -> bool:
    """Decide without the effective tree whether a selection is or contains a unit or model."""
    return any(part.option and _wraps_models(ruleset, part.option.entry, 0) for part in node.walk())


def list_model_nodes(ruleset: Ruleset, node: SelectionNode) -> list[SelectionNode]:
    """Return the same as `list_models`, without the effective tree."""
    return _find_models(
        node,
        lambda part: part.members,
        _get_type,
        lambda part: part.option is not None and _has_model_info(ruleset, part.option.entry),
    )


def list_unit_nodes_together(ruleset: Ruleset, choice: SelectionNode) -> list[SelectionNode]:
    """Return the same as `list_units_together`, without the effective tree. An unknown selection may be a unit."""
    infos = resolve_infos(ruleset.binding, choice.option.entry.infos) if choice.option else ()
    has_profile = any(info.kind is InfoKind.PROFILE for info in infos)
    if has_profile or any(_get_type(part) == EntryType.MODEL for part in choice.members):
        return []
    return [part for part in choice.members if part.option is None or _get_type(part) == EntryType.UNIT]


def _get_type(node: SelectionNode) -> str:
    return node.option.entry.target.type if node.option else ""
