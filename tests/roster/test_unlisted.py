"""Lists by link only are hidden from search engines, other pages and other addresses."""

import re
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client

from roster.club.models import BattleReport, CampaignForce, Collection, KindPhoto, OwnedKind, PlayerPage, ReportPhoto
from roster.formats.homebrew.document import Homebrew, write_homebrew
from roster.models import HomebrewSet, HomebrewVersion, Photo, Roster
from roster.models.ownership import Visibility
from roster.play.models import DeckMission, Game, GameSide, MissionDeck
from roster.services.photos import store_photo
from tests.extent import sample
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, Way, filled, text_of
from tests.roster.club_cast import make_season
from tests.roster.photo_files import take_photo
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NAME = "Low water by night"
LINKED = [way for way in WAYS if "link_id" in way.parameters]
OPEN = [way for way in WAYS if not way.parameters & {"link_id", "public_id"}]
OWNERS = ("data", "diff", "edits", "labels", "plan", "redo", "revisions", "sharing", "undo")
OWNERS += ("revisions/<int:number>", "revisions/<int:number>/restore", "sharing/reset")
UNSEEN = {"d/<str:link_id>/cards.pdf", "d/<str:link_id>/copy/", "api/v1/decks/by-link/<str:link_id>/copy/"}
UNSEEN |= {"r/<str:link_id>/copy/", "r/<str:link_id>/pack.pdf", "r/<str:link_id>/talk/"}
UNSEEN |= {f"{api}/rosters/<str:link_id>/{part}/" for api in ("api", "api/v1") for part in (*OWNERS, "copies")}
UNSEEN |= {"api/bin/<str:link_id>/", "api/v1/bin/<str:link_id>/"}
"""Addresses of a link that are for its owner, only take forms, or have nothing to print for this list, and the comments
of public lists.
"""


@pytest.fixture(scope="module")
def owner(module_db: None) -> Owner:
    client = Client()
    client.force_login(account())
    made = started(client, name=NAME)
    made.unit("warden")
    written = write_homebrew(Homebrew(name=NAME, game=made.roster.version.game.slug))
    rules = HomebrewSet.objects.create(
        owner_id=made.roster.owner_id, link_id=made.public_id, game=made.roster.version.game, name=NAME, working=written
    )
    deck = MissionDeck.objects.create(
        name=NAME, owner_id=made.roster.owner_id, public_id=made.public_id, visibility=Visibility.LINK
    )
    DeckMission.objects.create(deck=deck, version=made.roster.version, mission_id="raid")
    fields = {"owner_id": made.roster.owner_id, "public_id": made.public_id}
    collection = Collection.objects.create(
        name=NAME, game_name=NAME, faction_id="marsh", link_id=made.public_id, visibility=Visibility.LINK, **fields
    )
    CampaignForce.objects.create(
        name=NAME,
        game=made.roster.version.game,
        game_name=NAME,
        faction_id="marsh",
        link_id=made.public_id,
        visibility=Visibility.LINK,
        **fields,
    )
    PlayerPage.objects.create(
        text=NAME, link_id=made.public_id, visibility=Visibility.LINK, owner_id=made.roster.owner_id
    )
    photo = store_photo(made.roster, "", BytesIO(take_photo()))
    assert isinstance(photo, Photo)
    reported = BattleReport.objects.create(
        name=NAME, text=NAME, game_name="Fenland", link_id=made.public_id, visibility=Visibility.LINK, **fields
    )
    # One number stands for all in the addresses.
    stored = {"large": photo.large, "small": photo.small, "width": 1, "height": 1, "size": 1}
    ReportPhoto.objects.create(pk=photo.pk, report=reported, **stored)
    make_season(made, NAME, photo.pk)
    kind = OwnedKind.objects.create(pk=photo.pk, collection=collection, name=NAME)
    KindPhoto.objects.create(pk=photo.pk, kind=kind, **stored)
    HomebrewVersion.objects.create(homebrew_set=rules, number=photo.pk, document=written)
    game = Game.objects.create(name=NAME, version=made.roster.version, **fields)
    GameSide.objects.bulk_create(GameSide(game=game, place=place, list_name=NAME) for place in (0, 1))
    return made


@pytest.mark.parametrize("way", sample(LINKED, 12), ids=str)
def test_no_answer_at_a_link_may_be_indexed(owner: Owner, way: Way) -> None:
    told, seen = [], 0
    roster = Roster.objects.get(public_id=owner.public_id)
    values = {
        "link_id": owner.public_id,
        "ending": "json",
        "node": roster.tree.forces[0].id,
        "number": str(roster.photos.get().pk),
        "size": "small",
    }
    for secret in (False, True):
        Roster.objects.update(is_secret=secret)
        for query in ("", "?revision=1", "?revision=1&hash=" + "0" * 8):
            answer = Client().get(filled(way, values) + query)
            if answer.status_code != 200:
                continue
            seen += 1
            page = text_of(answer) if "html" in answer["Content-Type"] else ""
            unindexed = "noindex" in answer.get("X-Robots-Tag", "") or '<meta name="robots" content="noindex">' in page
            if not unindexed or answer["Referrer-Policy"] not in ("same-origin", "no-referrer"):
                told.append((secret, query))
    assert told == []
    assert seen or way.route in UNSEEN


@pytest.mark.parametrize("way", sample(OPEN, 12), ids=str)
def test_no_page_that_everybody_finds_names_it(owner: Owner, way: Way) -> None:
    """Its name and address appear only at the link itself."""
    values = {"game": "fenland", "slug": "fenland", "faction": "marsh-folk"}
    for query in ("", f"?q={NAME[:-3]}", f"?q={owner.public_id}", f"?list={owner.public_id}x"):
        said = text_of(Client(raise_request_exception=False).get(filled(way, values) + query))
        assert NAME not in said
        assert not re.search(rf"/(?:[bdr]|players)/{owner.public_id}", said)


def test_search_engines_are_told_where_not_to_go(client: Client) -> None:
    said = text_of(client.get("/robots.txt"))
    for closed in ("/account/", "/accounts/", "/admin/", "/rosters/", "/decks/", "/hands/", "/data/", "/house-rules/"):
        assert f"Disallow: {closed}\n" in said
    assert "/r/" not in said, "who must not look at a page cannot read that it is not to be indexed"
    assert client.get("/sitemap.xml").status_code == 404


def test_no_address_is_handed_to_other_sites(owner: Owner) -> None:
    assert settings.SECURE_REFERRER_POLICY == "same-origin"
    for name in ("link", "sharing", "builder", "history", "report"):
        page = Client().get(owner.url(name)) if name in ("link", "report") else owner.client.get(owner.url(name))
        assert page["Referrer-Policy"] == "same-origin"
        assert re.findall(r'(?:src|action)="https?://(?!testserver)', page.content.decode()) == []
