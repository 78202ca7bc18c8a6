"""Which profiles are those of models rather than of what models carry, by the words that games use."""

import re
from collections.abc import Iterable

from roster.engine.report import EffectiveProfile, EffectiveSelection

LIFE = ("W", "FOR", "Endurance", "Wounds", "Health", "HP", "Hit Points", "Hits", "Damage Points", "Structure", "HULL")
"""The columns that say how much a model can take, as games call them."""
_KINDS = frozenset(
    (
        *("unit", "model", "models", "operative", "player", "mercenary", "infantry", "vehicle", "vehicles", "aircraft"),
        *("team", "squad", "squads", "hero", "warrior", "detachment", "transports", "manifestation", "fortification"),
        *("global", "offensive", "defensive", "troop"),
    )
)
"""Words in the names of tables that are about models."""
_OTHERS = frozenset(["weapon", "weapons", "track", "tracks", "trackers"])
"""Words in the names of tables that are about something else, even if they have a column of wounds."""
_WORD = re.compile(r"[^\W\d_]+")


def is_model_table(title: str, columns: Iterable[str]) -> bool:
    """Say whether a table holds profiles of models.

    >>> is_model_table("Unit", ["Quality", "Defense"]), is_model_table("Melee Weapon", ["Attacks"])
    (True, False)
    >>> is_model_table("Siege", ["Strength", "Wounds"]), is_model_table("Wound Track", ["Wounds", "Move"])
    (True, False)
    """
    words = {word.casefold() for word in _WORD.findall(title)}
    return not words & _OTHERS and (bool(words & _KINDS) or any(column in LIFE for column in columns))


def is_model_profile(profile: EffectiveProfile) -> bool:
    """Say whether a profile is that of a model; a single text is a rule, whatever its table is called."""
    columns = [characteristic.name for characteristic in profile.characteristics]
    return len(columns) > 1 and is_model_table(profile.type_name, columns)


def has_model_profile(node: EffectiveSelection) -> bool:
    """Say whether a selection has a profile of models itself."""
    return any(map(is_model_profile, node.profiles))


def holds_models(node: EffectiveSelection) -> bool:
    """Say whether a selection is a unit or wraps one, whatever its type: it has models, or a profile of models."""
    return any(part.type in ("unit", "model") or has_model_profile(part) for part in node.walk())
