"""Script in any text that users can write stays text on every page, for every reader."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from catalogue.models import GameSystem
from roster.club.models import BattleReport, ListComment, PlayerPage, ReportedSide, SeasonPlayer
from roster.models import AbuseReport, Folder, RevisionName, Roster, RosterPlan, Tag
from roster.models.ownership import Visibility
from roster.services.owners import Visitor
from roster.services.rosters import list_rosters
from tests.extent import sample
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, Way, filled, text_of
from tests.roster.club_cast import make_season
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EVIL = "<img src=x onerror=alert(1)>'\"><script>alert(2)</script>"
RAW = re.compile(r"<img src=x|<script>alert")


@pytest.fixture(scope="module")
def owner(module_db: None) -> Owner:
    client = Client()
    client.force_login(account())
    made = started(client, name=EVIL[:100])
    unit = made.unit("warden")
    for node in ("", made.detachment(), unit):
        made.done(do="notes", node=node, text=EVIL)
        made.done(do="rename", node=node, text=EVIL)
    made.done(do="occasion", player=EVIL, event=EVIL)
    plan = {"revision": "0", "objective": EVIL, "notes": EVIL, "opponents": EVIL, "allies": EVIL}
    client.post(made.url("plan"), plan)
    RevisionName.objects.create(revision=made.roster.revisions.first(), name=EVIL)
    user = User.objects.get()
    roster = made.roster
    roster.folder = Folder.objects.create(owner=user, name=EVIL)
    roster.visibility = Visibility.PUBLIC
    roster.save()
    roster.tags.add(Tag.objects.create(owner=user, name=EVIL))
    AbuseReport.objects.create(thing=roster, reason="other", text=EVIL)
    PlayerPage.objects.create(owner=user, link_id=roster.link_id, text=EVIL, visibility=Visibility.PUBLIC)
    ListComment.objects.create(owner=user, roster=roster, text=EVIL)
    moment = {"id": "1", "round": 1, "place": 0, "text": EVIL}
    texts = {"name": EVIL, "text": EVIL, "mission_name": EVIL, "map_name": EVIL, "game_name": EVIL}
    report = BattleReport.objects.create(
        owner=user,
        public_id=made.public_id,
        link_id=roster.link_id,
        visibility=Visibility.PUBLIC,
        moments=[moment],
        **texts,
    )
    ReportedSide.objects.create(report=report, place=0, name=EVIL[:40], list_name=EVIL, faction_name=EVIL)
    make_season(made, EVIL, 1)
    return made


def test_all_of_it_is_stored(owner: Owner) -> None:
    """Without this, the next test would prove nothing."""
    roster = owner.roster
    tree = roster.tree
    warden = tree.forces[0].selections[0]
    texts = [tree.name, tree.notes, tree.player, tree.event, warden.custom_name, warden.notes]
    texts += [tree.forces[0].custom_name, tree.forces[0].notes, RosterPlan.objects.get().game.notes]
    assert [text for text in texts if "<script>" not in text] == []


@pytest.fixture(scope="module")
def values(owner: Owner) -> dict[str, Any]:
    game = GameSystem.objects.get()
    return {
        "public_id": owner.public_id,
        "link_id": owner.roster.link_id,
        "game": game.slug,
        "slug": game.slug,
        "faction": "marsh-folk",
        "short_hash": game.shown_version.short_hash,
        "object_id": str(owner.roster.pk),
        "player_id": str(SeasonPlayer.objects.get(member__user__username="ann").pk),
    }


@pytest.fixture(scope="module")
def clients(owner: Owner) -> dict[str, Client]:
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    return {"owner": owner.client, "stranger": Client(), "staff": staff}


QUERY = f"?q={EVIL}&game={EVIL}&revision={EVIL}&next={EVIL}&folder={EVIL}&page={EVIL}"
PAGES = [way for way in WAYS if not way.route.startswith("api/")]
SHOWING = {
    "b/<str:link_id>/": "stranger",
    "battles/": "stranger",
    "battles/<str:public_id>/": "owner",
    "clubs/<str:public_id>/": "owner",
    "players/<str:link_id>/": "stranger",
    "r/<str:link_id>/": "stranger",
    "r/<str:link_id>/talk/": "stranger",
    "rosters/": "owner",
    "rosters/<str:public_id>/": "owner",
    "rosters/<str:public_id>/history/": "owner",
    "rosters/<str:public_id>/plan/": "owner",
    "rosters/folders/": "owner",
    "seasons/<str:public_id>/": "owner",
    "seasons/<str:public_id>/map/": "owner",
    "seasons/<str:public_id>/meetings/<int:number>/": "owner",
    "seasons/<str:public_id>/meetings/<int:number>/lists/<int:player_id>/": "owner",
    "seasons/<str:public_id>/nights/<int:number>/": "owner",
    "seasons/<str:public_id>/settings/": "owner",
}
"""Pages that show the texts, and for whom."""


@pytest.mark.parametrize("way", sample(PAGES, 30), ids=str)
def test_script_stays_text(clients: dict[str, Client], values: dict[str, Any], way: Way) -> None:
    raw, shown = [], set()
    for who, secret in (("owner", False), ("stranger", False), ("stranger", True), ("staff", False)):
        if way.is_staffs and who != "staff":
            continue
        Roster.objects.update(is_secret=secret)
        cache.clear()
        for query in ("", QUERY):
            answer = clients[who].get(filled(way, values) + query)
            page = text_of(answer)
            if "html" not in answer.get("Content-Type", ""):
                continue
            if "onerror" in page:
                shown.add(who)
            if RAW.search(page):
                raw.append(who + query[:2])
    assert raw == []
    assert SHOWING.get(way.route, "nobody") in {"nobody", *shown}


def test_pages_that_show_the_texts_are_there(owner: Owner) -> None:
    assert SHOWING.keys() <= {way.route for way in PAGES}
    assert list(list_rosters(Visitor(user_id=User.objects.get(username="ann").pk)))
