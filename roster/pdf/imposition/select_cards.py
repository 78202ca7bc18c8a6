"""Select the cards to print from everything a game is played with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalogue.definitions.missions import Mission
from catalogue.models import MapMeasures
from catalogue.services.play import Play, tables_of
from roster.pdf.imposition.card_face import PrintCard
from roster.pdf.imposition.play_cards import (
    build_map_card,
    build_mission_cards,
    build_objective_card,
    build_reference_card,
    build_special_card,
    build_stratagem_card,
    build_token_cards,
)
from roster.pdf.imposition.print_cards import CannotPrintError


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
    known = {kind.value for kind in CardKind}
    for word in what:
        if word not in known:
            raise CannotPrintError("bad-option", given=word[:40], name="what", known=", ".join(CardKind))
    for mission_id in missions:
        if mission_id not in play.missions:
            raise CannotPrintError("unknown-mission", given=mission_id[:60])
    if size_id and size_id not in play.sizes:
        raise CannotPrintError("unknown-size", given=size_id[:60])
    kinds = tuple(kind for kind in CardKind if kind.value in what) or (CardKind.MISSIONS,)
    return CardSelection(what=kinds, missions=tuple(dict.fromkeys(missions)), size_id=size_id)


def select_cards(play: Play, choice: CardSelection, measures: Sequence[MapMeasures]) -> list[PrintCard]:
    """Return the selected cards; those that belong to missions only for the selected missions."""
    missions = [play.missions[mission_id] for mission_id in choice.missions] or list(play.missions.values())
    needed = _find_needed(play, missions) if choice.missions else None
    cards: list[PrintCard] = []
    for kind in choice.what:
        cards += _select_kind(kind, play, choice, missions, needed, measures)
    return cards


@dataclass(frozen=True, slots=True)
class _Needed:
    """The ids of what some missions use; `maps` is None if one of them rolls for its map."""

    objectives: set[str]
    specials: set[str]
    tokens: set[str]
    maps: set[str] | None


def _find_needed(play: Play, missions: Sequence[Mission]) -> _Needed:
    sides = [side for mission in missions for side in play.told(mission)]
    objectives = {aim.aim.objective_id for side in sides for aim in side.aims}
    groups = {group for mission in missions if mission.draw for group in mission.draw.table or play.groups}
    objectives |= {objective.id for objective in play.objectives.values() if objective.group in groups}
    tokens = {placed_markers.markers.token_id for side in sides for placed_markers in side.markers}
    tokens |= {
        markers.token_id
        for objective_id in objectives
        if objective_id in play.objectives and (markers := play.objectives[objective_id].markers)
    }
    rolled = any(not side.maps for side in sides)
    return _Needed(
        objectives=objectives,
        specials={special.id for side in sides for special in side.specials},
        tokens=tokens,
        maps=None if rolled else {where.id for side in sides for where in side.maps},
    )


def _select_kind(
    kind: CardKind,
    play: Play,
    choice: CardSelection,
    missions: Sequence[Mission],
    needed: _Needed | None,
    measures: Sequence[MapMeasures],
) -> Iterator[PrintCard]:
    match kind:
        case CardKind.MISSIONS:
            for mission in missions:
                yield from build_mission_cards(play, mission)
        case CardKind.OBJECTIVES:
            for objective in play.objectives.values():
                if needed is None or objective.id in needed.objectives:
                    yield build_objective_card(play, objective, choice.size_id)
        case CardKind.STRATAGEMS:
            yield from (build_stratagem_card(play, stratagem) for stratagem in play.stratagems.values())
        case CardKind.MAPS:
            for deployment_map in play.maps.values():
                if needed is None or needed.maps is None or deployment_map.id in needed.maps:
                    yield build_map_card(play, deployment_map, tables_of(deployment_map, measures))
        case CardKind.SPECIALS:
            for special in play.specials.values():
                if needed is None or special.id in needed.specials:
                    yield build_special_card(play, special)
        case CardKind.REFERENCE:
            yield from (build_reference_card(play, part) for part in play.reference.values())
        case CardKind.TOKENS:
            for token in play.tokens.values():
                if needed is None or token.id in needed.tokens:
                    yield from build_token_cards(token)
