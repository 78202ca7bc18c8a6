"""Infos, which are shown with an entry and never counted: profiles, rules, groups of them, and links to shared ones."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.queries import Modifier


class FormatRule(Definition):
    """How a figure is shown: matches of the regular expression `match` are replaced by `replacement`.

    In that `$1` is the first group of the expression, `$&` all that matched, `$$` the sign itself.
    """

    match: str
    replacement: str = ""


class CharacteristicType(Definition):
    """A column of a profile table; `default` is shown where a profile says nothing, `formats` change what is shown."""

    id: str
    name: str
    default: str = ""
    formats: tuple[FormatRule, ...] = ()


class ProfileType(Definition):
    """A kind of profile table: models, weapons, vehicles. `glance` are the ids of the columns that sum a unit up."""

    id: str
    name: str
    characteristic_types: tuple[CharacteristicType, ...] = ()
    glance: tuple[str, ...] = ()


class Characteristic(Definition):
    """One figure of a profile, as printed."""

    type_id: str
    name: str
    value: str = ""


class InfoKind(StrEnum):
    PROFILE = "profile"
    RULE = "rule"
    GROUP = "group"
    LINK = "link"


class Phase(StrEnum):
    """When an ability matters: in a phase of the turn, at any time, as its owner is destroyed, while a list is made."""

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

    One type for the four, because readers, links, modifiers and hiding treat them alike. A rule of a native pack
    carries a reminder in our own short words, and `parameter` for what is in brackets after its name.
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
