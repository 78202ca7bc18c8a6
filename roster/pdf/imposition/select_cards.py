"""Which cards of what a game is played with are to be printed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalogue.definitions.missions import Mission
from catalogue.models import MapMeasures
from catalogue.services.play import Play, tables_of
from roster.pdf.imposition.card_face import PrintCard
from roster.pdf.imposition.making.maps import map_card
from roster.pdf.imposition.making.missions import (
    mission_cards,
    objective_card,
    reference_card,
    special_card,
    stratagem_card,
)
from roster.pdf.imposition.making.tokens import token_cards
from roster.pdf.imposition.print_cards import CannotPrintError


class What(StrEnum):
    """Kinds of cards, in the order in which they are printed."""

    MISSIONS = "missions"
    OBJECTIVES = "objectives"
    STRATAGEMS = "stratagems"
    MAPS = "maps"
    SPECIALS = "specials"
    REFERENCE = "reference"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is to be printed: kinds, of some missions (none: of all), with the thresholds of a battle size."""

    what: tuple[What, ...]
    missions: tuple[str, ...] = ()
    size_id: str = ""


def read_choice(play: Play, what: Sequence[str], missions: Sequence[str], size_id: str) -> Choice:
    """The choice that parameters make. Raises CannotPrintError for what does not exist."""
    known = {kind.value for kind in What}
    for word in what:
        if word not in known:
            raise CannotPrintError("bad-option", given=word[:40], name="what", known=", ".join(What))
    for own in missions:
        if own not in play.missions:
            raise CannotPrintError("unknown-mission", given=own[:60])
    if size_id and size_id not in play.sizes:
        raise CannotPrintError("unknown-size", given=size_id[:60])
    kinds = tuple(kind for kind in What if kind.value in what) or (What.MISSIONS,)
    return Choice(what=kinds, missions=tuple(dict.fromkeys(missions)), size_id=size_id)


def chosen_cards(play: Play, choice: Choice, measures: Sequence[MapMeasures]) -> list[PrintCard]:
    """The cards of a choice; those that belong to missions only for the missions chosen."""
    missions = [play.missions[own] for own in choice.missions] or list(play.missions.values())
    needed = _needed(play, missions) if choice.missions else None
    found: list[PrintCard] = []
    for kind in choice.what:
        found += _of_kind(kind, play, choice, missions, needed, measures)
    return found


@dataclass(frozen=True, slots=True)
class _Needed:
    """The ids of what some missions use; `maps` is None where one of them is rolled for."""

    objectives: set[str]
    specials: set[str]
    tokens: set[str]
    maps: set[str] | None


def _needed(play: Play, missions: Sequence[Mission]) -> _Needed:
    told = [each for mission in missions for each in play.told(mission)]
    objectives = {aim.aim.objective_id for each in told for aim in each.aims}
    groups = {group for mission in missions if mission.draw for group in mission.draw.table or play.groups}
    objectives |= {objective.id for objective in play.objectives.values() if objective.group in groups}
    tokens = {laid.markers.token_id for each in told for laid in each.markers}
    tokens |= {
        markers.token_id
        for own in objectives
        if own in play.objectives and (markers := play.objectives[own].markers)
    }
    rolled = any(not each.maps for each in told)
    return _Needed(
        objectives=objectives,
        specials={special.id for each in told for special in each.specials},
        tokens=tokens,
        maps=None if rolled else {where.id for each in told for where in each.maps},
    )


def _of_kind(
    kind: What,
    play: Play,
    choice: Choice,
    missions: Sequence[Mission],
    needed: _Needed | None,
    measures: Sequence[MapMeasures],
) -> Iterator[PrintCard]:
    match kind:
        case What.MISSIONS:
            for mission in missions:
                yield from mission_cards(play, mission)
        case What.OBJECTIVES:
            for objective in play.objectives.values():
                if needed is None or objective.id in needed.objectives:
                    yield objective_card(play, objective, choice.size_id)
        case What.STRATAGEMS:
            yield from (stratagem_card(play, each) for each in play.stratagems.values())
        case What.MAPS:
            for found in play.maps.values():
                if needed is None or needed.maps is None or found.id in needed.maps:
                    yield map_card(play, found, tables_of(found, measures))
        case What.SPECIALS:
            for special in play.specials.values():
                if needed is None or special.id in needed.specials:
                    yield special_card(play, special)
        case What.REFERENCE:
            yield from (reference_card(play, part) for part in play.reference.values())
        case What.TOKENS:
            for token in play.tokens.values():
                if needed is None or token.id in needed.tokens:
                    yield from token_cards(token)
