"""Check who begins a game of Maelstrom of War in reserve or in a transport: step 11, Declare reserves and transports.

A transport's datasheet says how much room it has, and for whom.
"""

from collections.abc import Callable

from tests.second_reading.maelstrom_of_war_army import Army, Unit


def _aboard(army: Army) -> dict[str, list[str]]:
    """Return what each unit rides in, by their names in the plan."""
    return {
        rider: [carriers] if isinstance(carriers, str) else list(carriers)
        for rider, carriers in army.plan.get("aboard", {}).items()
    }


def _held_back(army: Army) -> list[Unit]:
    """Return the units that begin in reserve or elsewhere, with everything embarked on them."""
    waiting = set(army.plan.get("reserves", []))
    aboard = _aboard(army)
    while more := {rider for rider, carriers in aboard.items() if waiting & set(carriers)} - waiting:
        waiting |= more
    return [unit for unit in army.units if unit.ref and unit.ref in waiting]


def holds_back_too_many_units(army: Army) -> bool:
    """At most half of the units are in reserve."""
    return 2 * len(_held_back(army)) > len(army.units)


def holds_back_too_many_points(army: Army) -> bool:
    """The units in reserve cost less than half of the army."""
    waiting = _held_back(army)
    return bool(waiting) and 2 * sum(army.cost(unit) for unit in waiting) >= army.points


def is_declared_wrongly(army: Army) -> bool:
    """Units ride only in transports that are in the army and can carry them."""
    by_ref = {unit.ref: unit for unit in army.units if unit.ref}
    aboard = _aboard(army)
    reserves = army.plan.get("reserves", [])
    if any(ref not in by_ref for ref in reserves):
        return True
    for rider, carriers in aboard.items():
        if rider not in by_ref or len(carriers) != 1 or carriers[0] not in by_ref:
            return True
        # A unit in reserve cannot be aboard a transport that begins on the battlefield.
        if not _is_transport(by_ref[carriers[0]]) or (
            rider in reserves and by_ref[carriers[0]] not in _held_back(army)
        ):
            return True
        if _is_aboard_itself(rider, aboard):
            return True
    riders: dict[str, list[Unit]] = {}
    for rider, carriers in aboard.items():
        riders.setdefault(carriers[0], []).append(by_ref[rider])
    return any(_does_not_fit(by_ref[carrier], inside) for carrier, inside in riders.items())


def _is_transport(unit: Unit) -> bool:
    return "transport" in unit.keywords or unit.sheet.role == "dedicated transport"


def _is_aboard_itself(rider: str, aboard: dict[str, list[str]]) -> bool:
    seen: set[str] = set()
    while rider in aboard and rider not in seen:
        seen.add(rider)
        rider = aboard[rider][0]
    return rider in seen


def _does_not_fit(carrier: Unit, riders: list[Unit]) -> bool:
    room, may_ride, takes = CARRIES[carrier.sheet.id]
    if carrier.sheet.id == "tyrannocyte" and any("monster" in unit.keywords for unit in riders):
        return len(riders) > 1 or riders[0].models > 1 or _wounds(riders[0]) > 16
    if carrier.sheet.id == "sagitaur-squadron":
        room *= carrier.models
    return not all(may_ride(unit) for unit in riders) or sum(takes(unit) for unit in riders) > room


def _models(unit: Unit) -> int:
    return unit.models


def _wounds(unit: Unit) -> int:
    profile = unit.sheet.unit.written.get("profile") or unit.sheet.unit.written["models"][0]["profile"]
    return int(profile[5])


def _is_infantry(unit: Unit) -> bool:
    return "infantry" in unit.keywords


def _has_armour(unit: Unit) -> bool:
    return bool({"exo-armour", "exo-frame"} & unit.keywords)


def _rides_a_night_scythe(unit: Unit) -> bool:
    return _is_infantry(unit) and bool({"core", "character", "dynastic-agent"} & unit.keywords)


def _rides_a_ghost_ark(unit: Unit) -> bool:
    return unit.sheet.title == "Necron Warriors" or (_is_infantry(unit) and "character" in unit.keywords)


def _room_in_a_fortress(unit: Unit) -> int:
    size = 3 if "exo-frame" in unit.keywords else 2 if "exo-armour" in unit.keywords else 1
    return size * unit.models


SMALL = ("Gargoyles", "Hormagaunts", "Termagants", "Genestealers")
"""Tyranid infantry with a single wound."""


def _large_take(times: int) -> Callable[[Unit], int]:
    return lambda unit: unit.models * (1 if unit.sheet.title in SMALL else times)


CARRIES: dict[str, tuple[int, Callable[[Unit], bool], Callable[[Unit], int]]] = {
    "sagitaur-squadron": (5, lambda unit: _is_infantry(unit) and not _has_armour(unit), _models),
    "hekaton-land-fortress": (12, _is_infantry, _room_in_a_fortress),
    "night-scythe": (20, _rides_a_night_scythe, _models),
    "ghost-ark": (10, _rides_a_ghost_ark, _models),
    "tyrannocyte": (20, _is_infantry, _large_take(3)),
    "harridan": (20, lambda unit: unit.sheet.title == "Gargoyles", _models),
    "hierophant": (20, _is_infantry, _large_take(2)),
}
"""The room of each transport, who rides in it, and how much room they take."""
