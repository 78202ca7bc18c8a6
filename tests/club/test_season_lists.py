"""House rules of a season, and the lists that players choose for its games."""

import json

import pytest
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from lxml import html

from roster.club.models import ChosenList, Season
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.models.webhooks import WebhookDelivery
from roster.services.accounts import delete_account
from roster.services.homebrew import change_lines, delete_set, import_set, publish_set, read_working
from tests.club.test_leagues import League
from tests.events.test_event_homebrew import DOCUMENT
from tests.markup import markup
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = pytest.mark.django_db


class SeasonOfLists(League):
    """A running season whose players choose lists. Ada publishes house rules in which a warden costs 12, not 20."""

    def __init__(self) -> None:
        super().__init__()
        self.season = self.begin()
        self.meeting = self.meet("Ben", "Cleo")
        homebrew_set = import_set(self.users["ada"], DOCUMENT.encode())
        assert isinstance(homebrew_set, HomebrewSet)
        version = publish_set(homebrew_set)
        assert isinstance(version, HomebrewVersion)
        self.version = version

    @property
    def settings(self) -> str:
        return reverse("club:season-settings", args=[self.season.public_id])

    def set_rules(self, key: str = "", link: str = "", limit: str = "", reveal: str = "both") -> int:
        return self.post("ada", self.settings, do="rules", homebrew=key, link=link, limit=limit, reveal=reveal)

    def fresh(self) -> Season:
        return Season.objects.get(pk=self.season.pk)

    def build(self, who: str, *units: str, name: str = "Low water") -> Owner:
        owner = started(self.browsers[who], name=name)
        for unit in units or ("warden", "cutters"):
            owner.unit(unit)
        return owner

    def choose(self, who: str, owner: Owner) -> int:
        return self.enter(who, self.meeting, do="list", list=owner.public_id)

    def chosen(self, name: str) -> ChosenList:
        return ChosenList.objects.get(player__member__name=name)

    def page_of(self, who: str) -> str:
        return self.see(who, self.meeting.get_absolute_url())


@pytest.fixture
def league() -> SeasonOfLists:
    return SeasonOfLists()


def test_an_organiser_chooses_house_rules_and_players_are_told(league: SeasonOfLists) -> None:
    assert league.post("ada", league.page("club-settings"), do="webhook", address="https://chat.example/hook") == 303
    assert f'value="{league.version.key}"' in league.see("ada", league.settings)
    assert league.browsers["ben"].get(league.settings).status_code == 404
    assert league.post("ben", league.settings, do="rules", homebrew="", limit="", reveal="both") == 404
    mail.outbox.clear()
    assert league.set_rules(league.version.key, limit="500") == 303
    shown = league.see("ben", league.season.get_absolute_url())
    assert "Warden, points: 20 → 12" in shown
    assert "Up to 500 points" in shown
    assert "lists up to 500" in shown
    news = json.loads(WebhookDelivery.objects.latest("pk").body)["content"]
    assert "“Sluice club rules”, version 1, up to 500 points" in news
    call_command("send_club_mail", verbosity=0)
    told = [letter for letter in mail.outbox if "new rules for lists" in letter.subject]
    assert sorted(letter.to[0] for letter in told) == ["ada@example.org", "ben@example.org", "cleo@example.org"]
    assert "“Sluice club rules”, version 1" in told[0].body
    mail.outbox.clear()
    call_command("send_club_mail", verbosity=0)
    assert not mail.outbox
    # When lists are shown is no new rule. Taking the house rules back is.
    assert league.set_rules(league.version.key, limit="500", reveal="chosen") == 303
    assert not league.fresh().rules_untold
    assert league.set_rules() == 303
    assert league.fresh().rules_untold
    assert "Sluice club rules" not in league.see("ben", league.season.get_absolute_url())


def test_bad_rules_are_refused_and_nothing_typed_is_lost(league: SeasonOfLists) -> None:
    link = f"https://lists.example.org/h/{league.version.homebrew_set.link_id}/"
    for fields in (
        {"key": "x" * 22 + "@1"},
        {"link": "https://lists.example.org/h/" + "x" * 22 + "/"},
        {"limit": "many"},
        {"limit": "0"},
        {"limit": "9999999"},
        {"reveal": "never"},
    ):
        assert league.set_rules(**fields) == 422
    answer = league.browsers["ada"].post(
        league.settings, {"do": "rules", "homebrew": league.version.key, "link": link, "limit": SCRIPT}
    )
    assert link in markup(answer)
    assert "&lt;script&gt;" in markup(answer)
    assert (league.fresh().homebrew, league.fresh().limit) == (None, 0)
    assert league.post("ada", league.settings, do="nonsense") == 404
    # A link takes precedence, and house rules of another game do not fit.
    assert league.set_rules(link=link) == 303
    assert league.fresh().homebrew.key == league.version.key
    assert league.set_rules() == 303
    game = league.version.homebrew_set.game
    game.pk, game.slug, game.current = None, "elsewhere", None
    game.save()
    HomebrewSet.objects.update(game=game)
    Season.objects.get().homebrews.all().delete()
    assert league.set_rules(league.version.key) == 422
    assert league.act("ada", league.season, do="end") == 303
    assert league.set_rules(limit="500") == 422


def test_chosen_lists_are_judged_by_the_season_and_shown_once_both_have_chosen(league: SeasonOfLists) -> None:
    assert league.set_rules(league.version.key, limit="30") == 303
    small, large = league.build("ben", "warden"), league.build("cleo", "warden", "cutters", "cutters")
    assert small.public_id in league.page_of("ben")
    assert league.choose("ben", large) == 422
    assert league.choose("ben", small) == 303
    mine = league.chosen("Ben")
    assert (mine.points, mine.limit) == ("12", 30)
    # Ben sees his own, the others that he has chosen.
    assert "12 of 30 points" in league.page_of("ben")
    for who in ("cleo", "ada"):
        assert "12 of 30 points" not in league.page_of(who)
        assert "has chosen a list" in league.page_of(who)
    address = reverse("club:meeting-list", args=[league.season.public_id, league.meeting.pk, mine.player_id])
    assert "Wärden" in league.see("ben", address)
    assert league.browsers["cleo"].get(address).status_code == 404
    # Until both have chosen, he can choose another one.
    assert league.choose("ben", league.build("ben", name="Second thoughts")) == 303
    assert league.chosen("Ben").name == "Second thoughts"
    assert league.choose("cleo", large) == 303
    theirs = league.chosen("Cleo")
    assert (theirs.verdict, theirs.report["word"]) == ("illegal", "Illegal")
    for who in ("ben", "cleo", "ada"):
        page = league.page_of(who)
        assert f"{theirs.points} of 30 points" in page
        assert "Second thoughts" in page
    assert "Wärden" in league.see("cleo", address)
    assert league.browsers["stranger"].get(address).status_code == 404
    assert league.choose("ben", small) == 422
    # An organiser who does not play lets them choose again.
    assert league.enter("cleo", league.meeting, do="release") == 404
    assert league.enter("ada", league.meeting, do="release") == 303
    assert not ChosenList.objects.exists()
    assert league.enter("ada", league.meeting, do="release") == 422
    assert league.choose("ben", small) == 303


def test_a_verdict_keeps_the_rules_under_which_a_list_was_chosen(league: SeasonOfLists) -> None:
    assert league.set_rules(league.version.key, reveal="chosen") == 303
    owner = league.build("ben")
    assert league.choose("ben", owner) == 303
    assert league.chosen("Ben").report["word"] == "Legal by Sluice club rules"
    assert "Legal by Sluice club rules" in league.page_of("cleo")
    before = league.chosen("Ben").points
    # The list itself, its house rules, and the season change.
    owner.unit("cutters")
    homebrew_set = league.version.homebrew_set
    change_lines(homebrew_set, remove=read_working(homebrew_set).changes)
    newer = publish_set(homebrew_set)
    assert isinstance(newer, HomebrewVersion)
    assert league.set_rules(newer.key, reveal="chosen") == 303
    assert (league.chosen("Ben").points, len(league.chosen("Ben").units)) == (before, 2)
    assert "Legal by Sluice club rules" in league.page_of("cleo")
    assert league.choose("cleo", league.build("cleo")) == 303
    assert float(league.chosen("Cleo").points) - float(before) == 8
    # Deleted house rules count on, hidden ones are not named.
    HomebrewSet.objects.update(taken_down=True)
    assert "Sluice club rules" not in league.see("ben", league.season.get_absolute_url())
    HomebrewSet.objects.update(taken_down=False)
    assert delete_set(homebrew_set) is None
    shown = league.see("ben", league.season.get_absolute_url())
    assert "Sluice club rules" in shown
    assert "The season’s copy counts." in shown
    assert league.post("ada", reverse("club:season-delete", args=[league.season.public_id])) == 303
    assert not ChosenList.objects.exists()


def test_lists_are_chosen_before_the_game_and_by_players_only(league: SeasonOfLists) -> None:
    assert league.set_rules(reveal="played") == 303
    assert league.choose("ada", league.build("ada")) == 422
    assert league.choose("ben", league.build("ben")) == 303
    for wrong in ("", "x" * 22, league.build("ada").public_id):
        assert league.enter("cleo", league.meeting, do="list", list=wrong) == 422
    binned = league.build("cleo")
    Roster.objects.filter(public_id=binned.public_id).update(faction_id="gone")
    assert league.choose("cleo", binned) == 422
    assert league.choose("cleo", league.build("cleo", name="Spring tide")) == 303
    assert "Spring tide" not in league.page_of("ben")
    assert league.enter("ada", league.meeting, do="scores", first="8", second="3") == 303
    assert "Spring tide" in league.page_of("ben")
    assert league.choose("cleo", league.build("cleo")) == 422
    assert league.enter("ada", league.meeting, do="release") == 422
    # A player without an account has no list, and nobody waits for it.
    league.meeting = (
        league.meet("Cleo", "Dan")
        if league.season.meetings.filter(first__member__name="Cleo", second__member__name="Dan")
        else league.meet("Dan", "Cleo")
    )
    assert league.set_rules() == 303
    assert league.choose("cleo", league.build("cleo", name="Neap")) == 303
    assert "Neap" in league.page_of("ben")
    # With the account, its copies go.
    delete_account(league.users["cleo"])
    assert not ChosenList.objects.filter(player__member__name="Cleo").exists()


def test_a_list_is_mustered_for_a_season(league: SeasonOfLists) -> None:
    assert league.set_rules(league.version.key, limit="40") == 303
    owner = league.build("ben")
    start = {"faction": "fenland:marsh", "name": "Low water column", "campaign": "long-road"}
    assert league.post("ben", reverse("club:forces"), **start) == 303
    force = league.users["ben"].campaignforces.get()
    units = reverse("club:force-units", args=[force.public_id])
    assert league.post("ben", units, list=owner.public_id, unit=owner.units()) == 303
    muster = reverse("club:force-muster", args=[force.public_id])
    assert "Low tide · Tidal club" in league.see("ben", muster)
    unit = str(force.veterans.first().pk)
    assert league.post("ben", muster, unit=unit, name="For the season", season=league.season.public_id) == 303
    mustered = Roster.objects.get(name="For the season")
    assert (mustered.tree.homebrew, mustered.limit, mustered.points) == (league.version.key, "40", "12")
    assert mustered.homebrew == "Sluice club rules"
    # Others cannot muster for it.
    assert league.post("ben", muster, unit=unit, name="For none", season="x" * 22) == 303
    assert Roster.objects.get(name="For none").tree.homebrew == ""


def test_a_player_switches_the_house_rules_on_for_the_list_they_look_at(league: SeasonOfLists) -> None:
    assert "You have no list of this game yet." in league.page_of("ben")
    owner = league.build("ben")
    assert "Switch on for this list" not in league.page_of("ben")
    assert league.set_rules(league.version.key) == 303
    page = html.fromstring(league.page_of("ben"))
    [button] = page.xpath("//button[@formaction]")
    [form] = page.xpath(f"//form[@id='{button.get('form')}']")
    fields = {"list": form.xpath(".//option/@value")[0]}
    assert league.post("ben", button.get("formaction"), **fields) == 303
    assert owner.roster.tree.homebrew == league.version.key
    assert league.post("cleo", button.get("formaction"), **fields) == 404
    # Only published house rules can be switched on: a season keeps those that their author deleted.
    assert delete_set(league.version.homebrew_set) is None
    page = league.page_of("ben")
    assert "Lists are judged by “Sluice club rules”." in page
    assert "Switch on for this list" not in page
