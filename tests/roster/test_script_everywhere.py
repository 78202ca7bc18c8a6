"""Script in every text that somebody can write: it stays text on every page of the app, for whoever looks."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from catalogue.models import GameSystem
from roster.models import AbuseReport, Folder, RevisionName, Roster, RosterPlan, Tag
from roster.models.ownership import Visibility
from roster.services.owners import Visitor
from roster.services.rosters import list_rosters
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, filled, text_of
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db

EVIL = "<img src=x onerror=alert(1)>'\"><script>alert(2)</script>"
RAW = re.compile(r"<img src=x|<script>alert")


@pytest.fixture
def owner() -> Owner:
    """A public list whose every text is script, in a folder, with a tag, a plan, a named step and a report."""
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
    return made


def test_all_of_it_is_stored(owner: Owner) -> None:
    """Else the next test would be of nothing."""
    roster = owner.roster
    tree = roster.tree
    warden = tree.forces[0].selections[0]
    texts = [tree.name, tree.notes, tree.player, tree.event, warden.custom_name, warden.notes]
    texts += [tree.forces[0].custom_name, tree.forces[0].notes, RosterPlan.objects.get().game.notes]
    assert [text for text in texts if "<script>" not in text] == []


@pytest.mark.parametrize(
    ("who", "secret"), [("owner", False), ("stranger", False), ("stranger", True), ("staff", False)]
)
def test_it_stays_text(owner: Owner, who: str, secret: bool, admin_client: Client) -> None:
    Roster.objects.update(is_secret=secret)
    client = {"owner": owner.client, "stranger": Client(), "staff": admin_client}[who]
    game = GameSystem.objects.get()
    values: dict[str, Any] = {
        "public_id": owner.public_id,
        "link_id": owner.roster.link_id,
        "game": game.slug,
        "slug": game.slug,
        "faction": "marsh-folk",
        "short_hash": game.shown.short_hash,
        "object_id": str(owner.roster.pk),
    }
    raw, seen = [], 0
    for way in WAYS:
        if (way.is_staffs and who != "staff") or way.route.startswith("api/"):
            continue
        cache.clear()
        for query in ("", f"?q={EVIL}&game={EVIL}&revision={EVIL}&next={EVIL}&folder={EVIL}&page={EVIL}"):
            answer = client.get(filled(way, values) + query)
            page = text_of(answer)
            if "html" not in answer.get("Content-Type", ""):
                continue
            seen += "onerror" in page
            if RAW.search(page):
                raw.append(way.route + query[:2])
    assert raw == []
    assert seen > (10 if who == "owner" else 2), "the texts are on the pages"
    assert list(list_rosters(Visitor(user_id=User.objects.get(username="ann").pk)))
