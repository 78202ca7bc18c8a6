"""Game plans of lists: stored, judged, stale, tampered with, and updated when the list changes."""

import pytest

from roster.engine.completion.solver import Possibility
from roster.engine.edits import Refused
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.engine.report import Verdict
from roster.engine.tree import copy_with
from roster.formats.list_document import BuiltList, Media, build_list, read_list
from roster.models import Roster, RosterPlan
from roster.services.changes import Remove
from roster.services.edits import edit_roster, undo_edit
from roster.services.evaluation import evaluate_with
from roster.services.exchange import RosterFormat, export_list, import_list, read_list_file
from roster.services.list_check import CheckedDocument, check_document
from roster.services.outcomes import Conflict, SavedEdit
from roster.services.owners import Visitor
from roster.services.plan_board import build_plan_board
from roster.services.plans import MAX_PARTS, StoredPlan, delete_plan, encode_plan, get_game_plan, keep_plan, load_plan
from roster.services.rosters import copy_roster, find_roster, store_roster
from roster.services.ways import WayKind, find_ways
from roster.wording import explain_search, list_plan_lines
from tests.roster.small_game_with_plan import compiled, installed

pytestmark = pytest.mark.django_db

UNITS = "[warden, {unit: warden, name: Anna}, cutters, giants]"
TEXT = f"""list: 1
game: fenland-played
faction: marsh
name: Low water
detachments:
- {{detachment: column, units: {UNITS}}}
"""


@pytest.fixture
def roster() -> Roster:
    version = installed()
    document = read_list(TEXT.encode(), Media.YAML)
    built = build_list(compiled(), document, "marsh")
    assert isinstance(built, BuiltList)
    made = store_roster(Visitor(key="owner"), version, "marsh", built.roster)
    assert isinstance(made, Roster)
    return again(made)


def again(roster: Roster) -> Roster:
    return find_roster(roster.public_id)


def ids(roster: Roster) -> dict[str, str]:
    return {s.custom_name or s.name: s.id for force in roster.tree.forces for s in force.selections}


def kept(roster: Roster, game: GamePlan, on: int = 0) -> StoredPlan:
    planned = keep_plan(roster, on, game)
    assert isinstance(planned, StoredPlan), planned
    return planned


def full(roster: Roster) -> GamePlan:
    own = ids(roster)
    return GamePlan(
        mission="raid",
        side="raiders",
        opponents=("weir", "Somebody"),
        commander_id=own["Anna"],
        objective="Eels",
        joins=(Join(character_id=own["Anna"], host_id=own["Cutters"]),),
        rides=(Ride(passenger_id=own["Cutters"], transport_id=own["Giants"]),),
        reserves=(own["Giants"],),
        answers=(
            Answer(question="aims", option="hold"),
            Answer(question="aims", option="hunt"),
            Answer(question="way", option="flank", unit_id=own["Cutters"]),
        ),
        numbers={"table-width": 4},
        notes="Dice.",
    )


# ---- keeping -----------------------------------------------------------------------------------------------------


def test_there_is_none_at_first(roster: Roster) -> None:
    assert load_plan(roster) == StoredPlan(game=GamePlan(), revision=0)
    assert get_game_plan(roster) is None


def test_it_is_kept_with_the_names_of_what_it_names(roster: Roster) -> None:
    game = full(roster)
    planned = kept(roster, game)
    stored = load_plan(again(roster))
    assert stored == planned
    assert copy_with(stored.game, names={}) == game
    own = ids(roster)
    assert stored.game.names == {"raid": "Raid", **{own[name]: name for name in ("Anna", "Cutters", "Giants")}}


def test_each_change_names_the_one_before(roster: Roster) -> None:
    assert [kept(again(roster), GamePlan(notes=str(n)), on=n).revision for n in range(3)] == [1, 2, 3]
    assert keep_plan(again(roster), 2, GamePlan()) == Conflict(made_on=2, head=3)
    assert keep_plan(again(roster), 0, GamePlan()) == Conflict(made_on=0, head=3)
    assert load_plan(again(roster)).game.notes == "2"


def test_of_two_at_once_one_is_kept(roster: Roster) -> None:
    """Both read the list before either wrote."""
    one, other = again(roster), again(roster)
    kept(one, GamePlan(notes="one"))
    assert keep_plan(other, 0, GamePlan(notes="other")) == Conflict(made_on=0, head=1)
    one, other = again(roster), again(roster)
    kept(one, GamePlan(notes="two"), on=1)
    assert keep_plan(other, 1, GamePlan(notes="other")) == Conflict(made_on=1, head=2)
    assert load_plan(again(roster)).game.notes == "two"


def test_forgetting(roster: Roster) -> None:
    kept(roster, GamePlan(notes="x"))
    assert delete_plan(again(roster), 7) == Conflict(made_on=7, head=1)
    assert delete_plan(again(roster), 1) == StoredPlan(game=GamePlan(), revision=0)
    assert not RosterPlan.objects.exists()
    assert delete_plan(again(roster), 0) == StoredPlan(game=GamePlan(), revision=0)


def test_another_mission_lets_the_side_go_that_it_does_not_have(roster: Roster) -> None:
    kept(roster, GamePlan(mission="raid", side="keepers"))
    moved = kept(again(roster), GamePlan(mission="dawn", side="keepers"), on=1)
    assert (moved.game.mission, moved.game.side) == ("dawn", "")


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (GamePlan(mission="picnic"), "bad-plan"),
        (GamePlan(side="keepers"), "bad-plan"),
        (GamePlan(mission="raid", side="guests"), ""),
        (GamePlan(reserves=("nobody",)), "bad-plan"),
        (GamePlan(commander_id="nobody"), "bad-plan"),
        (GamePlan(joins=(Join(character_id="nobody", host_id="nobody else"),)), "bad-plan"),
        (GamePlan(rides=(Ride(passenger_id="nobody", transport_id="nobody"),)), "bad-plan"),
        (GamePlan(answers=(Answer(question="weather", option="rain"),)), "bad-plan"),
        (GamePlan(answers=(Answer(question="aims", option="steal"),)), "bad-plan"),
        (GamePlan(answers=(Answer(question="way", option="flank", unit_id="nobody"),)), "bad-plan"),
        (GamePlan(numbers={"height": 3}), "bad-plan"),
        (GamePlan(notes="x" * 2001), "too-long"),
        (GamePlan(objective="x" * 101), "too-long"),
        (GamePlan(opponents=("x" * 101,)), "too-long"),
        (GamePlan(opponents=("x",) * (MAX_PARTS + 1)), "too-large"),
        (GamePlan(opponents=("x\u202ey\x00",), notes="a\r\nb\x07"), ""),
    ],
)
def test_what_nobody_can_plan_is_refused(roster: Roster, game: GamePlan, code: str) -> None:
    outcome = keep_plan(roster, 0, game)
    assert (outcome.code if isinstance(outcome, Refused) else "") == code
    assert RosterPlan.objects.exists() == (not code)


def test_nobody_joins_or_rides_twice_or_in_themselves(roster: Roster) -> None:
    own = ids(roster)
    anna, cutters, giants = own["Anna"], own["Cutters"], own["Giants"]
    for game in (
        GamePlan(joins=(Join(character_id=anna, host_id=anna),)),
        GamePlan(joins=tuple(Join(character_id=anna, host_id=host) for host in (cutters, giants))),
        GamePlan(rides=(Ride(passenger_id=cutters, transport_id=cutters),)),
        GamePlan(rides=tuple(Ride(passenger_id=anna, transport_id=t) for t in (cutters, giants))),
        GamePlan(reserves=(anna, anna)),
    ):
        assert keep_plan(roster, 0, game) == Refused(code="bad-plan")


# ---- judged ------------------------------------------------------------------------------------------------------


def rules(roster: Roster) -> set[str]:
    return {violation.rule or violation.counted for violation in build_plan_board(again(roster)).violations}


def test_only_the_plan_is_judged_here(roster: Roster) -> None:
    board = build_plan_board(roster)
    assert rules(roster) == {"fen-two-aims"}
    assert (board.verdict, board.roster.verdict) == ("incomplete", "legal")
    kept(roster, full(roster))
    assert build_plan_board(again(roster)).verdict == "legal"
    kept(again(roster), copy_with(full(roster), side="keepers", numbers={"table-width": 2}), on=1)
    board = build_plan_board(again(roster))
    assert rules(roster) == {"fen-no-reserves", "fen-wide-table"}
    assert board.verdict == "illegal"
    assert [special.id for special in board.specials] == ["no-reserves"]
    assert again(roster).verdict == "legal"


def test_the_board_says_who_may_do_what(roster: Roster) -> None:
    kept(roster, full(roster))
    board = build_plan_board(again(roster))
    units = {unit.name: unit for unit in board.units}
    assert [o.name for o in units["Anna"].joins] == ["Cutters"]
    assert [o.name for o in units["Cutters"].rides] == ["Giants"]
    assert units["Giants"].joins == units["Giants"].rides == ()
    assert (units["Giants"].reserve, units["Cutters"].held_with, units["Anna"].held_with) == (True, "Giants", "Cutters")
    assert [o.name for o in board.commanders] == ["Wärden", "Anna"]
    assert [[o.name for o in player if o.chosen] for player in board.opponents] == [["Weir Folk"], ["Somebody"], []]
    assert [[o.name for o in asked.options if o.chosen] for asked in board.questions] == [["Hold", "Hunt"]]
    assert [asked.question.id for asked in units["Cutters"].questions] == ["way"]


def test_a_question_of_another_mission_is_asked_only_where_it_was_answered(roster: Roster) -> None:
    kept(roster, copy_with(full(roster), mission="dawn", side=""))
    asked = {unit.name: len(unit.questions) for unit in build_plan_board(again(roster)).units}
    assert asked == {"Anna": 0, "Wärden": 0, "Cutters": 1, "Giants": 0}


# ---- when the list changes ---------------------------------------------------------------------------------------


def test_what_is_gone_from_the_list_is_said_and_comes_back_with_it(roster: Roster) -> None:
    kept(roster, full(roster))
    listed = again(roster)
    for name in ("Cutters", "Anna"):
        assert isinstance(edit_roster(listed, listed.head, Remove(node=ids(listed)[name])), SavedEdit)
    assert {"Cutters", "Anna"} <= rules(roster)
    board = build_plan_board(again(roster))
    assert [unit.name for unit in board.units if unit.lost] == ["Anna", "Cutters"]
    assert [o.name for o in board.commanders if o.lost] == ["Anna"]
    said = {line.label: line.values for line in list_plan_lines(board)}
    assert said["Marshal"] == ("Anna (gone)",)
    assert said["Companions"] == ("Anna (gone) → Cutters (gone)",)
    # What was planned before may stay, and other changes do not drop it.
    game = load_plan(again(roster)).game
    kept(again(roster), copy_with(game, notes="Still."), on=1)
    assert {"Cutters", "Anna"} <= rules(roster)
    for _ in range(2):
        listed = again(roster)
        assert isinstance(undo_edit(listed, listed.head), SavedEdit)
    assert rules(roster) == set()


def test_what_is_gone_from_the_data_is_said(roster: Roster) -> None:
    game = GamePlan(
        mission="picnic",
        side="guest",
        answers=(Answer(question="weather", option="rain"), Answer(question="aims", option="steal")),
        numbers={"height": 3},
        names={"picnic": "Picnic"},
    )
    RosterPlan.objects.create(roster=roster, document=encode_plan(game))
    board = build_plan_board(again(roster))
    assert rules(roster) == {"Picnic", "weather", "fen-known-aims", "fen-two-aims"}
    said = {line.label: line.values for line in list_plan_lines(board)}
    assert said == {
        "Mission": ("Picnic (gone)",),
        "Side": ("guest (gone)",),
        "Aims": ("steal (gone)",),
        "weather": ("rain (gone)",),
        "height": ("3",),
    }
    kept(again(roster), game, on=1)
    assert load_plan(again(roster)).game == game


def test_a_list_deleted_takes_its_plan_along(roster: Roster) -> None:
    kept(roster, full(roster))
    again(roster).delete()
    assert not RosterPlan.objects.exists()


# ---- along with the list -----------------------------------------------------------------------------------------


def test_a_copy_has_the_plan(roster: Roster) -> None:
    planned = kept(roster, full(roster))
    copy = copy_roster(again(roster), Visitor(key="other"))
    assert isinstance(copy, Roster)
    assert load_plan(again(copy)) == StoredPlan(game=planned.game, revision=1)
    kept(again(copy), GamePlan(), on=1)
    assert load_plan(again(roster)) == planned


@pytest.mark.parametrize("form", [RosterFormat.YAML, RosterFormat.JSON])
def test_export_and_import_carry_it(roster: Roster, form: RosterFormat) -> None:
    kept(roster, full(roster))
    read = read_list_file(export_list(again(roster), form), f"roster.{form}")
    assert isinstance(read, CheckedDocument), read
    brought = import_list(Visitor(key="other"), read)
    assert isinstance(brought, Roster)
    assert list_plan_lines(build_plan_board(again(brought))) == list_plan_lines(build_plan_board(again(roster)))
    assert export_list(again(brought), form) == export_list(again(roster), form)


def test_a_document_is_judged_with_its_plan(roster: Roster) -> None:
    text = TEXT + "plan: {mission: raid, side: keepers, reserves: [giants], choices: {aims: [hold, burn]}}\n"
    checked = check_document(text.encode())
    assert isinstance(checked, CheckedDocument)
    assert {v.rule for v in checked.evaluated_list.report.errors} == {"fen-no-reserves"}
    assert {v.rule for v in check_document(TEXT.encode()).evaluated_list.report.errors} == set()


@pytest.mark.parametrize("kind", [WayKind.COMPLETE, WayKind.REPAIR])
def test_where_only_the_plan_is_broken_no_change_of_the_list_is_looked_for(kind: WayKind) -> None:
    document = read_list((TEXT + "plan: {mission: raid, units: {}, choices: {aims: [hold]}}\n").encode(), Media.YAML)
    built = build_list(compiled(), document, "marsh")
    assert isinstance(built, BuiltList)
    judged = evaluate_with(compiled(), built.roster, built.game)
    assert judged.verdict is not Verdict.LEGAL
    found = find_ways(judged, kind)
    assert (found.answer, found.ways, found.plan_forbids) == (Possibility.UNKNOWN, (), True)
    assert explain_search(kind, found)
    assert not find_ways(evaluate_with(compiled(), built.roster), kind).plan_forbids
