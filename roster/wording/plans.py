"""Word a game plan line by line for reading and print."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.definitions.planning import PlanPart
from roster.services.mission_factions import Misfit
from roster.services.plan_shapes import PlanBoard, PlanChoice, PlanUnit


@dataclass(frozen=True, slots=True)
class PlanLine:
    label: str
    values: tuple[str, ...]


def get_part_name(board: PlanBoard, part: PlanPart) -> str:
    """Return the game's name for a part of the plan, else our own."""
    settled = board.parts.get(part)
    if settled and settled.name:
        return settled.name
    words = {
        PlanPart.MISSION: _("Mission"),
        PlanPart.OPPONENTS: _("Opponents"),
        PlanPart.ALLIES: _("Allies"),
        PlanPart.COMMANDER: _("Commander"),
        PlanPart.OBJECTIVE: _("Objective"),
        PlanPart.JOINS: _("Joins"),
        PlanPart.RIDES: _("Rides in"),
        PlanPart.RESERVES: _("Reserves"),
    }
    return words[part]


def list_plan_lines(board: PlanBoard) -> tuple[PlanLine, ...]:
    def build_line(part: PlanPart, values: Iterable[str]) -> PlanLine:
        return PlanLine(get_part_name(board, part), tuple(values))

    missions = chain.from_iterable(options for _name, options in board.missions)
    lines = [
        build_line(PlanPart.MISSION, _list_chosen(missions)),
        PlanLine(_("Side"), _list_chosen(board.sides)),
        build_line(PlanPart.OPPONENTS, _list_chosen(chain.from_iterable(board.opponents))),
        build_line(PlanPart.ALLIES, _list_chosen(chain.from_iterable(board.allies))),
        build_line(PlanPart.COMMANDER, _list_chosen(board.commanders)),
        build_line(PlanPart.OBJECTIVE, filter(None, [board.game.objective])),
    ]
    # Questions of the game itself; those of units follow below.
    lines += [PlanLine(entry.question.name, _list_chosen(entry.options)) for entry in board.questions]
    for number, value in board.numbers:
        if value is not None:
            lines.append(PlanLine(number.name, (f"{format_number(value)} {number.unit}".strip(),)))

    lines.append(build_line(PlanPart.JOINS, _format_pairs((unit, unit.joins) for unit in board.units)))
    lines.append(build_line(PlanPart.RIDES, _format_pairs((unit, unit.rides) for unit in board.units)))
    reserves = [get_unit_name(unit) for unit in board.units if unit.reserve or unit.held_with]
    lines.append(build_line(PlanPart.RESERVES, reserves))

    # Questions about units, each with the units and their answers.
    answers: dict[str, list[str]] = {}
    for unit in board.units:
        for entry in unit.questions:
            answered = answers.setdefault(entry.question.name, [])
            if chosen := _list_chosen(entry.options):
                words = {"unit": get_unit_name(unit), "answers": ", ".join(chosen)}
                answered.append(_("%(unit)s: %(answers)s") % words)
    lines += [PlanLine(name, tuple(values)) for name, values in answers.items()]
    lines.append(PlanLine(_("Notes"), tuple(filter(None, [board.game.notes]))))
    return tuple(line for line in lines if line.values)


def _format_pairs(choices: Iterable[tuple[PlanUnit, tuple[PlanChoice, ...]]]) -> Iterator[str]:
    for unit, options in choices:
        for name in _list_chosen(options):
            yield f"{get_unit_name(unit)} → {name}"


def _list_chosen(options: Iterable[PlanChoice]) -> tuple[str, ...]:
    return tuple(mark_gone(option.name) if option.lost else option.name for option in options if option.chosen)


def mark_gone(name: str) -> str:
    return _("%(name)s (gone)") % {"name": name}


def get_unit_name(unit: PlanUnit) -> str:
    return mark_gone(unit.name) if unit.lost else unit.name


def explain_misfit(misfit: Misfit) -> str:
    list_faction = misfit.list_faction
    name = list_faction.list_name or _("A list without a name")
    return _("“%(mission)s” is for %(factions)s. “%(list)s” is a list of %(faction)s.") % {
        "mission": misfit.mission_name,
        "factions": ", ".join(misfit.faction_names),
        "list": name,
        "faction": list_faction.faction_name or list_faction.faction_id,
    }
