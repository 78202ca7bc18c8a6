"""Our own text reads back as the same list, for every pack and for imported games."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from catalogue.formats.packs.load import find_packs
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import EffectiveForce
from roster.engine.tree import Force, RosterTree, copy_with
from roster.formats.list_document import (
    BuiltList,
    ListDocument,
    Media,
    Unreadable,
    build_document,
    build_list,
    read_list,
)
from roster.formats.text.own import TextLength, TextStyle, WrittenHead, write_own_text
from roster.formats.text.own_reader import POINTS_NAME
from roster.formats.text.parse import parse_text
from roster.formats.text.pasted import Reading
from tests.extent import COMPLETE, sample
from tests.read_archives import read_archive
from tests.roster.generated import rosters
from tests.roster.small_game import compiled
from tests.roster.test_lists_write import without_ids
from tests.roster.test_ros_round_trip import named
from tests.shipped_packs import read_ruleset

GAMES = {path.as_posix().split("/packs/")[-1]: path for path in find_packs()}
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
QUICKLY = (Phase.explicit, Phase.reuse, Phase.generate)
"""Each try judges a list, so shrinking a failure would take minutes."""
WHOLE = [(length, style) for length in (TextLength.COMPACT, TextLength.FULL) for style in TextStyle]


def load_rules(game: str) -> Ruleset:
    return read_ruleset(GAMES[game])


def write_text(rules: Ruleset, roster: RosterTree, length: TextLength, style: TextStyle) -> str:
    written = build_document(rules, roster, game="game", faction_id=roster.of)
    head = WrittenHead(game="Reeds, and Rust", faction="Marsh", points_id="points", limits=written.get("limits", {}))
    return write_own_text(rules, roster, evaluate(rules, roster), head, length, style)


def read_back(rules: Ruleset, text: str, faction_id: str) -> RosterTree:
    pasted = parse_text(text).lists[0]
    assert [line for line in pasted.lines if line.reading is not Reading.UNDERSTOOD] == []
    assert POINTS_NAME == "points"
    assert pasted.document is not None
    built = build_list(rules, pasted.document, faction_id)
    assert isinstance(built, BuiltList), (built, text)
    return built.roster


def sort_like(force: Force, shown: EffectiveForce) -> Force:
    places = {selection.id: place for place, selection in enumerate(shown.selections)}
    inner = sort_forces(force.forces, shown.forces)
    notes = {note.category_id: note for note in force.category_notes}
    return copy_with(
        force,
        selections=tuple(sorted(force.selections, key=lambda selection: places[selection.id])),
        forces=inner,
        category_notes=tuple(sorted(notes.values(), key=lambda note: note.category_id)),
    )


def sort_forces(forces: tuple[Force, ...], shown: tuple[EffectiveForce, ...]) -> tuple[Force, ...]:
    """Keep the order of forces: verdicts may depend on it."""
    effective = {other.id: other for other in shown}
    return tuple(sort_like(force, effective[force.id]) for force in forces)


def list_content(rules: Ruleset, roster: RosterTree) -> Any:
    """Return the content of a list with current names.

    Ids, the order of units and limits, automatic marks and the splitting of equal things are ignored.
    """
    report = evaluate(rules, roster)
    forces = sort_forces(named(roster, report).forces, report.forces)
    limits = tuple(sorted(roster.limits, key=lambda limit: limit.type_id))
    plain = copy_with(roster, forces=forces, limits=limits, cost_types=(), faction=roster.of)
    leading = [len(force.leading) for force in plain.forces]
    return stack_equal(strip_leaders(without_ids(plain))), leading


def stack_equal(value: Any, *, is_unit: bool = False) -> Any:
    """Return a value with equal things inside a unit joined."""
    if isinstance(value, list):
        return [stack_equal(item, is_unit=is_unit) for item in value]
    if not isinstance(value, dict):
        return value
    # Forces hold units, units hold everything else.
    is_force = "catalogue_id" in value
    value = {key: stack_equal(inner, is_unit=is_force and key == "selections") for key, inner in value.items()}
    if is_force or "entry_id" not in value:
        return value
    numbers: dict[str, Any] = {}
    for inner in value.get("selections", ()):
        same = {key: part for key, part in inner.items() if key != "number"}
        kept = numbers.setdefault(json.dumps(same, sort_keys=True, default=str), same | {"number": 0})
        kept["number"] += inner.get("number", 1)
    return value | {"selections": [numbers[key] for key in sorted(numbers)]}


def strip_leaders(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: strip_leaders(inner) for key, inner in value.items() if key not in ("leader_id", "also_leading")}
    return [strip_leaders(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60 if COMPLETE else 3, phases=QUICKLY, suppress_health_check=SLOW, deadline=None)
@given(st.data())
def test_our_text_reads_back_as_the_same_list(game: str, data: st.DataObject) -> None:
    rules = load_rules(game)
    roster = data.draw(rosters(rules, of_factions=True))
    length, style = data.draw(st.sampled_from(WHOLE))
    text = write_text(rules, roster, length, style)
    again = read_back(rules, text, roster.of)
    assert list_content(rules, again) == list_content(rules, roster), text


SHARED = Path(os.environ.get("ARMYBUILDER_SHARED", "absent"), "bsdata")
IMPORTED = sorted(SHARED.glob("*.zip"), key=lambda path: path.stat().st_size)
SMALL = 800_000
"""The largest archive that a short run compiles: the largest take as long as all other tests here."""


@cache
def load_community(file: str) -> Ruleset:
    data = read_archive(SHARED / file).data
    if data is None:
        pytest.skip("the data cannot be read; its own tests say why")
    return compile_ruleset(data)


@pytest.mark.skipif(not IMPORTED, reason="ARMYBUILDER_SHARED is not set")
@pytest.mark.parametrize(("length", "style"), WHOLE)
@pytest.mark.parametrize("file", sample([p.name for p in IMPORTED if COMPLETE or p.stat().st_size < SMALL], 3))
@settings(max_examples=10 if COMPLETE else 2, phases=QUICKLY, suppress_health_check=SLOW, deadline=None)
@given(st.data())
def test_our_text_reads_back_for_imported_games(
    file: str, length: TextLength, style: TextStyle, data: st.DataObject
) -> None:
    rules = load_community(file)
    roster = data.draw(rosters(rules, of_factions=True))
    text = write_text(rules, roster, length, style)
    assert list_content(rules, read_back(rules, text, roster.of)) == list_content(rules, roster), text


@settings(max_examples=300 if COMPLETE else 30, phases=QUICKLY, suppress_health_check=SLOW, deadline=None)
@given(st.data())
def test_names_and_notes_survive(data: st.DataObject) -> None:
    rules = compiled()
    roster = data.draw(rosters(rules, of_factions=True))
    length, style = data.draw(st.sampled_from(WHOLE))
    text = write_text(rules, roster, length, style)
    assert list_content(rules, read_back(rules, text, roster.of)) == list_content(rules, roster), text


@pytest.mark.parametrize(("length", "style"), WHOLE)
def test_quotation_marks_in_the_name_of_a_unit_stay_readable(length: TextLength, style: TextStyle) -> None:
    rules = load_rules("warzone/resurrection")
    unit = '{"unit": "ava-indigo-jasco", "name": "Her “own” name", "notes": "a \\"note"}'
    listed = (
        '{"list": 1, "game": "warzone-resurrection", "faction": "brotherhood", "name": "Ava",'
        f' "detachments": [{{"detachment": "standard", "units": [{unit}]}}]}}'
    )
    document = read_list(listed.encode(), Media.JSON)
    assert isinstance(document, ListDocument)
    built = build_list(rules, document, "brotherhood")
    assert isinstance(built, BuiltList)
    text = write_text(rules, built.roster, length, style)
    assert "Ava “Indigo” Jasco" in text
    assert list_content(rules, read_back(rules, text, "brotherhood")) == list_content(rules, built.roster), text


# ---- equal models ----------------------------------------------------------------------------------------------------

FIVE_SAILORS = (
    '{"list": 1, "game": "fenland", "faction": "marsh", "exact": true, "name": "Low water",'
    ' "detachments": [{"detachment": "column", "units": [{"unit": "crew", "options": [%s]}]}]}'
)
PLAIN, HOOKED, NAMED = '"sailor"', '{"option": "sailor", "options": ["hook"]}', '{"option": "sailor", "name": "Ned"}'


def build_crew(*sailors: str) -> RosterTree:
    document = read_list((FIVE_SAILORS % ", ".join(sailors)).encode(), Media.JSON)
    assert isinstance(document, ListDocument)
    built = build_list(compiled(), document, "marsh")
    assert isinstance(built, BuiltList)
    return built.roster


@pytest.mark.parametrize(
    ("sailors", "line"),
    [
        ((PLAIN,) * 5, ": 5x Sailor\n"),
        ((PLAIN, HOOKED, PLAIN, HOOKED, PLAIN), ": 3x Sailor, 2x Sailor [Hook]\n"),
        ((PLAIN, NAMED, PLAIN), ': 2x Sailor, Sailor as "Ned"\n'),
        (('{"option": "sailor", "count": 4}', PLAIN), ": 5x Sailor\n"),
    ],
)
def test_equal_models_are_one_line_and_are_read_as_so_many(sailors: tuple[str, ...], line: str) -> None:
    rules, roster = compiled(), build_crew(*sailors)
    text = write_text(rules, roster, TextLength.COMPACT, TextStyle.PLAIN)
    assert line in text
    again = read_back(rules, text, "marsh")
    before, after = evaluate(rules, roster), evaluate(rules, again)
    assert (after.costs, after.verdict) == (before.costs, before.verdict)
    assert {v.code for v in after.violations} == {v.code for v in before.violations}
    assert write_text(rules, again, TextLength.COMPACT, TextStyle.PLAIN) == text
    assert all(part.number == 1 for part in again.forces[0].selections[0].selections), "each can be equipped by itself"


def test_a_number_of_models_that_no_list_holds_is_refused() -> None:
    text = write_text(compiled(), build_crew(PLAIN), TextLength.COMPACT, TextStyle.PLAIN)
    pasted = parse_text(text.replace(": Sailor", ": 99999x Sailor")).lists[0]
    assert pasted.document is not None
    built = build_list(compiled(), pasted.document, "marsh")
    assert isinstance(built, Unreadable)
    assert built.code == "too-large"
