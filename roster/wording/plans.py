"""A game plan in words: line by line what is settled, for pages that only show it and for paper."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from catalogue.definitions.numbers import format_number
from catalogue.definitions.planning import PlanPart
from roster.services.plan_shapes import AskedQuestion, PlanBoard, PlanChoice, PlanUnit


@dataclass(frozen=True, slots=True)
class PlanLine:
    """Something that is settled: what it is called, and how."""

    label: str
    values: tuple[str, ...]


def part_name(board: PlanBoard, part: PlanPart) -> str:
    """What the game calls a part of the plan; our own word where it has none."""
    settled = board.parts.get(part)
    return (settled.name if settled else "") or _general()[part]


def plan_lines(board: PlanBoard) -> tuple[PlanLine, ...]:
    """Everything that is settled, in the order of the page; nothing of what is left open."""
    return tuple(line for line in _lines(board) if line.values)


def _lines(board: PlanBoard) -> Iterator[PlanLine]:
    def named(part: PlanPart, values: Iterable[str]) -> PlanLine:
        return PlanLine(part_name(board, part), tuple(values))

    yield named(PlanPart.MISSION, _chosen(option for _, options in board.missions for option in options))
    yield PlanLine(_("Side"), _chosen(board.sides))
    for part, players in ((PlanPart.OPPONENTS, board.opponents), (PlanPart.ALLIES, board.allies)):
        yield named(part, (name for player in players for name in _chosen(player)))
    yield named(PlanPart.COMMANDER, _chosen(board.commanders))
    yield named(PlanPart.OBJECTIVE, filter(None, [board.game.objective]))
    for asked in board.questions:
        yield PlanLine(asked.question.name, _chosen(asked.options))
    for number, value in board.numbers:
        if value is not None:
            yield PlanLine(number.name, (f"{format_number(value)} {number.unit}".strip(),))
    yield named(PlanPart.JOINS, _pairs((unit, unit.joins) for unit in board.units))
    yield named(PlanPart.RIDES, _pairs((unit, unit.rides) for unit in board.units))
    yield named(
        PlanPart.RESERVES, (unit_name(unit) for unit in board.units if unit.reserve or unit.held_with)
    )
    yield from _answers(board.units)
    yield PlanLine(_("Notes"), tuple(filter(None, [board.game.notes])))


def _answers(units: Iterable[PlanUnit]) -> Iterator[PlanLine]:
    """The questions about single units, each once with the units and their answers."""
    said: dict[str, list[str]] = {}
    for unit in units:
        for asked in unit.questions:
            said.setdefault(asked.question.name, []).extend(_answered(unit, asked))
    for name, values in said.items():
        yield PlanLine(name, tuple(values))


def _answered(unit: PlanUnit, asked: AskedQuestion) -> Iterator[str]:
    chosen = _chosen(asked.options)
    if chosen:
        yield _("%(unit)s: %(answers)s") % {"unit": unit_name(unit), "answers": ", ".join(chosen)}


def _pairs(choices: Iterable[tuple[PlanUnit, tuple[PlanChoice, ...]]]) -> Iterator[str]:
    for unit, options in choices:
        for name in _chosen(options):
            yield f"{unit_name(unit)} → {name}"


def _chosen(options: Iterable[PlanChoice]) -> tuple[str, ...]:
    return tuple(lost(option.name) if option.lost else option.name for option in options if option.chosen)


def lost(name: str) -> str:
    """The name of something that is not there any more, with a word that says so."""
    return _("%(name)s (gone)") % {"name": name}


def unit_name(unit: PlanUnit) -> str:
    """What a unit is called, whether or not the list still has it."""
    return lost(unit.name) if unit.lost else unit.name


def _general() -> dict[PlanPart, str]:
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
