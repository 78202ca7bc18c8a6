import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from catalogue.definitions.base import Identified
from catalogue.definitions.catalogues import Catalogue
from catalogue.definitions.citations import Citation, Publication
from catalogue.definitions.identity import choose_frame
from catalogue.definitions.missions import (
    Aim,
    BattleSize,
    Brief,
    DeploymentMapDefinition,
    MapTable,
    Markers,
    MissionDefinition,
    MissionPackDefinition,
    ObjectiveDefinition,
    ObjectiveGroup,
    ReferencePart,
    Scoring,
    Special,
    Stratagem,
    Token,
)
from catalogue.models import GameSystem, MapMeasures, PackVersion
from catalogue.services.documents import load_game_system
from catalogue.services.lru import Lru

PLAYS_KEPT = 32
_TIMES = re.compile(r"(\d*)X")


@dataclass(frozen=True, slots=True)
class MissionObjective:
    """`objective` is None if the version lacks it."""

    aim: Aim
    objective: ObjectiveDefinition | None
    sizes: Mapping[str, BattleSize]

    @property
    def name(self) -> str:
        return self.objective.name if self.objective else self.aim.objective_id

    @property
    def lines(self) -> list[tuple[str, str, str]]:
        return [(scoring.when, condition, points) for scoring, condition, points in self.scored_lines]

    @property
    def scored_lines(self) -> list[tuple[Scoring, str, str]]:
        lines = []
        for scoring in self.objective.scores if self.objective else ():
            conditions = [f"{self.sizes[size_id].name}: {text}" for size_id, text in scoring.by_size.items()]
            for text in conditions or [scoring.text]:
                condition = f"{text} Double {scoring.doubled}." if scoring.doubled else text
                lines.append((scoring, condition, format_points(scoring.points, self.aim.points)))
        return lines


@dataclass(frozen=True, slots=True)
class PlacedMarkers:
    markers: Markers
    token: Token | None


@dataclass(frozen=True, slots=True)
class MissionBrief:
    """The brief of one side, or of all players if `name` is blank."""

    brief: Brief
    name: str
    icon: str
    aims: tuple[MissionObjective, ...]
    markers: tuple[PlacedMarkers, ...]
    specials: tuple[Special, ...]
    maps: tuple[DeploymentMapDefinition, ...]


class Play:
    def __init__(self, system: Catalogue) -> None:
        play_book = system.play
        self.name = system.name
        self.frame = choose_frame(system.name, system.identity.frame)
        self.missions: dict[str, MissionDefinition] = _index_by_id(system.missions)
        self.specials: dict[str, Special] = _index_by_id(system.specials)
        self.packs: dict[str, MissionPackDefinition] = _index_by_id(play_book.packs)
        self.groups: dict[str, ObjectiveGroup] = _index_by_id(play_book.groups)
        self.objectives: dict[str, ObjectiveDefinition] = _index_by_id(play_book.objectives)
        self.maps: dict[str, DeploymentMapDefinition] = _index_by_id(play_book.maps)
        self.sizes: dict[str, BattleSize] = _index_by_id(play_book.sizes)
        self.stratagems: dict[str, Stratagem] = _index_by_id(play_book.stratagems)
        self.tokens: dict[str, Token] = _index_by_id(play_book.tokens)
        self.reference: dict[str, ReferencePart] = _index_by_id(play_book.reference)
        self.table = play_book.table
        self.books: dict[str, Publication] = _index_by_id(system.publications)
        # Cards have no room for a book's title.
        self.short_books = {
            play_book.id: msgspec.structs.replace(play_book, name=play_book.short_name or play_book.name)
            for play_book in system.publications
        }

    def __bool__(self) -> bool:
        return bool(self.missions or self.objectives or self.tokens or self.reference)

    @property
    def sized(self) -> list[BattleSize]:
        """The battle sizes, if some objective scores differently by size."""
        differ = any(score.by_size for objective in self.objectives.values() for score in objective.scores)
        return list(self.sizes.values()) if differ else []

    def format_citation(self, citation: Citation) -> dict[str, str]:
        """Return a citation for the filter `cite`."""
        book = self.books.get(citation.publication_id)
        name = book.name if book else citation.publication_id
        return {"book": name, "section": citation.section, "page": citation.page}

    def list_briefs(self, mission: MissionDefinition) -> Iterator[MissionBrief]:
        differing = list(filter(_has_content, mission.sides))
        # An empty mission still has a name and a page.
        if _has_content(mission) or not differing:
            yield self._build_brief(mission, "", mission.icon)
        for side in differing:
            yield self._build_brief(side, side.name, side.icon or mission.icon)

    def list_objectives(self, group_id: str) -> list[ObjectiveDefinition]:
        """Return the objectives of a group; "" means no group."""
        return [objective for objective in self.objectives.values() if objective.group == group_id]

    def list_missions(self, pack: str) -> list[MissionDefinition]:
        return [mission for mission in self.missions.values() if mission.pack == pack]

    def find_pack(self, name: str) -> MissionPackDefinition | None:
        return next((pack for pack in self.packs.values() if pack.name == name), None)

    @property
    def rollable_maps(self) -> list[DeploymentMapDefinition]:
        return [deployment for deployment in self.maps.values() if deployment.roll is not None]

    @property
    def pack_names(self) -> list[str]:
        return list(dict.fromkeys(mission.pack for mission in self.missions.values()))

    def _build_brief(self, brief: Brief, name: str, icon: str) -> MissionBrief:
        return MissionBrief(
            brief=brief,
            name=name,
            icon=icon,
            aims=tuple(MissionObjective(aim, self.objectives.get(aim.objective_id), self.sizes) for aim in brief.aims),
            markers=tuple(PlacedMarkers(markers, self.tokens.get(markers.token_id)) for markers in brief.markers),
            specials=_pick_known(self.specials, brief.specials),
            maps=_pick_known(self.maps, brief.maps),
        )


_plays: Lru[str, Play] = Lru(PLAYS_KEPT)


def load_play(version: PackVersion) -> Play:
    """Read the play material, once per process and content."""
    return _plays.get(version.content_hash, lambda: Play(load_game_system(version)))


def list_tables(
    deployment_map: DeploymentMapDefinition, measures: Iterable[MapMeasures]
) -> Sequence[tuple[MapTable, bool]]:
    """Return a map's tables, each with whether staff entered its distances."""
    entered = [(m.table, True) for m in measures if m.map_id == deployment_map.id]
    return [*((table, False) for table in deployment_map.tables), *entered]


def list_measures(game: GameSystem) -> list[MapMeasures]:
    return list(MapMeasures.objects.filter(game=game))


def format_points(points: str, x: str) -> str:
    """Replace X in the points by the mission's value.

    >>> format_points("2X more", "4"), format_points("X", "3"), format_points("all of it", "3"), format_points("2X", "")
    ('8 more', '3', 'all of it', '2X')
    """
    # Some books have words for X.
    if not x.isdecimal():
        return points
    return _TIMES.sub(lambda match: str(int(match[1] or 1) * int(x)), points)


def _has_content(brief: Brief) -> bool:
    return any((brief.aims, brief.paragraphs, brief.maps, brief.markers, brief.total, brief.specials))


def _pick_known(by_id: Mapping[str, Identified], ids: Iterable[str]) -> tuple[Identified, ...]:
    """Skip unknown ids, which older versions of the data may name."""
    return tuple(by_id[thing_id] for thing_id in ids if thing_id in by_id)


def _index_by_id(things: Iterable[Identified]) -> dict[str, Identified]:
    return {thing.id: thing for thing in things}
