"""Units inside other units: add-ons, and characters that join squads."""

from pathlib import Path

import pytest

from tests.catalogue.pack_files import PACK, broken, points, pond
from tests.catalogue.test_pack_units import NEWTS

HERO = """\
- {unit: Frog King, type: boss, points: 7, cite: p. 5, keywords: [Loud], profile: [4, 2]%s}
"""
ONE_BOSS = PACK.replace("slots: [boss, crew]", "slots: {boss: 0-1, crew: any}, slot rule: p-bosses")
JOINING = """\
joining:
- {of: [Loud], joins: {types: [crew]%s}}
"""
KING_IN_A_HOST = "[{unit: toad, options: [frog king]}, frog king]"


def test_an_add_on_stands_in_another_unit(tmp_path: Path) -> None:
    reading = pond(
        tmp_path,
        NEWTS
        + """\
- {unit: Snail, type: help, points: 3, cite: p. 6, joins: [Newts]}
- {unit: Leech, type: help, points: 1, cite: p. 6, joins: {keywords: [Wet], up to: 2, within size: yes}}
""",
    )
    assert points(reading, "[{unit: newts, options: [snail]}]") == 15
    assert broken(reading, "[{unit: newts, options: [{option: snail, count: 2}]}]") == ["p-help-number"]
    assert broken(reading, "[{unit: newts, options: [{option: leech, count: 2}]}]") == []
    assert broken(reading, "[{unit: newts, options: [snail, leech]}]") == ["p-help-kind"]
    full = "[{unit: newts, options: [{option: newt, count: 8}, %s]}]"
    assert broken(reading, full % "snail") == []
    assert broken(reading, full % "leech") == ["p-help-size"]


@pytest.mark.parametrize(
    ("keeps", "rules"),
    [("", []), (", keeps its type when: wet in roster", []), (", keeps its type when: loud in roster", ["p-bosses"])],
)
def test_a_unit_that_joins_others_gives_up_its_type_in_a_host(tmp_path: Path, keeps: str, rules: list[str]) -> None:
    reading = pond(tmp_path, HERO % "", ONE_BOSS + JOINING % keeps)
    assert points(reading, KING_IN_A_HOST) == 19
    assert broken(reading, KING_IN_A_HOST) == rules
    assert broken(reading, "[toad, frog king, frog king]") == ["p-bosses"]


def test_a_unit_and_its_type_may_both_say_whom_it_joins(tmp_path: Path) -> None:
    more = NEWTS + HERO % ", joins: {units: [Newts], up to: 2}"
    reading = pond(tmp_path, more, PACK + JOINING % "")
    assert broken(reading, "[{unit: toad, options: [frog king]}]") == []
    assert broken(reading, "[{unit: newts, options: [{option: frog king, count: 2}]}]") == []


def test_what_only_joins_is_not_offered_by_itself(tmp_path: Path) -> None:
    reading = pond(tmp_path, HERO % ", only joined: yes, joins: [Toad]")
    assert reading.data is not None
    offered = [entry.id for catalogue in reading.data.catalogues for entry in catalogue.entries]
    assert offered == ["toad"]
    assert broken(reading, "[{unit: toad, options: [frog king]}]") == []


def test_an_empty_unit_has_the_models_of_those_that_join_it(tmp_path: Path) -> None:
    size = "rules:\n- {rule: p-four, name: Four, text: Four., cite: p. 1, in: roster, count: models, at most: 1}\n"
    raft = "- {unit: Raft, type: crew, points: 0, cite: p. 5, empty: yes}\n" + HERO % ", joins: [Raft]"
    reading = pond(tmp_path, raft, PACK + size)
    assert broken(reading, "[{unit: raft, options: [frog king]}]") == []
    assert broken(reading, "[{unit: raft, options: [frog king]}, toad]") == ["p-four"]
