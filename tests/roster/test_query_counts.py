"""Every page, found automatically, needs as many database queries for three of everything as for one."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalogue.models import GameSystem
from roster.club.models import BattleReport, ReportPhoto, Season, SeasonPlayer
from roster.events.services.handouts import Handout
from roster.models import AbuseReport, Folder, Roster, Tag
from roster.models.ownership import Visibility
from roster.play.models import MissionDeck
from roster.services.history import name_revision
from roster.services.list_search import ListFilter, find_filter_options, search_lists, select_public_lists
from tests.extent import sample
from tests.roster.accounts_cast import account, say_who, sign_in
from tests.roster.addresses import WAYS, Way, filled, text_of
from tests.roster.club_cast import add_to_season, make_season
from tests.roster.test_access_matrix import undone
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

QUERIES = {
    "rosters/": "?q=list&verdict=illegal",
    "rosters/compare/": "?list={}",
    "rosters/print.pdf": "?list={}",
    "search/": "?q=warden",
    "lists/": "?game=fenland",
}
"""Required query parameters."""
MORE = {"account/armybuilder.zip", "rosters/backup/"}
"""Pages that need more queries for more lists: each history is read by itself, to save memory."""


def one_more(owner: Owner, number: int) -> None:
    """Add one more of everything that pages list: lists in a folder, with tags and names, in the bin; decks;
    reports to staff; battle reports with photos; a season's games, club nights and events.
    """
    user_id = owner.roster.owner_id
    made = started(owner.client, name=f"List {number}")
    made.unit("warden")
    owner.unit("cutters")
    name_revision(owner.roster, owner.roster.head, f"State {number}")
    folder = Folder.objects.create(owner_id=user_id, name=f"Folder {number}")
    Roster.objects.filter(public_id=made.public_id).update(visibility=Visibility.PUBLIC, folder=folder)
    tag = Tag.objects.create(owner_id=user_id, name=f"Tag {number}")
    for roster in (made.roster, owner.roster):
        roster.tags.add(tag)
    AbuseReport.objects.create(thing=owner.roster, reason="other", text="x")
    thrown = started(owner.client, name=f"Thrown {number}").public_id
    owner.client.post(reverse("roster:bulk"), {"do": "bin", "list": thrown})
    shown = MissionDeck.objects.create(owner_id=user_id, name=f"Deck {number}", visibility=Visibility.PUBLIC)
    AbuseReport.objects.create(thing=shown, reason="other", text="x")
    fields = {"owner_id": user_id, "name": "Battle", "game_name": "Fenland", "visibility": Visibility.PUBLIC}
    ids = {"public_id": owner.public_id, "link_id": owner.roster.link_id}
    first, _new = BattleReport.objects.get_or_create(**ids, defaults=fields)
    for report in (first, BattleReport.objects.create(**fields)):
        ReportPhoto.objects.create(report=report, large="a.jpg", small="b.jpg", width=1, height=1, size=1)
    if number == 1:
        make_season(owner, "Tides", number)
    else:
        add_to_season(Season.objects.get(), owner, number)


@pytest.fixture(scope="module")
def owner(module_db: None) -> Owner:
    client = Client()
    account(staff=True)
    sign_in(client)
    say_who(client)
    made = started(client)
    made.unit("warden")
    deck = {"owner_id": made.roster.owner_id, "public_id": made.public_id}
    MissionDeck.objects.create(name="Evening", **deck)
    one_more(made, 1)
    return made


def asked(client: Client, address: str) -> int:
    """Return how many queries a page needs that was opened before."""
    with undone():
        text_of(client.get(address))
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            text_of(client.get(address))
    return len(queries)


COUNTABLE = [
    way
    for way in WAYS
    if "logout" not in way.route
    # Django's admin reads all related rows before it deletes.
    and not (way.route.startswith("admin/") and way.route.endswith("/delete/"))
]
COUNTED = sample(COUNTABLE, 20)


def address_of(way: Way, owner: Owner) -> str:
    game = GameSystem.objects.get()
    values = {
        "public_id": owner.public_id,
        "link_id": owner.roster.link_id,
        "ending": "json",
        "kind": Handout.PAIRINGS,
        "game": game.slug,
        "slug": game.slug,
        "faction": "marsh-folk",
        "unit": game.shown_version.factions.first().units.first().slug,
        "short_hash": game.shown_version.short_hash,
        "object_id": str(owner.roster.pk),
        "player_id": str(SeasonPlayer.objects.get(member__user=owner.roster.owner_id).pk),
        "app_label": "roster",
    }
    return filled(way, values) + QUERIES.get(way.route, "").format(owner.public_id)


@pytest.fixture(scope="module")
def at_one(owner: Owner) -> dict[str, int]:
    """The number of queries of each page with one of everything. Afterwards there are three."""
    counts = {way.route: asked(owner.client, address_of(way, owner)) for way in COUNTED}
    one_more(owner, 2)
    one_more(owner, 3)
    return counts


PINNED = {
    # session, account, player name, consent, games, number of each kind, new comments, bytes of lists and photos
    "account/": 17,
    "account/armybuilder.zip": 85,  # each kind of thing by itself, and the revisions of each list
    "d/<str:link_id>/report/": 4,
    "decks/": 4,
    "decks/<str:public_id>/delete/": 4,
    "decks/<str:public_id>/sharing/": 4,
    "r/<str:link_id>/report/": 4,
    "rosters/<str:public_id>/delete/": 4,
    "rosters/bin/": 6,  # session, account, player name, count, page, factions
    "rosters/compare/": 5,  # session, account, player name, list, others of its game
    "rosters/folders/": 7,
    "rosters/import/": 4,  # session, account, player name for the header; games
    "rosters/new/": 7,  # session, account, player name, games, factions, example lists, recent games
    "rosters/print.pdf": 3,
    "rosters/restore/": 3,
}
"""Query counts of pages that no other test counts."""


@pytest.mark.parametrize("way", COUNTED, ids=str)
def test_a_page_asks_the_same_at_one_and_three(owner: Owner, at_one: dict[str, int], way: Way) -> None:
    at_three = asked(owner.client, address_of(way, owner))
    assert (at_three != at_one[way.route]) == (way.route in MORE)
    if way.route in PINNED:
        assert at_one[way.route] == PINNED[way.route]


def test_a_comparison_asks_the_same_however_large_the_lists_are(owner: Owner, at_one: dict[str, int]) -> None:
    two = Roster.objects.values_list("public_id", flat=True)[:2]
    address = "/rosters/compare/?" + "&".join(f"list={public_id}" for public_id in two)
    assert asked(owner.client, address) == 5
    owner.unit("giants")
    owner.unit("crew")
    assert asked(owner.client, address) == 5


def test_every_pinned_page_is_counted() -> None:
    assert {*PINNED, *MORE, *QUERIES} <= {way.route for way in COUNTABLE}


@pytest.mark.postgres
@pytest.mark.parametrize(("order", "index"), [("", "roster_public_lists"), ("copied", "roster_most_copied")])
def test_public_lists_are_looked_through_within_indexes(db: None, order: str, index: str) -> None:
    """Rows hold whole documents: only the rows on a page are read, however many lists there are."""
    lists = select_public_lists()
    known = find_filter_options(lists)
    wanted = (ListFilter(order=order), ListFilter(q="guard", order=order))
    looks = [search_lists(lists, one, known, by_others=True) for one in wanted]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table with few rows would be read completely.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        plans = [look.values_list("pk")[:30].explain() for look in looks]
        plans += [look.values_list("faction_id", "limit", "verdict").explain() for look in looks]
    assert len(plans) == 4
    for plan in plans:
        assert f"INDEX {index}" in plan or f"Index Only Scan using {index}" in plan, plan
        assert not re.search("Sort|ORDER BY", plan), "the index is in the order of the page"
