"""A game plan in words, line by line, for pages that only show it and for paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.definitions.planning import PlanPart
from roster.services.plan_shapes import AskedQuestion, PlanBoard, PlanChoice, PlanUnit


@dataclass(frozen=True, slots=True)
class PlanLine:
    """Something that is settled: what it is called, and how."""

    label: str
    values: tuple[str, ...]


def get_part_name(board: PlanBoard, part: PlanPart) -> str:
    """Return what the game calls a part of the plan, else our own word."""
    settled = board.parts.get(part)
    return (settled.name if settled else "") or _get_general_names()[part]


def list_plan_lines(board: PlanBoard) -> tuple[PlanLine, ...]:
    """List everything that is settled, in the order of the page; nothing that is open."""
    return tuple(line for line in _list_lines(board) if line.values)


def _list_lines(board: PlanBoard) -> Iterator[PlanLine]:
    yield from _list_players(board)
    yield _build_line(board, PlanPart.COMMANDER, _list_chosen(board.commanders))
    yield _build_line(board, PlanPart.OBJECTIVE, filter(None, [board.game.objective]))
    # Questions of the game itself; those of single units follow below.
    for asked in board.questions:
        yield PlanLine(asked.question.name, _list_chosen(asked.options))
    for number, value in board.numbers:
        if value is not None:
            yield PlanLine(number.name, (f"{format_number(value)} {number.unit}".strip(),))
    yield from _list_places(board)
    yield from _list_unit_answers(board.units)
    yield PlanLine(_("Notes"), tuple(filter(None, [board.game.notes])))


def _build_line(board: PlanBoard, part: PlanPart, values: Iterable[str]) -> PlanLine:
    return PlanLine(get_part_name(board, part), tuple(values))


def _list_players(board: PlanBoard) -> Iterator[PlanLine]:
    """List what is played, and who plays it."""
    missions = chain.from_iterable(options for _name, options in board.missions)
    yield _build_line(board, PlanPart.MISSION, _list_chosen(missions))
    yield PlanLine(_("Side"), _list_chosen(board.sides))
    yield _build_line(board, PlanPart.OPPONENTS, _list_chosen(chain.from_iterable(board.opponents)))
    yield _build_line(board, PlanPart.ALLIES, _list_chosen(chain.from_iterable(board.allies)))


def _list_places(board: PlanBoard) -> Iterator[PlanLine]:
    """List where the units are as the game begins."""
    yield _build_line(board, PlanPart.JOINS, _format_pairs((unit, unit.joins) for unit in board.units))
    yield _build_line(board, PlanPart.RIDES, _format_pairs((unit, unit.rides) for unit in board.units))
    reserves = [get_unit_name(unit) for unit in board.units if unit.reserve or unit.held_with]
    yield _build_line(board, PlanPart.RESERVES, reserves)


def _list_unit_answers(units: Iterable[PlanUnit]) -> Iterator[PlanLine]:
    """List the questions about single units, each once with the units and their answers."""
    answers: dict[str, list[str]] = {}
    for unit in units:
        for asked in unit.questions:
            answers.setdefault(asked.question.name, []).extend(_format_answers(unit, asked))
    for name, values in answers.items():
        yield PlanLine(name, tuple(values))


def _format_answers(unit: PlanUnit, asked: AskedQuestion) -> Iterator[str]:
    chosen = _list_chosen(asked.options)
    if chosen:
        yield _("%(unit)s: %(answers)s") % {"unit": get_unit_name(unit), "answers": ", ".join(chosen)}


def _format_pairs(choices: Iterable[tuple[PlanUnit, tuple[PlanChoice, ...]]]) -> Iterator[str]:
    for unit, options in choices:
        for name in _list_chosen(options):
            yield f"{get_unit_name(unit)} → {name}"


def _list_chosen(options: Iterable[PlanChoice]) -> tuple[str, ...]:
    return tuple(mark_gone(option.name) if option.lost else option.name for option in options if option.chosen)


def mark_gone(name: str) -> str:
    """Mark the name of something that is no longer there."""
    return _("%(name)s (gone)") % {"name": name}


def get_unit_name(unit: PlanUnit) -> str:
    """Return what a unit is called, whether or not the list still has it."""
    return mark_gone(unit.name) if unit.lost else unit.name


def _get_general_names() -> dict[PlanPart, str]:
    return {
        PlanPart.MISSION: _("Mission"),
        PlanPart.OPPONENTS: _("Opponents"),
        PlanPart.ALLIES: _("Allies"),
        PlanPart.COMMANDER: _("Commander"),
        PlanPart.OBJECTIVE: _("Objective"),
        PlanPart.JOINS: _("Joins"),
        PlanPart.RIDES: _("Rides in"),
        PlanPart.RESERVES: _("Reserves"),
    }
