"""Select which of a game's cards to print."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from catalogue.definitions.missions import DeploymentMapDefinition, MissionDefinition
from catalogue.models import MapMeasures
from catalogue.services.play import Play, list_tables
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
    """Kinds of cards, in print order."""

    MISSIONS = "missions"
    OBJECTIVES = "objectives"
    STRATAGEMS = "stratagems"
    MAPS = "maps"
    SPECIALS = "specials"
    REFERENCE = "reference"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSelection:
    """What to print, for one battle size. No `missions` means all."""

    what: tuple[CardKind, ...]
    missions: tuple[str, ...] = ()
    size_id: str = ""


def read_selection(play: Play, what: Sequence[str], missions: Sequence[str], size_id: str) -> CardSelection:
    """Read a selection from parameters. Raises CannotPrintError."""
    kind_names = {kind.value for kind in CardKind}
    for word in what:
        if word not in kind_names:
            raise CannotPrintError("bad-option", given=word[:40], name="what", known=", ".join(CardKind))
    for mission_id in missions:
        if mission_id not in play.missions:
            raise CannotPrintError("unknown-mission", given=mission_id[:60])
    if size_id and size_id not in play.sizes:
        raise CannotPrintError("unknown-size", given=size_id[:60])
    kinds = tuple(kind for kind in CardKind if kind.value in what) or (CardKind.MISSIONS,)
    return CardSelection(what=kinds, missions=tuple(dict.fromkeys(missions)), size_id=size_id)


def select_cards(play: Play, selection: CardSelection, measures: Sequence[MapMeasures]) -> list[PrintCard]:
    missions = [play.missions[mission_id] for mission_id in selection.missions]
    needed = _find_needed(play, missions) if missions else _Needed()
    cards: list[PrintCard] = []
    for kind in selection.what:
        match kind:
            case CardKind.MISSIONS:
                for mission in missions or play.missions.values():
                    cards += build_mission_cards(play, mission)
            case CardKind.OBJECTIVES:
                for objective in _pick_things(play.objectives, needed.objectives):
                    cards.append(build_objective_card(play, objective, selection.size_id))
            case CardKind.STRATAGEMS:
                cards += [build_stratagem_card(play, stratagem) for stratagem in play.stratagems.values()]
            case CardKind.MAPS:
                cards += _build_map_cards(play, _pick_things(play.maps, needed.maps), measures)
            case CardKind.SPECIALS:
                cards += [build_special_card(play, special) for special in _pick_things(play.specials, needed.specials)]
            case CardKind.REFERENCE:
                cards += [build_reference_card(play, part) for part in play.reference.values()]
            case CardKind.TOKENS:
                for token in _pick_things(play.tokens, needed.tokens):
                    cards += build_token_cards(token)
    return cards


def _build_map_cards(
    play: Play, maps: Sequence[DeploymentMapDefinition], measures: Sequence[MapMeasures]
) -> Iterator[PrintCard]:
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
    """None means all."""

    objectives: set[str] | None = None
    specials: set[str] | None = None
    tokens: set[str] | None = None
    maps: set[str] | None = None


def _find_needed(play: Play, missions: Sequence[MissionDefinition]) -> _Needed:
    sides = [side for mission in missions for side in play.list_briefs(mission)]
    objectives = {aim.aim.objective_id for side in sides for aim in side.aims}
    for mission in missions:
        if mission.draw:
            groups = mission.draw.table or play.groups
            objectives |= {objective.id for objective in play.objectives.values() if objective.group in groups}

    placed = [marker.markers for side in sides for marker in side.markers]
    placed += filter(None, (objective.markers for objective in _pick_things(play.objectives, objectives)))
    maps = None
    # If a mission has no maps, players roll for one of all.
    if all(side.maps for side in sides):
        maps = {deployment_map.id for side in sides for deployment_map in side.maps}
    return _Needed(
        objectives=objectives,
        specials={special.id for side in sides for special in side.specials},
        tokens={markers.token_id for markers in placed},
        maps=maps,
    )


def _pick_things(things: Mapping[str, Thing], ids: set[str] | None) -> list[Thing]:
    return [thing for thing_id, thing in things.items() if ids is None or thing_id in ids]
