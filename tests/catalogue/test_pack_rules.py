"""Rules, detachments and decks of a pack, as they judge a list."""

from pathlib import Path

import pytest

from catalogue.definitions.constraints import Severity
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
        (
            "count: toad, at most: 0, when: {count: units, in: roster, at least: 2, at most: 3}",
            "[chief, toad]",
            ["r"],
        ),
        ("count: points, at most: 5", "[chief, toad]", ["r"]),
        ("count: models, at least: 3", "[chief, toad]", ["r"]),
        ("in: roster, count: detachments, exactly: 1", "[toad]", []),
        ("for each: [boss, crew], count: each, at most: 1", "[toad, toad, chief, chief]", ["r", "r"]),
        (
            "in: unit, of: [boss], count: models, at least: 1, when: toad in detachment",
            "[toad, chief]",
            ["r"],
        ),
    ],
)
def test_a_rule_is_what_it_says(tmp_path: Path, rule: str, units: str, expected: list[str]) -> None:
    assert broken(with_rule(tmp_path, rule), units) == expected


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
  slots: {boss: 0-1, Small: {of: crew, units: 1-2}}
  slot rule: p-slots
  swaps:
  - {give: 1 boss, take: 2 small, rule: p-trade, name: Trade, text: Two for one., cite: p. 7}
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


def test_one_faction(tmp_path: Path) -> None:
    pack = (
        PACK.replace("[Frogs]", "[Frogs, Newts]")
        + "one faction: {rule: one, name: One, text: One., cite: p. 1}\n"
    )
    newts = "faction: newts\ncite: book\nunits:\n- {unit: Newt, type: crew, points: 1, cite: p. 4}\n"
    reading = pond(tmp_path, "", pack, **{"newts.yaml": newts})
    assert reading.data is not None
    (constraint,) = reading.data.game_system.constraints
    assert constraint.rule == "one"
    assert broken(reading, "[toad]") == []


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
    pack = (
        PACK.replace("crew: Crew,", "crew: Crew, deck: Deck,")
        .replace("slots: [boss, crew]", "slots: [boss, crew, deck]")
        .replace("profiles:\n", "profiles:\n  cards: {for: cards, columns: [Cost]}\n")
        .replace(
            "  swap: p-swap\n",
            "  swap: p-swap\n  deck size: p-deck\n  card copies: p-copies\n  card needs: p-bound\n",
        )
    )
    assert broken(pond(tmp_path, CHIEF, pack, **{"deck.yaml": DECK}), units) == expected


def test_what_a_pack_says_of_itself(tmp_path: Path) -> None:
    pack = (
        PACK
        + """\
edition: Second
accent: {light: "#4D6B2F", dark: "#93b56a"}
presets:
- {preset: Short, limits: {points: 50}, detachments: [pond], text: An hour.}
rulesets:
- {ruleset: All, detachments: [pond], text: Everything.}
"""
    )
    pack = pack.replace(
        "costs: [points]", "costs: [{cost: points, default: 90, presets: [50, 90], limit rule: p-limit-rule}]"
    )
    reading = read_files(
        tmp_path,
        {
            "pack.yaml": pack,
            "missions.yaml": "cite: book\nmissions: [{mission: Dive, scoring: Depth., cite: p. 9}]\n",
        },
    )
    assert reading.pack is not None
    assert reading.data is not None
    assert (reading.pack.id, reading.pack.game_id, reading.pack.edition, reading.pack.version) == (
        "pond",
        "pond",
        "Second",
        "1",
    )
    assert (reading.pack.accent, reading.pack.accent_dark) == ("#4d6b2f", "#93b56a")
    assert [(p.id, p.limits, p.detachments) for p in reading.pack.presets] == [
        ("short", {"points": 50}, ("pond",))
    ]
    assert [r.id for r in reading.pack.rulesets] == ["all"]
    cost = reading.data.game_system.cost_types[0]
    assert (cost.id, cost.default_limit, cost.presets, cost.rule) == ("points", 90, (50, 90), "p-limit-rule")
    assert [m.id for m in reading.data.game_system.missions] == ["dive"]
