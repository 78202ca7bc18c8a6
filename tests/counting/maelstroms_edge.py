"""Maelstrom's Edge, 2nd edition: a trial about forces, and one about the content of units."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tests.cases.translator import Node
from tests.counting.trial import Trial, handfuls

Slot = tuple[str, int, int]
"""A type or a unit, the least and the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    type: str
    points: int
    slots: tuple[Slot, ...] = ()
    models: tuple[int, int] = (1, 1)
    multi: int = 1
    options: tuple[tuple[str, int], ...] = ()
    faction: str = "north"

    def fixture(self, name: str) -> Node:
        about = {"name": name.title(), "faction": self.faction, "type": self.type, "points": self.points}
        slots = [{"type" if what in TYPES else "unit": what, "min": low, "max": high} for what, low, high in self.slots]
        more: Node = {"multi": self.multi} if self.multi > 1 else {}
        return (
            about
            | more
            | {
                "models": list(self.models),
                "extra_model": 1,
                "model_type": "Infantry",
                "slots": slots,
                "options": {name: {"points": 1, "max": most} for name, most in self.options},
            }
        )


TYPES = ("command", "core", "hammer", "vanguard", "anvil")


def fixtures(units: dict[str, Unit], **addons: Node) -> Node:
    return {"units": {name: unit.fixture(name) for name, unit in units.items()}, "addons": addons}


# ---- forces: detachments, types, additional units ----------------------------------------------------------------

FORCES = {
    "captain": Unit(type="command", points=2, slots=(("core", 1, 8), ("hammer", 0, 2), ("runners", 0, 1))),
    "deputy": Unit(type="command", points=2, slots=(("core", 0, 1), ("command", 0, 1), ("vanguard", 0, 1))),
    "spears": Unit(type="core", points=1),
    "wardens": Unit(type="core", points=2, slots=(("vanguard", 1, 1),)),
    "bruisers": Unit(type="hammer", points=2, slots=(("core", 1, 1), ("anvil", 0, 1))),
    "runners": Unit(type="vanguard", points=1),
    "stalkers": Unit(type="vanguard", points=3, slots=(("anvil", 0, 1),)),
    "guns": Unit(type="anvil", points=2),
    "strangers": Unit(type="core", points=3, faction="south"),
}
PURSE, SMALL_PURSE = 10, 7
LIMIT = 9


def force_cases() -> Iterator[Node]:
    """Yield every single detachment up to 10 points, every pair up to 7, and some units outside."""
    prices = [(name, unit.points) for name, unit in FORCES.items()]
    single = list(handfuls(prices, PURSE))
    small = [picks for picks in single if 2 <= sum(FORCES[name].points for name in picks) <= SMALL_PURSE - 2]
    yield force()
    for picks in single:
        yield force(picks)
    for place, first in enumerate(small):
        for second in small[place:]:
            if sum(FORCES[name].points for name in (*first, *second)) <= SMALL_PURSE:
                yield force(first, second)
    for picks in small:
        yield force(picks, loose=("spears",))


def force(*detachments: tuple[str, ...], loose: tuple[str, ...] = ()) -> Node:
    listed = [{"name": "AB"[n], "selections": list(picks)} for n, picks in enumerate(detachments)]
    written = {"faction": "north", "detachments": listed, "loose_units": list(loose)}
    return {"context": {"points_limit": LIMIT}, "list": written}


def broken_by_force(case: Node) -> set[str]:
    detachments = [detachment["selections"] for detachment in case["list"]["detachments"]]
    loose = case["list"]["loose_units"]
    everyone = [name for picks in (*detachments, loose) for name in picks]
    broken = {rule for picks in detachments for rule in broken_by_detachment(picks)}
    if sum(FORCES[name].points for name in everyone) > LIMIT:
        broken.add("points limit")
    if any(FORCES[name].faction != "north" for name in everyone):
        broken.add("one faction")
    if not detachments:
        broken.add("not empty")
    if loose:
        broken.add("in a detachment")
    return broken


def broken_by_detachment(picks: list[str]) -> Iterator[str]:
    types = Counter(FORCES[name].type for name in picks)
    if len(picks) > 8:
        yield "eight selections"
    if any(types[kind] > types["core"] for kind in TYPES):
        yield "no type above core"
    leaders = {place for place, name in enumerate(picks) if FORCES[name].type == "command"}
    if not leaders:
        yield "a command unit leads"
    elif not any(booked(picks, leader) for leader in leaders):
        yield "additional units"


def booked(picks: list[str], leader: int) -> bool:
    """Return whether each pick but the leader fills another's slot, without circles, and each slot has its least."""
    slots = [(place, slot) for place, name in enumerate(picks) for slot in FORCES[name].slots]
    others = [place for place in range(len(picks)) if place != leader]
    return _booked(picks, slots, others, [0] * len(slots), {})


def _booked(
    picks: list[str], slots: list[tuple[int, Slot]], left: list[int], used: list[int], parents: dict[int, int]
) -> bool:
    if not left:
        return all(used[n] >= low for n, (_, (_, low, _)) in enumerate(slots)) and _grounded(parents)
    place, *rest = left
    fits = {picks[place], FORCES[picks[place]].type}
    for n, (owner, (what, _, high)) in enumerate(slots):
        if owner != place and what in fits and used[n] < high:
            used[n] += 1
            if _booked(picks, slots, rest, used, {**parents, place: owner}):
                return True
            used[n] -= 1
    return False


def _grounded(parents: dict[int, int]) -> bool:
    """Return whether all chains of allowing units end at the leader."""
    for place in parents:
        seen = set()
        while place in parents:
            if place in seen:
                return False
            seen.add(place)
            place = parents[place]
    return True


# ---- units: sizes, options, add-ons, several as one --------------------------------------------------------------

UNITS = {
    "captain": Unit(type="command", points=3, slots=(("core", 1, 4), ("vanguard", 0, 2))),
    "spears": Unit(type="core", points=1, models=(2, 3), options=(("banner", 1), ("bombs", 2))),
    "porters": Unit(type="core", points=1),
    "runners": Unit(type="vanguard", points=1, multi=2),
}
COOK = {"name": "Cook", "faction": "north", "type": "add-on", "points": 1, "hosts": ["spears"]}
ADDONS: dict[str, Node] = {
    "cook": {**COOK, "max_per_unit": 2, "normal_max": True, "model_type": "Infantry"},
    "drummer": {**COOK, "name": "Drummer", "max_per_unit": 1, "normal_max": False, "model_type": "Infantry"},
}


def unit_cases() -> Iterator[Node]:
    """Yield a captain with every two selections of spears, porters and runners."""
    spears = [
        {"unit": "spears", "models": models, "options": list(options), "addons": list(addons)}
        for models, options, addons in product(
            (1, 2, 3, 4),
            ((), ("banner",), ("banner", "banner"), ("bombs",) * 2, ("bombs",) * 3, ("trumpet",)),
            ((), ("cook",), ("cook",) * 2, ("cook",) * 3, ("drummer",), ("drummer",) * 2, ("cook", "drummer")),
        )
    ]
    others = [
        {"unit": "porters"},
        {"unit": "porters", "addons": ["cook"]},
        *({"unit": "runners", "count": count} for count in (1, 2, 3)),
        {"unit": "runners", "units": ["runners", "porters"]},
    ]
    for first, second in product(spears, others):
        for alone in ((), ("cook",)):
            written = {"detachments": [{"name": "A", "selections": ["captain", first, second]}]}
            yield {"list": {"faction": "north", "unplaced_addons": list(alone), **written}}


def broken_by_units(case: Node) -> set[str]:
    _, *selections = case["list"]["detachments"][0]["selections"]
    broken = {rule for selection in selections for rule in broken_by_unit(selection)}
    if case["list"]["unplaced_addons"]:
        broken.add("an add-on has a host")
    return broken


def broken_by_unit(selection: Node) -> Iterator[str]:
    unit = UNITS[selection["unit"]]
    low, high = unit.models
    models, options = selection.get("models", low), Counter(selection.get("options", ()))
    addons = Counter(selection.get("addons", ()))
    if models < low:
        yield "smallest size"
    if models > high:
        yield "largest size"
    for option, times in options.items():
        if option not in dict(unit.options):
            yield "printed options"
        elif times > dict(unit.options)[option]:
            yield "so many of an option"
    if any(selection["unit"] not in ADDONS[addon]["hosts"] for addon in addons):
        yield "hosts of an add-on"
    if any(times > ADDONS[addon]["max_per_unit"] for addon, times in addons.items()):
        yield "so many of an add-on"
    if len(addons) > 1:
        yield "one kind of add-on"
    if addons["cook"] and models + addons.total() > high:
        yield "normal maximum"
    if selection.get("count", 1) > unit.multi:
        yield "several as one"
    if any(inner != selection["unit"] for inner in selection.get("units", ())):
        yield "several of one entry"


TRIALS = {
    "forces": Trial(
        system="maelstroms-edge-2e",
        fixtures=fixtures(FORCES),
        cases=force_cases,
        broken=broken_by_force,
        rules=frozenset(
            {
                "points limit",
                "one faction",
                "not empty",
                "in a detachment",
                "eight selections",
                "no type above core",
                "a command unit leads",
                "additional units",
            }
        ),
    ),
    "units": Trial(
        system="maelstroms-edge-2e",
        fixtures=fixtures(UNITS, **ADDONS),
        cases=unit_cases,
        broken=broken_by_units,
        rules=frozenset(
            {
                "smallest size",
                "largest size",
                "printed options",
                "so many of an option",
                "hosts of an add-on",
                "so many of an add-on",
                "one kind of add-on",
                "normal maximum",
                "several as one",
                "several of one entry",
                "an add-on has a host",
            }
        ),
    ),
}
