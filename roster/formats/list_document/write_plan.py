"""A game plan as part of a list document."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from roster.engine.plan import Answer, GamePlan, list_planned_ids
from roster.engine.tree import Force, RosterTree, Selection

Json = dict[str, Any]


def assign_refs(roster: RosterTree, game: GamePlan | None) -> Mapping[str, str]:
    """Assign a ref to each selection the plan refers to; what is gone keeps the name the plan kept."""
    if game is None:
        return {}
    wanted = list_planned_ids(game)
    there = [unit_id for force in roster.forces for unit_id in _walk_ids(force) if unit_id in wanted]
    gone = {unit_id: game.names.get(unit_id) or unit_id for unit_id in wanted if unit_id not in there}
    # Nothing that is there may be called what something that is gone was called.
    free = (ref for number in count(1) if (ref := f"u{number}") not in gone.values())
    return {**gone, **dict(zip(there, free, strict=False))}


def write_plan(game: GamePlan, refs: Mapping[str, str]) -> Json:
    """Write the plan in the form that `ListedPlan` declares, without empty keys."""
    units = dict.fromkeys(answer.unit_id for answer in game.answers if answer.unit_id)
    document = {
        "mission": game.mission,
        "side": game.side,
        "opponents": list(game.opponents),
        "allies": list(game.allies),
        "commander": refs.get(game.commander_id, ""),
        "objective": game.objective,
        "joins": {refs[join.character_id]: refs[join.host_id] for join in game.joins},
        "aboard": {refs[ride.passenger_id]: refs[ride.transport_id] for ride in game.rides},
        "reserves": [refs[unit_id] for unit_id in game.reserves],
        "choices": _write_choices(answer for answer in game.answers if not answer.unit_id),
        "units": {
            refs[unit_id]: _write_choices(a for a in game.answers if a.unit_id == unit_id)
            for unit_id in units
        },
        "numbers": dict(game.numbers),
        "notes": game.notes,
    }
    return {key: value for key, value in document.items() if value not in ("", [], {})}


def _write_choices(answers: Iterable[Answer]) -> dict[str, list[str]]:
    options_by_question: dict[str, list[str]] = {}
    for answer in answers:
        options_by_question.setdefault(answer.question, []).append(answer.option)
    return options_by_question


def _walk_ids(around: Force | Selection) -> Iterable[str]:
    for selection in around.selections:
        yield selection.id
        yield from _walk_ids(selection)
    for force in around.forces if isinstance(around, Force) else ():
        yield from _walk_ids(force)
