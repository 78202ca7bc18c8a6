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
from catalogue.documents.problems import NO_SOURCE_LINE, SourceLine
from catalogue.formats.packs.syntax.base import Reference


class HasId(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> str: ...


class PlayKind(StrEnum):
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
class PlaySyntax:
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
    wanted: list[tuple[PlayKind, Reference]] = field(default_factory=list)
    packed: list[Reference] = field(default_factory=list)
    places: dict[tuple[PlayKind, str], SourceLine] = field(default_factory=dict)

    def place(self, kind: PlayKind, own: str) -> SourceLine:
        """Where a thing stands, as far as that was noted."""
        return self.places.get((kind, own), NO_SOURCE_LINE)

    def ids(self, kind: PlayKind) -> set[str]:
        """The ids of everything of a kind that the pack has."""
        found: dict[PlayKind, Sequence[HasId]] = {
            PlayKind.MISSION: self.missions,
            PlayKind.PACK: self.packs,
            PlayKind.SPECIAL: self.specials,
            PlayKind.OBJECTIVE: self.objectives,
            PlayKind.GROUP: self.groups,
            PlayKind.MAP: self.maps,
            PlayKind.SIZE: self.sizes,
            PlayKind.STRATAGEM: self.stratagems,
            PlayKind.TOKEN: self.tokens,
        }
        return {thing.id for thing in found[kind]}
