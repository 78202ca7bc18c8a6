"""Clubs and their leagues, as members, organisers and strangers see them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lxml import html

from roster.club.models import Club, ClubMember, Meeting, Season, SeasonPlayer
from roster.club.services.seasons import SeasonBoard, load_season_board
from roster.events.models import MailChoice
from roster.models.webhooks import Webhook, WebhookDelivery
from roster.play.models import Game, GameSide
from roster.services.accounts import delete_account
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.views_cast import SCRIPT, started

pytestmark = pytest.mark.django_db

SEASON = {
    "name": "Low tide",
    "text": "",
    "game": "fenland",
    "format": "round-robin",
    "ladder": "points",
    "win": "3",
    "draw": "2",
    "loss": "1",
    "factor": "32",
    "days": "14",
}


class League:
    """A club of Ada, who organises, Ben and Cleo with accounts, and Dan without one; each with a browser."""

    def __init__(self) -> None:
        installed()
        self.browsers: dict[str, Client] = {}
        self.users: dict[str, User] = {}
        for name in ("ada", "ben", "cleo", "stranger"):
            self.users[name] = account(f"{name}@example.org")
            self.browsers[name] = Client()
            self.browsers[name].force_login(self.users[name])
        self.browsers["guest"] = Client()
        assert self.post("ada", reverse("club:clubs"), name="Tidal club") == 303
        self.club = Club.objects.get()
        ClubMember.objects.update(name="Ada")
        join = reverse("club:join", args=[self.club.token])
        assert self.post("ben", join, name="Ben") == 303
        assert self.post("cleo", join, name="Cleo") == 303
        assert self.post("ada", self.page("club-settings"), do="enter", name="Dan") == 303

    def post(self, who: str, page: str, **fields: Any) -> int:
        return self.browsers[who].post(page, fields).status_code

    def see(self, who: str, address: str) -> str:
        return markup(self.browsers[who].get(address))

    def page(self, name: str = "club") -> str:
        return reverse(f"club:{name}", args=[self.club.public_id])

    def begin(self, names: tuple[str, ...] = ("Ada", "Ben", "Cleo", "Dan"), **fields: str) -> Season:
        assert self.post("ada", self.page("season-new"), **(SEASON | fields)) == 303
        season = Season.objects.get()
        keys = [self.member(name).pk for name in names]
        assert self.act("ada", season, do="add", member=keys) == 303
        assert self.act("ada", season, do="start") == 303
        season.refresh_from_db()
        return season

    def member(self, name: str) -> ClubMember:
        return ClubMember.objects.get(name=name)

    def act(self, who: str, season: Season, **fields: Any) -> int:
        return self.post(who, season.get_absolute_url(), **fields)

    def enter(self, who: str, meeting: Meeting, **fields: Any) -> int:
        return self.post(who, meeting.get_absolute_url(), **fields)

    def meet(self, first: str, second: str) -> Meeting:
        """The meeting of two players, with `first` as its first player."""
        return Meeting.objects.get(first__member__name=first, second__member__name=second)


def board_of(season: Season) -> SeasonBoard:
    return load_season_board(Season.objects.get(pk=season.pk))


def table_of(season: Season) -> list[tuple[str, int]]:
    board = board_of(season)
    return [(str(board.players[line.player]), line.points) for line in board.lines]


@pytest.fixture
def league() -> League:
    return League()


def test_members_join_by_link_and_take_over_a_name(league: League) -> None:
    assert [member.name for member in league.club.members.all()] == ["Ada", "Ben", "Cleo", "Dan"]
    assert league.member("Ada").role == "organiser"
    join = reverse("club:join", args=[league.club.token])
    assert "Dan" in league.see("stranger", join)
    assert league.post("stranger", join, name="ben") == 422
    dan = league.member("Dan")
    assert league.post("stranger", join, member=league.member("Ben").pk) == 422
    assert league.post("stranger", join, member=dan.pk) == 303
    dan.refresh_from_db()
    assert dan.user == league.users["stranger"]
    assert league.post("guest", join, name="Gus") == 302
    assert league.post("ada", league.page("club-settings"), do="renew") == 303
    assert league.browsers["guest"].get(join).status_code == 404


def test_a_column_of_names_is_entered_whole_or_not_at_all(league: League) -> None:
    page = league.page("club-settings")
    for names, says in (
        ("Eve\n\nben\nFinn", "Line 3"),
        (f"Eve\n{'x' * 41}", "Line 2"),
        (" \n ", "Give it a name."),
        ("Ada", "name"),
    ):
        answer = league.browsers["ada"].post(page, {"do": "enter", "name": names})
        assert answer.status_code == 422
        shown = html.fromstring(answer.content.decode())
        assert says in shown.find_class("wrong")[0].text_content()
        assert shown.xpath("//textarea[@name='name']")[0].text_content().split() == names.split()
        assert league.club.members.count() == 4
    names = "\r\n".join(["Eve", "", *(f"Guest {number}" for number in range(20))])
    assert league.post("ada", page, do="enter", name=names) == 303
    assert league.club.members.filter(user=None).count() == 22


def test_a_club_is_its_members_unless_it_is_open(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ada", "Dan")
    addresses = [league.page(), season.get_absolute_url(), meeting.get_absolute_url()]
    for address in addresses:
        assert "Ada" in league.see("ben", address)
        assert [league.browsers[who].get(address).status_code for who in ("stranger", "guest")] == [404, 404]
    fields = {"do": "change", "name": "Tidal club", "text": SCRIPT, "is_open": "on"}
    assert league.post("ada", league.page("club-settings"), **fields) == 303
    assert "&lt;script&gt;" in league.see("ben", league.page())
    for address in addresses:
        assert "Ada" in league.see("guest", address)
        assert "calendar/" not in league.see("guest", address)
        assert league.post("stranger", address, do="leave") == 404
    for name in ("club-settings", "club-delete", "season-new"):
        assert league.browsers["ben"].get(league.page(name)).status_code == 404
    for do in ("start", "draw", "end", "remove", "add", "deadline", "reopen", "nonsense", ""):
        assert league.act("ben", season, do=do) == 404
    assert league.browsers["ben"].get(reverse("club:season-delete", args=[season.public_id])).status_code == 404
    assert league.enter("cleo", meeting, do="scores", first="1", second="2") == 404
    assert league.enter("ada", meeting, do="nonsense") == 404


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"name": ""}, 422),
        ({"name": "x" * 101}, 422),
        ({"game": "nothing"}, 422),
        ({"format": "knockout"}, 422),
        ({"ladder": "luck"}, 422),
        ({"win": "1", "draw": "2"}, 422),
        ({"win": "-3"}, 422),
        ({"factor": "0"}, 422),
        ({"days": "two"}, 422),
        ({"days": "366"}, 422),
        ({}, 303),
    ],
)
def test_a_season_is_checked_and_nothing_typed_is_lost(league: League, fields: dict[str, str], status: int) -> None:
    answer = league.browsers["ada"].post(league.page("season-new"), SEASON | {"text": "No dice tower"} | fields)
    assert answer.status_code == status
    assert Season.objects.count() == (status == 303)
    assert status == 303 or "No dice tower" in markup(answer)


def test_each_with_each_has_all_rounds_at_once(league: League) -> None:
    season = league.begin()
    assert Meeting.objects.count() == 6
    untils = sorted(set(Meeting.objects.values_list("until", flat=True)))
    assert untils == [timezone.localdate() + timedelta(days=14 * number) for number in (1, 2, 3)]
    assert league.act("ada", season, do="start") == 422
    assert league.act("ada", season, do="draw") == 422
    assert league.post("ada", league.page("club-settings"), do="enter", name="Eve") == 303
    assert league.act("ada", season, do="add", member=[league.member("Eve").pk]) == 422
    assert league.act("ada", season, do="add", member=["x", "9" * 30]) == 303
    assert season.players.count() == 4


def test_a_result_counts_once_both_have_confirmed_it(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    assert league.enter("ben", meeting, do="scores", first="18", second="x") == 422
    assert league.enter("ben", meeting, do="scores", first="18", second="11") == 303
    assert table_of(season)[0][1] == 0
    assert "18:11" in league.see("cleo", season.get_absolute_url())
    # Two results for one game cannot be.
    assert league.enter("cleo", meeting, do="scores", first="11", second="18") == 422
    assert league.enter("ben", meeting, do="scores", first="20", second="0") == 422
    assert league.enter("cleo", meeting, do="confirm", outcome="1 20:0") == 422
    assert Game.objects.count() == 1
    assert league.enter("cleo", meeting, do="confirm", outcome="1 18:11") == 303
    assert table_of(season)[:2] == [("Ben", 3), ("Cleo", 1)]
    # Both players find the game among their games.
    for who in ("ben", "cleo"):
        assert "18" in league.see(who, reverse("play:game-record"))
    assert league.enter("cleo", meeting, do="clear") == 404
    assert league.enter("ada", meeting, do="clear") == 303
    assert not Game.objects.exists()
    assert table_of(season)[0][1] == 0


def test_an_organiser_enters_corrects_and_confirms(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    assert league.enter("ben", meeting, do="scores", first="18", second="11") == 303
    assert league.enter("ada", meeting, do="scores", first="11", second="11") == 303
    assert Game.objects.count() == 1
    assert table_of(season)[:2] == [("Ben", 2), ("Cleo", 2)]
    # Dan has no account, so the organiser confirms for him, too.
    theirs = league.meet("Ada", "Dan")
    assert league.enter("ada", theirs, do="scores", first="5", second="9") == 303
    assert dict(table_of(season)) == {"Dan": 3, "Ben": 2, "Cleo": 2, "Ada": 1}
    # An organiser's word alone is not enough against a player with an account.
    mine = league.meet("Cleo", "Ada") if Meeting.objects.filter(first__member__name="Cleo").exists() else None
    other = mine or Meeting.objects.get(first__member__name="Ada", second__member__name="Cleo")
    assert league.enter("ada", other, do="scores", first="20", second="0") == 303
    assert dict(table_of(season))["Ada"] == 1


def finished_game(league: League, other: str = "", points: tuple[int, int] = (7, 3)) -> Game:
    """A game at the table between Ben, who owns it, and another account or nobody."""
    owner = started(league.browsers["ben"])
    begun = owner.client.post(reverse("play:game-new", args=[owner.roster.link_id]), {"first": "0"})
    assert begun.status_code == 303
    game = Game.objects.get(owner=league.users["ben"])
    if other:
        code = game.sides.get(place=1).invitations.get().code
        assert league.post(other, reverse("play:game-join", args=[code])) == 303
    assert league.post("ben", reverse("play:game-end", args=[game.public_id]), do="end") == 303
    for place, score in enumerate(points):
        GameSide.objects.filter(game=game, place=place).update(score=score, rank=None)
    Game.objects.filter(pk=game.pk).update(ending="", winner=None)
    return game


def test_a_game_at_the_table_is_the_result(league: League) -> None:
    season = league.begin()
    meeting, other = league.meet("Ben", "Cleo"), Meeting.objects.filter(second__member__name="Ben").first()
    assert other is not None
    game = finished_game(league, "cleo")
    assert game.public_id in league.see("ben", meeting.get_absolute_url())
    assert league.enter("ben", other, do="game", game=game.public_id) == 422
    assert league.enter("ben", meeting, do="game", game="nothing") == 422
    assert league.enter("cleo", meeting, do="game", game=game.public_id) == 303
    meeting.refresh_from_db()
    assert (meeting.game, meeting.first_place, meeting.second_confirmed) == (game, 0, "1 7:3")
    assert league.enter("ben", meeting, do="confirm", outcome="1 7:3") == 303
    assert table_of(season)[:2] == [("Ben", 3), ("Cleo", 1)]
    # A game is the result of one meeting.
    assert game.public_id not in league.see("ben", other.get_absolute_url())
    # Played on, it counts only with new confirmations.
    assert league.post("ben", reverse("play:game", args=[game.public_id]), do="reopen") in (200, 303, 400, 404)
    GameSide.objects.filter(game=game, place=1).update(score=9)
    assert dict(table_of(season))["Ben"] == 0


@pytest.mark.parametrize("whole_account", [False, True])
def test_a_result_survives_its_game(league: League, whole_account: bool) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    game = finished_game(league, "cleo")
    assert league.enter("ben", meeting, do="game", game=game.public_id) == 303
    assert league.enter("cleo", meeting, do="confirm", outcome="1 7:3") == 303
    if whole_account:
        delete_account(league.users["ben"])
    else:
        game.delete()
    assert table_of(season)[:2] == [("Ben", 3), ("Cleo", 1)]
    assert not Game.objects.filter(pk=game.pk).exists()
    assert "7" in league.see("cleo", reverse("play:game-record"))
    assert GameSide.objects.exclude(document="").count() == 0


def test_a_player_cannot_change_an_entered_result_at_the_table(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    assert league.enter("ada", meeting, do="scores", first="3", second="8") == 303
    game = Game.objects.get()
    end = reverse("play:game-end", args=[game.public_id])
    assert league.browsers["ben"].get(end).status_code in (200, 303)
    for do in ("reopen", "end", "confirm", "concede 1", "concede 0"):
        league.post("ben", end, do=do)
        assert dict(table_of(season))["Cleo"] in (0, 3)
    assert league.enter("ada", meeting, do="clear") == 303
    assert league.enter("ada", meeting, do="scores", first="3", second="8") == 303
    game = Game.objects.get()
    assert league.post("ben", reverse("play:game-end", args=[game.public_id]), do="delete") == 303
    assert table_of(season)[0] == ("Cleo", 3)
    assert "8" in league.see("cleo", reverse("play:game-record"))


def test_a_member_that_leaves_keeps_played_games_and_voids_open_ones(league: League) -> None:
    season = league.begin()
    meeting = league.meet("Ben", "Cleo")
    assert league.enter("ada", meeting, do="scores", first="3", second="8") == 303
    assert league.post("cleo", league.page(), do="leave") == 303
    assert league.browsers["cleo"].get(league.page()).status_code == 404
    assert table_of(season)[0] == ("Cleo", 3)
    board = board_of(season)
    assert sum(shown.is_void for shown in board.meetings) == 2
    void = next(shown.meeting for shown in board.meetings if shown.is_void)
    assert league.enter("ada", void, do="scores", first="1", second="1") == 422
    assert league.post("ada", league.page(), do="leave") == 422
    # Cleo comes back by the link, and the games are open again.
    assert league.post("cleo", reverse("club:join", args=[league.club.token])) == 303
    assert not any(shown.is_void for shown in board_of(season).meetings)


def test_a_player_who_leaves_before_the_start_leaves_nothing(league: League) -> None:
    assert league.post("ada", league.page("season-new"), **SEASON) == 303
    season = Season.objects.get()
    assert league.act("ben", season, do="enter") == 303
    assert league.act("ben", season, do="enter") == 303
    assert league.act("ada", season, do="start") == 422
    assert league.act("ben", season, do="leave") == 303
    assert league.act("ben", season, do="leave") == 422
    assert not SeasonPlayer.objects.exists()


def test_swiss_rounds_follow_the_table(league: League) -> None:
    season = league.begin(("Ada", "Ben", "Cleo"), format="swiss")
    first = Meeting.objects.get(round=1, second__isnull=False)
    bye = Meeting.objects.get(round=1, second=None)
    assert bye.first.member.name == "Cleo"
    assert league.enter("ada", bye, do="scores", first="1", second="1") == 422
    assert league.enter("ada", first, do="scores", first="4", second="9") == 303
    assert league.enter("ben", first, do="confirm", outcome="-1 4:9") == 303
    assert dict(table_of(season)) == {"Cleo": 3, "Ben": 3, "Ada": 1}
    assert league.act("ada", season, do="draw") == 303
    second = Meeting.objects.get(round=2, second__isnull=False)
    assert {second.first.member.name, second.second.member.name} == {"Ben", "Cleo"}
    assert Meeting.objects.get(round=2, second=None).first.member.name == "Ada"
    # Dan enters late, and a player who left is not paired.
    assert league.act("ada", season, do="add", member=[league.member("Dan").pk]) == 303
    assert league.act("ada", season, do="remove", player=league.member("Ben").pk) == 303
    assert league.act("ada", season, do="draw") == 303
    third = Meeting.objects.filter(round=3)
    names = {str(player) for meeting in third for player in (meeting.first, meeting.second) if player}
    assert names == {"Ada", "Cleo", "Dan"}
    assert league.act("ada", season, do="end") == 303
    assert league.act("ada", season, do="draw") == 422
    assert league.act("ada", season, do="reopen") == 303


def test_a_ladder_of_challenges_by_elo(league: League) -> None:
    season = league.begin(format="challenge", ladder="elo", factor="40")
    cleo = SeasonPlayer.objects.get(member__name="Cleo")
    ben = SeasonPlayer.objects.get(member__name="Ben")
    assert league.act("ben", season, do="challenge", player=ben.pk) == 422
    assert league.act("ben", season, do="challenge", player=0) == 422
    assert league.act("ben", season, do="challenge", player=cleo.pk) == 303
    assert league.act("cleo", season, do="challenge", player=ben.pk) == 422
    meeting = Meeting.objects.get()
    assert league.enter("cleo", meeting, do="withdraw") == 303
    assert league.act("ben", season, do="challenge", player=cleo.pk) == 303
    meeting = Meeting.objects.get()
    assert league.enter("cleo", meeting, do="scores", first="0", second="1") == 303
    assert league.enter("ben", meeting, do="confirm", outcome="-1 0:1") == 303
    assert league.enter("ben", meeting, do="withdraw") == 422
    lines = {str(SeasonPlayer.objects.get(pk=line.player)): line.rating for line in board_of(season).lines}
    assert lines == {"Ada": 1500, "Ben": 1480, "Cleo": 1520, "Dan": 1500}
    assert "1520" in league.see("ada", season.get_absolute_url())
    assert league.act("ben", season, do="challenge", player=cleo.pk) == 303


def test_an_only_organiser_hands_over(league: League) -> None:
    ben = league.member("Ben")
    settings = league.page("club-settings")
    assert league.post("ada", settings, do="role", member=league.member("Ada").pk, role="member") == 422
    assert league.post("ada", settings, do="role", member=league.member("Dan").pk, role="organiser") == 422
    assert league.post("ada", settings, do="role", member=ben.pk, role="king") == 422
    assert league.post("ada", settings, do="remove", member=league.member("Ada").pk) == 422
    delete_account(league.users["ada"])
    ben.refresh_from_db()
    assert ben.role == "organiser"
    assert league.member("Ada").user is None
    assert league.browsers["ben"].get(settings).status_code == 200


def test_players_are_reminded_once(league: League) -> None:
    season = league.begin(days="2")
    MailChoice.objects.create(user=league.users["cleo"], is_wanted=False)
    mail.outbox.clear()
    call_command("send_club_mail", verbosity=0)
    # The first round is due in two days. Dan has no account and Cleo wants no mail.
    assert sorted(letter.to[0] for letter in mail.outbox) == ["ada@example.org", "ben@example.org"]
    assert "Low tide" in mail.outbox[0].subject
    assert mail.outbox[0].extra_headers["List-Unsubscribe"]
    call_command("send_club_mail", verbosity=0)
    assert len(mail.outbox) == 2
    # A new deadline is reminded of again, a played game and a past one are not.
    later = (timezone.localdate() + timedelta(days=1)).isoformat()
    for bad in ("", "2020-01-01", "tomorrow"):
        assert league.act("ada", season, do="deadline", round="1", day=bad) == 422
    assert league.act("ada", season, do="deadline", round="9", day=later) == 422
    assert league.enter("ada", league.meet("Ben", "Cleo"), do="scores", first="1", second="1") == 303
    assert league.act("ada", season, do="deadline", round="1", day=later) == 303
    Meeting.objects.filter(round=2).update(until=timezone.localdate() - timedelta(days=1))
    call_command("send_club_mail", verbosity=0)
    assert [letter.to[0] for letter in mail.outbox[2:]] == ["ada@example.org"]


def test_a_member_has_a_calendar_by_a_secret_address(league: League) -> None:
    season = league.begin()
    address = reverse("club:calendar", args=[league.member("Ben").calendar])
    answer = league.browsers["guest"].get(address)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    written = answer.content.decode().replace("\r\n ", "")
    assert written.count("BEGIN:VEVENT") == 3
    assert "Last day to play Cleo" in written
    assert "Last day to play Ben" not in written
    assert league.browsers["guest"].get(reverse("club:calendar", args=["a" * 22])).status_code == 404
    assert league.act("ada", season, do="remove", player=league.member("Cleo").pk) == 303
    assert league.browsers["guest"].get(address).content.count(b"BEGIN:VEVENT") == 2
    assert league.post("ben", league.page(), do="leave") == 303
    assert league.browsers["guest"].get(address).status_code == 404


def test_a_club_tells_its_chat(league: League, django_capture_on_commit_callbacks: Any) -> None:
    settings = league.page("club-settings")
    assert league.post("ada", settings, do="webhook", address="ftp://nowhere") == 422
    assert league.post("ada", settings, do="webhook", address="https://chat.example/hook") == 303
    season = league.begin()
    assert league.enter("ada", league.meet("Ben", "Cleo"), do="scores", first="18", second="11") == 303
    sent = [json.loads(delivery.body) for delivery in WebhookDelivery.objects.order_by("pk")]
    assert [one["topic"] for one in sent] == ["league-news"] * 3
    assert all(one["content"] == one["text"] for one in sent)
    assert "Ben – Cleo" in sent[1]["content"]
    assert "18:11" in sent[2]["content"]
    assert season.public_id in sent[2]["content"]
    assert "chat.example" not in league.see("ben", league.page())
    assert league.post("ada", settings, do="webhook", address="") == 303
    assert not Webhook.objects.exists()
    assert league.post("ada", settings, do="webhook", address="https://chat.example/hook") == 303
    assert league.post("ada", league.page("club-delete")) == 303
    assert not Webhook.objects.exists()
    # The entered game is deleted with its meeting.
    assert not Game.objects.exists()


def test_a_season_opens_with_few_queries(league: League, django_assert_max_num_queries: Any) -> None:
    season = league.begin()
    for meeting in Meeting.objects.all():
        assert league.enter("ada", meeting, do="scores", first="2", second="1") == 303
    with django_assert_max_num_queries(14):
        league.see("ben", season.get_absolute_url())
    with django_assert_max_num_queries(12):
        league.see("ben", league.page())
