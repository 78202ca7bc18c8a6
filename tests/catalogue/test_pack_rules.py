"""How rules, detachments and decks of a pack judge a list."""

from pathlib import Path

import pytest

from catalogue.definitions.constraints import Severity
from catalogue.formats.packs.pack import LoadedPack
from tests.catalogue.pack_files import PACK, broken, judged, pond, read_files

CHIEF = "- {unit: Chief, type: boss, points: 1, cite: p. 5, keywords: [Loud]}\n"


def with_rule(folder: Path, rule: str, units: str = CHIEF) -> object:
    text = f"rules:\n- {{rule: r, name: Name, text: Sentence., cite: p. 9, {rule}}}\n"
    return pond(folder, units, PACK + text)


@pytest.mark.parametrize(
    ("rule", "units", "expected"),
    [
        ("count: units, at most: 1", "[toad, chief]", ["r"]),
        ("count: crew, at least: 1", "[chief]", ["r"]),
        ("count: boss, at most: crew", "[chief]", ["r"]),
        ("count: boss, at most: crew", "[chief, toad]", []),
        ("count: boss, at most: 1 + crew", "[chief]", []),
        ("count: crew + 2 x boss, at most: 3", "[chief, toad]", []),
        ("count: crew + 2 x boss, at most: 3", "[chief, chief]", ["r"]),
        ("count: crew, exactly: 4 - 2 x boss", "[chief, toad, toad]", []),
        ("count: crew, exactly: 4 - 2 x boss", "[chief, toad]", ["r"]),
        ("count: toad, at most: 0, when: loud", "[chief, toad]", ["r"]),
        ("count: toad, at most: 0, when: no loud", "[chief, toad]", []),
        ("count: toad, at most: 0, when: [at least 1 boss, fewer than 2 crew]", "[chief, toad]", ["r"]),
        ("count: toad, at most: 0, when: {any: [at least 2 boss, exactly 1 crew]}", "[chief, toad]", ["r"]),
        ("count: toad, at most: 0, when: {not: [chief, toad]}", "[chief, toad]", []),
        ("count: toad, at most: 0, when: {not: [chief, at least 2 toad]}", "[chief, toad]", ["r"]),
        ("count: toad, at most: 0, when: {count: units, in: roster, at least: 2, at most: 3}", "[chief, toad]", ["r"]),
        ("count: points, at most: 5", "[chief, toad]", ["r"]),
        ("count: models, at least: 3", "[chief, toad]", ["r"]),
        ("in: roster, count: detachments, exactly: 1", "[toad]", []),
        ("for each: [boss, crew], count: each, at most: 1", "[toad, toad, chief, chief]", ["r", "r"]),
        ("in: unit, of: [boss], count: models, at least: 1, when: toad in detachment", "[toad, chief]", ["r"]),
    ],
)
def test_a_rule_is_what_it_says(tmp_path: Path, rule: str, units: str, expected: list[str]) -> None:
    assert broken(with_rule(tmp_path, rule), units) == expected


@pytest.mark.parametrize(("units", "expected"), [("[choir]", []), ("[choir, toad]", ["r"])])
def test_an_ability_that_models_have_at_times_is_counted_then(tmp_path: Path, units: str, expected: list[str]) -> None:
    croaking = "{model: Frog, abilities: [{ability: Croak, when: toad in roster}]}"
    choir = f"- {{unit: Choir, type: crew, points: 1, cite: p. 5, models: [{croaking}]}}\n"
    silence = "in: unit, of: [choir], count: croak ability in unit, at most: 0"
    assert broken(with_rule(tmp_path, silence, choir), units) == expected


@pytest.mark.parametrize(
    ("units", "mendable"), [("[chief]", True), ("[chief, chief]", False), ("[chief, chief, toad]", None)]
)
def test_a_breach_is_mendable_while_there_is_room(tmp_path: Path, units: str, mendable: bool | None) -> None:
    rule = "count: boss, at most: 0, when: no toad, mendable: yes, mendable while: fewer than 2 boss"
    found = judged(with_rule(tmp_path, rule), units).violations
    assert [violation.mendable for violation in found] == ([] if mendable is None else [mendable])


def test_a_rule_brings_its_words_and_its_place_in_the_book(tmp_path: Path) -> None:
    reading = with_rule(tmp_path, "count: crew, at most: 0, severity: warning, mendable: yes")
    (violation,) = judged(reading, "[toad]").violations
    assert (violation.rule, violation.name, violation.text) == ("r", "Name", "Sentence.")
    assert (violation.citation.publication_id, violation.citation.page) == ("book", "9")
    assert (violation.severity, violation.mendable) == (Severity.WARNING, True)


CHART = """\
- detachment: Chart
  cite: p. 6
  count: up to 1
  count rule: p-count
  slots: {boss: 0-1, Small: {of: crew, units: 1+}}
  slot rule: p-slots
  rules:
  - rule: p-trade
    name: Trade
    text: Two for one.
    cite: p. 7
    count: crew + 2 x boss
    at most: 4
    when: at most 1 boss
"""


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ("[chief, toad, toad]", []),
        ("[toad, toad, toad, toad]", []),
        ("[chief, toad, toad, toad]", ["p-trade"]),
        ("[toad, toad, toad, toad, toad]", ["p-trade"]),
        ("[chief]", ["p-slots"]),
        ("[chief, chief, toad]", ["p-slots"]),
    ],
)
def test_slots_have_numbers_and_may_be_traded(tmp_path: Path, units: str, expected: list[str]) -> None:
    assert broken(pond(tmp_path, CHIEF, PACK + CHART), units, "chart") == expected


@pytest.mark.parametrize(
    ("units", "expected"), [("[toad]", []), ("[chief, toad]", ["p-den"]), ("[chief, chief]", ["p-den"])]
)
def test_what_no_slot_names_has_no_place(tmp_path: Path, units: str, expected: list[str]) -> None:
    den = "- {detachment: Den, cite: p. 6, slots: [crew], slot rule: p-den}\n"
    assert broken(pond(tmp_path, CHIEF, PACK + den), units, "den") == expected


def test_a_detachment_may_belong_to_some_factions(tmp_path: Path) -> None:
    pack = (
        PACK.replace("[Frogs]", "[Frogs, Newts]")
        + "- {detachment: Burrow, cite: p. 6, slots: [crew], factions: Newts}\n"
    )
    data = pond(tmp_path, "", pack).data
    assert data is not None
    assert {c.id: [f.id for f in c.forces] for c in data.catalogues} == {
        "pond": ["pond"],
        "frogs": [],
        "newts": ["burrow"],
    }


OF_NEWTS = "pond\n  catalogue: newts"
"""A detachment of another faction, in a list of frogs."""


def with_newts(folder: Path, more: str) -> LoadedPack:
    newts = "faction: newts\ncite: book\nunits:\n- {unit: Newt, type: crew, points: 1, cite: p. 4}\n"
    pack = PACK.replace("[Frogs]", "[Frogs, Newts]") + more
    return pond(folder, "", pack, **{"newts.yaml": newts})


@pytest.mark.parametrize(
    ("faction", "detachment", "units", "expected"),
    [
        ("frogs", "pond", "[toad]", []),
        ("newts", "pond", "[newt]", []),
        ("frogs", OF_NEWTS, "[newt]", ["one"]),
        ("newts", OF_NEWTS, "[newt]", []),
        ("frogs", OF_NEWTS, "[]", []),
        ("frogs", "pond\n  units: [toad]\n- detachment: " + OF_NEWTS, "[newt, newt]", ["one"]),
    ],
)
def test_one_faction_is_that_of_the_list(
    tmp_path: Path, faction: str, detachment: str, units: str, expected: list[str]
) -> None:
    reading = with_newts(tmp_path, "one faction: {rule: one, name: One, text: One., cite: p. 1}\n")
    report = judged(reading, units, detachment, faction)
    assert [violation.rule for violation in report.violations] == expected


def test_an_army_is_of_the_faction_of_the_list_whatever_its_detachments_are_of(tmp_path: Path) -> None:
    rule = "in: roster, count: units, at most: 0, when: army of frogs"
    reading = with_newts(tmp_path, f"rules:\n- {{rule: wet, name: Wet, text: Wet., cite: p. 1, {rule}}}\n")
    assert [v.rule for v in judged(reading, "[newt]", OF_NEWTS, "frogs").violations] == ["wet"]
    assert [v.rule for v in judged(reading, "[newt]", OF_NEWTS, "newts").violations] == []


DECK = """\
cite: book
faction: frogs
decks:
- {deck: Rain Deck, type: deck, cards: 3-5, copies: 2, cite: p. 8}
cards:
- {card: Rain, profile: [1], cite: p. 8, text: It rains.}
- {card: Hail, copies: 1, cite: p. 8, text: It hails.}
- {card: Call, needs: Chief, cite: p. 8, text: He calls.}
"""


@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ("[{unit: rain-deck, options: [{option: rain, count: 2}, hail]}]", []),
        ("[{unit: rain-deck, options: [{option: rain, count: 2}]}]", ["p-deck"]),
        ("[{unit: rain-deck, options: [{option: rain, count: 3}]}]", ["p-copies"]),
        ("[{unit: rain-deck, options: [{option: hail, count: 2}, rain]}]", ["p-copies"]),
        ("[{unit: rain-deck, options: [{option: call, count: 2}, rain]}]", ["p-bound"]),
        ("[chief, {unit: rain-deck, options: [{option: call, count: 2}, rain]}]", []),
    ],
)
def test_decks(tmp_path: Path, units: str, expected: list[str]) -> None:
    assert broken(with_deck(tmp_path, "p-bound"), units) == expected


def with_deck(folder: Path, needs: str) -> LoadedPack:
    """Return the pack with the deck; `needs` is the rule of a card that needs a unit."""
    pack = (
        PACK.replace("crew: Crew,", "crew: Crew, deck: Deck,")
        .replace("slots: [boss, crew]", "slots: [boss, crew, deck]")
        .replace("profiles:\n", "profiles:\n  cards: {for: cards, columns: [Cost]}\n")
        .replace(
            "  swap: p-swap\n", f"  swap: p-swap\n  deck size: p-deck\n  card copies: p-copies\n  card needs: {needs}\n"
        )
    )
    return pond(folder, CHIEF, pack, **{"deck.yaml": DECK})


@pytest.mark.parametrize(("units", "mendable"), [("toad", True), ("toad, toad", False)])
def test_a_unit_that_a_card_needs_can_be_added_while_there_is_room(tmp_path: Path, units: str, mendable: bool) -> None:
    reading = with_deck(tmp_path, "{rule: p-bound, mendable while: fewer than 2 crew}")
    report = judged(reading, f"[{units}, {{unit: rain-deck, options: [call, {{option: rain, count: 2}}]}}]")
    assert [(found.rule, found.mendable) for found in report.violations] == [("p-bound", mendable)]


def test_what_a_pack_says_of_itself(tmp_path: Path) -> None:
    pack = (
        PACK
        + """\
edition: Second
colours: ["#3C5625", "#a9cb80"]
example: yes
presets:
- {preset: Short, limits: {points: 50}, detachments: [pond], text: An hour.}
"""
    )
    pack = pack.replace(
        "costs: [points]", "costs: [{cost: points, default: 90, presets: [50, 90], limit rule: p-limit-rule}]"
    )
    reading = read_files(
        tmp_path,
        {"pack.yaml": pack, "missions.yaml": "cite: book\nmissions: [{mission: Dive, scoring: Depth., cite: p. 9}]\n"},
    )
    assert reading.pack is not None
    assert reading.data is not None
    assert (reading.pack.id, reading.pack.game_id, reading.pack.edition, reading.pack.version) == (
        "pond",
        "pond",
        "Second",
        "1",
    )
    identity = reading.pack.identity
    assert (identity.dark, identity.light) == ("#3c5625", "#a9cb80")
    assert (reading.pack.example, reading.pack.unofficial) == (True, False)
    assert [(p.id, p.limits, p.detachments) for p in reading.pack.presets] == [("short", {"points": 50}, ("pond",))]
    cost = reading.data.game_system.cost_types[0]
    assert (cost.id, cost.default_limit, cost.presets, cost.rule) == ("points", 90, (50, 90), "p-limit-rule")
    assert [m.id for m in reading.data.game_system.missions] == ["dive"]
