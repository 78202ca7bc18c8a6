"""Select the cards to print from everything a game is played with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypeVar

from catalogue.definitions.missions import DeploymentMapDefinition, MissionDefinition, Token
from catalogue.models import MapMeasures
from catalogue.services.play import MissionBrief, Play, list_tables
from roster.pdf.imposition.card_face import PrintCard
from roster.pdf.imposition.play_cards import (
    build_map_card,
    build_map_list_card,
    build_mission_cards,
    build_objective_card,
    build_reference_card,
    build_special_card,
    build_stratagem_card,
    build_token_cards,
)
from roster.pdf.imposition.print_cards import CannotPrintError

Thing = TypeVar("Thing")


class CardKind(StrEnum):
    """Kinds of cards, in the order in which they are printed."""

    MISSIONS = "missions"
    OBJECTIVES = "objectives"
    STRATAGEMS = "stratagems"
    MAPS = "maps"
    SPECIALS = "specials"
    REFERENCE = "reference"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelection:
    """What to print: kinds of cards, of some missions (none means all), with the thresholds of a battle size."""

    what: tuple[CardKind, ...]
    missions: tuple[str, ...] = ()
    size_id: str = ""


def read_selection(play: Play, what: Sequence[str], missions: Sequence[str], size_id: str) -> CardSelection:
    """Read a selection from parameters. Raises CannotPrintError for what does not exist."""
    _check_kinds(what)
    _check_missions(play, missions)
    _check_size(play, size_id)
    kinds = tuple(kind for kind in CardKind if kind.value in what) or (CardKind.MISSIONS,)
    return CardSelection(what=kinds, missions=tuple(dict.fromkeys(missions)), size_id=size_id)


def _check_kinds(what: Sequence[str]) -> None:
    known = {kind.value for kind in CardKind}
    for word in what:
        if word not in known:
            raise CannotPrintError("bad-option", given=word[:40], name="what", known=", ".join(CardKind))


def _check_size(play: Play, size_id: str) -> None:
    if size_id and size_id not in play.sizes:
        raise CannotPrintError("unknown-size", given=size_id[:60])


def _check_missions(play: Play, missions: Sequence[str]) -> None:
    for mission_id in missions:
        if mission_id not in play.missions:
            raise CannotPrintError("unknown-mission", given=mission_id[:60])


def select_cards(play: Play, selection: CardSelection, measures: Sequence[MapMeasures]) -> list[PrintCard]:
    """Return the selected cards; those that belong to missions only for the selected missions."""
    missions = [play.missions[mission_id] for mission_id in selection.missions]
    needed = _find_needed(play, missions) if missions else _Needed()
    # Functions, so that nothing is drawn of kinds that nobody asked for.
    builders: dict[CardKind, Callable[[], Iterable[PrintCard]]] = {
        CardKind.MISSIONS: lambda: _build_all_missions(play, missions or play.missions.values()),
        CardKind.OBJECTIVES: lambda: _build_objectives(play, needed.objectives, selection.size_id),
        CardKind.STRATAGEMS: lambda: map(partial(build_stratagem_card, play), play.stratagems.values()),
        CardKind.MAPS: lambda: _build_map_cards(play, _pick_things(play.maps, needed.maps), measures),
        CardKind.SPECIALS: lambda: map(partial(build_special_card, play), _pick_things(play.specials, needed.specials)),
        CardKind.REFERENCE: lambda: map(partial(build_reference_card, play), play.reference.values()),
        CardKind.TOKENS: lambda: _build_all_tokens(_pick_things(play.tokens, needed.tokens)),
    }
    return [card for kind in selection.what for card in builders[kind]()]


def _build_objectives(play: Play, ids: set[str] | None, size_id: str) -> Iterator[PrintCard]:
    for objective in _pick_things(play.objectives, ids):
        yield build_objective_card(play, objective, size_id)


def _build_all_missions(play: Play, missions: Iterable[MissionDefinition]) -> Iterator[PrintCard]:
    for mission in missions:
        yield from build_mission_cards(play, mission)


def _build_all_tokens(tokens: Iterable[Token]) -> Iterator[PrintCard]:
    for token in tokens:
        yield from build_token_cards(token)


def _build_map_cards(
    play: Play, maps: Sequence[DeploymentMapDefinition], measures: Sequence[MapMeasures]
) -> Iterator[PrintCard]:
    """Yield a card for each map that can be drawn, and one that names all others."""
    named: list[DeploymentMapDefinition] = []
    for deployment_map in maps:
        if tables := list_tables(deployment_map, measures):
            yield build_map_card(play, deployment_map, tables)
        else:
            named.append(deployment_map)
    if named:
        yield build_map_list_card(play, named)


@dataclass(frozen=True, slots=True)
class _Needed:
    """The ids of what some missions use; None means all."""

    objectives: set[str] | None = None
    specials: set[str] | None = None
    tokens: set[str] | None = None
    maps: set[str] | None = None


def _find_needed(play: Play, missions: Sequence[MissionDefinition]) -> _Needed:
    sides = [side for mission in missions for side in play.list_briefs(mission)]
    objectives = _find_named_objectives(sides).union(*(_find_drawn_objectives(play, mission) for mission in missions))
    return _Needed(
        objectives=objectives,
        specials={special.id for side in sides for special in side.specials},
        tokens=_find_tokens(play, sides, objectives),
        maps=_find_maps(sides),
    )


def _find_named_objectives(sides: Iterable[MissionBrief]) -> set[str]:
    """Return the ids of the objectives that missions name."""
    return {aim.aim.objective_id for side in sides for aim in side.aims}


def _find_drawn_objectives(play: Play, mission: MissionDefinition) -> set[str]:
    """Return the ids of the objectives that players of a mission may draw."""
    if not mission.draw:
        return set()
    groups = mission.draw.table or play.groups
    return {objective.id for objective in play.objectives.values() if objective.group in groups}


def _find_tokens(play: Play, sides: Iterable[MissionBrief], objectives: set[str]) -> set[str]:
    """Return the ids of the tokens that missions and their objectives place."""
    placed = [marker.markers for side in sides for marker in side.markers]
    placed += filter(None, (objective.markers for objective in _pick_things(play.objectives, objectives)))
    return {markers.token_id for markers in placed}


def _find_maps(sides: Sequence[MissionBrief]) -> set[str] | None:
    """Return the ids of the maps of missions; a mission without maps of its own rolls for one of all."""
    if not all(side.maps for side in sides):
        return None
    return {deployment_map.id for side in sides for deployment_map in side.maps}


def _pick_things(things: Mapping[str, Thing], ids: set[str] | None) -> list[Thing]:
    """Return the things with these ids in the order of the data, or all of them for None."""
    return [thing for thing_id, thing in things.items() if ids is None or thing_id in ids]
