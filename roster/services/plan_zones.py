"""Where units of a game plan start: on the table, in reserve, in a transport, or as answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from catalogue.definitions.planning import PlanPart
from roster.services.plan_shapes import PlanBoard, PlanChoice, PlanUnit


class ZoneKind(StrEnum):
    TABLE = "table"
    ABOARD = "aboard"
    RESERVE = "reserve"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanZone:
    """A place with its units; each block is a unit with the units that joined it.

    `subject` is the transport's id, or the form's ids of the question `about` and its answer.
    """

    kind: ZoneKind
    subject: str = ""
    name: str = ""
    about: str = ""
    blocks: tuple[tuple[PlanUnit, ...], ...] = ()

    @property
    def count(self) -> int:
        return sum(map(len, self.blocks))


def build_zones(board: PlanBoard) -> tuple[PlanZone, ...]:
    """Build a plan's zones; () if no unit can choose a place or a unit to join."""
    zones = list(_list_zones(board))
    if len(zones) == 1 and PlanPart.JOINS not in board.parts:
        return ()
    keys = {(zone.kind, zone.subject) for zone in zones}
    hosts = {unit.id: _find_host(board, unit) for unit in board.units}
    blocks: dict[tuple[ZoneKind, str], list[tuple[PlanUnit, ...]]] = {}
    for unit in board.units:
        if unit.lost or hosts[unit.id]:
            continue
        place = next(key for key in _list_places(unit) if key in keys)
        joined = (other for other in board.units if hosts[other.id] == unit.id)
        blocks.setdefault(place, []).append((unit, *joined))
    return tuple(
        PlanZone(
            kind=zone.kind,
            subject=zone.subject,
            name=zone.name,
            about=zone.about,
            blocks=tuple(blocks.get((zone.kind, zone.subject), ())),
        )
        for zone in zones
    )


def _list_zones(board: PlanBoard) -> Iterator[PlanZone]:
    yield PlanZone(kind=ZoneKind.TABLE)
    transports = {choice.id: choice.name for unit in board.units for choice in unit.rides if not choice.lost}
    for transport_id, name in transports.items():
        yield PlanZone(kind=ZoneKind.ABOARD, subject=transport_id, name=name)
    questions = {entry.question.id: entry.question for unit in board.units for entry in unit.questions}
    for question in questions.values():
        if question.most == 1:
            for option in question.options:
                subject = f"{question.id}:{option.id}"
                yield PlanZone(kind=ZoneKind.ANSWER, subject=subject, name=option.name, about=question.name)
    if PlanPart.RESERVES in board.parts:
        yield PlanZone(kind=ZoneKind.RESERVE)


def _find_host(board: PlanBoard, unit: PlanUnit) -> str:
    """Find the last host of joined units; "" if there is none or they form a circle."""
    hosts = {other.id: _find_chosen(other.joins) for other in board.units if not other.lost}
    host_id, seen = unit.id, {unit.id}
    while (next_id := hosts.get(host_id, "")) in hosts:
        if next_id in seen:
            return ""
        seen.add(next_id)
        host_id = next_id
    return "" if host_id == unit.id else host_id


def _list_places(unit: PlanUnit) -> Iterator[tuple[ZoneKind, str]]:
    if transport_id := _find_chosen(unit.rides):
        yield ZoneKind.ABOARD, transport_id
    if unit.reserve:
        yield ZoneKind.RESERVE, ""
    for entry in unit.questions:
        yield ZoneKind.ANSWER, f"{entry.question.id}:{_find_chosen(entry.options)}"
    yield ZoneKind.TABLE, ""


def _find_chosen(choices: tuple[PlanChoice, ...]) -> str:
    return next((choice.id for choice in choices if choice.chosen), "")
