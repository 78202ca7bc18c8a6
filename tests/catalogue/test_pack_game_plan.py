"""`plan:` in a pack: what players settle, what rules require of a plan, and every mistake in it."""

from pathlib import Path

import pytest

from catalogue.definitions.planning import Planning, PlanOption, PlanPart
from catalogue.formats.packs.pack import LoadedPack
from roster.engine.evaluate import evaluate
from roster.formats.list_document import BuiltList, ListDocument, build_list, read_list
from tests.catalogue.pack_files import PACK, pond, read_files, ruleset_of

PLAN = """
plan:
  cite: p. 7
  mission: Weather
  opponents: {name: Others, up to: 3}
  joins: {name: Riders, text: On the back., of: boss, to: [crew, Wet]}
  aboard: {name: Leaves, of: crew, to: leaf-boat, cite: p. 8}
  reserves: Under water
  commander: {name: King, of: Loud boss}
  questions:
  - question: Songs
    answers: [High, {answer: Low, text: Very low., id: deep}]
    up to: 2
    missions: [Rain]
    unknown answer: p-songs
  - {question: Way, answers: [Jump, Swim], of: crew}
  numbers: [{number: Pond width, unit: feet}]
specials: [{special: Drought, text: Dry., cite: p. 9}]
missions:
- {mission: Rain, cite: p. 9, sides: {Wet side: [], Dry side: [drought]}}
- {mission: Night, cite: p. 9}
"""
RULES = """
sets: [{set: Loud boss, of: boss, when: at least 1 loud in unit}]
rules:
- {rule: p-two-songs, name: n, text: t, stage: match, in: roster, count: chosen songs, exactly: 2, when: mission rain}
- {rule: p-each-once, name: n, text: t, stage: match, in: roster, for each: [high, low], count: chosen each as songs,
   at most: 1}
- {rule: p-dry, name: n, text: t, stage: setup, in: roster, count: separate units in reserve, at most: 0,
   when: side dry side}
- {rule: p-drought, name: n, text: t, stage: setup, in: roster, count: chosen swim as way, at most: 0,
   when: special drought}
- {rule: p-room, name: n, text: t, stage: setup, in: unit, of: leaf-boat,
   count: separate units in passengers, at most: 1}
- {rule: p-no-king, name: n, text: t, stage: setup, in: unit, of: boss, count: models in transport, at most: 0}
- {rule: p-swim, name: n, text: t, stage: setup, in: unit, of: crew, for each: [jump, swim], when: chosen each as way,
   count: chosen each as way in guests, at least: separate units in guests}
- {rule: p-own, name: n, text: t, stage: match, in: roster, for each: [frogs], count: players of each, at most: 1}
- {rule: p-many, name: n, text: t, stage: match, in: roster, count: players, at most: 3}
- {rule: p-two-others, name: n, text: t, stage: match, in: roster, count: opponents, at least: 2, when: mission night}
- {rule: p-one-ally, name: n, text: t, stage: match, in: roster, count: allies, exactly: 1, mendable: no,
   when: exactly 3 players}
- {rule: p-width, name: n, text: t, stage: setup, in: roster, count: planned pond width, at least: 3}
"""
UNIT = """
- {unit: King, type: boss, points: 3, cite: p. 5, keywords: [Loud]}
- {unit: Leaf boat, id: leaf-boat, type: crew, points: 3, cite: p. 5}
"""


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> LoadedPack:
    return pond(tmp_path_factory.mktemp("pond"), UNIT, PACK + PLAN + RULES)


def test_what_a_plan_may_settle(reading: LoadedPack) -> None:
    assert [str(found) for found in reading.diagnostics] == []
    assert reading.data is not None
    planning: Planning = reading.data.game_system.planning
    parts = {part.part: part for part in planning.parts}
    assert list(parts) == ["mission", "opponents", "commander", "joins", "reserves", "rides"]
    assert (parts[PlanPart.MISSION].name, parts[PlanPart.OPPONENTS].most) == ("Weather", 3)
    joins, rides = parts[PlanPart.JOINS], parts[PlanPart.RIDES]
    assert (joins.of, joins.to, joins.citation.page) == (("boss",), ("crew", "keyword/wet"), "7")
    assert (rides.of, rides.to, rides.citation.page) == (("crew",), ("leaf-boat",), "8")
    assert parts[PlanPart.COMMANDER].of == ("set/loud-boss",)
    songs, way = planning.questions
    assert (songs.id, songs.most, songs.per_unit, songs.missions) == ("songs", 2, False, ("rain",))
    assert songs.options[1] == PlanOption(id="deep", name="Low", text="Very low.")
    assert (way.most, way.per_unit, way.of, [o.id for o in way.options]) == (1, True, ("crew",), ["jump", "swim"])
    assert [(number.id, number.unit) for number in planning.numbers] == [("pond-width", "feet")]


UNITS = "[king, {unit: toad, ref: t1}, {unit: toad, ref: t2}, leaf-boat]"


@pytest.mark.parametrize(
    ("plan", "broken"),
    [
        ("{}", []),
        ("{mission: rain, side: wet side, choices: {songs: [high, low]}, reserves: [t1]}", []),
        ("{mission: rain, choices: {songs: high}}", ["p-two-songs"]),
        ("{mission: rain, choices: {songs: [high, high]}}", ["p-each-once"]),
        ("{choices: {songs: [yodel]}}", ["p-songs"]),
        ("{mission: rain, choices: {songs: [low, high]}, side: dry side, reserves: [t1]}", ["p-dry"]),
        ("{mission: rain, choices: {songs: [low, high]}, side: dry side, units: {t1: {way: swim}}}", ["p-drought"]),
        ("{aboard: {t1: leaf-boat}}", []),
        ("{aboard: {t1: leaf-boat, t2: leaf-boat}}", ["p-room"]),
        ("{aboard: {t1: leaf-boat}, joins: {king: t1}}", ["p-room"]),
        ("{aboard: {king: leaf-boat}}", ["p-no-king"]),
        ("{joins: {king: t1}}", []),
        ("{joins: {king: t1}, units: {t1: {way: swim}}}", ["p-swim"]),
        ("{joins: {king: t1}, units: {t1: {way: swim}, king: {way: swim}}}", []),
        ("{joins: {king: t1}, units: {t1: {way: swim}, king: {way: jump}}}", ["p-swim"]),
        ("{opponents: [Newts]}", []),
        ("{opponents: [Frogs]}", ["p-own"]),
        ("{opponents: [Newts, Swans], allies: [Herons]}", ["p-many"]),
        ("{opponents: [Newts], allies: [Herons]}", []),
        ("{opponents: [Newts, Swans]}", ["p-one-ally"]),
        ("{allies: [Newts, Swans]}", ["p-one-ally"]),
        ("{mission: night, opponents: [Newts]}", ["p-two-others"]),
        ("{numbers: {Pond width: 2}}", ["p-width"]),
    ],
)
def test_what_rules_ask_of_it(reading: LoadedPack, plan: str, broken: list[str]) -> None:
    ruleset = ruleset_of(reading)
    head = "list: 1\ngame: pond\nfaction: frogs\ndetachments:\n"
    text = f"{head}- detachment: pond\n  units: {UNITS}\nplan: {plan}\n"
    document = read_list(text.encode())
    assert isinstance(document, ListDocument), document
    built = build_list(ruleset, document, "frogs")
    assert isinstance(built, BuiltList), built
    assert [v.rule for v in evaluate(ruleset, *built).violations] == broken


TWINS = """
- {unit: Twins, type: crew, units: 1-2, points: 2, cite: p. 6}
- {unit: Otter, type: boss, points: 2, cite: p. 6}
- {unit: Fly, type: help, points: 1, cite: p. 6, joins: [toad]}
"""
HELD = """
rules:
- {rule: p-out, name: n, text: t, stage: setup, in: roster, count: separate units in table, at most: 0}
- {rule: p-guest, name: n, text: t, stage: setup, in: unit, count: separate units in guests, at most: 1}
plan: {reserves: Under water, joins: {name: Riders, of: boss}}
"""
BOTH = "{unit: twins, ref: both, options: [{option: twins/unit, ref: a}, {option: twins/unit, ref: b}]}"
SEVERAL = "{unit: twins, options: [{option: twins/unit, count: 2}]}"


@pytest.mark.parametrize("exact", ["", "exact: true\n"])
@pytest.mark.parametrize(
    ("units", "plan", "broken"),
    [
        (BOTH, "reserves: [both]", []),
        (BOTH, "reserves: [a, b]", []),
        (BOTH, "reserves: [a]", ["p-out"]),
        (BOTH, "reserves: [both, a]", []),
        (f"{BOTH}, {{unit: otter, ref: o}}", "reserves: [both], joins: {o: a}", []),
        (f"{BOTH}, {{unit: otter, ref: o}}", "reserves: [b, o], joins: {o: a}", ["p-out"]),
        (f"{BOTH}, {{unit: otter, ref: o}}, {{unit: otter, ref: p}}", "reserves: both, joins: {o: a, p: b}", []),
        (
            f"{BOTH}, {{unit: otter, ref: o}}, {{unit: otter, ref: p}}",
            "reserves: both, joins: {o: a, p: a}",
            ["p-guest"],
        ),
        (
            f"{SEVERAL}, {{unit: otter, ref: o}}, {{unit: otter, ref: p}}",
            "reserves: twins, joins: {o: twins, p: twins}",
            [],
        ),
        ("{unit: toad, options: [{option: fly, ref: f}]}", "reserves: [f]", ["p-out"]),
    ],
)
def test_units_of_one_choice_are_apart(tmp_path: Path, units: str, plan: str, broken: list[str], exact: str) -> None:
    ruleset = ruleset_of(pond(tmp_path, TWINS, PACK + HELD))
    text = f"list: 1\ngame: pond\nfaction: frogs\n{exact}detachments:\n- detachment: pond\n"
    document = read_list(f"{text}  units: [{units}]\nplan: {{{plan}}}\n".encode())
    assert isinstance(document, ListDocument), document
    built = build_list(ruleset, document, "frogs")
    assert isinstance(built, BuiltList), built
    assert [v.rule for v in evaluate(ruleset, *built).violations] == broken


RULE = "rules: [{{rule: r, name: n, text: t, at most: 1, {}}}]"


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("plan: {joins: {of: boss}}", "missing-key"),
        ("plan: {joins: {name: x, of: bosss}}", "unknown-name"),
        ("plan: {joints: x}", "unknown-key"),
        ("plan: {joins: {name: x, with: boss}}", "unknown-key"),
        ("plan: {opponents: {name: x, up to: few}}", "bad-range"),
        ("plan: {questions: [{question: Songs}]}", "missing-key"),
        ("plan: {questions: [{question: Songs, answers: [{text: x}]}]}", "missing-key"),
        ("plan: {questions: [{question: Songs, answers: [a], missions: [Snow]}]}", "unknown-name"),
        ("plan: {questions: [{question: Songs, answers: [a], of: [newts]}]}", "unknown-name"),
        ("plan: {numbers: [{unit: feet}]}", "missing-key"),
        ("plan: yes", "wrong-type"),
        (RULE.format("in: roster, stage: match, count: chosen songs"), "unknown-name"),
        (RULE.format("in: roster, stage: match, count: mission snow"), "unknown-name"),
        (RULE.format("in: roster, stage: match, count: players of newts"), "unknown-name"),
        (RULE.format("in: roster, count: players"), "no-effect"),
        (RULE.format("in: unit, count: models in host"), "no-effect"),
        (RULE.format("in: unit, count: models, when: planned x"), "no-effect"),
    ],
)
def test_mistakes_are_found(tmp_path: Path, lines: str, code: str) -> None:
    found = read_files(tmp_path, {"pack.yaml": PACK + lines + "\n"})
    assert {d.code for d in found.diagnostics} == {code}
    assert all(d.mend or d.code == "wrong-type" for d in found.diagnostics)
