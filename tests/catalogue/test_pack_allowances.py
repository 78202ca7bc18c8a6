"""Units that allow others, compared with an independent count of places and demands."""

from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from catalogue.formats.packs.pack import LoadedPack
from tests.catalogue.pack_files import PACK, broken, read_files
from tests.extent import QUICK

PLACES = """\
- detachment: Pond
  cite: p. 2
  slots: [boss, crew]
  allowances: {leader: boss, too few: few, too many: many, nobody allows: nobody}
"""
ALLOWING = PACK[: PACK.index("- {detachment")] + PLACES


def units(text: str) -> str:
    return "faction: frogs\ncite: book\nunits:\n" + text


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("[chief, toad]", []),
        ("[chief, toad, toad]", []),
        ("[chief, toad, toad, toad]", ["many"]),
        ("[chief]", ["few"]),
        ("[chief, chief, toad, toad]", ["nobody"]),
        ("[chief, toad, snob]", ["nobody"]),
        ("[earl, snob]", []),
        ("[earl, toad]", ["nobody"]),
        ("[earl, snob, snob]", ["many"]),
        ("[toad]", []),
        ("[king, chief, toad, toad]", []),
        ("[king, chief, chief, toad, toad]", ["many"]),
        ("[king, toad]", ["few"]),
    ],
)
def test_each_unit_needs_a_place_and_each_demand_a_unit(tmp_path: Path, listed: str, expected: list[str]) -> None:
    text = """\
- {unit: Chief, type: boss, points: 1, cite: p. 4, allows: {crew: 1-2}}
- {unit: Earl, type: boss, points: 1, cite: p. 4, allows: {Snob: 0-1}}
- {unit: King, type: boss, points: 1, cite: p. 4, allows: {boss: 1, crew: 0-1}}
- {unit: Toad, type: crew, points: 1, cite: p. 4}
- {unit: Snob, type: crew, points: 1, cite: p. 4, by name only: yes}
"""
    reading = read_files(tmp_path, {"pack.yaml": ALLOWING, "units.yaml": units(text)})
    assert broken(reading, listed) == expected


def test_a_place_for_a_type_asks_for_no_faction(tmp_path: Path) -> None:
    """A unit of another faction breaks only the rule of factions."""
    frogs = """\
- {unit: Chief, type: boss, points: 1, cite: p. 4, allows: {boss: 0-1, crew: 0-1}}
"""
    newts = """\
- {unit: Newt, type: boss, points: 1, cite: p. 4, allows: {crew: 0-1}}
"""
    files = {
        "pack.yaml": ALLOWING.replace("factions: [Frogs]", "factions: [Frogs, Newts]\none faction: one"),
        "units.yaml": units(frogs),
        "newts.yaml": units(newts).replace("faction: frogs", "faction: newts"),
    }
    assert broken(read_files(tmp_path, files), "[chief, newt]") == ["one"]


NAMES = ("Ada", "Bob", "Cid", "Dot", "Eve")
KINDS = ("boss", "boss", "crew", "crew", "crew")
WHAT = st.sampled_from(["boss", "crew", *NAMES])
ALLOWS = st.dictionaries(WHAT, st.sampled_from(["0-1", "0-2", "1-1", "1-2"]), max_size=2)
UNIT = st.fixed_dictionaries(
    {"allows": ALLOWS, "bars": st.sets(st.sampled_from(NAMES), max_size=1), "only": st.booleans()}
)
Unit = dict[str, object]


def fits(granter: Unit, what: str, other: int, made: list[Unit]) -> bool:
    if what == NAMES[other]:
        return True
    return what == KINDS[other] and not made[other]["only"] and NAMES[other] not in granter["bars"]


class Place(NamedTuple):
    granter: int
    takers: frozenset[int]


def has_booking(made: list[Unit], chosen: list[int]) -> bool:
    """Try everything: a boss leads, every other unit has its own place, no demanded place is empty, and all grants lead
    back to the leader.
    """
    free, due = [], []
    for granter, each in enumerate(chosen):
        for what, amount in made[each]["allows"].items():
            low, high = map(int, amount.split("-"))
            place = Place(granter, frozenset(i for i, o in enumerate(chosen) if fits(made[each], what, o, made)))
            due += [place] * low
            free += [place] * (high - low)
    for leader in (i for i, each in enumerate(chosen) if KINDS[each] == "boss"):
        others = [i for i in range(len(chosen)) if i != leader]
        if len(due) > len(others):
            continue
        for order in permutations(others):
            if all(unit in place.takers for unit, place in zip(order, due, strict=False)):
                booked = {unit: place.granter for unit, place in zip(order, due, strict=False)}
                if matched(order[len(due) :], free, booked, leader):
                    return True
    return False


def matched(left: tuple[int, ...], places: list[Place], booked: dict[int, int], leader: int) -> bool:
    if not left:
        return all(comes_to(leader, unit, booked) for unit in booked)
    return any(
        left[0] in place.takers
        and matched(left[1:], places[:n] + places[n + 1 :], booked | {left[0]: place.granter}, leader)
        for n, place in enumerate(places)
    )


def comes_to(leader: int, unit: int, booked: dict[int, int]) -> bool:
    seen = set()
    while unit != leader and unit not in seen:
        seen.add(unit)
        unit = booked[unit]
    return unit == leader


def pack_of(folder: Path, made: list[Unit]) -> LoadedPack:
    lines = []
    for name, kind, unit in zip(NAMES, KINDS, made, strict=True):
        allows = ", ".join(f"{what}: {amount}" for what, amount in unit["allows"].items())
        bars = ", ".join(sorted(unit["bars"]))
        only = "yes" if unit["only"] else "no"
        lines.append(
            f"- {{unit: {name}, type: {kind}, points: 1, cite: p. 4, allows: {{{allows}}},"
            f" bars: [{bars}], by name only: {only}}}\n"
        )
    return read_files(folder, {"pack.yaml": ALLOWING, "units.yaml": units("".join(lines))})


@settings(
    max_examples=10 if QUICK else 60,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(UNIT, min_size=5, max_size=5),
    st.lists(st.lists(st.integers(0, 4), max_size=4), min_size=6, max_size=6),
    st.integers(0, 1),
)
def test_the_sums_say_what_a_booking_says(tmp_path: Path, made: list[Unit], lists: list[list[int]], boss: int) -> None:
    for name, unit in zip(NAMES, made, strict=True):
        unit["allows"].pop(name, None)  # no unit allows itself by name: sums count that place for it
    reading = pack_of(tmp_path, made)
    assert len(lists) == 6
    for others in lists:
        chosen = [boss, *others]
        listed = ", ".join(NAMES[each].lower() for each in chosen)
        assert (broken(reading, f"[{listed}]") == []) == has_booking(made, chosen)
