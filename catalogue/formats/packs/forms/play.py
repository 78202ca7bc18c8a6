"""What a pack says of playing: read straight into definitions, with the names that they refer to kept for later."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from catalogue.definitions.maps import DeploymentMap
from catalogue.definitions.missions import (
    BattleSize,
    Mission,
    MissionPack,
    Objective,
    ObjectiveGroup,
    ReferencePart,
    Special,
    Stratagem,
    Token,
)
from catalogue.formats.packs.forms.base import Named
from catalogue.formats.packs.problems import NOWHERE_AT_ALL, Where


class Thing(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> str: ...


class Kind(StrEnum):
    """What may be referred to, by the word that mistakes are told with."""

    MISSION = "mission"
    PACK = "mission pack"
    SPECIAL = "special rule"
    OBJECTIVE = "objective"
    GROUP = "objective group"
    MAP = "map"
    SIZE = "battle size"
    STRATAGEM = "stratagem"
    TOKEN = "token"  # noqa: S105 - a thing that is laid on a table


@dataclass(slots=True)
class PlayForms:
    """Everything of that kind in the pack; `wanted` are the names that have to be there once all is read,
    `packed` those of packs, `places` where things stand that are rolled for."""

    missions: list[Mission] = field(default_factory=list)
    specials: list[Special] = field(default_factory=list)
    packs: list[MissionPack] = field(default_factory=list)
    groups: list[ObjectiveGroup] = field(default_factory=list)
    objectives: list[Objective] = field(default_factory=list)
    maps: list[DeploymentMap] = field(default_factory=list)
    sizes: list[BattleSize] = field(default_factory=list)
    stratagems: list[Stratagem] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    reference: list[ReferencePart] = field(default_factory=list)
    wanted: list[tuple[Kind, Named]] = field(default_factory=list)
    packed: list[Named] = field(default_factory=list)
    places: dict[tuple[Kind, str], Where] = field(default_factory=dict)

    def place(self, kind: Kind, own: str) -> Where:
        """Where a thing stands, as far as that was noted."""
        return self.places.get((kind, own), NOWHERE_AT_ALL)

    def ids(self, kind: Kind) -> set[str]:
        """The ids of everything of a kind that the pack has."""
        found: dict[Kind, Sequence[Thing]] = {
            Kind.MISSION: self.missions,
            Kind.PACK: self.packs,
            Kind.SPECIAL: self.specials,
            Kind.OBJECTIVE: self.objectives,
            Kind.GROUP: self.groups,
            Kind.MAP: self.maps,
            Kind.SIZE: self.sizes,
            Kind.STRATAGEM: self.stratagems,
            Kind.TOKEN: self.tokens,
        }
        return {thing.id for thing in found[kind]}
