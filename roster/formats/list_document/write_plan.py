"""A game plan as part of a list document."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from roster.engine.plan import Answer, GamePlan, list_planned_ids
from roster.engine.tree import Force, Roster, Selection

Json = dict[str, Any]


def refs_of(roster: Roster, game: GamePlan | None) -> Mapping[str, str]:
    """What a document calls each selection that the plan refers to; what is gone, by the name that the plan kept."""
    if game is None:
        return {}
    wanted = list_planned_ids(game)
    there = [own for force in roster.forces for own in _ids(force) if own in wanted]
    gone = {own: game.names.get(own) or own for own in wanted if own not in there}
    # Nothing that is there may be called what something that is gone was called.
    free = (ref for number in count(1) if (ref := f"u{number}") not in gone.values())
    return {**gone, **dict(zip(there, free, strict=False))}


def plan_document(game: GamePlan, refs: Mapping[str, str]) -> Json:
    """The plan in the form that `roster.formats.list_document.plan` reads, empty keys left out."""
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
        "reserves": [refs[own] for own in game.reserves],
        "choices": _choices(answer for answer in game.answers if not answer.unit_id),
        "units": {refs[own]: _choices(a for a in game.answers if a.unit_id == own) for own in units},
        "numbers": dict(game.numbers),
        "notes": game.notes,
    }
    return {key: value for key, value in document.items() if value not in ("", [], {})}


def _choices(answers: Iterable[Answer]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for answer in answers:
        found.setdefault(answer.question, []).append(answer.option)
    return found


def _ids(around: Force | Selection) -> Iterable[str]:
    for selection in around.selections:
        yield selection.id
        yield from _ids(selection)
    for force in around.forces if isinstance(around, Force) else ():
        yield from _ids(force)
