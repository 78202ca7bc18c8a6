"""The form of a game plan: the whole plan as fields.

`joins` and `rides` hold two ids with a colon between them, `answers` a question's and an answer's id and perhaps a
unit's; a blank value is nothing chosen. `number-<id>` is a number of the plan.
"""

from collections.abc import Iterator

from django.http import QueryDict

from catalogue.definitions.numbers import Number
from roster.engine.edits import Refused
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.services.limits import MAX_ID, parse_amount

NUMBER = "number-"


def read_plan(form: QueryDict) -> GamePlan | Refused:
    """Read the plan that a form holds, not yet compared with the list; `bad-change` where it holds none."""
    numbers = _read_numbers(form)
    if isinstance(numbers, Refused):
        return numbers
    joins = [value.split(":") for value in _list_values(form, "joins")]
    rides = [value.split(":") for value in _list_values(form, "rides")]
    answers = [value.split(":") for value in _list_values(form, "answers")]
    if any(len(pair) != 2 for pair in (*joins, *rides)) or any(len(parts) not in (2, 3) for parts in answers):
        return Refused(code="bad-change")
    if any(
        len(value) > MAX_ID
        for key in form
        for value in form.getlist(key)
        if key not in ("notes", "objective")
    ):
        return Refused(code="bad-change")
    return GamePlan(
        mission=form.get("mission", ""),
        side=form.get("side", ""),
        opponents=tuple(_list_values(form, "opponents")),
        allies=tuple(_list_values(form, "allies")),
        joins=tuple(Join(character_id=who, host_id=whom) for who, whom in joins),
        rides=tuple(Ride(passenger_id=who, transport_id=where) for who, where in rides),
        reserves=tuple(_list_values(form, "reserves")),
        commander_id=form.get("commander", ""),
        objective=form.get("objective", ""),
        answers=tuple(
            Answer(question=a[0], option=a[1], unit_id=a[2] if len(a) > 2 else "") for a in answers
        ),
        numbers=numbers,
        notes=form.get("notes", ""),
    )


def _list_values(form: QueryDict, key: str) -> Iterator[str]:
    return (value for value in form.getlist(key) if value)


def _read_numbers(form: QueryDict) -> dict[str, Number] | Refused:
    numbers: dict[str, Number] = {}
    for key in form:
        if key.startswith(NUMBER):
            amount = parse_amount(form.get(key, ""))
            if isinstance(amount, Refused):
                return amount
            if amount is not None:
                numbers[key.removeprefix(NUMBER)] = amount
    return numbers
