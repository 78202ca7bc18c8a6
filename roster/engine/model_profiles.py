"""Tell profiles of models from profiles of their equipment, by the words that games use."""

import re
from collections.abc import Iterable

from roster.engine.report import EffectiveProfile, EffectiveSelection

LIFE = ("W", "FOR", "Endurance", "Wounds", "Health", "HP", "Hit Points", "Hits", "Damage Points", "Structure", "HULL")
"""Names of columns for how much damage a model can take."""
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
    """Return whether a profile is a model's. A profile with a single text is a rule."""
    columns = [characteristic.name for characteristic in profile.characteristics]
    return len(columns) > 1 and is_model_table(profile.type_name, columns)


def has_model_profile(node: EffectiveSelection) -> bool:
    """Return whether a selection itself has a model's profile."""
    return any(map(is_model_profile, node.profiles))


def holds_models(node: EffectiveSelection) -> bool:
    """Return whether a selection of any type is or contains a unit or model."""
    return any(part.type in ("unit", "model") or has_model_profile(part) for part in node.walk())
