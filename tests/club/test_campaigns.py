"""Seasons with a map, as attackers, holders, organisers and strangers see them."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from lxml import html

from roster.club.models import Meeting, Season, SeasonPlayer
from roster.club.models.leagues import MAP_LENGTH
from roster.club.services.maps import hash_map, set_map
from roster.models.webhooks import WebhookDelivery
from roster.play.models import Game
from roster.services.accounts import delete_account
from tests.club.test_leagues import League, board_of
from tests.roster.views_cast import SCRIPT

pytestmark = pytest.mark.django_db

MAP = """\
map: 1
limit: 500
per supply: 25
places:
- {name: Harbour, supply: 2, next to: Mill, held by: ada}
- {name: Mill, next to: Ford, held by: Ben}
- {name: Ford, next to: Citadel}
- {name: Citadel, supply: 3, held by: Cleo}
"""


class Campaign(League):
    """The running season of a club with a map: Ada, Ben and Cleo hold a place, Dan none, and the ford is free."""

    def __init__(self) -> None:
        super().__init__()
        self.season = self.begin(format="challenge", ladder="supply")
        assert self.draw_map(MAP) == 303

    @property
    def map_page(self) -> str:
        return reverse("club:season-map", args=[self.season.public_id])

    def draw_map(self, text: str) -> int:
        return self.post("ada", self.map_page, text=text, seen=self.open_map("ada"))

    def open_map(self, who: str) -> str:
        """Open the map's form, and return the mark of what it shows."""
        (seen,) = html.fromstring(self.see(who, self.map_page)).xpath("//input[@name='seen']/@value")
        return str(seen)

    def player(self, name: str) -> SeasonPlayer:
        return SeasonPlayer.objects.get(member__name=name)

    def attack(self, who: str, stake: str, other: str = "") -> int:
        player = self.player(other).pk if other else 0
        return self.act(who, self.season, do="challenge", stake=stake, player=player)

    def refusal(self, who: str, stake: str, other: str = "") -> str:
        """Attack in vain, and return what the page says."""
        player = self.player(other).pk if other else 0
        before = Meeting.objects.count()
        fields = {"do": "challenge", "stake": stake, "player": player}
        answer = self.browsers[who].post(self.season.get_absolute_url(), fields)
        assert answer.status_code == 422
        assert Meeting.objects.count() == before
        (wrong,) = html.fromstring(answer.content.decode()).find_class("wrong")
        return str(wrong.text_content())

    def settle(self, stake: str, scores: str, hours: int = 0) -> Meeting:
        """Let the organiser settle the open meeting about a place, as a game played `hours` later."""
        meeting = board_of(self.season).contested[stake].meeting
        first, second = scores.split(":")
        assert self.enter("ada", meeting, do="scores", first=first, second=second) == 303
        meeting.refresh_from_db()
        sign = (int(first) > int(second)) - (int(first) < int(second))
        for who in ("ben", "cleo"):
            self.enter(who, meeting, do="confirm", outcome=f"{sign} {scores}")
        Game.objects.filter(pk=meeting.game_id).update(played=timezone.now() + timedelta(hours=hours))
        return meeting

    @property
    def holders(self) -> dict[str, str]:
        board = board_of(self.season)
        return {name: str(board.players[player]) for name, player in board.holders.items()}

    @property
    def supply(self) -> dict[str, int]:
        board = board_of(self.season)
        return {str(board.players[player]): supply for player, supply in board.supply.items()}


@pytest.fixture
def campaign() -> Campaign:
    return Campaign()


def test_a_season_shows_its_map_to_its_readers(campaign: Campaign) -> None:
    page = campaign.season.get_absolute_url()
    shown = html.fromstring(campaign.see("ben", page))
    cards = [" ".join(card.text_content().split()) for card in shown.find_class("territory")]
    assert len(cards) == 4
    assert "supply 2" in cards[0]
    assert "Ada" in cards[0]
    assert "next to Harbour, Ford" in cards[1]
    assert "Nobody holds it." in cards[2]
    assert len(shown.find_class("mine")) == 1
    assert campaign.draw_map(MAP.replace("Ford", json.dumps(SCRIPT))) == 303
    assert "<script>alert" not in campaign.see("ben", page)
    assert SCRIPT in html.fromstring(campaign.see("ben", page)).find_class("territory")[2].text_content()
    assert campaign.draw_map(MAP) == 303
    # Ben holds the mill, next to the harbour of Ada and the free ford. Dan could attack any place.
    targets = [" ".join(option.text_content().split()) for option in shown.xpath("//*[@id='stake']/option")]
    assert targets == ["Harbour (Ada)", "Ford", "no place"]
    for who, status in (("guest", 404), ("stranger", 404)):
        assert campaign.browsers[who].get(page).status_code == status
    fields = {"do": "change", "name": "Tidal club", "text": "", "is_open": "on"}
    assert campaign.post("ada", campaign.page("club-settings"), **fields) == 303
    opened = html.fromstring(campaign.see("guest", page))
    assert len(opened.find_class("territory")) == 4
    assert not opened.xpath("//*[@id='stake']") + opened.find_class("mine")


def test_only_organisers_draw_the_map(campaign: Campaign) -> None:
    page = campaign.map_page
    assert "held by: Ben" in campaign.see("ada", page)
    for who in ("ben", "stranger", "guest"):
        assert campaign.browsers[who].get(page).status_code == 404
        assert campaign.post(who, page, text="map: 1\nplaces: [Mine]") == 404
    campaign.season.refresh_from_db()
    assert campaign.season.map == MAP
    meeting = Meeting.objects.create(
        season=campaign.season, first=campaign.player("Ben"), second=campaign.player("Cleo")
    )
    assert campaign.enter("ben", meeting, do="stake", stake="Ford") == 404
    assert campaign.enter("stranger", meeting, do="stake", stake="Ford") == 404
    assert "The winner gets" not in campaign.see("ben", meeting.get_absolute_url())


def test_a_bad_map_names_its_line_and_keeps_the_text(campaign: Campaign) -> None:
    for text, said in (
        ("map: 1\nplaces:\n- Mill\n- {name: Ford, next to: Mil}", "Line 4: There is no place called “Mil”. Did you"),
        (
            "map: 1\nplaces:\n- {name: Mill, held by: Benn}",
            "Line 3: The club has no member called “Benn”. Did you mean",
        ),
        ("map: 1\nplaces:\n- {name: Mill, within: Mill}", "Line 3: “Mill” is within or next to itself"),
        (f"map: 1\nplaces:\n- Mill\n- {SCRIPT}\n- {SCRIPT}", "Line 5"),
        ("# nothing", "There is nothing in this document."),
        ("map: 1\nplaces: [" + "x" * MAP_LENGTH + "]", "at most"),
    ):
        seen = campaign.open_map("ada")
        answer = campaign.browsers["ada"].post(campaign.map_page, {"text": text, "seen": seen})
        assert answer.status_code == 422
        shown = html.fromstring(answer.content.decode())
        assert said in shown.find_class("wrong")[0].text_content()
        assert shown.xpath("//textarea")[0].text_content().strip() == text
        assert shown.xpath("//input[@name='seen']/@value") == [seen]
    campaign.season.refresh_from_db()
    assert campaign.season.map == MAP


def test_of_two_maps_written_at_once_the_later_one_is_shown_the_other(campaign: Campaign) -> None:
    role = {"do": "role", "member": campaign.member("Ben").pk, "role": "organiser"}
    assert campaign.post("ada", campaign.page("club-settings"), **role) == 303
    first, second = campaign.open_map("ada"), campaign.open_map("ben")
    theirs, mine = MAP.replace("Citadel", "Keep"), MAP.replace("held by: Ben", f"held by: Dan, text: {SCRIPT}")
    assert campaign.post("ada", campaign.map_page, text=theirs, seen=first) == 303
    # A press of the same button twice is no conflict.
    assert campaign.post("ada", campaign.map_page, text=theirs, seen=first) == 303
    answer = campaign.browsers["ben"].post(campaign.map_page, {"text": mine, "seen": second})
    assert answer.status_code == 409
    campaign.season.refresh_from_db()
    assert campaign.season.map == theirs
    assert "<script>alert" not in answer.content.decode()
    shown = html.fromstring(answer.content.decode())
    (saved,) = shown.find_class("map-lines")
    assert [line.text_content() for line in saved.xpath("li")] == theirs.splitlines()
    assert len(saved.xpath("li/mark")) == 3
    assert shown.xpath("//textarea")[0].text_content().split() == mine.split()
    # A form without a mark overwrites nothing either, and neither does one that missed a third map.
    (seen,) = shown.xpath("//input[@name='seen']/@value")
    assert campaign.post("ben", campaign.map_page, text=mine) == 409
    assert campaign.draw_map("") == 303
    answer = campaign.browsers["ben"].post(campaign.map_page, {"text": mine, "seen": seen})
    assert answer.status_code == 409
    assert "The map was removed." in answer.content.decode()
    (seen,) = html.fromstring(answer.content.decode()).xpath("//input[@name='seen']/@value")
    assert campaign.post("ben", campaign.map_page, text=mine, seen=seen) == 303
    assert campaign.holders["Mill"] == "Dan"


def test_an_attack_names_a_place_that_one_can_reach(campaign: Campaign) -> None:
    assert "no place called “Moon”" in campaign.refusal("ada", "Moon")
    assert "already hold “Harbour”" in campaign.refusal("ada", "Harbour")
    assert "“Citadel” is not next to" in campaign.refusal("ada", "Citadel")
    assert "Ben holds this place" in campaign.refusal("ada", "Mill", "Cleo")
    assert "Nobody holds this place" in campaign.refusal("ben", "Ford")
    assert "Choose the player" in campaign.refusal("ben", "")
    assert "Reload the page" in campaign.refusal("ben", "Ford", "Ben")
    assert campaign.attack("ada", "Mill") == 303
    meeting = Meeting.objects.get()
    assert (str(meeting), meeting.stake, meeting.round) == ("Ada : Ben", "Mill", 0)
    assert "already have a game" in campaign.refusal("ben", "Harbour")
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    # What was chosen is still chosen after a refusal.
    fields = {"do": "challenge", "stake": "Ford", "player": campaign.player("Ben").pk}
    answer = campaign.browsers["cleo"].post(campaign.season.get_absolute_url(), fields)
    assert answer.status_code == 422
    chosen = html.fromstring(answer.content.decode()).xpath("//*[@id='player']/option[@selected]")
    assert [option.text_content().strip() for option in chosen] == ["Ben"]
    assert campaign.act("ada", campaign.season, do="end") == 303
    assert "This season is over." in campaign.refusal("cleo", "Ford", "Ben")


def test_a_contested_place_is_left_alone(campaign: Campaign) -> None:
    assert campaign.attack("ben", "Ford", "Ada") == 303
    assert "A game for “Ford” is still open." in campaign.refusal("cleo", "Ford", "Ada")
    (fought,) = html.fromstring(campaign.see("cleo", campaign.season.get_absolute_url())).find_class("fought")
    assert "Ben and Ada fight for it" in fought.text_content()
    # A result that is not confirmed is still open.
    meeting = Meeting.objects.get()
    assert campaign.enter("ben", meeting, do="scores", first="5", second="3") == 303
    assert "Ford" not in campaign.holders
    assert "A game for “Ford” is still open." in campaign.refusal("cleo", "Ford", "Ada")
    assert campaign.enter("ada", meeting, do="confirm", outcome="1 5:3") == 303
    assert campaign.holders["Ford"] == "Ben"
    assert campaign.attack("cleo", "Ford") == 303


def test_results_move_places_and_supply(campaign: Campaign) -> None:
    assert campaign.supply == {"Ada": 2, "Ben": 1, "Cleo": 3}
    assert campaign.attack("ada", "Mill") == 303
    campaign.settle("Mill", "7:7")
    assert campaign.holders["Mill"] == "Ben"
    assert campaign.attack("ben", "Ford", "Ada") == 303
    assert campaign.enter("ben", Meeting.objects.get(stake="Ford"), do="scores", first="9", second="1") == 303
    assert campaign.enter("ada", Meeting.objects.get(stake="Ford"), do="confirm", outcome="1 9:1") == 303
    assert campaign.attack("cleo", "Ford") == 303
    taken = campaign.settle("Ford", "3:2", hours=2)
    assert campaign.holders == {"Harbour": "Ada", "Mill": "Ben", "Ford": "Cleo", "Citadel": "Cleo"}
    assert campaign.supply == {"Ada": 2, "Ben": 1, "Cleo": 4}
    board = board_of(campaign.season)
    assert [str(board.players[line.player]) for line in board.lines] == ["Cleo", "Ada", "Ben", "Dan"]
    shown = html.fromstring(campaign.see("ben", campaign.season.get_absolute_url()))
    rows = [" ".join(row.text_content().split()) for row in shown.xpath("//table[@class='ladder']/tbody/tr")]
    assert "lists up to 600" in rows[0]
    assert "lists up to 500" in rows[3]
    assert "Ford" in shown.find_class("meeting")[0].text_content()
    # An organiser corrects the result, and the holders follow.
    assert campaign.enter("ada", taken, do="scores", first="2", second="3") == 303
    for who in ("ben", "cleo"):
        campaign.enter(who, taken, do="confirm", outcome="-1 2:3")
    assert campaign.holders["Ford"] == "Ben"
    assert campaign.enter("ada", taken, do="clear") == 303
    assert campaign.holders["Ford"] == "Ben"
    assert campaign.supply == {"Ada": 2, "Ben": 2, "Cleo": 3}


def test_a_place_shows_who_held_it_and_by_which_result(campaign: Campaign) -> None:
    """The history follows what stands: a corrected, removed or voided result leaves no trace in it."""
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    first = campaign.settle("Ford", "4:1", hours=1)
    assert campaign.attack("cleo", "Ford") == 303
    second = campaign.settle("Ford", "7:2", hours=2)
    assert campaign.attack("ada", "Mill") == 303
    campaign.settle("Mill", "5:5", hours=3)

    def read_history(place: int) -> list[str]:
        shown = html.fromstring(campaign.see("ben", campaign.season.get_absolute_url()))
        items = shown.find_class("territory")[place].xpath(".//ol/li")
        return [" ".join(" ".join(item.itertext()).split()) for item in items]

    today = date_format(timezone.localdate(), "j M Y")
    assert [line.replace(today, "today") for line in read_history(2)] == [
        "Cleo today Cleo – Ben 7:2",
        "Ben today Ben – Cleo 4:1",
        "Nobody at the start",
    ]
    # A draw changes no holder, and a place that never changed hands shows nothing.
    assert read_history(0) == read_history(1) == []
    address = reverse("club:season-places", args=[campaign.season.public_id, "json"])
    places = json.loads(campaign.browsers["ben"].get(address).content)["places"]
    ford = [row for row in places if row["place"] == "Ford"]
    day = timezone.now().date().isoformat()
    assert [(row["player"], row["how"], row["since"], row["until"]) for row in ford] == [
        ("", "map", None, day),
        ("Ben", "won", day, day),
        ("Cleo", "won", day, None),
    ]
    assert [ford[2][key] for key in ("round", "opponent", "score", "opponent_score")] == [0, "Ben", 7, 2]
    written = campaign.browsers["ben"].get(address.replace("json", "csv")).content.decode()
    assert written.splitlines()[0].startswith("place,player,since,until,how")
    program = reverse("club_api:places", args=[campaign.season.public_id])
    assert campaign.browsers["ben"].get(program).json() == places
    assert campaign.browsers["stranger"].get(program).status_code == 404
    assert campaign.browsers["stranger"].get(address).status_code == 404

    # The second result is corrected to a draw, then the first is removed.
    assert campaign.enter("ada", second, do="scores", first="2", second="2") == 303
    for who in ("ben", "cleo"):
        campaign.enter(who, second, do="confirm", outcome="0 2:2")
    assert [line.split()[0] for line in read_history(2)] == ["Ben", "Nobody"]
    assert campaign.act("ben", campaign.season, do="leave") == 303
    assert read_history(2)[0] == f"Nobody {today} Ben left"
    assert campaign.act("ben", campaign.season, do="enter") == 303
    assert campaign.enter("ada", first, do="clear") == 303
    assert read_history(2) == []


def test_the_order_of_the_games_decides(campaign: Campaign) -> None:
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    first = campaign.settle("Ford", "5:1", hours=1)
    assert campaign.attack("cleo", "Ford") == 303
    campaign.settle("Ford", "5:1", hours=2)
    assert campaign.holders["Ford"] == "Cleo"
    # The games were entered in the wrong order.
    Game.objects.filter(pk=first.game_id).update(played=timezone.now() + timedelta(hours=3))
    assert campaign.holders["Ford"] == "Ben"


def test_holders_cannot_decline_a_fight_for_their_place(campaign: Campaign) -> None:
    assert campaign.attack("ada", "Mill") == 303
    meeting = Meeting.objects.get()
    assert "Withdraw" not in campaign.see("ben", meeting.get_absolute_url())
    answer = campaign.browsers["ben"].post(meeting.get_absolute_url(), {"do": "withdraw"})
    assert answer.status_code == 422
    assert "Only Ada or an organiser" in html.fromstring(answer.content.decode()).find_class("wrong")[0].text_content()
    assert campaign.enter("cleo", meeting, do="withdraw") == 404
    assert campaign.enter("ada", meeting, do="withdraw") == 303
    assert campaign.attack("ben", "Harbour") == 303
    assert campaign.enter("ben", Meeting.objects.get(), do="withdraw") == 303
    # A game for no place can be declined as in any season.
    assert campaign.attack("ben", "", "Cleo") == 303
    assert campaign.enter("cleo", Meeting.objects.get(), do="withdraw") == 303


def test_a_contested_place_is_renamed_but_not_lost(campaign: Campaign) -> None:
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    fields = {"text": MAP.replace("Ford", "Bridge"), "seen": campaign.open_map("ada")}
    answer = campaign.browsers["ada"].post(campaign.map_page, fields)
    assert answer.status_code == 422
    assert "“Ford” is the stake" in html.fromstring(answer.content.decode()).find_class("wrong")[0].text_content()
    assert campaign.draw_map("") == 422
    renamed = MAP.replace("Ford", "Bridge").replace("name: Bridge", "name: Bridge, was: Ford")
    assert campaign.draw_map(renamed) == 303
    assert Meeting.objects.get().stake == "Bridge"
    campaign.settle("Bridge", "4:1")
    assert campaign.holders["Bridge"] == "Ben"
    # Saving it again changes nothing; without the place, nobody holds it; its games return with it.
    assert campaign.draw_map(renamed) == 303
    assert campaign.holders["Bridge"] == "Ben"
    assert campaign.draw_map("") == 303
    assert campaign.holders == {}
    assert not html.fromstring(campaign.see("ada", campaign.season.get_absolute_url())).find_class("territory")
    assert "name: Harbour" in campaign.see("ada", campaign.map_page)
    assert campaign.draw_map(MAP.replace("Ford", "Bridge")) == 303
    assert campaign.holders["Bridge"] == "Ben"


def test_a_stake_without_its_place_can_be_replaced(campaign: Campaign) -> None:
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    meeting = campaign.settle("Ford", "4:1")
    without = MAP.replace("- {name: Ford, next to: Citadel}\n", "").replace(", next to: Ford", "")
    assert campaign.draw_map(without) == 303
    # The result is removed, so the game is open, but about a place that is gone.
    assert campaign.enter("ada", meeting, do="clear") == 303
    assert campaign.draw_map(without) == 303
    for stake, status in (("Ford", 422), ("Moon", 422), ("Mill", 303), ("", 303)):
        assert campaign.enter("ada", meeting, do="stake", stake=stake) == status
    meeting.refresh_from_db()
    assert meeting.stake == ""


def test_an_organiser_sets_stakes_of_any_format(league: League) -> None:
    season = league.begin()
    assert set_map(season, MAP, hash_map(season)) is None
    first, second = league.meet("Ben", "Cleo"), Meeting.objects.filter(round=2).first()
    assert second is not None
    assert league.enter("ada", first, do="stake", stake="Citadel") == 303
    assert league.enter("ada", second, do="stake", stake="Citadel") == 422
    assert league.enter("ada", second, do="stake", stake="Mill") == 303
    assert league.enter("ada", first, do="scores", first="8", second="2") == 303
    assert league.enter("ben", first, do="confirm", outcome="1 8:2") == 303
    assert league.enter("cleo", first, do="confirm", outcome="1 8:2") == 303
    board = board_of(season)
    assert str(board.players[board.holders["Citadel"]]) == "Ben"
    # Such a season has no challenges.
    shown = html.fromstring(league.see("ben", season.get_absolute_url()))
    assert shown.find_class("territory")
    assert not shown.xpath("//*[@id='stake']")
    cleo = SeasonPlayer.objects.get(member__name="Cleo")
    assert league.act("ben", season, do="challenge", stake="Ford", player=cleo.pk) == 422
    assert league.act("ada", season, do="end") == 303
    assert league.enter("ada", second, do="stake", stake="Ford") == 422


def test_the_places_of_players_who_leave_are_free(campaign: Campaign) -> None:
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    campaign.settle("Ford", "4:1")
    assert campaign.attack("ada", "Mill") == 303
    assert campaign.act("ben", campaign.season, do="leave") == 303
    assert campaign.holders == {"Harbour": "Ada", "Citadel": "Cleo"}
    # The game for the mill is void, so the mill can be attacked again, from another player.
    assert campaign.attack("ada", "Mill", "Cleo") == 303
    campaign.settle("Mill", "6:5")
    assert campaign.act("ben", campaign.season, do="enter") == 303
    assert campaign.holders == {"Harbour": "Ada", "Mill": "Ada", "Ford": "Ben", "Citadel": "Cleo"}


def test_a_player_without_places_can_attack_any(campaign: Campaign) -> None:
    dan = campaign.member("Dan").pk
    assert campaign.post("stranger", reverse("club:join", args=[campaign.club.token]), member=dan) == 303
    shown = html.fromstring(campaign.see("stranger", campaign.season.get_absolute_url()))
    assert len(shown.xpath("//*[@id='stake']/option")) == 5
    assert campaign.attack("stranger", "Citadel") == 303


def test_a_deleted_account_keeps_its_places(campaign: Campaign) -> None:
    """Names stay in tables after an account is deleted, and so do the places that the games gave."""
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    campaign.settle("Ford", "4:1")
    delete_account(campaign.users["ben"])
    assert campaign.holders["Ford"] == "Ben"
    delete_account(campaign.users["ada"])
    assert campaign.holders["Harbour"] == "Ada"
    # Cleo is the organiser now.
    assert campaign.browsers["cleo"].get(campaign.map_page).status_code == 200


def test_a_holder_who_does_not_play_holds_nothing(league: League) -> None:
    season = league.begin(("Ada", "Ben"), format="challenge")
    assert set_map(season, MAP, hash_map(season)) is None
    board = board_of(season)
    assert {name: str(board.players[player]) for name, player in board.holders.items()} == {
        "Harbour": "Ada",
        "Mill": "Ben",
    }
    assert "so their places are free: Cleo." in league.see("ada", reverse("club:season-map", args=[season.public_id]))


def test_a_chat_hears_of_places(campaign: Campaign) -> None:
    settings = campaign.page("club-settings")
    assert campaign.post("ada", settings, do="webhook", address="https://chat.example/hook") == 303
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    campaign.settle("Ford", "4:1")
    sent = [json.loads(delivery.body)["content"] for delivery in WebhookDelivery.objects.order_by("pk")]
    assert "Ben challenges Cleo for Ford." in sent[1]
    assert "Ben – Cleo 4:1 · Ford" in sent[2]


def test_a_stored_map_of_another_form_shows_nothing(campaign: Campaign) -> None:
    Season.objects.update(map="map: 9\nplaces: [Mill]")
    assert campaign.browsers["ben"].get(campaign.season.get_absolute_url()).status_code == 200
    assert "map: 9" in campaign.see("ada", campaign.map_page)
    assert campaign.holders == {}


def test_a_map_costs_no_queries(campaign: Campaign, django_assert_max_num_queries: Any) -> None:
    assert campaign.attack("ben", "Ford", "Cleo") == 303
    places = "\n".join(f"- {{name: Place {number}, next to: Ford}}" for number in range(90))
    assert campaign.draw_map(MAP + places) == 303
    with django_assert_max_num_queries(14):
        campaign.see("ben", campaign.season.get_absolute_url())


@pytest.fixture
def league() -> League:
    return League()
