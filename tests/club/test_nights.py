"""Club nights of a season: who can come, who plays whom, and who is told."""

import json
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from lxml import html

from roster.club.models import ClubNight, Meeting, NightPlayer, Season
from roster.club.services.nights import close_due_nights, close_night
from roster.events.models import MailChoice
from roster.models.webhooks import WebhookDelivery
from tests.club.test_leagues import League, board_of
from tests.roster.views_cast import SCRIPT

pytestmark = pytest.mark.django_db
ZONE = ZoneInfo("Europe/Berlin")


def local(days: float, hours: int = 0) -> str:
    return f"{timezone.now().astimezone(ZONE) + timedelta(days=days, hours=hours):%Y-%m-%dT%H:%M}"


class Nights(League):
    """A running season of challenges with Ada, Ben, Cleo and Dan, and a club night in five days."""

    def __init__(self, **fields: str) -> None:
        super().__init__()
        self.season = self.begin(**({"format": "challenge"} | fields))
        assert self.open() == 303
        self.night = ClubNight.objects.get()

    def open(self, **fields: str) -> int:
        page = reverse("club:night-new", args=[self.season.public_id])
        form = {"starts": local(5), "closes": local(4), "zone": ZONE.key, "place": "Village hall", "tables": ""}
        return self.post("ada", page, **(form | fields))

    def do(self, who: str, do: str, night: ClubNight | None = None, **fields: Any) -> int:
        return self.post(who, (night or self.night).get_absolute_url(), do=do, **fields)

    def come(self, *names: str, night: ClubNight | None = None) -> None:
        assert self.do("ada", "add", night, member=[self.member(name).pk for name in names]) == 303

    def see_night(self, who: str = "ada") -> str:
        page = html.fromstring(self.see(who, self.night.get_absolute_url()))
        return " ".join(" ".join(page.xpath("//main")[0].itertext()).split())

    @property
    def pairs(self) -> list[set[str]]:
        """The pairs of all club nights, in order."""
        meetings = Meeting.objects.exclude(night=None).order_by("night", "pk")
        return [{str(meeting.first), str(meeting.second)} for meeting in meetings]


@pytest.fixture
def nights() -> Nights:
    return Nights()


def read_mails() -> list[tuple[str, str]]:
    """Take the mails that were sent: to whom, and the subject."""
    sent = [(letter.to[0].partition("@")[0], letter.subject.removeprefix("Armybuilder: ")) for letter in mail.outbox]
    mail.outbox.clear()
    return sorted(sent)


@pytest.mark.postgres
def test_players_who_come_are_paired_once_when_the_night_closes(
    nights: Nights, django_capture_on_commit_callbacks: Any
) -> None:
    page = nights.season.get_absolute_url()
    assert "Nobody comes yet." in nights.see("ben", page)
    assert nights.post("ben", nights.night.get_absolute_url(), do="enter", back="season") == 303
    assert nights.do("ben", "enter") == 303
    assert nights.do("cleo", "enter") == 303
    assert nights.do("cleo", "leave") == 303
    assert nights.do("cleo", "leave") == 422
    assert nights.do("cleo", "enter") == 303
    # Dan has no account, so an organiser enters him.
    nights.come("Ada", "Dan")
    assert "4 players come: Ben, Cleo, Ada, Dan" in " ".join(nights.see("cleo", page).split())
    assert close_due_nights() == 0
    MailChoice.objects.create(user=nights.users["cleo"], is_wanted=False)
    ClubNight.objects.update(closes=timezone.now())
    assert nights.do("ben", "leave") == 303
    assert nights.do("ben", "enter") == 422
    nights.come("Ben")
    with django_capture_on_commit_callbacks(execute=True):
        call_command("send_club_mail", verbosity=0)
    assert nights.pairs == [{"Ada", "Ben"}, {"Cleo", "Dan"}]
    assert read_mails() == [
        ("ada", "Low tide: you play Ben at the club night"),
        ("ben", "Low tide: you play Ada at the club night"),
    ]
    # An organiser who presses the button at the same moment, and the next run of the timer, change nothing.
    refused = close_night(Season.objects.get(), nights.night.pk)
    assert refused is not None
    assert refused.code == "bad-change"
    assert close_due_nights() == 0
    assert nights.do("ada", "pair") == 422
    assert Meeting.objects.count() == 2
    # They are meetings of the season like others, but no challenges.
    nights.night.refresh_from_db()
    meeting = nights.meet("Ada", "Ben")
    assert (meeting.round, meeting.until) == (0, nights.night.day)
    shown = html.fromstring(nights.see("ben", page))
    assert not shown.find_class("challenges")
    assert len(shown.find_class("night")[0].find_class("meeting")) == 2
    assert nights.enter("ben", meeting, do="withdraw") == 422
    assert nights.enter("ben", meeting, do="scores", first="3", second="8") == 303
    assert nights.enter("ada", meeting, do="confirm", outcome="-1 3:8") == 303
    assert board_of(nights.season).lines[0].points == 3
    calendar = nights.browsers["guest"].get(reverse("club:calendar", args=[nights.member("Cleo").calendar]))
    written = calendar.content.decode()
    assert "SUMMARY:Play Dan (Low tide)" in written
    assert f"DTSTART:{nights.night.starts:%Y%m%dT%H%M%SZ}" in written
    assert "LOCATION:Village hall" in written


def test_a_night_is_checked_and_nothing_typed_is_lost(nights: Nights) -> None:
    page = reverse("club:night-new", args=[nights.season.public_id])
    typed = {"starts": local(5), "closes": "", "zone": ZONE.key, "place": "Hall", "tables": ""}
    for wrong, field in (
        ({"starts": local(-1)}, "starts"),
        ({"starts": "tomorrow"}, "starts"),
        ({"starts": "2027-03-21"}, "starts"),
        ({"starts": "0001-01-01T00:00"}, "starts"),
        ({"starts": local(900)}, "starts"),
        ({"closes": local(6)}, "closes"),
        ({"closes": local(-1)}, "closes"),
        ({"closes": "soon"}, "closes"),
        ({"zone": "Atlantis"}, "zone"),
        ({"tables": "0"}, "tables"),
        ({"tables": "many"}, "tables"),
        ({"place": SCRIPT + "x" * 100}, "place"),
    ):
        answer = nights.browsers["ada"].post(page, typed | wrong)
        assert answer.status_code == 422
        shown = html.fromstring(answer.content.decode())
        assert shown.find_class("wrong")[0].text_content()
        assert {
            one.name: one.value for one in shown.xpath("//form[@method='post']//input[@class='in']")
        } == typed | wrong
        assert [one.name for one in shown.xpath("//input[@aria-invalid]")] == [field]
    assert nights.open(place=SCRIPT, closes="", tables="2") == 303
    assert ClubNight.objects.count() == 2
    assert "<script>alert" not in nights.see("ben", nights.season.get_absolute_url())
    assert nights.act("ada", nights.season, do="end") == 303
    assert nights.open() == 422
    assert nights.do("ben", "enter") == 422


def test_only_organisers_open_pair_and_cancel(nights: Nights) -> None:
    page = reverse("club:night-new", args=[nights.season.public_id])
    ben = nights.member("Ben").pk
    for who in ("ben", "stranger", "guest"):
        assert nights.browsers[who].get(page).status_code == 404
        for do in ("add", "remove", "pair", "undo", "match", "cancel", "nonsense", ""):
            assert nights.do(who, do, member=[ben], gone=ben) == 404
    for do in ("enter", "leave"):
        assert nights.do("stranger", do) == 404
    missing = reverse("club:night", args=[nights.season.public_id, nights.night.pk + 1])
    assert nights.browsers["ada"].get(missing).status_code == 404
    for do in ("enter", "add", "pair", "undo", "match", "cancel", "leave"):
        assert nights.post("ada", missing, do=do) == 404
    assert nights.browsers["stranger"].get(nights.night.get_absolute_url()).status_code == 404
    # A member of the club who does not play in the season cannot come.
    assert nights.act("ben", nights.season, do="leave") == 303
    assert nights.do("ben", "enter") == 422
    assert nights.do("ada", "add", member=[ben, "x"]) == 422
    assert not NightPlayer.objects.exists()
    assert nights.do("ada", "pair") == 422


def test_those_who_rested_least_rest_and_rematches_come_last(nights: Nights) -> None:
    nights.come("Ada", "Ben", "Cleo")
    assert nights.do("ada", "pair") == 303
    assert nights.open(starts=local(12), closes="", tables="1") == 303
    second = ClubNight.objects.get(tables=1)
    nights.come("Ada", "Ben", "Cleo", "Dan", night=second)
    assert nights.do("ada", "pair", second) == 303
    # Cleo rested at the first night, so Ben and Dan do now, for want of tables: they are below Ada in the table.
    assert nights.pairs == [{"Ada", "Ben"}, {"Ada", "Cleo"}]
    nights.night = second
    assert "Needs an opponent B Ben D Dan" in nights.see_night()


def test_a_late_withdrawal_leaves_a_player_whom_an_organiser_pairs_by_hand(
    nights: Nights, django_capture_on_commit_callbacks: Any
) -> None:
    nights.come("Ada", "Ben", "Cleo")
    assert nights.do("ada", "pair") == 303
    assert nights.pairs == [{"Ada", "Ben"}]
    with django_capture_on_commit_callbacks(execute=True):
        assert nights.do("ada", "leave") == 303
    # Ada organises, so she is told as well.
    assert read_mails() == [("ada", "Low tide: Ben needs an opponent"), ("ben", "Low tide: Ben needs an opponent")]
    assert not Meeting.objects.exists()
    assert "Needs an opponent B Ben C Cleo" in nights.see_night("ben")
    ben, cleo, ada = (nights.season.players.get(member__name=name).pk for name in ("Ben", "Cleo", "Ada"))
    for first, second in ((ben, ben), (ben, ada), (ben, 0), (0, 0)):
        assert nights.do("ada", "match", first=first, second=second) == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert nights.do("ada", "match", first=ben, second=cleo) == 303
    assert [who for who, _subject in read_mails()] == ["ben", "cleo"]
    assert nights.do("ada", "match", first=ben, second=cleo) == 422
    # Cleo leaves the season: the game is void, and Ben can be paired with Dan. Cleo's return does not change that.
    assert nights.act("cleo", nights.season, do="leave") == 303
    nights.come("Dan")
    dan = nights.season.players.get(member__name="Dan").pk
    assert nights.do("ada", "match", first=dan, second=ben) == 303
    assert nights.act("cleo", nights.season, do="enter") == 303
    assert nights.pairs == [{"Dan", "Ben"}]
    assert "Needs an opponent C Cleo" in nights.see_night()


def test_pairings_are_undone_until_a_result_is_in(nights: Nights, django_capture_on_commit_callbacks: Any) -> None:
    nights.come("Ada", "Ben", "Cleo", "Dan")
    assert nights.do("ada", "undo") == 422
    assert nights.do("ada", "pair") == 303
    ClubNight.objects.update(closes=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        assert nights.do("ada", "undo") == 303
    assert {subject for _who, subject in read_mails()} == {"Low tide: the pairings of the club night were undone"}
    # The timer does not pair them again.
    assert close_due_nights() == 0
    assert not Meeting.objects.exists()
    assert nights.do("ada", "pair") == 303
    meeting = nights.meet("Ada", "Ben")
    assert nights.enter("ben", meeting, do="scores", first="3", second="8") == 303
    for do in ("undo", "cancel", "leave"):
        assert nights.do("ada", do) == 422
    assert nights.enter("ada", meeting, do="clear") == 303
    with django_capture_on_commit_callbacks(execute=True):
        assert nights.do("ada", "cancel") == 303
    assert read_mails() == [(who, "Low tide: the club night is cancelled") for who in ("ada", "ben", "cleo")]
    assert not Meeting.objects.exists()
    assert not ClubNight.objects.exists()


def test_in_a_round_robin_games_of_rounds_are_played() -> None:
    nights = Nights(format="round-robin")
    assert nights.enter("ada", nights.meet("Ben", "Cleo"), do="scores", first="1", second="1") == 303
    nights.come("Ben", "Cleo", "Dan")
    assert nights.do("ada", "pair") == 303
    assert Meeting.objects.count() == 6
    meeting = Meeting.objects.exclude(night=None).get()
    assert meeting.round > 0
    assert meeting.until == nights.night.day
    # A round's last day does not move the night, and returns when the pairing is undone.
    later = timezone.localdate() + timedelta(days=90)
    assert nights.act("ada", nights.season, do="deadline", round=meeting.round, day=later.isoformat()) == 303
    meeting.refresh_from_db()
    assert (meeting.until, meeting.last_day) == (nights.night.day, later)
    assert nights.do("ada", "undo") == 303
    meeting.refresh_from_db()
    assert (meeting.until, meeting.night, meeting.last_day) == (later, None, later)
    # These two have played: nobody is paired, and not by hand either.
    assert nights.do("ada", "remove", gone=nights.member("Dan").pk) == 303
    assert nights.do("ada", "pair") == 303
    ben, cleo = (nights.season.players.get(member__name=name).pk for name in ("Ben", "Cleo"))
    assert nights.do("ada", "match", first=ben, second=cleo) == 422
    assert nights.pairs == []


def test_nobody_comes_to_two_nights_at_once(nights: Nights) -> None:
    assert nights.open(starts=local(5, hours=3), closes="") == 303
    other = ClubNight.objects.get(closes=None)
    assert nights.do("ben", "enter") == 303
    assert nights.do("ben", "enter", other) == 422
    # Who left the season comes nowhere, and may choose again after returning, but plays only once.
    assert nights.act("ben", nights.season, do="leave") == 303
    assert "Ben" not in nights.see_night()
    NightPlayer.objects.create(night=other, player=nights.season.players.get(member__name="Ben"))
    assert nights.act("ben", nights.season, do="enter") == 303
    nights.come("Cleo")
    nights.come("Ada", "Dan", night=other)
    assert nights.do("ada", "pair") == 303
    assert nights.do("ada", "pair", other) == 303
    assert nights.pairs == [{"Ben", "Cleo"}, {"Ada", "Dan"}]
    assert nights.open(starts=local(5, hours=5), closes="") == 303
    assert nights.do("cleo", "enter", ClubNight.objects.latest("pk")) == 303


def test_a_night_that_is_over_stays_with_its_games(nights: Nights) -> None:
    nights.come("Ada", "Ben", "Cleo")
    ClubNight.objects.update(starts=timezone.now() - timedelta(hours=5), closes=timezone.now() - timedelta(hours=6))
    # The timer was off: nobody is paired for an evening that has passed.
    assert close_due_nights() == 0
    assert nights.do("ada", "pair") == 422
    assert nights.do("ada", "add", member=[nights.member("Dan").pk]) == 422
    assert "Club nights" not in nights.see("ben", nights.season.get_absolute_url())
    ClubNight.objects.update(starts=timezone.now() + timedelta(hours=1))
    assert close_due_nights() == 1
    ClubNight.objects.update(starts=timezone.now() - timedelta(hours=5))
    assert "Past club nights" in nights.see("ben", nights.season.get_absolute_url())


def test_a_night_nobody_wants_is_closed(nights: Nights) -> None:
    nights.come("Ada")
    assert nights.do("ada", "pair") == 422
    ClubNight.objects.update(closes=timezone.now())
    assert close_due_nights() == 1
    assert "Needs an opponent A Ada" in nights.see_night()


def test_players_are_reminded_of_the_night_and_the_chat_hears_of_it(
    nights: Nights, django_capture_on_commit_callbacks: Any
) -> None:
    settings = nights.page("club-settings")
    assert nights.post("ada", settings, do="webhook", address="https://chat.example/hook") == 303
    assert nights.open(starts=local(6), closes="") == 303
    nights.come("Ada", "Ben", "Cleo")
    assert nights.do("ada", "pair") == 303
    sent = [json.loads(delivery.body)["content"] for delivery in WebhookDelivery.objects.order_by("pk")]
    assert "Can you come?\nVillage hall" in sent[1]
    assert "Ada – Ben\nCleo – no opponent" in sent[2]
    moment = datetime.now(ZONE) + timedelta(days=1)
    ClubNight.objects.filter(pk=nights.night.pk).update(starts=moment)
    Meeting.objects.update(until=moment.date())
    with django_capture_on_commit_callbacks(execute=True):
        call_command("send_club_mail", verbosity=0)
    assert read_mails() == [("ada", "Low tide: play Ben"), ("ben", "Low tide: play Ada")]


def test_nights_cost_a_season_two_queries(nights: Nights, django_assert_max_num_queries: Any) -> None:
    nights.come("Ada", "Ben", "Cleo")
    assert nights.do("ada", "pair") == 303
    for days in (10, 20, 30):
        assert nights.open(starts=local(days), closes="") == 303
    for night in ClubNight.objects.filter(paired=None):
        nights.come("Ada", "Ben", night=night)
    with django_assert_max_num_queries(16):
        nights.see("ben", nights.season.get_absolute_url())
