"""Events whose results count in a season, and the files of a season."""

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from roster.club.models import Club, ClubMember, SeasonEvent
from roster.events.models import Event, EventRole, EventStatus, Pairing, Participant
from roster.events.services.events import create_event, join_event, set_status
from roster.play.models import Game
from tests.club.test_leagues import League, board_of, table_of
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db


class SeasonWithEvent(League):
    """A running season, and an event of Ada's and the stranger's in which Ben beats Cleo 12.5:7."""

    def __init__(self) -> None:
        super().__init__()
        self.season = self.begin()
        event = create_event(self.users["ada"], installed(), "Autumn Muster")
        assert isinstance(event, Event)
        EventRole.objects.create(event=event, user=self.users["stranger"], kind="organiser")
        self.event = event
        set_status(event, self.users["ada"], EventStatus.OPEN)
        for name in ("ben", "cleo", "stranger"):
            assert isinstance(join_event(event, self.users[name]), Participant)
        self.pairing = self.pair(1, "ben", "cleo", "12.5", "7")
        self.pair(2, "ben", "stranger", "20", "0")
        self.pair(3, "ben", "", "10", None)

    def pair(self, number: int, first: str, second: str, points: str, other: str | None, *, days: int = 30) -> Pairing:
        entries = {entry.user.username: entry for entry in self.event.participants.select_related("user")}
        return Pairing.objects.create(
            event=self.event,
            round=number,
            table="1",
            first=entries[first],
            second=entries.get(second),
            first_points=points,
            second_points=other,
            published=timezone.now() - timedelta(days=days),
        )

    @property
    def settings(self) -> str:
        return reverse("club:season-settings", args=[self.season.public_id])

    @property
    def consent(self) -> str:
        return reverse("club:event-seasons", args=[self.event.public_id])

    def attach(self, who: str = "ada", **fields: Any) -> int:
        return self.post(who, self.settings, do="event", **({"own_event": self.event.public_id} | fields))

    def points(self) -> dict[str, int]:
        return dict(table_of(self.season))


@pytest.fixture
def league() -> SeasonWithEvent:
    return SeasonWithEvent()


def test_results_of_an_event_count_for_players_with_the_same_account(league: SeasonWithEvent) -> None:
    assert "Autumn Muster" in league.see("ada", league.settings)
    assert league.attach() == 303
    assert league.points() == {"Ben": 3, "Cleo": 1, "Ada": 0, "Dan": 0}
    shown = league.see("ben", league.season.get_absolute_url())
    assert "12.5:7" in shown
    assert "20:0" not in shown
    assert league.attach() == 422
    # Rounds that are hidden again, drafts and deleted events do not count.
    Pairing.objects.update(published=None)
    assert league.points()["Ben"] == 0
    Pairing.objects.update(published=timezone.now())
    for status, points in ((EventStatus.DRAFT, 0), (EventStatus.CLOSED, 3)):
        Event.objects.update(status=status)
        assert league.points()["Ben"] == points
    link = SeasonEvent.objects.get()
    assert league.post("ada", league.settings, do="detach", event=link.pk) == 303
    assert league.post("ada", league.settings, do="detach", event=link.pk) == 422
    assert league.points()["Ben"] == 0
    assert league.attach() == 303
    league.event.delete()
    assert league.points()["Ben"] == 0
    assert "Autumn Muster" not in league.see("ben", league.season.get_absolute_url())


def test_somebody_elses_event_counts_once_its_organiser_agrees(league: SeasonWithEvent) -> None:
    EventRole.objects.filter(user=league.users["ada"]).delete()
    address = f"https://lists.example.org/events/{league.event.public_id}/"
    assert league.attach(link=address) == 303
    assert league.points()["Ben"] == 0
    assert "Autumn Muster" not in league.see("ben", league.season.get_absolute_url())
    assert league.consent in league.see("ada", league.settings)
    for who in ("ada", "ben", "guest"):
        assert league.browsers[who].get(league.consent).status_code == 404
    assert "Low tide" in league.see("stranger", league.consent)
    link = SeasonEvent.objects.get()
    assert league.post("ben", league.consent, do="agree", event=link.pk) == 404
    assert league.post("stranger", league.consent, do="nonsense", event=link.pk) == 404
    assert league.post("stranger", league.consent, do="agree", event=0) == 422
    assert league.post("stranger", league.consent, do="agree", event=link.pk) == 303
    assert league.points()["Ben"] == 3
    assert league.post("stranger", league.consent, do="agree", event=link.pk) == 422
    assert league.post("stranger", league.consent, do="detach", event=link.pk) == 303
    assert league.points()["Ben"] == 0


def test_events_that_cannot_count_are_refused(league: SeasonWithEvent) -> None:
    assert league.attach("ben") == 404
    for wrong in ("nothing", "https://lists.example.org/events/" + "x" * 22 + "/"):
        answer = league.browsers["ada"].post(league.settings, {"do": "event", "link": wrong})
        assert answer.status_code == 422
        assert wrong in answer.content.decode()
    Event.objects.update(status=EventStatus.DRAFT)
    assert league.attach() == 422
    Event.objects.update(status=EventStatus.OPEN)
    game = league.event.version.game
    game.pk, game.slug, game.current = None, "elsewhere", None
    game.save()
    type(league.season).objects.update(game=game)
    assert league.attach() == 422
    type(league.season).objects.update(game=league.event.version.game_id, ended=timezone.now())
    assert league.attach() == 422
    assert not SeasonEvent.objects.exists()


def test_a_game_that_was_also_entered_by_hand_counts_once(league: SeasonWithEvent) -> None:
    assert league.attach() == 303
    meeting = league.meet("Ben", "Cleo")
    assert league.enter("ben", meeting, do="scores", first="12", second="7") == 303
    # A result that nobody has confirmed replaces nothing.
    assert league.points()["Ben"] == 3
    assert league.enter("cleo", meeting, do="confirm", outcome="1 12:7") == 303
    # It was played a month later, so these are two games.
    assert league.points()["Ben"] == 6
    Game.objects.update(played=league.pairing.published)
    assert league.points()["Ben"] == 3
    shown = league.see("ben", league.season.get_absolute_url())
    assert "Also entered in this season, so it counts once" in shown
    assert [str(one.meeting.second) for one in board_of(league.season).doubled.values()] == ["Cleo"]
    # A week later, only equal scores make it the same game.
    Game.objects.update(played=league.pairing.published + timedelta(days=5))
    assert league.points()["Ben"] == 6
    Pairing.objects.filter(pk=league.pairing.pk).update(
        first=league.pairing.second, second=league.pairing.first, first_points=7, second_points=12
    )
    assert league.points()["Ben"] == 3
    # A second game of the same two at the event is not the one of the meeting.
    league.pair(4, "cleo", "ben", "9", "9")
    assert league.points() == {"Ben": 5, "Cleo": 3, "Ada": 0, "Dan": 0}
    assert league.enter("ada", meeting, do="clear") == 303
    assert league.points() == {"Ben": 5, "Cleo": 3, "Ada": 0, "Dan": 0}


def test_games_after_a_season_or_its_players_do_not_count(league: SeasonWithEvent) -> None:
    assert league.attach() == 303
    Pairing.objects.update(published=timezone.now() + timedelta(minutes=5))
    assert league.points()["Ben"] == 3
    assert league.act("ada", league.season, do="remove", player=league.member("Cleo").pk) == 303
    assert league.points() == {"Ada": 0, "Ben": 0, "Dan": 0}
    assert league.act("cleo", league.season, do="enter") in (303, 422)
    league.season.players.update(left=None)
    assert league.points()["Ben"] == 3
    assert league.act("ada", league.season, do="end") == 303
    assert league.points()["Ben"] == 0


def test_the_table_and_the_results_are_files(league: SeasonWithEvent) -> None:
    ClubMember.objects.filter(name="Ben").update(name="=Ben()")
    assert league.attach() == 303
    assert league.enter("ada", league.meet("Ada", "Dan"), do="scores", first="0", second="5") == 303

    def fetch(who: str, table: str, ending: str) -> Any:
        answer = league.browsers[who].get(reverse(f"club:season-{table}", args=[league.season.public_id, ending]))
        assert answer.status_code == 200
        assert f"low-tide-{table}.{ending}" in answer.headers["Content-Disposition"]
        text = answer.content.decode()
        return json.loads(text)[table] if ending == "json" else list(csv.DictReader(io.StringIO(text)))

    table = fetch("ben", "table", "json")
    assert (table[0]["player"], table[0]["points"], table[0]["difference"]) == ("=Ben()", 3, 5.5)
    rows = fetch("ben", "table", "csv")
    assert [row["player"] for row in rows] == ["'=Ben()", *(line["player"] for line in table[1:])]
    assert list(rows[0]) == list(table[0])
    assert "-5.5" in {row["difference"] for row in rows}
    results, written = fetch("ben", "results", "json"), fetch("ben", "results", "csv")
    assert len(results) == len(written) == 7
    event = results[-1]
    assert (event["event"], event["first_score"], event["counts"]) == ("Autumn Muster", 12.5, True)
    assert list(written[0]) == list(event)
    assert (
        league.browsers["ben"].get(reverse("club:season-table", args=[league.season.public_id, "xml"])).status_code
        == 404
    )
    address = reverse("club:season-results", args=[league.season.public_id, "csv"])
    assert [league.browsers[who].get(address).status_code for who in ("stranger", "guest")] == [404, 404]


def test_programs_read_clubs_and_seasons(league: SeasonWithEvent, django_assert_max_num_queries: Any) -> None:
    assert league.attach() == 303
    ben, season = league.browsers["ben"], f"/api/v1/seasons/{league.season.public_id}/"
    with django_assert_max_num_queries(8):
        clubs = ben.get("/api/v1/clubs/").json()
    assert [(club["name"], club["role"]) for club in clubs] == [("Tidal club", "member")]
    assert clubs[0]["seasons"][0]["id"] == league.season.public_id
    assert ben.get(season).json() == clubs[0]["seasons"][0]
    assert ben.get(f"/api/v1/clubs/{league.club.public_id}/").json() == clubs[0]
    assert ben.get(f"{season}table/").json()[0]["player"] == "Ben"
    assert [row["event"] for row in ben.get(f"{season}meetings/").json()] == [""] * 6 + ["Autumn Muster"]
    assert league.browsers["stranger"].get("/api/v1/clubs/").json() == []
    assert league.browsers["guest"].get("/api/v1/clubs/").status_code == 401
    for address in (season, f"{season}table/", f"/api/v1/clubs/{league.club.public_id}/"):
        assert [league.browsers[who].get(address).status_code for who in ("stranger", "guest")] == [404, 404]
    Club.objects.update(is_open=True)
    assert league.browsers["guest"].get(f"/api/v1/clubs/{league.club.public_id}/").json()["role"] == ""
