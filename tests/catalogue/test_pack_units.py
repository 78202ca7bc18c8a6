"""What a unit of a pack means in a list."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, UNITS, broken, entry_of, judged, points, pond, read_files

NEWTS = """\
- unit: Newts
  type: crew
  points: 12
  cite: p. 5
  keywords: [Wet]
  models:
  - model: Newt
    count: 5-8
    points: 2
    profile: [4, 2]
    carries: [Reed]
"""


def test_the_printed_price_is_that_of_the_smallest_unit(tmp_path: Path) -> None:
    reading = pond(tmp_path, NEWTS)
    assert points(reading, "[newts]") == 12
    assert points(reading, "[{unit: newts, options: [{option: newt, count: 8}]}]") == 18


def test_unit_size_binds_both_ways(tmp_path: Path) -> None:
    reading = pond(tmp_path, NEWTS)
    assert broken(reading, "[{unit: newts, options: [{option: newt, count: 4}]}]") == ["p-size-min"]
    assert broken(reading, "[{unit: newts, options: [{option: newt, count: 9}]}]") == ["p-size-max"]
    assert broken(reading, "[newts]") == []


def test_models_are_counted(tmp_path: Path) -> None:
    report = judged(pond(tmp_path, NEWTS), "[newts, toad]")
    assert next(cost.value for cost in report.costs if cost.type_id == "models") == 6


def test_a_pool_of_models_shares_its_number(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        """\
- unit: Band
  type: crew
  points: 9
  cite: p. 5
  models:
  - model: Chief
  - choose: 2-4
    default: Frog
    from:
    - {model: Frog, count: any, points: 3}
    - {model: Slinger, up to: 1, points: 5, gives: [Stone]}
""",
    )
    assert points(reading, "[band]") == 9
    slinger = "[{unit: band, options: [{option: frog, count: %d}, {option: slinger, count: %d}]}]"
    assert points(reading, slinger % (2, 1)) == 14
    assert broken(reading, slinger % (4, 1)) == ["p-size-max"]
    assert broken(reading, slinger % (2, 2)) == ["p-size-max"]
    assert broken(reading, slinger % (1, 0)) == ["p-size-min"]


def test_several_units_as_one_choice(tmp_path: Path) -> None:
    reading = pond(tmp_path, "- {unit: Herons, type: crew, units: 1-2, points: 8, cite: p. 5, options: [Stone: +1]}\n")
    two = "[{unit: herons, options: [{option: herons, count: 1}, {option: herons, options: [stone]}]}]"
    assert points(reading, two) == 17
    assert broken(reading, "[{unit: herons, options: [{option: herons, count: 3}]}]") == ["p-units"]
    assert entry_of(reading, "herons/unit/stone").name == "Stone"


def test_unique_and_limited(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        """\
- {unit: King, type: boss, unique: yes, points: 1, cite: p. 5}
- {unit: Duke, type: boss, limit: {detachment: 1}, points: 1, cite: p. 5}
- {unit: Earl, type: boss, limit: {roster: 2}, points: 1, cite: p. 5}
""",
    )
    assert broken(reading, "[king, duke, earl, earl]") == []
    assert broken(reading, "[king, king, duke, duke, earl, earl, earl]") == ["p-rare", "p-scarce", "p-unique"]


def test_a_unit_may_wait_for_others(tmp_path: Path) -> None:
    reading = pond(tmp_path, "- {unit: Pike, type: boss, points: 1, cite: p. 5, only when: at least 2 crew}\n")
    report = judged(reading, "[pike, toad]")
    assert [(v.rule, v.mendable) for v in report.violations] == [("p-when", True)]
    assert broken(reading, "[pike, toad, toad]") == []


def test_a_unit_has_its_keywords_profile_and_abilities(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        """\
- unit: Old Frog
  type: boss
  points: 3
  cite: p. 5
  about: Sits.
  keywords: [Wet, Loud]
  profile: [2, 3]
  carries: [Stone x2, Leaf]
  abilities: [Leap (2), Croak]
""",
    )
    frog = judged(reading, "[old-frog]").forces[0].selections[0]
    assert [category.id for category in frog.categories if not category.hidden] == [
        "boss",
        "keyword/wet",
        "keyword/loud",
    ]
    assert {profile.name for profile in frog.profiles} == {"Old Frog", "Stone"}
    assert [(rule.name, rule.parameter, rule.description) for rule in frog.rules if rule.name == "Leap"] == [
        ("Leap", "2", "Moves 2 further.")
    ]
    assert frog.note == "Sits."


def test_provisional_and_unchecked_follow_the_unit_into_the_verdict(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        "- {unit: Carp, type: crew, points: 1, cite: p. 5, provisional: Guessed., unchecked: [Needs water.]}\n",
        PACK + "unchecked: [{code: weather, text: The weather.}]\n",
    )
    assert [(u.code, u.text) for u in judged(reading, "[toad]").unchecked] == [("weather", "The weather.")]
    assert {u.code for u in judged(reading, "[carp]").unchecked} == {"weather", "not-checked", "provisional"}


def test_every_number_cites_its_unit(tmp_path: Path) -> None:
    newt = entry_of(pond(tmp_path, NEWTS), "newts/newt")
    assert {constraint.citation.page for constraint in newt.constraints} == {"5"}


RARE = """
- unit: Frog
  type: crew
  points: 3
  cite: p. 5
  unchecked: [%s]
- {unit: Newt, type: crew, points: 3, cite: p. 5}
"""
FEW = "rules: [{rule: p-few, name: Few, text: Few of a kind., in: roster, count: %s, at most: 1}]\n"


@pytest.mark.parametrize(
    ("note", "counted", "units", "verdict"),
    [
        ("{rule: p-few, exception: yes, text: In a dry summer two.}", "crew", "frog, newt", "legal"),
        ("{rule: p-few, exception: yes, text: In a dry summer two.}", "crew", "newt, newt", "illegal"),
        ("{rule: p-few, text: Newts count half.}", "crew", "frog, newt", "illegal"),
        ("{rule: p-once, exception: yes, text: As often as it likes.}", "crew", "frog, newt", "illegal"),
    ],
)
def test_a_rule_with_an_unchecked_exception_is_not_judged_of_that_unit(
    tmp_path: Path, note: str, counted: str, units: str, verdict: str
) -> None:
    reading = pond(tmp_path, RARE % note, PACK + FEW % counted)
    report = judged(reading, f"[{units}]")
    assert report.verdict.value == verdict
    severities = {violation.severity.value for violation in report.violations if violation.rule == "p-few"}
    assert severities == {"warning" if verdict == "legal" else "error"}


def test_a_note_names_a_rule_that_the_pack_has(tmp_path: Path) -> None:
    reading = pond(tmp_path, RARE % "{rule: p-onse, text: In a dry summer two.}")
    assert [d.code for d in reading.errors] == ["unknown-name"]
    assert "p-once" in reading.errors[0].mend


def test_an_exception_names_its_rule(tmp_path: Path) -> None:
    reading = pond(tmp_path, RARE % "{exception: yes, text: In a dry summer two.}")
    assert [d.code for d in reading.errors] == ["missing-key"]


def test_uniqueness_is_cited_from_the_rules_and_a_number_from_the_entry(tmp_path: Path) -> None:
    units = "- {unit: King, type: boss, unique: yes, points: 1, cite: p. 5}\n"
    units += "- {unit: Earl, type: boss, limit: {roster: 1}, points: 1, cite: p. 6}\n"
    words = "unique: {rule: p-unique, name: Unique, text: There is one., cite: p. 9}"
    reading = pond(tmp_path, units, PACK.replace("unique: p-unique", words))
    violations = judged(reading, "[king, king, earl, earl]").violations
    assert {v.rule: v.citation.page for v in violations} == {"p-unique": "9", "p-rare": "6"}


GEAR_OF_PHASES = """\
cite: book
abilities:
- {ability: Croak, text: Is heard., phase: morale, cite: p. 3}
- {abilities: [Leap, Hop], text: Jumps., phase: movement, cite: p. 3}
- {ability: Sit, text: Stays., cite: p. 3}
"""


def test_abilities_say_in_which_phase_they_matter(tmp_path: Path) -> None:
    unit = "- {unit: Newt, type: crew, points: 3, cite: p. 5, abilities: [Croak, Leap, Hop, Sit]}\n"
    reading = read_files(tmp_path, {"gear.yaml": GEAR_OF_PHASES, "units.yaml": UNITS + unit})
    (newt,) = judged(reading, "[newt]").forces[0].selections
    phases = {rule.name: rule.phase for rule in newt.rules}
    assert phases == {"Croak": "morale", "Leap": "movement", "Hop": "movement", "Sit": ""}


def test_an_ability_has_a_reminder_of_its_own_for_zero(tmp_path: Path) -> None:
    gear = 'cite: book\nabilities:\n- {ability: Leap, text: "Moves {} further.", text at zero: Stays., cite: p. 3}\n'
    units = "- {unit: Newt, type: crew, points: 3, cite: p. 5, abilities: [Leap (0)]}\n"
    units += "- {unit: Frog, type: crew, points: 3, cite: p. 5, abilities: [Leap (1)]}\n"
    reading = read_files(tmp_path, {"gear.yaml": gear, "units.yaml": UNITS + units})
    assert reading.diagnostics == ()
    units_taken = judged(reading, "[newt, frog]").forces[0].selections
    reminders = {unit.name: [rule.description for rule in unit.rules] for unit in units_taken}
    assert reminders == {"Newt": ["Stays."], "Frog": ["Moves 1 further."]}


def test_a_phase_that_there_is_not_is_named(tmp_path: Path) -> None:
    gear = GEAR_OF_PHASES.replace("phase: morale", "phase: moral")
    reading = read_files(tmp_path, {"gear.yaml": gear})
    assert [(d.code, "morale" in d.mend) for d in reading.errors] == [("wrong-form", True)]
