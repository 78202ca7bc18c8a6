"""Points by the lines of objectives, who wins by the book, and what the page shows of both."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from roster.engine.plan import GamePlan
from roster.models import Roster
from roster.models.roster import RosterPlan
from roster.play.game_state import STEP
from roster.play.game_victory import Ending
from roster.play.models import Game
from roster.play.services.game_board import build_game_board
from roster.play.services.game_log import list_log
from roster.play.services.game_records import compute_record
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_rows
from roster.services.owners import Visitor
from roster.services.plans import encode_plan
from tests.markup import markup
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, WARZONE, begin, join, load_army, make_tap, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(EDGE, "army-hazard-pay")


def go_to(game: Game, step: str) -> None:
    tap(game, 0, make_tap("set", STEP, text=step, side=None))


def score(game: Game, place: int, line: str, number: int, amount: int = 1) -> None:
    tap(game, 0, make_tap("count", f"line:{line}:{number}", amount, side=place))


def count_points(game: Game) -> list[int]:
    return [side.total for side in score_rows(game, game.sides.order_by("place"), load_rules(game))]


def read_page(client: Client, game: Game) -> str:
    return markup(client.get(reverse("play:game", args=[game.public_id])))


def find_line(page: str, line: str) -> str:
    """Return the markup of a line of the reader's own."""
    (article,) = re.findall(rf'<article[^>]*data-line="0 {re.escape(line)}".*?</article>', page, re.S)
    return article


def end(client: Client, game: Game, do: str = "end") -> Game:
    assert client.post(reverse("play:game-end", args=[game.public_id]), {"do": do}).status_code == 303
    game.refresh_from_db()
    return game


def test_a_line_doubles_and_ends_at_its_own_time(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    for number in range(1, 6):
        score(game, 0, "cybel-refineries.1", number, 2)
        # Only the last turn brings the bonus for half of the refineries.
        score(game, 0, "cybel-refineries.2", number)
    assert count_points(game) == [3 * 2 * 4 + 2 * 2 * 8 + 8, 0]


def test_a_line_brings_no_more_than_its_markers(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    score(game, 0, "cybel-refineries.1", 1, 9)
    score(game, 1, "decimation.1", 0, 3)
    assert count_points(game) == [16, 4]


def test_a_line_that_is_not_true_any_more_takes_its_points_back(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    score(game, 0, "decimation.1", 0)
    score(game, 0, "decimation.2", 0)
    assert count_points(game) == [12, 0]
    score(game, 0, "decimation.2", 0, -1)
    assert count_points(game) == [4, 0]


@pytest.mark.parametrize(
    ("step", "state", "worth"),
    [("2:0:action", "off", 4), ("2:0:end", "live", 4), ("4:0:end", "live", 8), ("5:0:end", "live", 8)],
)
def test_a_line_is_live_in_its_phase_and_says_what_it_gives(
    client: Client, army: Roster, step: str, state: str, worth: int
) -> None:
    game = begin(client, army, mission="purple-gold")
    go_to(game, step)
    line = find_line(read_page(client, game), "cybel-refineries.1")
    assert f'class="ln {state}"' in line
    assert f"data-worth>{worth}<" in line.replace("<span ", "")
    # One more can be scored now, one less never before anything was.
    assert len(re.findall(r"<button[^>]* disabled", line)) == (1 if state == "live" else 2)


def test_the_bonus_of_the_last_turn_is_live_in_the_last_turn_only(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    for step, state in (("4:0:end", "off"), ("5:0:end", "live")):
        go_to(game, step)
        assert f'class="ln {state}"' in find_line(read_page(client, game), "cybel-refineries.2")


def test_each_side_has_its_own_objectives_and_figures(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="the-last-stand", mission_side="defender")
    go_to(game, "1:0:end")
    page = read_page(client, game)
    mine = find_line(page, "defender.king-of-the-hill.1")
    assert "data-worth>3<" in mine.replace("<span ", "")
    assert "12″ around your own artifact." in mine
    assert 'data-line="1 attacker.king-of-the-hill.1"' in page
    assert 'data-line="0 attacker.' not in page
    score(game, 0, "defender.king-of-the-hill.1", 1)
    score(game, 1, "attacker.king-of-the-hill.1", 1)
    # A line of the other side brings nothing.
    score(game, 0, "attacker.decimation.2", 0)
    assert count_points(game) == [3, 4]


def test_the_page_says_what_wins_and_who_leads(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="bloodbath", opponent="Tom")
    page = " ".join(read_page(client, game).split())
    assert "/ 20" in page
    assert "a side wins at once if it has reached the total and is 5 ahead" in page
    go_to(game, "1:0:end")
    for number in (1, 2, 3):
        score(game, 1, "king-of-the-hill.1", number)
        score(game, 1, "meat-grinder.1", number)
    assert "Tom leads by 24" in read_page(client, game)
    assert "Tom has a crushing victory" in read_page(client, game)
    go_to(game, "4:0:command")
    assert "<b></b>" in read_page(client, game).split("data-win")[1][:700]


@pytest.mark.parametrize(
    ("mission", "side", "points", "ending", "winner"),
    [
        ("purple-gold", "", (20, 18), Ending.DRAW, None),
        ("purple-gold", "", (31, 30), Ending.STANDARD, 0),
        ("purple-gold", "", (25, 30), Ending.CRUSHING, 1),
        ("the-last-stand", "attacker", (35, 35), Ending.STANDARD, 0),
        ("the-last-stand", "attacker", (35, 37), Ending.DRAW, None),
        ("the-last-stand", "defender", (32, 35), Ending.CRUSHING, 1),
        ("the-last-stand", "attacker", (28, 26), Ending.STANDARD, 0),
        ("", "", (2, 1), Ending.STANDARD, 0),
    ],
)
def test_the_record_goes_by_the_victory_of_the_book(
    client: Client, army: Roster, mission: str, side: str, points: tuple[int, int], ending: Ending, winner: int | None
) -> None:
    game = begin(client, army, mission=mission, mission_side=side)
    for place, number in enumerate(points):
        tap(game, 0, make_tap("count", "score:faction-objective:1", number, side=place))
    game = end(client, game)
    assert (game.ending, game.winner) == (ending, winner)
    (played,) = compute_record(Visitor(key=game.owner_key)).lists
    assert (played.wins, played.draws, played.losses) == (int(winner == 0), int(winner is None), int(winner == 1))


def test_a_side_that_concedes_has_lost(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    tap(game, 0, make_tap("count", "score:faction-objective:1", 40, side=0))
    game = end(client, game, "concede 0")
    assert (game.ending, game.winner) == (Ending.CONCEDED, 1)
    # 40:0, and yet the other side has won: wherever the points are, the page says so.
    addresses = [reverse(f"play:{name}", args=[game.public_id]) for name in ("game", "game-end")]
    addresses += [reverse(f"play:{name}", args=[game.link_id]) for name in ("game-link", "game-log")]
    for address in (*addresses, reverse("play:games")):
        assert "Victory: Opponent; the other side has conceded" in markup(client.get(address)), address
    # Notes that are saved later change no result.
    assert end(client, game).winner == 1
    game = end(client, game, "reopen")
    assert (game.ending, game.winner, game.ended) == ("", None, None)


def test_points_that_pay_for_nothing_do_not_go_below_zero(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    tap(game, 0, make_tap("count", "score:faction-objective:1", 2))
    tap(game, 0, make_tap("count", "score:faction-objective:2", -3))
    assert count_points(game) == [0, 0]


def test_nobody_concedes_for_a_player_who_has_joined(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    address = reverse("play:game-end", args=[game.public_id])
    assert "concede 1" in markup(client.get(address))
    join(game, Client(), inviter=client)
    assert "concede 1" not in markup(client.get(address))
    assert client.post(address, {"do": "concede 1"}).status_code == 422
    assert client.post(address, {"do": "concede 7"}).status_code == 422


def test_points_from_before_objectives_had_lines_still_count(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    tap(game, 0, make_tap("count", "score:cybel-refineries:2", 8))
    assert count_points(game) == [8, 0]
    page = read_page(client, game)
    assert 'data-line="0 cybel-refineries"' in page
    log = markup(client.get(reverse("play:game-log", args=[game.link_id])))
    assert "+8 points: Cybel Refineries" in log


def test_the_log_says_which_line_scored(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="bloodbath")
    score(game, 0, "king-of-the-hill.2", 1)
    log = " ".join(markup(client.get(reverse("play:game-log", args=[game.link_id]))).split())
    assert "+5 points: King of the Hill: You have twice as many or more." in log


def test_the_log_says_what_a_line_brought_in_its_turn(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="purple-gold")
    score(game, 0, "cybel-refineries.1", 3)
    score(game, 0, "cybel-refineries.1", 4, 2)
    tap(game, 0, make_tap("count", "line:cybel-refineries.1:4", -1))
    tap(game, 0, make_tap("count", "line:gone-from-the-data.1:4", 1))
    texts = [line.text.partition(": ") for line in list_log(game, 0)]
    assert [text[0] for text in texts[:4]] == ["scored +1", "−8 points", "+16 points", "+4 points"]
    assert texts[1][2].startswith("Cybel Refineries: ")


def test_partial_and_major_victory_exclude_each_other(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    score(game, 0, "partial-victory", 8)
    assert count_points(game) == [5, 0]
    score(game, 0, "major-victory", 8)
    score(game, 0, "annihilation", 8)
    assert count_points(game) == [10, 0]
    score(game, 1, "partial-victory", 8)
    assert count_points(game) == [10, 5]


@pytest.mark.parametrize(("line", "number", "points"), [("major-victory", 3, 0), ("major-victory", 4, 10)])
def test_a_victory_of_a_mission_has_its_first_turn(client: Client, line: str, number: int, points: int) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    score(game, 0, line, number)
    assert count_points(game) == [points, 0]


def test_a_victory_of_a_mission_scores_once_in_a_game(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    for number in (4, 5, 6):
        score(game, 0, "major-victory", number)
    assert count_points(game) == [10, 0]


def test_objectives_together_bring_no_more_than_the_score_sheet_says(client: Client) -> None:
    game = begin(client, load_army(FIRST_EDGE, "secdef-platoon"), mission="automated-uplink-relay")
    for number in (1, 2):
        score(game, 0, "each-end-phase", number)
    score(game, 0, "end-of-the-game", 3, 3)
    # Points of the mission are beside those of the objective.
    tap(game, 0, make_tap("count", "score:mission:3", 4))
    assert count_points(game) == [7, 0]
    go_to(game, "4:0:end")
    line = find_line(read_page(client, game), "each-end-phase")
    assert len(re.findall(r"<button[^>]* disabled", line)) == 2
    # A point that is taken back leaves room for another one, in the order of the rounds.
    score(game, 0, "each-end-phase", 1, -1)
    assert count_points(game) == [7, 0]
    score(game, 0, "end-of-the-game", 3, -2)
    assert count_points(game) == [6, 0]


def test_missions_of_a_pack_that_is_only_named_can_be_chosen(client: Client) -> None:
    army = load_army(FIRST_EDGE, "secdef-platoon")
    assert 'value="automated-uplink-relay"' in markup(client.get(reverse("play:game-new", args=[army.link_id])))


def test_what_scores_at_once_is_live_in_any_phase(client: Client) -> None:
    game = begin(client, load_army(FIRST_EDGE, "champions"), mission="the-great-hunt")
    for step in ("1:0:command", "1:0:action", "1:0:end"):
        go_to(game, step)
        assert 'class="ln live"' in find_line(read_page(client, game), "target-destroyed")


def test_points_of_an_earlier_round_are_spent_in_a_later_one(client: Client) -> None:
    game = begin(client, load_army(DAWNFALL, "army-the-forest-walks"), mission="two-players")
    tap(game, 0, make_tap("count", "score:victory-points:1", 2))
    go_to(game, "2:0:turn")
    line = find_line(read_page(client, game), "victory-points")
    assert len(re.findall(r"<button[^>]* disabled", line)) == 0
    tap(game, 0, make_tap("count", "score:victory-points:2", -3))
    # Paying moves the marker of both players, beyond its middle as well.
    assert count_points(game) == [-1, 0]
    assert (end(client, game).ending, game.winner) == (Ending.STANDARD, 1)


@pytest.mark.parametrize(("mission", "crystals"), [("two-players", 2), ("ffa-3", 3), ("ffa-4", 4), ("team", 4)])
def test_each_player_begins_with_as_many_crystals_as_there_are_players(
    client: Client, mission: str, crystals: int
) -> None:
    game = begin(client, load_army(DAWNFALL, "army-the-forest-walks"), mission=mission)
    assert f'data-base="{crystals}"' in read_page(client, game)


# ---- a mission for each side -----------------------------------------------------------------------------------------


def test_each_side_scores_by_its_own_objective(client: Client) -> None:
    army = load_army(FIRST_EDGE, "secdef-platoon")
    game = begin(client, army, mission="secret-cache", opponent="Tom")
    assert list_line_ids(game, 0) == {"each-end-phase", "end-of-the-game", "mission"}
    assert list_line_ids(game, 1) == {"mission"}
    tap(game, 0, make_tap("set", "mission", text="epic-hero", side=1))
    assert list_line_ids(game, 0) == {"each-end-phase", "end-of-the-game", "mission", "epic-hero.their-hero-falls"}
    assert list_line_ids(game, 1) == {"epic-hero.a-kill", "mission"}
    for number in range(1, 5):
        tap(game, 0, make_tap("count", f"line:each-end-phase:{number}", 1, side=0))
        tap(game, 0, make_tap("count", f"line:epic-hero.a-kill:{number}", 1, side=1))
    tap(game, 0, make_tap("count", "line:epic-hero.their-hero-falls:4", 1, side=0))
    # Secret Cache brings three points at most, Epic Hero any number, and the fallen hero counts beside both.
    assert [side.score.total for side in build_game_board(game, None).by_place] == [4, 4]
    assert [line.text for line in list_log(game, 0) if "plays" in line.text] == ["plays Epic Hero"]
    assert "Epic Hero: A kill" in markup(client.get(reverse("play:game", args=[game.public_id])))


def test_a_list_brings_the_objective_of_its_plan(client: Client) -> None:
    army = load_army(FIRST_EDGE, "secdef-platoon")
    plan_mission(army, "the-great-hunt")
    game = begin(client, army, mission="epic-hero", opponent_link=army.get_absolute_url())
    assert "the-great-hunt.target-destroyed" in list_line_ids(game, 1)


def test_a_game_from_before_goes_on_with_the_objective_of_the_game(client: Client) -> None:
    game = begin(client, load_army(FIRST_EDGE, "secdef-platoon"), mission="secret-cache", opponent="Tom")
    game.sides.update(mission_side="")
    tap(game, 0, make_tap("count", "line:each-end-phase:1", 1, side=1))
    assert [side.score.total for side in build_game_board(game, None).by_place] == [0, 1]


@pytest.mark.parametrize(("text", "side"), [("no-such", 1), ("secret-cache", None)])
def test_an_objective_that_cannot_be_is_refused(client: Client, text: str, side: int | None) -> None:
    game = begin(client, load_army(FIRST_EDGE, "secdef-platoon"), mission="secret-cache", opponent="Tom")
    operation = make_tap("set", "mission", text=text, side=side)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"
    game = begin(client, load_army(EDGE, "army-hazard-pay"))
    operation = make_tap("set", "mission", text=text, side=side)
    assert tap(game, 0, operation).refused[operation.uid].code == "bad-change"


def list_line_ids(game: Game, place: int) -> set[str]:
    return {line.id for line in build_game_board(game, 0).get_side(place).lines}


def plan_mission(army: Roster, mission: str) -> None:
    RosterPlan.objects.update_or_create(roster=army, defaults={"document": encode_plan(GamePlan(mission=mission))})
