"""The inventory of the rules of the book."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, pond

RULES = (
    PACK.partition("built-in rules:")[0]
    + """\
detachments:
- {detachment: Pond, cite: p. 2, slots: [boss, crew]}
rules:
- {rule: p-few, name: Few, text: Few toads., cite: p. 3, in: roster, count: crew, at most: 4}
"""
)
INVENTORY = """\
cite: book
inventory:
- rule: p-few
  cite: p. 4
  reading: Efts are toads.
  clauses:
    most: Four.
    eft: {text: Efts too., open: No efts yet.}
"""


def test_a_rule_has_the_words_of_what_carries_it_out(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", RULES, **{"rules.yaml": INVENTORY})
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.data is not None
    (rule,) = reading.data.game_system.rulebook
    assert (rule.name, rule.text, rule.citation.page, rule.reading) == ("Few", "Few toads.", "4", "Efts are toads.")
    assert [(clause.id, clause.text, clause.open) for clause in rule.clauses] == [
        ("most", "Four.", ""),
        ("eft", "Efts too.", "No efts yet."),
    ]
    places = {place: Path(file).name for place, (file, _) in reading.rule_places.items()}
    assert places == dict.fromkeys(("p-few", "p-few/most", "p-few/eft"), "rules.yaml")


def test_without_an_inventory_it_is_what_the_pack_carries_out(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", RULES)
    assert reading.data is not None
    assert [rule.id for rule in reading.data.game_system.rulebook] == ["p-few"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("p-few\n  cite", "p-fwe\n  cite", "missing-key"),
        ("p-few\n  cite", "p-few\n  part of: [p-all]\n  cite", "unknown-name"),
        ("most: Four.", "Most of: Four.", "wrong-form"),
        ("inventory:\n", "inventory:\n- {rule: p-few}\n", "duplicate-id"),
    ],
)
def test_mistakes_are_found(tmp_path: Path, old: str, new: str, code: str) -> None:
    reading = pond(tmp_path, "", RULES, **{"rules.yaml": INVENTORY.replace(old, new)})
    assert code in [found.code for found in reading.diagnostics]


@pytest.mark.parametrize(
    ("note", "codes"),
    [
        ("Whether it croaks.", ["open-note"]),
        ("{rule: p-few, text: Whether it croaks.}", []),
        ("{code: at-table, text: It needs a pond.}", []),
        ("{rule: p-fewer, text: Whether it croaks.}", ["unknown-name"]),
    ],
)
def test_a_note_of_a_unit_names_the_rule_that_it_leaves_open(tmp_path: Path, note: str, codes: list[str]) -> None:
    unit = f"- unit: Frog\n  type: crew\n  points: 1\n  cite: p. 1\n  unchecked: [{note}]\n"
    reading = pond(tmp_path, unit, RULES, **{"rules.yaml": INVENTORY})
    assert [found.code for found in reading.diagnostics] == codes
