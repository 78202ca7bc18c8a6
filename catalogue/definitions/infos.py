"""Infos are shown with an entry and never counted: profiles, rules, groups, and links to shared ones."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.queries import Modifier


class FormatRule(Definition):
    """How a figure is shown: matches of the regular expression `match` are replaced by `replacement`.

    In the replacement, `$1` is the first group, `$&` the whole match, `$$` a dollar sign.
    """

    match: str
    replacement: str = ""


class CharacteristicType(Definition):
    """A column of a profile table. `default` is shown if a profile has no value; `formats` change the shown value."""

    id: str
    name: str
    default: str = ""
    formats: tuple[FormatRule, ...] = ()


class ProfileType(Definition):
    """A kind of profile table: models, weapons, vehicles. `glance` lists the ids of the columns that sum up a unit."""

    id: str
    name: str
    characteristic_types: tuple[CharacteristicType, ...] = ()
    glance: tuple[str, ...] = ()


class Characteristic(Definition):
    """One value of a profile, as printed."""

    type_id: str
    name: str
    value: str = ""


class InfoKind(StrEnum):
    PROFILE = "profile"
    RULE = "rule"
    GROUP = "group"
    LINK = "link"


class Phase(StrEnum):
    """When an ability matters: in a phase, at any time, when its owner is destroyed, or in list building."""

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
    """A profile (`type_id`, `characteristics`), a rule (`description`), a group (`infos`) or a link (`target_id`).

    They are one type because readers, links, modifiers and hiding treat them alike. A rule of a native pack carries a
    reminder in our own words; `parameter` is the text in brackets after its name.
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
