"""A player's plan for a game with a list. Rules of the stage `list` never read it."""

from collections.abc import Callable, Mapping

from catalogue.definitions.missions import MissionDefinition
from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import Planning
from catalogue.definitions.queries import AGREED, CHOSEN, KNOWN, LIMIT, PLANNED
from catalogue.graph.ruleset import Ruleset
from roster.engine.tree import Value


class Join(Value):
    """A character joining a unit, by selection ids."""

    character_id: str
    host_id: str


class Ride(Value):
    """A unit that starts aboard another, by selection ids."""

    passenger_id: str
    transport_id: str


class Answer(Value):
    question: str
    option: str
    unit_id: str = ""


class GamePlan(Value):
    """A player's decisions for one game with a list.

    `opponents` and `allies` are faction ids, or any names. `numbers` are others that rules use, such as the table
    width. `names` keeps the names of planned selections and missions, in case they are removed.
    """

    mission: str = ""
    side: str = ""
    opponents: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()
    rides: tuple[Ride, ...] = ()
    reserves: tuple[str, ...] = ()
    commander_id: str = ""
    objective: str = ""
    answers: tuple[Answer, ...] = ()
    numbers: Mapping[str, Number] = {}
    notes: str = ""
    names: Mapping[str, str] = {}


def list_planned_ids(game: GamePlan) -> tuple[str, ...]:
    ids: list[str] = []
    for join in game.joins:
        ids += (join.character_id, join.host_id)
    for ride in game.rides:
        ids += (ride.passenger_id, ride.transport_id)
    ids += (*game.reserves, game.commander_id)
    ids += (answer.unit_id for answer in game.answers)
    return tuple(dict.fromkeys(filter(None, ids)))


def get_planning(ruleset: Ruleset) -> Planning:
    system = ruleset.binding.game_system
    return system.planning if system else Planning()


def get_missions(ruleset: Ruleset) -> tuple[MissionDefinition, ...]:
    system = ruleset.binding.game_system
    return system.missions if system else ()


def find_mission(ruleset: Ruleset, game: GamePlan) -> MissionDefinition | None:
    return next((mission for mission in get_missions(ruleset) if mission.id == game.mission), None)


def list_special_rules(ruleset: Ruleset, game: GamePlan) -> tuple[str, ...]:
    """For an unknown side, list the rules that all sides share."""
    mission = find_mission(ruleset, game)
    if mission is None:
        return ()
    sides = [side for side in mission.sides if side.id == game.side] or list(mission.sides)
    shared = [
        rule_id for first in sides[:1] for rule_id in first.specials if all(rule_id in side.specials for side in sides)
    ]
    return (*mission.specials, *shared)


def name_known_value(ruleset: Ruleset, field: str) -> str:
    """Return "" for an unknown limit or number."""
    word, _, subject_id = field.partition(KNOWN)
    name_value = _NAMES.get(word)
    return name_value(ruleset, subject_id) if name_value else ""


def _name_cost(ruleset: Ruleset, type_id: str) -> str:
    cost_type = ruleset.binding.cost_types.get(type_id)
    return cost_type.name if cost_type else type_id


def _name_number(ruleset: Ruleset, number_id: str) -> str:
    return next((number.name for number in get_planning(ruleset).numbers if number.id == number_id), number_id)


def _name_answer(ruleset: Ruleset, subject_id: str) -> str:
    question_id, _, option_id = subject_id.partition("/")
    for question in get_planning(ruleset).questions:
        if question.id == question_id:
            names = (option.name for option in question.options if option.id == option_id)
            return next(names, question.name)
    return ""


_NAMES: Mapping[str, Callable[[Ruleset, str], str]] = {
    LIMIT: _name_cost,
    AGREED: _name_cost,
    PLANNED: _name_number,
    CHOSEN: _name_answer,
}
