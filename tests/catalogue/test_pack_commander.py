"""The commander of a list, what depends on it, and units alone, inside others, or as another type."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, judged, read_files

RULE = "name: A rule, text: It is one., cite: p. 9"
GAME = (
    PACK.replace("factions: [Frogs]", "factions: [Frogs, Newts]")
    .replace(
        "costs: [points]", "costs: [points, {cost: rank, column: LD}, {cost: seats, abilities: [Carries], plus: 1}]"
    )
    .replace("AV]}\n", "AV]}\n  elders: {for: models, columns: [MV, AV, LD]}\n", 1)
    .replace("slots: [boss, crew]", "slots: {boss: 0-1, crew: 0-2}, slot rule: p-slots")
    .replace("  size min:", "  joined elsewhere of loud: p-elsewhere\n  outside detachments: p-outside\n  size min:")
    + f"""
anywhere: [loud]
joining: [{{of: loud, joins: {{units: [Choir], up to: 2, keeps its type when: commanding}}}}]
one faction: {{rule: p-one-faction, {RULE}}}
withheld: [{{of: wet, when: elder in roster, rule: p-withheld, {RULE}}}]
sets:
- {{set: Elders, of: boss, when: own army}}
- {{set: Frog singers, of: loud, home: frogs}}
- {{set: Singing apart, of: loud, when: no joined}}
figures: [{{figure: Worth, count: crew + 3 x boss + 1}}]
rules:
- {{rule: p-dry, count: wet, at most: 0, {RULE}}}
- {{rule: p-newts, in: roster, count: frog singers, at most: 0, when: army of newts, {RULE}}}
- {{rule: p-apart, in: roster, count: singing apart, at most: 1, {RULE}}}
- {{rule: p-seats, in: unit, of: crew, count: seats in unit, at most: 4, {RULE}}}
command:
  name: Headfrog
  of: Elders
  by: rank
  outranked: {{rule: p-outranked, {RULE}}}
  contested: {{rule: p-contested, {RULE}}}
  undecided: {{rule: p-open, severity: remark, {RULE}}}
  leave:
    ability: Leads
    option: As boss
    counts as: boss
    of: crew
    without: {{rule: p-leave, {RULE}}}
    too many: {{rule: p-leave-limit, {RULE}}}
"""
)
FROGS = """\
faction: frogs
cite: book
abilities:
- {ability: Leads, text: "Lets {} be bosses.", cite: p. 5}
- {ability: Carries, text: "Holds {}.", cite: p. 5}
units:
- {unit: Bull, type: boss, points: 5, profile: [3, 1, 7], abilities: [Leads (2/Toad)], cite: p. 4}
- {unit: Elder, type: boss, points: 5, profile: [3, 1, 9], cite: p. 4, options: [{option: Leaf, only when: commanding}]}
- {unit: Toad, type: crew, points: 2, profile: [3, 1], cite: p. 4, options: [{option: Stone, only when: bull commands}]}
- {unit: Ferry, type: crew, points: 2, abilities: [Carries (3)], cite: p. 4, options: [{option: Reed, counts as: boss}]}
- {unit: Barge, type: crew, points: 2, abilities: [Carries (4)], cite: p. 4}
- unit: Rafts
  type: crew
  points: 2
  abilities: [Carries (1)]
  cite: p. 4
  models: [{model: Raft, count: 2-3, points: 1}]
- {unit: Singer, type: boss, keywords: [Loud], points: 1, profile: {LD: 8}, cite: p. 4}
- {unit: Tenor, type: boss, keywords: [Loud], points: 1, profile: {LD: 8}, cite: p. 4}
- {unit: Diver, type: crew, keywords: [Wet], points: 1, cite: p. 4}
- {unit: Drummer, type: boss, only joined: yes, joins: [Toad], points: 1, profile: {MV: 1}, cite: p. 4}
"""
NEWTS = """\
faction: newts
cite: book
units:
- {unit: Swimmer, type: crew, points: 3, cite: p. 4}
"""
CHOIR = """\
cite: book
units:
- {unit: Choir, type: boss, empty: yes, cite: p. 4}
"""


def broken(folder: Path, units: str, faction: str = "frogs") -> list[str]:
    """Return the rules that a list of these units breaks or is advised against."""
    files = {"pack.yaml": GAME, "units.yaml": FROGS, "newts.yaml": NEWTS, "choir.yaml": CHOIR}
    reading = read_files(folder, files)
    assert [str(found) for found in reading.diagnostics] == []
    return sorted(violation.rule for violation in judged(reading, units, faction=faction).violations)


CONTESTED = ["p-contested", "p-contested", "p-slots"]
"""The violations if two leaders of one rank are declared who could both command."""


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ("[bull]", []),
        ("[{unit: toad, options: [as-boss]}]", ["p-leave"]),
        ("[bull, {unit: toad, options: [as-boss]}]", ["p-slots"]),
        ("[bull, {unit: toad, options: [stone]}]", []),
        ("[elder, {unit: toad, options: [stone]}]", ["p-when"]),
        ("[{unit: elder, options: [leaf]}]", []),
        ("[bull, {unit: elder, options: [leaf]}]", ["p-slots"]),
        ("[{unit: bull, leads: yes}, {unit: elder, options: [leaf]}]", ["p-outranked", "p-slots"]),
        ("[elder, elder]", ["p-open", "p-slots"]),
        ("[{unit: elder, leads: yes}, elder]", ["p-slots"]),
        ("[{unit: elder, leads: yes, options: [leaf]}, elder]", ["p-slots"]),
        ("[{unit: elder, leads: yes}, {unit: elder, leads: yes}]", ["p-contested", "p-contested", "p-slots"]),
        ("[{unit: elder, leads: yes}, {unit: bull, leads: yes}]", ["p-outranked", "p-slots"]),
        ("[{unit: choir, leads: yes, options: [singer]}]", ["p-slots"]),
        ("[{unit: choir, leads: yes, options: [singer, tenor]}]", ["p-slots"]),
        ("[{unit: choir, leads: yes, options: [tenor, singer]}, {unit: singer, leads: yes}]", CONTESTED),
        ("[{unit: choir, leads: yes, options: [{option: singer, count: 2}]}]", ["p-contested"]),
        ("[{unit: toad, leads: yes}, elder]", ["p-outranked"]),
        ("[{unit: toad, leads: yes}]", []),
    ],
)
def test_who_commands(tmp_path: Path, units: str, expected: list[str]) -> None:
    assert broken(tmp_path, units) == expected


def test_leave_is_given_so_often(tmp_path: Path) -> None:
    two = "bull, {unit: toad, count: 2, options: [as-boss]}"
    assert broken(tmp_path, f"[{two}]") == ["p-slots"]
    assert broken(tmp_path, f"[{two}, {{unit: toad, options: [as-boss]}}]") == ["p-leave-limit", "p-slots"]


def test_leave_that_nobody_could_give(tmp_path: Path) -> None:
    assert broken(tmp_path, "[{unit: barge, options: [as-boss]}]") == ["p-leave", "p-seats"]


def test_an_option_makes_another_type_of_it(tmp_path: Path) -> None:
    assert broken(tmp_path, "[toad, toad, {unit: ferry, options: [reed]}]") == []
    assert broken(tmp_path, "[toad, toad, ferry]") == ["p-slots"]
    assert broken(tmp_path, "[bull, {unit: ferry, options: [reed]}]") == ["p-slots"]


def test_units_stand_alone_or_in_others(tmp_path: Path) -> None:
    assert broken(tmp_path, "[singer]") == []
    assert broken(tmp_path, "[{unit: choir, options: [{option: singer, count: 2}]}]") == ["p-open"]
    assert broken(tmp_path, "[{unit: choir, options: [{option: singer, count: 3}]}]") == ["p-help-number", "p-open"]
    assert broken(tmp_path, "[singer, singer]") == ["p-apart", "p-open", "p-slots"]
    assert broken(tmp_path, "[elder, {unit: toad, options: [drummer]}]") == []


def test_whoever_commands_keeps_his_type_in_a_host(tmp_path: Path) -> None:
    assert broken(tmp_path, "[{unit: choir, options: [singer]}]") == ["p-slots"]
    assert broken(tmp_path, "[{unit: choir, options: [singer]}]", "newts") == ["p-newts"]


def test_some_serve_any_faction(tmp_path: Path) -> None:
    assert broken(tmp_path, "[swimmer, singer]", "newts") == ["p-newts"]
    assert broken(tmp_path, "[swimmer, toad]", "newts") == ["p-one-faction"]


def test_what_is_withheld_breaks_a_rule_while_it_is(tmp_path: Path) -> None:
    assert broken(tmp_path, "[bull, diver]") == ["p-dry"]
    assert broken(tmp_path, "[elder, diver]") == ["p-dry", "p-withheld"]


def test_figures_that_units_print_are_summed(tmp_path: Path) -> None:
    assert broken(tmp_path, "[ferry]") == []
    assert broken(tmp_path, "[barge]") == ["p-seats"]
    assert broken(tmp_path, "[rafts]") == []
    assert broken(tmp_path, "[{unit: rafts, options: [{option: raft, count: 3}]}]") == ["p-seats"]


def test_a_number_may_be_a_sum(tmp_path: Path) -> None:
    reading = read_files(tmp_path, {"pack.yaml": GAME, "units.yaml": FROGS, "newts.yaml": NEWTS, "choir.yaml": CHOIR})
    assert [figure.value for figure in judged(reading, "[toad, toad, bull]").figures] == [6]


def test_a_leader_of_nobody_is_reported(tmp_path: Path) -> None:
    units = FROGS.replace("2/Toad", "2/Tode")
    reading = read_files(tmp_path, {"pack.yaml": GAME, "units.yaml": units, "choir.yaml": CHOIR})
    assert [found.code for found in reading.diagnostics] == ["unknown-name"]
