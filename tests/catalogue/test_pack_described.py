"""Conditions are described by their content."""

from pathlib import Path

import pytest

from catalogue.graph.compiled_constraints import is_mendable
from tests.catalogue.pack_files import PACK, entry_of, pond

CARP = """\
- unit: Carp
  type: crew
  points: 4
  cite: p. 4
  only when: %s
"""


def said(folder: Path, when: str) -> str:
    constraints = entry_of(pond(folder, CARP % when), "carp").constraints
    return next(c.text for c in constraints if c.id == "carp#only-when")


@pytest.mark.parametrize(
    ("when", "text"),
    [
        ("toad", "Only with Toad."),
        ("[toad, loud]", "Only with Toad, with Loud."),
        ("no toad in roster", "Not with Toad."),
        ("[no toad, no loud, no wet]", "Not with Toad, Loud or Wet."),
        ("{any: [toad, wet]}", "Only with Toad or with Wet."),
        ("{any: [no toad, no wet]}", "Only without Toad or without Wet."),
        ("{not: [toad, wet]}", "Only without Toad or without Wet."),
        ("[{any: [toad, wet]}, loud]", "Only either with Toad or with Wet, with Loud."),
        ("at least 2 toad", "Only with at least 2 Toad."),
        ("fewer than 3 crew in roster", "Only with fewer than 3 Crew."),
        ("army of Frogs", "Only in an army of Frogs."),
        ("no army of frogs", "Only in armies other than Frogs."),
    ],
)
def test_a_condition_is_said_by_what_it_asks(tmp_path: Path, when: str, text: str) -> None:
    assert said(tmp_path, when) == text


def test_what_is_asked_for_and_what_is_barred_are_told_apart(tmp_path: Path) -> None:
    mixed = "[toad, no wet in roster, no loud, fewer than 3 crew in roster]"
    carp = entry_of(pond(tmp_path, CARP % mixed), "carp")
    told = {c.id: (c.text, is_mendable(c)) for c in carp.constraints if c.id.startswith("carp#only-when")}
    assert told == {
        "carp#only-when": ("Only with Toad.", True),
        "carp#only-when-2": ("Not with Wet or Loud.", False),
        "carp#only-when-3": ("Only with fewer than 3 Crew.", False),
    }


def test_the_rule_keeps_its_own_name(tmp_path: Path) -> None:
    words = "only when: {rule: p-when, name: When, text: By its leave., cite: p. 1}"
    carp = entry_of(pond(tmp_path, CARP % "toad", PACK.replace("only when: p-when", words)), "carp")
    assert [(c.name, c.text) for c in carp.constraints if c.rule == "p-when"] == [("When", "Only with Toad.")]


def test_a_note_of_the_option_comes_first(tmp_path: Path) -> None:
    carp = CARP % "toad" + "  options:\n  - {option: Leaf, only when: toad, note: By its leave.}\n"
    leaf = entry_of(pond(tmp_path, carp), "carp/leaf")
    assert [c.text for c in leaf.constraints if c.rule == "p-when"] == ["By its leave."]
