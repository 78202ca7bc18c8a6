"""Games of three and four players and of two teams: turns, joining, captured tokens, who is out, who wins."""

import json
import random
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.templatetags.emblems import make_hue_class
from roster.models import Roster
from roster.play.game_state import MOST_SIDES
from roster.play.game_victory import Ending
from roster.play.models import Game, GameInvitation, GameSide
from roster.play.services.game_board import build_game_board, describe_state
from roster.play.services.game_log import list_log
from roster.play.services.game_records import list_played
from roster.play.services.game_rules import load_rules, make_course
from roster.play.services.game_standings import find_victory, read_standings
from roster.play.services.games import describe_side, list_confirmations
from roster.services.faces import load_faction
from roster.services.owners import Visitor
from tests.extent import sample
from tests.markup import markup
from tests.play.games import DAWNFALL, begin, join, load_army, make_tap, tap
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db
NAMES = {"opponent": "Dan", "opponent_2": "Eve", "opponent_3": "Cleo"}


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(DAWNFALL, "army-the-forest-walks")


def start(client: Client, army: Roster, mission: str = "ffa-3", **fields: str) -> Game:
    return begin(client, army, mission=mission, **NAMES, **fields)


@pytest.fixture
def plain(client: Client) -> Roster:
    """A list of data that does not say how its game goes."""
    return started(client).roster


def capture(by: int, victim: int, number: int, round_: int = 1) -> object:
    return make_tap("count", f"score:captured-tokens.{victim}:{round_}", number, side=by)


def capture_all(game: Game, *captures: tuple[int, int, int]) -> None:
    for by, victim, number in captures:
        assert not tap(game, 0, capture(by, victim, number)).refused


def show(client: Client, game: Game) -> str:
    return markup(client.get(reverse("play:game", args=[game.public_id])))


def press(client: Client, game: Game, op: str, **fields: str) -> int:
    answer = client.post(reverse("play:game", args=[game.public_id]), {"op": op, "form_id": str(uuid4()), **fields})
    game.refresh_from_db()
    return answer.status_code


def end(client: Client, game: Game, do: str = "end") -> tuple[str, int | None, list[int | None]]:
    assert client.post(reverse("play:game-end", args=[game.public_id]), {"do": do}).status_code == 303
    game.refresh_from_db()
    return game.ending, game.winner, list(game.sides.order_by("place").values_list("rank", flat=True))


def count_points(game: Game) -> list[int]:
    return [side.score.total for side in build_game_board(game, None).by_place]


def test_level_sides_without_lists_are_level_whatever_models_another_has(client: Client, army: Roster) -> None:
    game = start(client, army)
    page = markup(client.get(reverse("play:game-end", args=[game.public_id])))
    assert "Draw" in page
    assert "Victory" not in page
    assert end(client, game) == (Ending.DRAW.value, None, [1, 1, 1])


@pytest.mark.parametrize(("mission", "sides"), [("two-players", 2), ("ffa-3", 3), ("ffa-4", 4), ("team", 4), ("", 2)])
def test_a_game_has_as_many_sides_as_its_mission_says(client: Client, army: Roster, mission: str, sides: int) -> None:
    game = start(client, army, mission)
    assert (len(game.now.sides), game.sides.count()) == (sides, sides)
    assert [row.player for row in game.sides.order_by("place")][1:] == ["Dan", "Eve", "Cleo"][: sides - 1]
    shown = show(client, game)
    assert shown.count("data-seat=") == (sides if sides > 2 else 0)
    assert ("3 players" in shown) == (sides == 3)


def test_turns_go_round_from_who_goes_first(client: Client, army: Roster) -> None:
    game = start(client, army, "ffa-4", first="2")
    course = make_course(game, load_rules(game))
    step, turns = course.beginning, []
    for _step in range(9):
        turns.append((step.round, step.turn, step.phase))
        step = course.find_next(step)
    assert [turn for _round, turn, phase in turns if phase == "turn"] == [2, 3, 0, 1, 2]
    assert turns[-1][0] == 2
    assert press(client, game, f"step - step {game.now.step} 1:3:turn") == 303
    assert "Turn: Cleo" in show(client, game)
    # A place where nobody sits has no turn.
    three = start(client, army, "ffa-3")
    assert press(client, three, f"step - step {three.now.step} 1:3:turn") == 422


def test_each_other_player_joins_by_a_code_of_their_own(client: Client, army: Roster) -> None:
    game = start(client, army)
    dan, eve = Client(), Client()
    codes = GameInvitation.objects.filter(side__game=game, used=None)
    assert list(codes.order_by("side__place").values_list("side__place", flat=True)) == [1, 2]
    join(game, dan, "opponent 1", inviter=client)
    # As long as nobody has joined the third side, each player keeps it.
    for place in (0, 1):
        assert not tap(game, place, make_tap("count", "res:crystals", 1, side=2)).refused
    join(game, eve, "opponent 2", inviter=dan)
    assert tap(game, 0, make_tap("count", "res:crystals", 1, side=2)).refused
    assert tap(game, 1, make_tap("count", "res:crystals", 1, side=0)).refused
    assert not tap(game, 2, make_tap("count", "res:crystals", 1, side=2)).refused
    # Each sees the others in the order of their turns.
    board = build_game_board(game, 1)
    assert [side.place for side in board.sides] == [1, 2, 0]
    assert client.post(reverse("play:game-invite", args=[game.public_id]), {"do": "opponent 3"}).status_code == 422
    assert client.post(reverse("play:game-invite", args=[game.public_id]), {"do": "opponent 0"}).status_code == 422
    invited = markup(client.get(reverse("play:game-invite", args=[game.public_id])))
    assert "Dan has joined." in invited
    assert "Code for Eve" in invited
    assert eve.post(reverse("play:game-end", args=[game.public_id]), {"do": "leave"}).status_code == 303
    assert not tap(game, 1, make_tap("count", "res:crystals", 1, side=2)).refused


def read_entries(page: str) -> list[str]:
    """Return the texts of a page's list entries."""
    entries = re.findall(r"<li>(.*?)</li>", page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", entry).split()) for entry in entries]


def test_a_side_that_nobody_plays_confirms_nothing(client: Client, army: Roster) -> None:
    game = start(client, army)
    join(game, Client(), "opponent 1", inviter=client)
    end(client, game)
    assert [one.name for one in list_confirmations(game)] == [describe_side(side) for side in game.sides.all()[:2]]


def test_what_happened_last_is_said_with_who_did_it(client: Client, army: Roster) -> None:
    game = start(client, army)
    dan = join(game, Client(), "opponent 1", inviter=client)
    tap(game, 1, capture(1, 2, 1))
    tap(game, 0, capture(0, 2, 2), make_tap("set", "setup:1", text="1", side=None))
    assert read_just_now(client, game) == [
        "You captured 2 tokens from Eve Undo : captured 2 tokens from Eve",
        "Dan captured 1 token from Eve",
    ]
    assert read_just_now(dan, game)[1] == "You captured 1 token from Eve Undo : captured 1 token from Eve"
    last = game.operations.filter(actor=0, kind="count").latest("number")
    tap(game, 0, make_tap("undo", str(last.uid)))
    assert read_just_now(client, game) == ["Dan captured 1 token from Eve"]
    assert describe_state(game, None)["just"][0]["text"] == "captured 1 token from Eve"


def read_just_now(client: Client, game: Game) -> list[str]:
    page = show(client, game)
    part = page[page.index("data-just") :]
    return read_entries(part[: part.index("<template")])


def test_each_of_three_confirms_the_result(client: Client, army: Roster) -> None:
    game = start(client, army)
    dan = join(game, Client(), "opponent 1", inviter=client)
    eve = join(game, Client(), "opponent 2", inviter=client)
    tap(game, 0, capture(0, 1, 2))
    end(client, game)
    address = reverse("play:game-end", args=[game.public_id])
    for player in (client, dan, eve):
        assert "not confirmed yet" in markup(player.get(address))
        assert player.post(address, {"do": "confirm"}).status_code == 303
    assert "not confirmed yet" not in markup(eve.get(address))
    assert "confirmed the result: 2 : 0 : 0" in [line.text for line in list_log(game, 0)]


def test_tokens_are_captured_from_each_opponent(client: Client, army: Roster) -> None:
    game = start(client, army)
    capture_all(game, (0, 1, 3), (0, 2, 2), (2, 0, 1), (2, 1, 5))
    assert count_points(game) == [5, 0, 6]
    board = build_game_board(game, 0)
    assert [side.standing.tokens for side in board.by_place] == [9, 2, 8]
    shown = " ".join(show(client, game).split())
    assert re.search(r'data-captured="0 1"> ?<b>3</b>', shown)
    side = game.sides.get(place=0)
    hues = re.findall(r'<tr class="(hue-\S+)(?: me)?"', shown)
    assert hues[0] == make_hue_class(load_faction(side.version_id or 0, side.faction_id).row)
    # Seats without a list have colours of their own, the same above their columns and in the band.
    assert len(set(hues)) == 3
    assert re.findall(r'<span class="(hue-[^"]+)"', shown) == hues * 2
    colours = client.get(reverse("roster:colours")).content.decode()
    assert all(f".{hue} {{" in colours for hue in hues)
    assert "8 left" in shown
    assert list_log(game, 0)[0].text == "captured 5 tokens from Dan"


def test_nobody_takes_more_tokens_than_there_are(client: Client, army: Roster) -> None:
    game = start(client, army)
    capture_all(game, (0, 1, 7), (2, 1, 7))
    assert count_points(game) == [7, 0, 3]
    # Nor tokens of one's own, or of a side that nobody is.
    capture_all(game, (0, 0, 2), (0, 3, 2))
    tap(game, 0, make_tap("count", "gone:captured-tokens", 5, side=2), capture(0, 2, 9))
    assert count_points(game) == [12, 0, 3]
    assert [side.standing.tokens for side in build_game_board(game, 0).by_place] == [10, 0, 0]


def test_allies_take_no_tokens_of_each_other(client: Client, army: Roster) -> None:
    game = start(client, army, "team")
    capture_all(game, (0, 2, 3), (0, 1, 3), (1, 3, 2), (3, 2, 4))
    assert count_points(game) == [3, 0, 0, 4]


@pytest.mark.parametrize(
    ("fields", "status", "points", "kept"),
    [
        ({"killer": "0", "fallen": "1 4 holy-knight"}, 303, [4, 0, 0], [10, 6, 10]),
        ({"killer": "2", "fallen": "0 2 drillers"}, 303, [0, 0, 2], [8, 10, 10]),
        ({"killer": "-", "fallen": "1 2"}, 303, [0, 0, 0], [10, 8, 10]),
        ({"killer": "0", "fallen": ""}, 400, [0, 0, 0], [10, 10, 10]),
        ({"killer": "7", "fallen": "1 2"}, 400, [0, 0, 0], [10, 10, 10]),
        ({"fallen": "1 2"}, 400, [0, 0, 0], [10, 10, 10]),
        ({"killer": "0", "fallen": "nonsense"}, 400, [0, 0, 0], [10, 10, 10]),
    ],
)
def test_a_model_falls_by_a_form(
    client: Client, army: Roster, fields: dict[str, str], status: int, points: list[int], kept: list[int]
) -> None:
    game = start(client, army)
    assert press(client, game, "fall - captured-tokens 1", **fields) == status
    assert count_points(game) == points
    assert [side.standing.tokens for side in build_game_board(game, 0).by_place] == kept


def test_the_models_of_a_list_say_what_they_are_worth(client: Client, army: Roster) -> None:
    theirs = load_army(DAWNFALL, "army-hunger-without-a-face")
    game = start(client, army, opponent_link=f"/r/{theirs.link_id}/")
    shown = " ".join(show(client, game).split())
    unit = build_game_board(game, 0).get_side(1).units[0].unit
    worth = unit.sheet.profile.rows[0].cells[unit.sheet.profile.heads.index("END")]
    assert f'name="fallen" value="1 {worth} ' in shown
    # Of a side without a list only the number is known.
    assert 'name="fallen" value="2 3 3-tokens"' in shown
    assert "No enemy" in shown
    assert "No enemy" not in show(client, start(client, army, "team"))


@pytest.mark.parametrize(
    ("mission", "captures", "expected"),
    [
        # Four from each opponent win at once, whoever has most.
        ("ffa-3", [(0, 1, 4), (0, 2, 4), (1, 2, 6), (1, 0, 9)], (Ending.AT_ONCE, 0, [1, 2, 3])),
        ("ffa-3", [(0, 1, 9), (0, 2, 3), (2, 0, 3)], (Ending.STANDARD, 0, [1, 3, 2])),
        # Level: who has kept more of their own.
        ("ffa-3", [(0, 1, 3), (1, 2, 3), (2, 0, 1)], (Ending.STANDARD, 0, [1, 2, 3])),
        ("ffa-4", [(0, 1, 4), (0, 2, 4), (0, 3, 3), (3, 0, 1)], (Ending.STANDARD, 0, [1, 3, 3, 2])),
        # No tokens left: out, whatever was captured before.
        ("ffa-3", [(0, 1, 9), (1, 0, 5), (2, 0, 5)], (Ending.STANDARD, 2, [3, 2, 1])),
        ("team", [(0, 1, 4), (2, 3, 4), (1, 0, 7)], (Ending.AT_ONCE, 0, [1, 2, 1, 2])),
        ("team", [(0, 1, 4), (2, 3, 3), (1, 0, 2)], (Ending.STANDARD, 0, [1, 2, 1, 2])),
        ("team", [(1, 0, 5), (3, 0, 2), (3, 2, 1)], (Ending.AT_ONCE, 1, [2, 1, 2, 1])),
    ],
)
def test_the_victory_of_the_book(
    client: Client, army: Roster, mission: str, captures: list[tuple[int, int, int]], expected: tuple[object, ...]
) -> None:
    game = start(client, army, mission)
    capture_all(game, *captures)
    # The first side has a list with models; to compare tokens alone, all are to have as many.
    GameSide.objects.filter(game=game).update(document="")
    assert end(client, game) == expected


def test_of_several_sides_the_best_wins_if_another_concedes_without_a_network(client: Client, army: Roster) -> None:
    game = start(client, army)
    capture_all(game, (0, 1, 1), (1, 2, 2), (2, 0, 3))
    assert not tap(game, 0, make_tap("end", "game", text="They left.", side=2)).refused
    game.refresh_from_db()
    assert (game.ending, game.winner, game.notes) == (Ending.CONCEDED, 1, "They left.")
    assert list(game.sides.order_by("place").values_list("rank", flat=True)) == [2, 1, 3]


def test_level_sides_are_compared_by_tokens_then_by_what_is_left(client: Client, army: Roster) -> None:
    theirs = load_army(DAWNFALL, "army-the-forest-walks")
    links = {f"opponent{number}_link": f"/r/{theirs.link_id}/" for number in ("", "_2")}
    game = start(client, army, **links)
    capture_all(game, (0, 1, 2), (1, 2, 2), (2, 0, 2))
    rows = list(game.sides.select_related("version").order_by("place"))
    rules = load_rules(game)
    assert len({standing.left for standing in read_standings(rules, rows, game.now)}) == 1
    assert find_victory(rules, rows).level
    tap(game, 0, make_tap("tick", "w:u1:0.0", text="0 1", side=0), make_tap("tick", "w:u1:0.0", text="0 1", side=1))
    assert end(client, game) == (Ending.STANDARD, 2, [2, 2, 1])
    end(client, game, "reopen")
    tap(game, 0, make_tap("tick", "w:u1:0.0", text="0 1", side=2))
    assert end(client, game) == (Ending.DRAW, None, [1, 1, 1])
    assert "Draw: " in markup(client.get(reverse("play:game-end", args=[game.public_id])))


def kill_all(game: Game, place: int) -> None:
    units = build_game_board(game, place).mine.units
    tap(game, 0, *(make_tap("set", f"at:{now.unit.key}", text="dead=1", side=place) for now in units))


@pytest.mark.parametrize(
    ("mission", "expected", "words"),
    [
        ("two-players", (Ending.AT_ONCE, 1, [2, 1]), "Dan wins at once"),
        ("ffa-3", (Ending.STANDARD, 2, [3, 2, 1]), "The game ends with this turn"),
        ("team", (Ending.AT_ONCE, 1, [2, 1, 2, 1]), "Dan wins at once"),
    ],
)
def test_a_side_without_models_is_out(
    client: Client, army: Roster, mission: str, expected: tuple[object, ...], words: str
) -> None:
    game = start(client, army, mission)
    if mission == "ffa-3":
        capture_all(game, (0, 1, 5), (2, 1, 1))
    kill_all(game, 0)
    shown = " ".join(show(client, game).split())
    assert words in shown.partition('class="cpbar"')[2].replace("</b>", "")
    assert end(client, game) == expected


def test_players_say_that_a_side_without_a_list_is_out(client: Client, army: Roster) -> None:
    game = start(client, army)
    assert 'value="set 1 out 1"' in show(client, game)
    assert press(client, game, "set 1 out 1") == 303
    assert "Dan: out. The game ends with this turn." in show(client, game)
    assert list_log(game, 0)[0].text == "no models left"


def test_a_deck_that_runs_out_ends_the_game_with_the_turn(client: Client, army: Roster) -> None:
    game = start(client, army)
    assert not build_game_board(game, 0).mine.standing.is_out
    words = "<b>A deck has run out. The game ends with this turn.</b>"
    assert words not in show(client, game)
    tap(game, 0, make_tap("draw", "d0", 60))
    assert words in show(client, game)


def test_who_concedes_comes_last(client: Client, army: Roster) -> None:
    game = start(client, army)
    capture_all(game, (0, 1, 6), (2, 1, 2))
    assert end(client, game, "concede 0") == (Ending.CONCEDED, 2, [3, 2, 1])
    # What was tapped before and arrives late changes the points, not who has won.
    tap(game, 0, capture(1, 2, 4))
    assert (game.winner, [side.rank for side in game.sides.order_by("place")]) == (2, [3, 2, 1])
    assert "another side has conceded" in markup(client.get(reverse("play:game-end", args=[game.public_id])))


def test_the_record_counts_all_opponents_and_no_ally(client: Client, army: Roster) -> None:
    game = start(client, army, "team")
    capture_all(game, (2, 1, 8))
    end(client, game)
    record = client.get(reverse("play:game-record")).context["record"]
    assert [(line.name, line.wins) for line in record.opponents] == [("Cleo", 1), ("Dan", 1)]
    three = start(client, army)
    capture_all(three, (1, 0, 2))
    end(client, three)
    record = client.get(reverse("play:game-record")).context["record"]
    assert [(line.name, line.wins, line.losses) for line in record.opponents] == [
        ("Dan", 1, 1),
        ("Cleo", 1, 0),
        ("Eve", 0, 1),
    ]
    assert [played.result for played in list_played(Visitor(key=game.owner_key))] == [-1, 1]


def test_files_log_and_lists_name_all_sides(client: Client, army: Roster) -> None:
    game = start(client, army)
    capture_all(game, (0, 1, 2), (2, 0, 1))
    end(client, game)
    line = client.get(reverse("play:games-file", args=["csv"])).content.decode().splitlines()[1]
    assert '"Dan, Eve"' in line
    assert '"0, 1"' in line
    content = json.loads(client.get(reverse("play:game-file", args=[game.public_id, "json"])).content)
    assert [(side["score"], side["rank"]) for side in content["sides"]] == [(2, 1), (0, 3), (1, 2)]
    result = "Dan 0, Eve 1"
    for address in (reverse("play:games"), reverse("play:game-log", args=[game.link_id])):
        assert result in " ".join(markup(client.get(address)).split())
    ended = read_entries(markup(client.get(reverse("play:game-end", args=[game.public_id]))))
    assert [entry[0] + entry[-2:] for entry in ended[:3]] == ["1 2", "2 1", "3 0"]
    assert "Eve" in ended[1]
    pdf = client.get(reverse("play:game-log-pdf", args=[game.link_id]))
    assert pdf.status_code == 200


def read_first(game: Game) -> str:
    """Return the first step of a game, where its players say who goes first."""
    return game.now.shared.texts["first"]


@pytest.mark.parametrize("seed", sample(range(3), 1))
@pytest.mark.parametrize("mission", ["ffa-3", "team"])
def test_every_tap_of_several_sides_is_taken_back_to_the_state_before(
    client: Client, army: Roster, seed: int, mission: str
) -> None:
    game = start(client, army, mission, first=str(seed))
    dice, sides, changed = random.Random(seed), game.sides.count(), 0
    makers = [
        lambda: capture(
            dice.randrange(sides), dice.randrange(MOST_SIDES), dice.choice((1, 4, 9, -1)), dice.randint(1, 3)
        ),
        lambda: make_tap("count", "gone:captured-tokens", dice.choice((2, -1)), side=dice.randrange(sides)),
        lambda: make_tap("set", "out", text=dice.choice(("1", "")), side=dice.randrange(sides)),
        lambda: make_tap("step", "step", text=f"{game.now.step} 2:{dice.randrange(sides)}:turn", side=None),
        lambda: make_tap("step", "first", text=f"{read_first(game)} 1:{dice.randrange(sides)}:turn", side=None),
        lambda: make_tap("draw", "d0", 2),
    ]
    for _tap in range(30):
        operation, before = dice.choice(makers)(), game.now
        assert not tap(game, 0, operation).refused
        after = game.now
        taken_back = make_tap("undo", operation.uid, side=None)
        tap(game, 0, taken_back)
        assert game.now == before, operation
        tap(game, 0, make_tap("undo", taken_back.uid, side=None))
        assert game.now == after, operation
        changed += before != after
        rules, rows = load_rules(game), list(game.sides.select_related("version").order_by("place"))
        standings = read_standings(rules, rows, game.now)
        # No token is captured twice, and none comes from nowhere.
        lost = sum(side.counts.get("gone:captured-tokens", 0) for side in game.now.sides)
        assert sum(side.points for side in standings) + lost + sum(side.tokens for side in standings) == 10 * sides
        assert all(side.tokens >= 0 for side in standings)
    assert changed > 8


def test_the_operation_that_begins_a_game_says_how_many_play(client: Client, army: Roster) -> None:
    game = start(client, army, "ffa-4")
    beginning = game.operations.get(number=0)
    assert beginning.amount == 4
    # One of the version before said nothing: two.
    two = begin(client, army)
    two.operations.filter(number=0).update(amount=0)
    counted = make_tap("count", "a", 1)
    tap(two, 0, counted, make_tap("undo", counted.uid, side=None))
    assert len(two.now.sides) == 2
    assert len(describe_state(two, 0)["sides"]) == 2


@pytest.mark.parametrize(
    ("players", "sides", "teams"), [("", 2, 0), ("2", 2, 0), ("3", 3, 0), ("teams", 4, 2), ("x", 2, 0)]
)
def test_a_table_that_players_set_up_has_as_many_sides(
    client: Client, plain: Roster, players: str, sides: int, teams: int
) -> None:
    game = begin(client, plain, players=players, **NAMES)
    assert game.sides.count() == sides
    rules = load_rules(game)
    assert (rules.players, rules.teams, len(rules.table.resources)) == (sides, teams, 2)
    # Another setup does not change who plays.
    address = reverse("play:game-table", args=[game.public_id])
    assert client.post(address, {"text": "table: 1\nplayers: 4\nrounds: 3\nresources: [Gold]"}).status_code == 303
    game.refresh_from_db()
    assert load_rules(game).players == sides
    assert "Gold" in show(client, game)


@pytest.mark.parametrize(
    "text", ["players: 5", "players: 1", "teams: 2", "players: 3\nteams: 2", "players: 4\nteams: 3"]
)
def test_a_table_for_players_that_cannot_sit_is_refused(client: Client, plain: Roster, text: str) -> None:
    game = begin(client, plain)
    answer = client.post(reverse("play:game-table", args=[game.public_id]), {"text": f"table: 1\n{text}"})
    assert answer.status_code == 422
    assert "2 to 4 players" in markup(answer)
