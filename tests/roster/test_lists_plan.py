"""The game plan in a list document: meaning, errors, and writing it as it was read."""

import pytest

from roster.engine.evaluate import evaluate
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.formats.list_document import (
    BuiltList,
    ListDocument,
    Media,
    Unreadable,
    build_document,
    build_list,
    format_json,
    read_list,
)
from roster.formats.list_document.write import format_yaml
from tests.roster.small_game_with_plan import compiled

HEAD = """list: 1
game: fenland-played
faction: marsh
detachments:
- detachment: column
  units:
  - warden
  - {unit: warden, name: Anna}
  - cutters
  - {unit: crew, ref: one}
  - {unit: crew, ref: two}
  - {unit: giants, count: 2, ref: both}
plan:
"""


def read(plan: str, *, exact: bool = False) -> BuiltList | Unreadable:
    text = HEAD.replace("faction:", "exact: true\nfaction:") if exact else HEAD
    document = read_list((text + plan).encode(), Media.YAML)
    return document if isinstance(document, Unreadable) else build_list(compiled(), document, "marsh")


def plan_of(plan: str, *, exact: bool = False) -> tuple[GamePlan, dict[str, str]]:
    built = read(plan, exact=exact)
    assert isinstance(built, BuiltList), built
    assert built.game is not None
    units = {s.id: s.custom_name or s.name for force in built.roster.forces for s in force.selections}
    return built.game, units


FULL = """
  mission: Raid
  side: keepers
  opponents: [Weir Folk, Somebody's cousin]
  allies: marsh
  commander: Anna
  objective: Eels
  joins: {anna: cutters}
  aboard: {one: giants, two: giants}
  reserves: [two, giants]
  choices: {aims: [hold, Hunt]}
  units: {one: {way: by boat}}
  numbers: {table width: 4, Terrain pieces: 7}
  notes: Bring dice.
"""


def test_everything_is_looked_up() -> None:
    game, units = plan_of(FULL.replace("two: giants}", "two: both}").replace("one: giants", "one: both"))
    by_name = {name: own for own, name in units.items()}
    crews = [own for own, name in units.items() if name == "Crew"]
    assert game == GamePlan(
        mission="raid",
        side="keepers",
        opponents=("weir", "Somebody's cousin"),
        allies=("marsh",),
        commander_id=by_name["Anna"],
        objective="Eels",
        joins=(Join(character_id=by_name["Anna"], host_id=by_name["Cutters"]),),
        rides=tuple(Ride(passenger_id=own, transport_id=by_name["Giants"]) for own in crews),
        reserves=(crews[1], by_name["Giants"]),
        answers=(
            Answer(question="aims", option="hold"),
            Answer(question="aims", option="hunt"),
            Answer(question="way", option="boats", unit_id=crews[0]),
        ),
        numbers={"table-width": 4, "terrain-pieces": 7},
        notes="Bring dice.",
    )


def test_a_plan_is_judged_with_its_list() -> None:
    built = read(
        "  {mission: raid, side: keepers, reserves: [both], units: {one: {way: boats}}, choices: {aims: hold}}"
    )
    assert isinstance(built, BuiltList)
    broken = {(v.rule, v.stage) for v in evaluate(compiled(), *built, tree=False).errors}
    assert broken == {
        ("fen-four", "list"),
        ("fen-no-reserves", "setup"),
        ("fen-no-boats", "setup"),
        ("fen-two-aims", "match"),
    }
    assert {v.rule for v in evaluate(compiled(), built.roster, tree=False).errors} == {"fen-four"}


def test_an_empty_plan_is_a_plan() -> None:
    built = read("  {}")
    assert isinstance(built, BuiltList)
    assert built.game == GamePlan()


@pytest.mark.parametrize(
    ("plan", "code", "line"),
    [
        ("  mission: picnic", "unknown-mission", 14),
        ("  {mission: raid, side: guests}", "unknown-side", 14),
        ("  choices: {weather: rain}", "unknown-question", 14),
        ("  commander: nobody", "unknown-planned-unit", 14),
        ("  reserves: [crew]", "ambiguous-unit", 14),
        ("  reserves: [warden]", "ambiguous-unit", 14),
        ("  joins: {warden: crew}", "ambiguous-unit", 14),
        ("  joins: {Anna: one, anna: two}", "named-twice", 14),
        ("  aboard: {Anna: one, anna: two}", "named-twice", 14),
        ("  numbers: {Table width: 4, table-width: 5}", "named-twice", 14),
        ("  joins: [warden, crew]", "not-fields", 14),
        ("  reserves: {crew: yes}", "not-text", 14),
        ("  reserve: [crew]", "unknown-key", 14),
        ("  numbers: {table width: wide}", "not-a-number", 14),
        ("  side: [a, b]", "not-text", 14),
        ("  - mission: raid", "not-fields", 14),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(plan: str, code: str, line: int) -> None:
    found = read(plan)
    assert isinstance(found, Unreadable)
    assert (found.code, found.line) == (code, line)


def test_an_answer_that_nobody_offered_is_judged() -> None:
    built = read("  choices: {aims: [hold, steal]}")
    assert isinstance(built, BuiltList)
    found = [v for v in evaluate(compiled(), *built, tree=False).violations if v.code == "unknown-planned"]
    assert [(v.rule, v.counted) for v in found] == [("fen-known-aims", "steal")]


def test_an_exact_document_keeps_what_is_gone() -> None:
    game, _ = plan_of("  {mission: picnic, reserves: [the lost], choices: {weather: rain}}", exact=True)
    assert (game.mission, game.reserves) == ("picnic", ("the lost",))
    built = read("  {mission: picnic, reserves: [the lost]}", exact=True)
    assert isinstance(built, BuiltList)
    lost = [v.counted for v in evaluate(compiled(), *built).violations if v.code == "unknown-planned"]
    assert lost == ["the lost", "picnic"]


@pytest.mark.parametrize("media", [Media.YAML, Media.JSON])
def test_a_plan_is_written_as_it_is_read(media: Media) -> None:
    built = read(FULL.replace("giants, two: giants", "both, two: both").replace("two, giants", "two, both"))
    assert isinstance(built, BuiltList)
    document = build_document(compiled(), *built, game="fenland-played", faction_id="marsh")
    listed = read_list(format_yaml(document) if media is Media.YAML else format_json(document), media)
    assert isinstance(listed, ListDocument), listed
    again = build_list(compiled(), listed, "marsh")
    assert isinstance(again, BuiltList), again
    assert build_document(compiled(), *again, game="fenland-played", faction_id="marsh") == document
    rules = [v.rule for v in evaluate(compiled(), *built, tree=False).violations]
    assert [v.rule for v in evaluate(compiled(), *again, tree=False).violations] == rules


def test_an_entry_that_is_gone_is_written_by_its_old_name() -> None:
    built = read("  {}")
    assert isinstance(built, BuiltList)
    game = GamePlan(reserves=("r-9",), names={"r-9": "Old Crew"})
    document = build_document(compiled(), built.roster, game, game="fenland-played", faction_id="marsh")
    assert document["plan"] == {"reserves": ["Old Crew"]}


def test_no_entry_takes_the_name_of_one_that_is_gone() -> None:
    built = read("  {reserves: [u1, cutters]}", exact=True)
    assert isinstance(built, BuiltList)
    document = build_document(compiled(), *built, game="fenland-played", faction_id="marsh")
    assert document["plan"] == {"reserves": ["u1", "u2"]}
    units = document["detachments"][0]["units"]
    assert [unit["ref"] for unit in units if "ref" in unit] == ["u2"]
