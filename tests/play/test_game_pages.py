"""Games: begun from a list, tapped on by forms and by devices, joined by the other player, ended."""

import json
import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pypdf
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.definitions.missions import BattleSize, NamedFigure
from catalogue.definitions.table_rules import TableResource
from roster.models import Roster
from roster.play.game_state import fold_operations, read_hand_note
from roster.play.models import Game, GameInvitation, GameSeat
from roster.play.services.game_log import list_log
from roster.play.services.game_rules import count_beginning, load_rules
from roster.play.services.game_taps import UNDOS, list_operations
from roster.play.services.game_units import TableList
from roster.services.accounts import export_account_data, set_player_name
from tests.markup import markup
from tests.play.games import DAWNFALL, EDGE, FIRST_EDGE, NINTH, WARZONE, begin, join, load_army, make_tap, tap
from tests.roster.accounts_cast import account
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db


@pytest.fixture
def army(db: None) -> Roster:
    return load_army(NINTH, "necrons-incursion")


def page(client: Client, game: Game) -> str:
    return markup(client.get(reverse("play:game", args=[game.public_id])))


def units_page(client: Client, game: Game) -> str:
    return markup(client.get(reverse("play:game-units", args=[game.public_id])))


def press(client: Client, game: Game, op: str, **fields: object) -> int:
    return client.post(reverse("play:game", args=[game.public_id]), {"op": op, **fields}).status_code


def send(client: Client, game: Game, *taps: dict[str, object]) -> dict[str, dict[str, object]]:
    address = reverse("play:game-taps", args=[game.public_id])
    answer = client.post(address, json.dumps({"taps": taps}), content_type="application/json")
    assert answer.status_code == 200
    return json.loads(answer.content)


def state_of(client: Client, game: Game) -> dict[str, object]:
    return json.loads(client.get(reverse("play:game-taps", args=[game.public_id])).content)["state"]


def count(key: str, amount: int = 1, side: int | None = 0, **more: object) -> dict[str, object]:
    return {"id": str(uuid4()), "kind": "count", "side": side, "key": key, "amount": amount, **more}


def set_step(text: str) -> dict[str, object]:
    return {"id": str(uuid4()), "kind": "set", "side": None, "key": "step", "text": text}


def test_a_game_shows_units_phases_and_the_other_player(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control", opponent="Tom", map="roll")
    shown = page(client, game)
    assert all(word in shown for word in ("Tom", "Territorial Control", "Lychguard", "Score by round"))
    assert game.map_name in shown
    assert "Tom" in markup(client.get(reverse("play:games")))


def test_a_form_taps_and_the_same_form_twice_counts_once(client: Client, army: Roster) -> None:
    game = begin(client, army)
    form = str(uuid4())
    for _time in range(2):
        assert press(client, game, "count 0 score:points:1 5", form_id=form) == 303
    assert press(client, game, "count 0 score:points:1 5") == 303
    assert 'data-total="0">10<' in page(client, game)
    game.refresh_from_db()
    undo = state_of(client, game)["undos"][0]["id"]
    assert press(client, game, f"undo - {undo}") == 303
    assert 'data-total="0">5<' in page(client, game)


@pytest.mark.parametrize("op", ["", "count", "count 0 a", "count 0 a x", "fly 0 a 1", "count 4 a 1", "draw 0 d0 -"])
def test_bad_forms_change_nothing(client: Client, army: Roster, op: str) -> None:
    game = begin(client, army)
    assert press(client, game, op) == 400
    game.refresh_from_db()
    assert game.last == 0


@pytest.mark.parametrize(("page_", "status"), [("game", 400), ("game-invite", 422), ("game-end", 422)])
def test_a_form_without_a_field_changes_nothing(client: Client, army: Roster, page_: str, status: int) -> None:
    game = begin(client, army)
    assert client.post(reverse(f"play:{page_}", args=[game.public_id])).status_code == status
    game.refresh_from_db()
    assert (game.last, game.ended) == (0, None)
    assert GameInvitation.objects.count() == 1


def test_a_tap_leads_back_to_its_place_on_the_page(client: Client, army: Roster) -> None:
    game = begin(client, army)
    address = reverse("play:game", args=[game.public_id])
    for place, anchor in (("units", "#units"), ("x" * 41, f"#{'x' * 40}"), ("", "")):
        assert client.post(address, {"op": "count 0 a 1", "at": place})["Location"] == f"{address}{anchor}"


def test_a_hand_tells_a_blank_field_from_one_that_was_not_sent(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    groups = ["raid", "eradication", "brought-low"]
    for fields in ({"h0-group": groups, "h0-secret": "", "h1-group": ["raid"]}, {"h0-group": groups}):
        assert press(client, game, "hand 0 hand choose", **fields) == 303
    sent = [read_hand_note(operation.text).fields for operation in list_operations(game)[1:]]
    group = "raid eradication brought-low"
    assert sent == [{"group": group, "secret": ""}, {"group": group}]


def test_a_device_sends_what_it_has_and_sends_it_again(client: Client, army: Roster) -> None:
    game = begin(client, army)
    taps = [
        count("w:u1:0.0"),
        count("res:cp", 2),
        {"id": str(uuid4()), "kind": "set", "side": None, "key": "step", "text": "2:1:fight"},
    ]
    first = send(client, game, *taps)
    assert list(first["numbers"].values()) == [1, 2, 3]
    assert send(client, game, *taps, count("w:u1:0.0"))["numbers"][taps[0]["id"]] == 1
    state = state_of(client, game)
    assert state["last"] == 4
    assert state["step"] == "2:1:fight"
    assert state["sides"][0]["counts"] == {"w:u1:0.0": 2, "res:cp": 2}
    game.refresh_from_db()
    assert fold_operations(list_operations(game), load_rules(game).fold).sides == game.now.sides


def test_an_answer_to_a_device_that_knows_everything_is_a_number(client: Client, army: Roster) -> None:
    game = begin(client, army)
    address = reverse("play:game-taps", args=[game.public_id])
    assert client.get(address, {"since": "0"}).json() == {"last": 0}
    assert "state" in client.get(address, {"since": "x"}).json()
    assert "state" in client.get(address, {"since": "0", "ended": "1"}).json()


def test_a_device_is_told_that_the_other_player_joined(client: Client, army: Roster) -> None:
    game = begin(client, army)
    address = reverse("play:game-taps", args=[game.public_id])
    assert client.get(address, {"since": "0", "joined": "0"}).json() == {"last": 0}
    join(game, Client(), inviter=client)
    assert client.get(address, {"since": "0", "joined": "0"}).json()["state"]["joined"]
    assert client.get(address, {"since": "0", "joined": "1"}).json() == {"last": 0}


@pytest.mark.parametrize(
    "tap_",
    [
        {"id": "x", "kind": "count", "side": 0, "key": "a", "amount": 1},
        count("a", 5_000),
        count("a b"),
        {"id": str(uuid4()), "kind": "undo", "side": None, "key": str(uuid4())[:-1]},
        {"id": str(uuid4()), "kind": "hand", "side": 0, "key": "hand", "text": "no note"},
        {"id": str(uuid4()), "kind": "hand", "side": 0, "key": "hand", "text": "[" * 900},
    ],
)
def test_one_bad_tap_is_told_and_the_others_are_kept(client: Client, army: Roster, tap_: dict[str, object]) -> None:
    game = begin(client, army)
    good = count("a")
    answer = send(client, game, tap_, good)
    assert list(answer["numbers"]) == [good["id"]]
    assert list(answer["refused"]) == [tap_["id"]]
    assert list(answer["words"]) == [tap_["id"]]
    assert answer["words"][tap_["id"]]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'{"taps": 3}', b'{"taps": [{"id": 3}]}', b"\xff", b'{"taps": [{"id": "\xff"}]}'),
        b'{"taps": ' + b"[" * 100_000,
        b'{"more": ' + b"[" * 100_000,
    ],
    ids=lambda body: body[:20],
)
def test_a_message_that_is_none_is_refused(client: Client, army: Roster, body: bytes) -> None:
    game = begin(client, army)
    address = reverse("play:game-taps", args=[game.public_id])
    assert client.post(address, body, content_type="application/json").status_code == 400


@pytest.mark.parametrize("at", [-1, 0, 1e300, 99999999999999, 1764000000000])
def test_the_clock_of_a_device_decides_nothing(client: Client, army: Roster, at: float) -> None:
    game = begin(client, army)
    assert send(client, game, count("a"), count("a", at=at))["state"]["sides"][0]["counts"] == {"a": 2}


def test_the_other_player_joins_once_without_an_account(client: Client, army: Roster) -> None:
    game = begin(client, army)
    other = join(game, Client(), inviter=client)
    assert send(other, game, count("score:points:1", 3, side=1))["state"]["sides"][1]["score"]["total"] == 3
    # Each side keeps its own, and both see the scores.
    assert list(send(other, game, count("a", side=0))["refused"]) != []
    assert list(send(client, game, count("a", side=1))["refused"]) != []
    assert 'data-total="1">3<' in page(client, game)
    code = GameInvitation.objects.get().code
    stranger = Client()
    told = stranger.get(reverse("play:game-join", args=[code]))
    assert told.status_code == 410
    assert "has been used" in markup(told)
    assert stranger.post(reverse("play:game-join", args=[code])).status_code == 410
    assert GameSeat.objects.count() == 1
    assert stranger.get(reverse("play:game", args=[game.public_id])).status_code == 404
    # Whoever plays already comes to the game by it.
    assert other.get(reverse("play:game-join", args=[code])).status_code == 303


def test_the_other_player_brings_a_list(client: Client, army: Roster) -> None:
    theirs = load_army(NINTH, "tyranids-strike-force")
    game = begin(client, army, mission="never-surrender", size="incursion")
    assert client.post(reverse("play:game-invite", args=[game.public_id]), {"do": "opponent"}).status_code == 303
    address = reverse("play:game-join", args=[GameInvitation.objects.latest("pk").code])
    other = Client()
    for link in ("nonsense", f"/r/{load_army(EDGE, 'army-hazard-pay').link_id}/"):
        refused = other.post(address, {"link": link})
        assert refused.status_code == 422
        assert link in markup(refused)
    assert not GameSeat.objects.exists()
    assert other.post(address, {"link": f"/r/{theirs.link_id}/"}).status_code == 303
    side = game.sides.get(place=1)
    assert side.list_name == theirs.name
    assert "Hormagaunts" in page(other, game).split('class="theirs"')[0]
    # A side that has a list keeps it, and nobody is asked for one.
    assert other.post(reverse("play:game-invite", args=[game.public_id]), {"do": "device"}).status_code == 303
    address = reverse("play:game-join", args=[GameInvitation.objects.latest("pk").code])
    device = Client()
    assert 'name="link"' not in markup(device.get(address))
    assert device.post(address, {"link": f"/r/{army.link_id}/"}).status_code == 303
    assert game.sides.get(place=1).list_name == theirs.name


def test_a_code_that_was_taken_back_says_so(client: Client, army: Roster) -> None:
    game = begin(client, army)
    invite = reverse("play:game-invite", args=[game.public_id])
    assert client.post(invite, {"do": "opponent"}).status_code == 303
    assert client.post(invite, {"do": "withdraw"}).status_code == 303
    code = GameInvitation.objects.get().code
    assert Client().get(reverse("play:game-join", args=[code])).status_code == 410
    assert client.post(invite, {"do": "fly"}).status_code == 422


def test_two_devices_of_one_player_lose_nothing(client: Client, army: Roster) -> None:
    game = begin(client, army)
    tablet = join(game, Client(), "device", inviter=client)
    for device in (client, tablet, client):
        send(device, game, count("w:u1:0.0"))
    assert state_of(tablet, game)["sides"][0]["counts"] == {"w:u1:0.0": 3}


def test_looking_on_shows_scores_and_nothing_secret(client: Client, db: None) -> None:
    army = load_army(DAWNFALL, "army-hunger-without-a-face")
    game = begin(client, army)
    size = send(client, game, {"id": str(uuid4()), "kind": "shuffle", "side": 0, "key": "d0", "amount": 25})
    assert len(size["state"]["sides"][0]["piles"]["d0"]["draw"]) == 25
    send(client, game, {"id": str(uuid4()), "kind": "draw", "side": 0, "key": "d0", "amount": 3})
    assert len(state_of(client, game)["sides"][0]["piles"]["d0"]["hand"]) == 3
    watched = Client().get(reverse("play:game-state", args=[game.link_id])).json()["state"]
    assert watched["sides"][0]["piles"]["d0"] == {"draw": 22, "hand": 3, "discard": []}
    shown = markup(Client().get(game.get_absolute_url()))
    assert "3 in hand" in shown
    assert "data-hand" not in shown


def test_a_game_goes_on_when_its_list_is_deleted(client: Client, army: Roster) -> None:
    game = begin(client, army)
    army.delete()
    assert "Lychguard" in page(client, game)
    assert press(client, game, "count 0 w:u1:0.0 1") == 303


def test_a_mission_that_the_data_does_not_have_is_said(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="territorial-control")
    Game.objects.update(mission_id="gone")
    shown = page(client, game)
    assert "no longer has the mission “Territorial Control”" in shown
    assert press(client, game, "count 0 score:points:1 5") == 303


def test_ending_notes_the_scores_and_taps_that_come_late_count(client: Client, army: Roster) -> None:
    game = begin(client, army)
    press(client, game, "count 0 score:points:1 5")
    end = reverse("play:game-end", args=[game.public_id])
    assert client.post(end, {"do": "end", "notes": "Close one."}).status_code == 303
    assert list(game.sides.values_list("score", flat=True)) == [5, 0]
    # It was tapped in the cellar before the game ended.
    send(client, game, count("score:points:2", 4))
    assert list(game.sides.values_list("score", flat=True)) == [9, 0]
    assert "This game is over." in page(client, game)
    assert client.post(end, {"do": "reopen"}).status_code == 303
    assert client.post(end, {"do": "fly"}).status_code == 422
    assert client.post(end, {"do": "end", "notes": "x" * 2001}).status_code == 422
    assert client.post(end, {"do": "delete"}).status_code == 303
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "form",
    [
        {"mission": "no-mission"},
        {"mission": "roll:no-pack"},
        {"map": "no-map"},
        {"size": "huge"},
        {"opponent": "x" * 41},
        {"opponent_link": "not a link"},
        {"opponent_link": "/r/AAAAAAAAAAAAAAAAAAAAAA/"},
    ],
)
def test_no_game_begins_with_what_there_is_not(client: Client, army: Roster, form: dict[str, str]) -> None:
    answer = client.post(reverse("play:game-new", args=[army.link_id]), form)
    assert answer.status_code == 422
    assert 'role="alert"' in markup(answer)
    assert not Game.objects.exists()


def test_against_a_list_by_its_link(client: Client, army: Roster) -> None:
    theirs = load_army(NINTH, "tyranids-strike-force")
    game = begin(client, army, opponent_link=f"https://example.org/r/{theirs.link_id}/?x=1")
    shown = page(client, game)
    assert theirs.name in shown
    assert shown.count("data-units-left") == 2


def test_dice_choose_mission_and_deployment(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="roll:maelstrom-of-war", map="roll", first="roll")
    assert game.mission_name
    assert game.map_name
    assert game.rolled


def test_a_guest_without_a_seat_finds_nothing(client: Client, army: Roster) -> None:
    game = begin(client, army)
    for name in ("game", "game-taps", "game-invite", "game-end"):
        address = reverse(f"play:{name}", args=[game.public_id])
        assert Client().get(address).status_code == 404
        assert Client().post(address, {"do": "end"}).status_code == 404
    assert Client().get(reverse("play:game-link", args=["A" * 22])).status_code == 404


def test_undo_takes_back_a_text_and_a_foreign_tap_stays(client: Client, army: Roster) -> None:
    game = begin(client, army)
    join(game, Client(), inviter=client)
    game.refresh_from_db()
    theirs = make_tap("count", "a", 1, side=1)
    assert not tap(game, 1, theirs).refused
    assert list(tap(game, 0, make_tap("undo", theirs.uid, side=None)).refused)
    mine = make_tap("set", "at:u1", text="reserve")
    tap(game, 0, mine)
    tap(game, 0, make_tap("undo", mine.uid, side=None))
    assert "at:u1" not in game.now.sides[0].texts


def test_every_tap_can_be_taken_back_down_to_the_first(client: Client, army: Roster) -> None:
    game = begin(client, army)
    taps = [make_tap("count", "a", 1) for _ in range(40)]
    tap(game, 0, *taps)
    for number in range(40, 0, -1):
        undos = [undo["id"] for undo in state_of(client, game)["undos"]]
        assert undos == [one.uid for one in taps[:number][: -UNDOS - 1 : -1]]
        tap(game, 0, make_tap("undo", undos[0], side=None))
    assert state_of(client, game)["undos"] == []
    assert game.now.sides[0].counts == {}


def test_what_was_taken_back_is_done_again_until_something_else_is_tapped(client: Client, army: Roster) -> None:
    game = begin(client, army)
    first, second = make_tap("count", "a", 1), make_tap("count", "a", 2)
    tap(game, 0, first, second)
    for undone in (second, first):
        tap(game, 0, make_tap("undo", undone.uid, side=None))
    assert [redo["id"] for redo in state_of(client, game)["redos"]] == [first.uid, second.uid]
    shown = page(client, game)
    undo = state_of(client, game)["redos"][0]["undo"]
    assert f'value="undo - {undo}"' in shown
    assert press(client, game, f"undo - {undo}") == 303
    state = state_of(client, game)
    assert [redo["id"] for redo in state["redos"]] == [second.uid]
    assert [undo["id"] for undo in state["undos"]] == [first.uid]
    assert state["sides"][0]["counts"] == {"a": 1}
    tap(game, 0, make_tap("count", "a", 5))
    assert state_of(client, game)["redos"] == []


def test_what_brings_nothing_more_says_so(client: Client, army: Roster) -> None:
    game = begin(client, army)
    mark = 'data-full="0 battle-ready"'
    for points, hidden in ((0, True), (10, False), (10, False), (-20, True)):
        if points:
            assert press(client, game, f"count 0 score:battle-ready:1 {points}", form_id=str(uuid4())) == 303
        tag = page(client, game).partition(mark)[2].partition(">")[0]
        assert ("hidden" in tag) == hidden
    assert state_of(client, game)["sides"][0]["score"]["total"] == 0


def test_a_hand_of_objectives_is_played_scored_and_taken_back(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    groups = ["raid", "eradication", "brought-low"]
    assert press(client, game, "hand 0 hand choose", **{"h0-group": groups}) == 303
    assert press(client, game, "hand 0 hand begin") == 303
    assert press(client, game, "step - step 1:0:objectives 1:1:morale") == 303
    assert press(client, game, "hand 0 hand score 0") == 303
    game.refresh_from_db()
    scored = game.now
    assert len(scored.sides[0].hand.now.drawn) == 3
    assert fold_operations(list_operations(game), load_rules(game).fold).sides == scored.sides
    total = state_of(client, game)["sides"][0]["score"]["total"]
    assert total in (5, 8)
    assert f"{total} of 90 points from objectives" in page(client, game)
    # Others see what is drawn as well.
    watched = Client().get(reverse("play:game-state", args=[game.link_id])).json()["state"]["sides"][0]
    assert watched["score"]["total"] == total
    assert [one["scored"] for one in watched["hand"]["drawn"]] == [True, False, False]
    undo = state_of(client, game)["undos"][0]["id"]
    assert press(client, game, f"undo - {undo}") == 303
    assert state_of(client, game)["sides"][0]["score"]["total"] == 0


@pytest.mark.parametrize("place", ["builder", "link", "my lists"])
def test_every_list_can_be_played(client: Client, army: Roster, place: str) -> None:
    client.post(reverse("roster:copy", args=[army.link_id]))
    mine = Roster.objects.exclude(pk=army.pk).get()
    pages = {
        "builder": reverse("roster:builder", args=[mine.public_id]),
        "link": mine.get_absolute_url(),
        "my lists": reverse("roster:rosters"),
    }
    assert reverse("play:game-new", args=[mine.link_id]) in markup(client.get(pages[place]))


# ---- afterwards -----------------------------------------------------------------------------------------------------


def over(client: Client, army: Roster, points: int, **fields: str) -> Game:
    game = begin(client, army, **fields)
    send(client, game, count("score:points:1", points), count("score:points:2", 4, side=1))
    client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end", "notes": ""})
    return game


def test_the_record_counts_lists_factions_and_opponents(client: Client, army: Roster) -> None:
    theirs = load_army(NINTH, "tyranids-strike-force")
    over(client, army, 5, opponent="Tom", opponent_link=f"/r/{theirs.link_id}/")
    over(client, army, 4, opponent="Tom")
    record = client.get(reverse("play:game-record"))
    counted = record.context["record"]
    assert [(line.name, line.wins, line.draws, line.losses) for line in counted.opponents] == [("Tom", 1, 1, 0)]
    assert [(line.name, line.share) for line in counted.factions] == [("Tyranids", 100)]
    assert counted.rounds == [(1, 4.5, 0.0), (2, 0.0, 4.0)]
    assert markup(record).count("<svg") >= 3


@pytest.mark.parametrize(
    ("day", "status"), [("2026-02-28", 303), ("", 303), ("2999-01-01", 422), ("2026-02-30", 422), ("soon", 422)]
)
def test_a_result_by_hand_has_its_day(client: Client, army: Roster, day: str, status: int) -> None:
    form = {"game": army.version.game.slug, "points": "1", "their_points": "0", "played": day}
    answer = client.post(reverse("play:game-by-hand"), form)
    assert answer.status_code == status
    if status == 422:
        assert f'value="{day}"' in markup(answer)
        assert not Game.objects.exists()
    elif day:
        assert timezone.localtime(Game.objects.get().played).date().isoformat() == day


def test_who_joined_can_leave_and_come_back_by_a_new_code(client: Client, army: Roster) -> None:
    game = begin(client, army)
    end = reverse("play:game-end", args=[game.public_id])
    other = join(game, Client(), inviter=client)
    assert client.post(end, {"do": "leave"}).status_code == 422
    assert other.post(end, {"do": "delete"}).status_code == 422
    assert other.post(end, {"do": "leave"}).status_code == 303
    assert other.get(end).status_code == 404
    assert join(game, other, inviter=client).get(end).status_code == 200


def test_a_joined_game_counts_from_the_side_that_was_played(client: Client, army: Roster) -> None:
    game = begin(client, army, opponent="Tom")
    other = join(game, Client(), inviter=client)
    over(client, army, 5, opponent="Tom")
    client.post(reverse("play:game-end", args=[game.public_id]), {"do": "end", "notes": ""})
    for visitor, places in ((client, [0, 0]), (other, [1])):
        played = visitor.get(reverse("play:game-record")).context["record"].played
        assert [one.mine.place for one in played] == places


def test_a_result_is_entered_by_hand(client: Client, army: Roster) -> None:
    address = reverse("play:game-by-hand")
    form = {"game": "maelstrom-of-war-9e", "points": "70", "their_points": "55", "opponent": "Mia"}
    assert client.post(address, form).status_code == 303
    assert client.get(reverse("play:game-record")).context["record"].opponents[0].wins == 1
    for wrong in (
        {"points": "x"},
        {"points": ""},
        {"their_points": "1e9"},
        {"game": "no-game"},
        {"opponent": "x" * 41},
    ):
        assert client.post(address, form | wrong).status_code == 422
    assert Game.objects.count() == 1
    assert client.get(Game.objects.get().get_absolute_url()).status_code == 200


def test_a_result_by_hand_stays_what_was_entered(client: Client, army: Roster) -> None:
    form = {"game": army.version.game.slug, "list_name": "Waking legion", "points": "70", "their_points": "55"}
    assert client.post(reverse("play:game-by-hand"), form).status_code == 303
    game = Game.objects.get()
    end = reverse("play:game-end", args=[game.public_id])
    assert "Play on" not in markup(client.get(end))
    assert client.post(end, {"do": "end", "notes": "A close one."}).status_code == 303
    assert client.post(end, {"do": "reopen"}).status_code == 303
    answer = send(client, game, count("score:points:1", 5))
    assert len(answer["refused"]) == 1
    game.refresh_from_db()
    assert (game.notes, game.ended is None) == ("A close one.", False)
    assert list(game.sides.order_by("place").values_list("score", flat=True)) == [70, 55]
    for address in (game.get_absolute_url(), reverse("play:game-log", args=[game.link_id])):
        shown = " ".join(markup(client.get(address)).split())
        assert "70" in shown
        assert "55" in shown


def test_a_hidden_list_keeps_its_abilities_from_whoever_looks_on(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    tap(game, 0, make_tap("step", "step", text=f"{game.now.step} 1:0:command", side=None))
    watched = [game.get_absolute_url(), reverse("play:game-link-units", args=[game.link_id])]
    assert all("Living Metal" in markup(Client().get(address)) for address in watched)
    game.sides.filter(place=0).update(conceals=True)
    assert "Living Metal" in page(client, game)
    assert "Living Metal" in units_page(client, game)
    assert not any("Living Metal" in markup(Client().get(address)) for address in watched)


def test_every_way_to_score_can_be_tapped(client: Client) -> None:
    game = begin(client, load_army(EDGE, "army-hazard-pay"), mission="bloodbath")
    assert press(client, game, "count 0 score:faction-objective:1 1") == 303
    assert 'value="count 0 score:faction-objective:1 1"' in page(client, game)
    assert 'data-total="0">1<' in page(client, game)


def test_sides_that_differ_score_each_for_themselves(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-4")
    names = {(line.side, line.name) for line in load_rules(game).score.lines}
    assert {("attacker", "Victory"), ("defender", "Victory")} <= names


@pytest.mark.parametrize(("side", "seen"), [("attacker", "Attacker"), ("defender", "Defender"), ("", "both")])
def test_each_player_scores_for_the_side_of_the_mission_that_is_theirs(client: Client, side: str, seen: str) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-4", mission_side=side)
    mine, theirs = page(client, game).split("Objectives: Opponent")
    for name in ("Attacker", "Defender"):
        assert (f"{name}: Victory" in mine) == (seen in (name, "both"))
        assert (f"{name}: Victory" in theirs) == (seen != name)


def test_a_mission_lasts_as_long_as_its_sides_do(client: Client) -> None:
    game = begin(client, load_army(EDGE, "army-hazard-pay"), mission="escalation")
    assert load_rules(game).score.rounds == 6


def test_a_reminder_keeps_its_tick_when_units_die(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    key = "done:1.0.command.command-protocols"
    assert press(client, game, f"set 0 {key} 1") == 303
    ticked = f'value="set 0 {key} "'
    assert ticked in units_page(client, game)
    send(client, game, {"id": str(uuid4()), "kind": "set", "side": 0, "key": "at:u1", "text": "dead=1"})
    assert ticked in units_page(client, game)
    tap(game, 0, make_tap("step", "step", text=f"{game.now.step} 1:0:command", side=None))
    assert ticked in page(client, game)


def test_the_size_of_the_battle_follows_the_list(client: Client) -> None:
    theirs = load_army(NINTH, "tyranids-strike-force")
    shown = markup(client.get(reverse("play:game-new", args=[theirs.link_id])))
    assert '<option value="strike-force" selected' in " ".join(shown.split())


def test_a_running_game_is_taken_away_whole(client: Client, army: Roster) -> None:
    game = begin(client, army, opponent="=cmd()")
    send(client, game, count("score:points:1", 5))
    address = reverse("play:game-file", args=[game.public_id, "json"])
    exported = json.loads(client.get(address).content)
    assert exported["sides"][0]["score"] == 5
    assert [one["kind"] for one in exported["operations"]] == ["begin", "count"]
    assert exported["operations"][1]["key"] == "score:points:1"
    assert Client().get(address).status_code == 404
    table = client.get(reverse("play:games-file", args=["csv"])).content.decode()
    assert "'=cmd()" in table
    assert len(json.loads(client.get(reverse("play:games-file", args=["json"])).getvalue())) == 1
    assert json.loads(Client().get(reverse("play:games-file", args=["json"])).getvalue()) == []
    begin(client, army)
    assert len(json.loads(client.get(reverse("play:games-file", args=["json"])).getvalue())) == 2


def test_the_log_says_everything_in_words_and_keeps_secrets(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    send(
        client,
        game,
        count("w:u1:0.0"),
        count("res:command-points"),
        count("score:battle-ready:1", 10),
        set_step("2:0:fight"),
    )
    send(client, game, {"id": str(uuid4()), "kind": "set", "side": 0, "key": "at:u2", "text": "reserve"})
    press(client, game, "hand 0 hand choose", **{"h0-group": ["raid", "eradication", "brought-low"]})
    address = reverse("play:game-log", args=[game.link_id])
    mine, others = markup(client.get(address)), markup(Client().get(address))
    for words in (
        "+1 lost",
        "+1 Command points",
        "+10 points: Battle ready",
        "Round 2 · Waking legion · Fight",
        "in reserve",
    ):
        assert words in mine
        assert words in others
    assert "chose the categories" in mine
    assert "chose the categories" not in others


def test_the_log_is_printed_with_the_score_sheet_and_without_what_was_taken_back(client: Client, army: Roster) -> None:
    game = begin(client, army, mission="never-surrender", size="incursion")
    slip = count("res:command-points")
    send(client, game, count("w:u1:0.0"), count("score:battle-ready:1", 10), slip)
    send(client, game, {"id": str(uuid4()), "kind": "undo", "side": 0, "key": slip["id"]})
    press(client, game, "hand 0 hand choose", **{"h0-group": ["raid", "eradication", "brought-low"]})
    address = reverse("play:game-log-pdf", args=[game.link_id])
    mine, others = read_pdf(client.get(address)), read_pdf(Client().get(address))
    for words in ("10 : 0", "Battle ready 10", "+1 lost", "Round 1"):
        assert words in mine
        assert words in others
    assert "Command points" not in mine
    assert "chose the categories" in mine
    assert "chose the categories" not in others
    assert client.get(address, {"paper": "papyrus"}).status_code == 400
    assert client.get(reverse("play:game-log-pdf", args=["x" * 22])).status_code == 404


def read_pdf(answer: Any) -> str:
    assert answer.status_code == 200, answer.content[:200]
    pages = pypdf.PdfReader(BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)


# ---- every game -----------------------------------------------------------------------------------------------------


def test_a_game_of_imported_data_has_rounds_and_free_points(client: Client, plain_game: Roster) -> None:
    game = begin(client, plain_game)
    shown = page(client, game)
    assert "Round 2" in shown
    assert press(client, game, "count 0 score:points:1 1") == 303
    assert press(client, game, "set - step 2:0:") == 303
    assert 'data-total="0">1<' in page(client, game)
    assert press(client, game, "count 0 res:counter-2 1") == 303
    assert ">Counter 2</b>" in page(client, game)
    assert "+1 Counter 2" in markup(client.get(reverse("play:game-log", args=[game.link_id])))


@pytest.fixture
def plain_game(db: None) -> Roster:
    made = started(Client())
    made.unit("warden")
    Roster.objects.update(visibility="link")
    return Roster.objects.get()


@pytest.mark.parametrize(
    ("pack", "army", "mission", "words"),
    [
        (
            DAWNFALL,
            "army-hunger-without-a-face",
            "two-players",
            ["Harvest", "Victory points", "End step", "Draw a card"],
        ),
        (EDGE, "army-hazard-pay", "bloodbath", ["Command points", "Meat Grinder", "Faction objective", "Action"]),
        (WARZONE, "army-winter-wolves", "mission-1", ["Resource cards", "Major victory", "Body count"]),
    ],
)
def test_each_game_scores_in_its_own_way(client: Client, pack: Path, army: str, mission: str, words: list[str]) -> None:
    game = begin(client, load_army(pack, army), mission=mission)
    shown = page(client, game)
    assert [word for word in words if word not in shown] == []


@pytest.mark.parametrize(
    ("pack", "army", "setup", "key", "begun"),
    [
        # 6 of an Incursion, 12 of a Strike Force.
        (NINTH, "necrons-incursion", {"size": "incursion"}, "res:command-points", 6),
        (NINTH, "necrons-incursion", {"size": "strike-force"}, "res:command-points", 12),
        (NINTH, "necrons-incursion", {}, "res:command-points", 0),
        # Eight of the commander, one for each of three troop squads.
        (WARZONE, "army-winter-wolves", {"mission": "mission-1"}, "res:resource-cards", 11),
    ],
)
def test_resources_begin_at_what_size_and_list_leave(
    client: Client, pack: Path, army: str, setup: dict[str, str], key: str, begun: int
) -> None:
    game = begin(client, load_army(pack, army), **setup)
    assert f'data-count="0 {key}" data-base="{begun}">{begun}</b>' in " ".join(page(client, game).split())


@pytest.mark.parametrize(("spent", "begun"), [(0, 6), (2, 4), (6, 0), (7, 0)])
def test_what_a_list_spends_before_the_game_is_gone(spent: int, begun: int) -> None:
    points = TableResource(id="cp", name="CP", size_figure="Command points", list_cost="command points")
    size = BattleSize(id="i", name="Incursion", facts=(NamedFigure(name="Command points", value="6"),))
    assert count_beginning(points, size, TableList(costs={"command points": spent})) == begun


def test_what_was_spent_of_a_resource_comes_back_where_the_book_says_so(client: Client) -> None:
    game = begin(client, load_army(WARZONE, "army-winter-wolves"), mission="mission-1")
    assert press(client, game, "count 0 res:resource-cards -3") == 303
    back = "count 0 res:resource-cards 3"
    assert f'value="{back}"' in page(client, game)
    assert press(client, game, back) == 303
    shown = page(client, game)
    assert f'value="{back}"' not in shown
    assert 'data-back="0 res:resource-cards" hidden' in " ".join(shown.split())
    assert "Comes back in full each round" in shown


def test_a_hidden_list_shows_its_units_and_nothing_else(client: Client, army: Roster) -> None:
    Roster.objects.update(is_secret=True)
    assert client.get(reverse("play:game-new", args=[army.link_id])).status_code == 404
    Roster.objects.update(is_secret=False)
    theirs = load_army(NINTH, "tyranids-strike-force")
    Roster.objects.filter(pk=theirs.pk).update(is_secret=True)
    game = begin(client, army, opponent_link=f"/r/{theirs.link_id}/")
    assert "data-units-left" in page(client, game).split('class="theirs"')[1]
    mine, theirs = units_page(client, game).split("data-units-left")[1:]
    assert '<table class="arms">' in mine
    assert '<table class="arms">' not in theirs
    # Whoever plays that side sees all of it.
    other = join(game, Client(), inviter=client)
    assert '<table class="arms">' in units_page(other, game).split("data-units-left")[1]


def test_what_the_other_side_keeps_secret_is_not_in_the_data_of_an_account(client: Client, army: Roster) -> None:
    ann = account()
    client.force_login(ann)
    theirs = load_army(NINTH, "tyranids-strike-force")
    Roster.objects.filter(pk=theirs.pk).update(is_secret=True)
    game = begin(client, army, mission="never-surrender", opponent_link=f"/r/{theirs.link_id}/")
    other = join(game, Client(), inviter=client)
    press(other, game, "hand 1 hand choose", **{"h1-group": ["raid", "eradication", "brought-low"]})
    file = BytesIO()
    export_account_data(ann, file)
    archive = zipfile.ZipFile(file)
    told = {name: archive.read(name).decode() for name in archive.namelist() if name.startswith("game")}
    assert game.name in told["games.jsonl"]
    assert "eradication" not in "".join(told.values())
    assert theirs.document[:200] not in "".join(told.values())
    assert GameInvitation.objects.get().code not in "".join(told.values())


def test_the_page_says_which_lists_the_mission_is_not_for(client: Client) -> None:
    roster = load_army(FIRST_EDGE, "secdef-platoon")
    form = markup(client.get(reverse("play:game-new", args=[roster.link_id])))
    assert re.search(r'<option value="secret-cache"[^>]*>[^<]*not for this faction', form)
    assert not re.search(r'<option value="master-of-machines"[^>]*>[^<]*not for this faction', form)

    for mission, times in (("secret-cache", 1), ("master-of-machines", 0)):
        game = begin(client, roster, mission=mission)
        page = markup(client.get(reverse("play:game", args=[game.public_id])))
        assert page.count("“Secret Cache” is for Karist Enclave.") == times
        assert page.count("is a list of Epirian Foundation.") == times


def test_the_owner_of_a_game_gives_a_name_and_each_player_sees_their_own_list_first(
    client: Client, army: Roster
) -> None:
    theirs = load_army(NINTH, "tyranids-strike-force")
    game = begin(client, army, player="Ann", opponent="Ben", opponent_link=f"/r/{theirs.link_id}/")
    other = join(game, Client(), inviter=client)
    assert [side.player for side in game.sides.order_by("place")] == ["Ann", "Ben"]
    for reader, name, opponent in ((client, army.name, "Ben"), (other, theirs.name, "Ann")):
        shown = " ".join(page(reader, game).split())
        assert f'<h1 class="clip">{name}</h1>' in shown
        assert f"vs {opponent}" in shown
    assert [line.who for line in list_log(game, 1)][-1] == "Ann"


def test_a_name_of_the_owner_that_is_too_long_is_refused_and_kept(client: Client, army: Roster) -> None:
    answer = client.post(reverse("play:game-new", args=[army.link_id]), {"player": "A" * 99, "opponent": "Ben"})
    assert answer.status_code == 422
    assert f'value="{"A" * 99}"' in markup(answer)
    assert not Game.objects.exists()


def test_a_list_of_somebody_else_brings_no_name_of_its_owner(client: Client, army: Roster) -> None:
    owner = account()
    set_player_name(owner, "Ann of the Marsh")
    Roster.objects.filter(pk=army.pk).update(owner=owner, owner_key="", name="")
    game = begin(client, army)
    other = join(game, Client(), inviter=client)
    assert game.sides.get(place=0).player == ""
    # Neither is the other player told that they play against themselves.
    assert "vs Player 1" in page(other, game)
    reader = Client()
    reader.force_login(owner)
    assert "Ann of the Marsh" in markup(reader.get(reverse("play:game-new", args=[army.link_id])))
    assert begin(reader, army).sides.get(place=0).player == "Ann of the Marsh"
