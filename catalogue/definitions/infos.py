"""Profiles, rules, groups of them, and links. Pages show them with an entry; rules never count them."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.queries import Modifier


class FormatRule(Definition):
    """Replaces matches of the regular expression `match` in shown figures.

    In `replacement`, `$1` is the first group, `$&` the whole match, `$$` a dollar sign.
    """

    match: str
    replacement: str = ""


class CharacteristicType(Definition):
    """A column of a profile table. `default` replaces a missing value."""

    id: str
    name: str
    default: str = ""
    formats: tuple[FormatRule, ...] = ()


class ProfileType(Definition):
    """A kind of profile table: models, weapons, vehicles. `glance` lists ids of the columns that sum up a unit."""

    id: str
    name: str
    characteristic_types: tuple[CharacteristicType, ...] = ()
    glance: tuple[str, ...] = ()


class Characteristic(Definition):
    type_id: str
    name: str
    value: str = ""


class InfoKind(StrEnum):
    PROFILE = "profile"
    RULE = "rule"
    GROUP = "group"
    LINK = "link"


class Phase(StrEnum):
    """When an ability matters. `destroyed` means when its owner is destroyed."""

    COMMAND = "command"
    MOVEMENT = "movement"
    PSYCHIC = "psychic"
    SHOOTING = "shooting"
    CHARGE = "charge"
    FIGHT = "fight"
    MORALE = "morale"
    ANY = "any"
    DESTROYED = "destroyed"
    LIST = "list"
    UNKNOWN = ""


class Info(Definition):
    """A profile, rule, group or link. Readers, modifiers and hiding treat them alike.

    A native pack describes a rule in our own words. `parameter` is the text in brackets after its name.
    """

    id: str
    kind: InfoKind
    name: str = ""
    hidden: bool = False
    type_id: str = ""
    type_name: str = ""
    characteristics: tuple[Characteristic, ...] = ()
    description: str = ""
    phase: Phase = Phase.UNKNOWN
    parameter: str = ""
    infos: tuple["Info", ...] = ()
    target_id: str = ""
    modifiers: tuple[Modifier, ...] = ()
    citation: Citation = NOWHERE
