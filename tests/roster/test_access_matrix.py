"""Every address of the app, tried by the owner of a private list, another user, a guest and staff.

Addresses come from the URL configuration, so new pages are tried automatically. Other users get the same answer as if
the thing did not exist, and their requests change nothing. A player who joined a game of the owner's finds only that
game.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.core.cache import cache
from django.core.signals import request_finished
from django.db import close_old_connections, connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from armybuilder.rate_limits import JUDGED, POSTED, UNCHARGED, WITH_LIST
from catalogue.models import GameSystem, Job
from catalogue.models.jobs import JobState
from roster.club.models import (
    BattleReport,
    CampaignForce,
    Collection,
    KindPhoto,
    ListComment,
    OwnedKind,
    PlayerPage,
    ReportPhoto,
    SeasonEvent,
    SeasonPlayer,
)
from roster.club.services.forces import add_units
from roster.engine.evaluation import Evaluation
from roster.events.models import Event, EventRole, Participant, Submission
from roster.events.services.handouts import Handout
from roster.formats.homebrew.document import MOST_BYTES, Homebrew, write_homebrew
from roster.models import HomebrewSet, HomebrewVersion, Roster, RosterPlan, RosterRevision, VerdictReport
from roster.models.ownership import Visibility
from roster.models.webhooks import Topic, Webhook, WebhookDelivery
from roster.play.models import Game, GameInvitation, MissionDeck, ObjectiveHand
from roster.services.evaluation import forget_evaluations
from roster.services.owners import list_owned_models
from tests.events.cast import pair
from tests.extent import sample
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, Way, filled, text_of
from tests.roster.club_cast import make_season
from tests.roster.photo_files import send, take_photo
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand"), pytest.mark.slow]

NAME = "Nobody else reads this"
OWN = "public_id"
SHARED = "link_id"
OWNERS = {way.route for way in WAYS if way.parameters & {OWN, SHARED}} - {
    "r/<str:link_id>/report/",
    "d/<str:link_id>/report/",
    "c/<str:link_id>/report/",
    "f/<str:link_id>/report/",
    "players/<str:link_id>/report/",
    "b/<str:link_id>/report/",
    "r/<str:link_id>/talk/",
    "hands/<str:public_id>/",
    "api/v1/hands/<str:public_id>/",
    "house-rules/<str:public_id>/units/<str:key>/",
}
"""Addresses where an owner finds something. Owners cannot report their own lists, decks, collections, forces, pages and
battle reports, only public lists have comments, the game here has no objectives, and the house rules have no unit.
"""
FIELDS = {
    "owner": "",
    "owner_id": "",
    "owner_key": "taken",
    "user": "1",
    "is_staff": "on",
    "is_superuser": "on",
    "visibility": "public",
    "taken_down": "on",
    "public_id": "a" * 22,
    "link_id": "a" * 22,
    "document": "{}",
    "do": "undo",
    "revision": "3",
    "number": "1",
}
"""Fields that an attacker might send to take over another user's things."""


@pytest.fixture(scope="module")
def owner(module_db: None) -> Owner:
    client = Client()
    client.force_login(account())
    made = started(client, name=NAME)
    made.unit("warden")
    client.post(made.url("plan"), {"revision": "0", "objective": NAME})
    client.post(made.url("photos"), {"file": send(take_photo())})
    Roster.objects.update(visibility=Visibility.PRIVATE)
    # Each kind of thing has its own addresses, so all may have the same id.
    fields = {"owner_id": made.roster.owner_id, "public_id": made.public_id, "visibility": Visibility.PRIVATE}
    MissionDeck.objects.create(name=NAME, **fields)
    begun = client.post(reverse("play:game-new", args=[made.roster.link_id]), {"first": "0"})
    assert begun.status_code == 303
    Game.objects.update(name=NAME, notes=NAME, link_id=made.public_id, **fields)
    Job.objects.create(
        user_id=made.roster.owner_id, public_id=made.public_id, kind="import", name=NAME, state=JobState.FAILED
    )
    drafted_event(made)
    collection = Collection.objects.create(
        name=NAME, game_name=NAME, faction_id="marsh", link_id=made.public_id, **fields
    )
    PlayerPage.objects.create(owner_id=made.roster.owner_id, link_id=made.public_id, text=NAME, shows_lists=True)
    reported = BattleReport.objects.create(name=NAME, text=NAME, game_name=NAME, link_id=made.public_id, **fields)
    photo = made.roster.photos.get()
    # One number stands for all photos in the addresses, for the kind of model, the meeting and the club night.
    season = make_season(made, NAME, photo.pk).season
    SeasonEvent.objects.create(season=season, event=Event.objects.get(public_id=made.public_id))
    stored = {"caption": NAME, "large": photo.large, "small": photo.small, "width": 1, "height": 1, "size": 1}
    ReportPhoto.objects.create(pk=photo.pk, report=reported, **stored)
    kind = OwnedKind.objects.create(pk=photo.pk, collection=collection, name=NAME)
    KindPhoto.objects.create(pk=photo.pk, kind=kind, **stored)
    ListComment.objects.create(pk=1, owner_id=made.roster.owner_id, roster=made.roster, text=NAME)
    game = made.roster.version.game
    force = CampaignForce.objects.create(
        name=NAME, game=game, game_name=NAME, faction_id="marsh", link_id=made.public_id, **fields
    )
    assert add_units(force, made.roster, made.units()) == 1
    webhook = Webhook.objects.create(
        user_id=made.roster.owner_id, public_id=made.public_id, address="https://club.example/", topics=[Topic.DECIDED]
    )
    WebhookDelivery.objects.create(webhook=webhook, topic=Topic.TEST, body="{}")
    written = write_homebrew(Homebrew(name=NAME, game=made.roster.version.game.slug))
    # Hidden by staff, because others may read published house rules by their link.
    rules = HomebrewSet.objects.create(
        owner_id=made.roster.owner_id,
        public_id=made.public_id,
        link_id=made.public_id,
        game=made.roster.version.game,
        name=NAME,
        working=written,
        taken_down=True,
    )
    HomebrewVersion.objects.create(homebrew_set=rules, number=1, document=written, content_hash="0" * 64)
    VerdictReport.objects.create(
        owner_id=made.roster.owner_id,
        public_id=made.public_id,
        version=made.roster.version,
        faction_id="marsh",
        document={},
        verdict="legal",
        doubt="other",
        text=NAME,
    )
    return made


def drafted_event(made: Owner) -> None:
    """A draft event with a player who has a list, all at one address, and a pairing with the number of the photos."""
    roster = made.roster
    event = Event.objects.create(
        name=NAME, public_id=made.public_id, token=made.public_id, version=roster.version, is_team=True
    )
    EventRole.objects.create(event=event, user_id=roster.owner_id, kind="organiser")
    player = Participant.objects.create(
        event=event, name=NAME, public_id=made.public_id, user_id=roster.owner_id, status="new", verdict="legal"
    )
    player.current = Submission.objects.create(
        participant=player,
        public_id=made.public_id,
        number=1,
        source="builder",
        document=roster.document,
        faction_id=roster.faction_id,
        version=roster.version,
        verdict="legal",
        received_hash="0" * 64,
    )
    player.save()
    number = roster.photos.get().pk
    pair(event, number, first=player)
    Job.objects.update(arguments={"event": event.pk})


@pytest.fixture(scope="module")
def hand(owner: Owner) -> None:
    """A hand of objectives of a game without any: other users must not get far enough to notice."""
    fields = {"owner_id": owner.roster.owner_id, "public_id": owner.public_id}
    ObjectiveHand.objects.create(name=NAME, version=owner.roster.version, document='{"mission_id": ""}', **fields)


@pytest.fixture(scope="module")
def values(owner: Owner) -> dict[str, Any]:
    game = GameSystem.objects.get()
    faction = game.shown_version.factions.first()
    return {
        OWN: owner.public_id,
        SHARED: owner.roster.link_id,
        "player": owner.public_id,
        "player_id": str(SeasonPlayer.objects.get(member__user=owner.roster.owner_id).pk),
        "submission": owner.public_id,
        "report_id": owner.public_id,
        "job": owner.public_id,
        "ending": "json",
        "kind": Handout.PAIRINGS,
        "game": game.slug,
        "slug": game.slug,
        "faction": faction.slug,
        "unit": faction.units.first().slug,
        "mission": "raid",
        "number": str(owner.roster.photos.get().pk),
        "size": "small",
        "node": owner.roster.tree.forces[0].id,
        "short_hash": game.shown_version.short_hash,
        "app_label": "roster",
        "content_type_id": "1",
        "object_id": str(owner.roster.pk),
    }


@pytest.fixture(scope="module")
def strangers(hand: None) -> dict[str, Client]:
    somebody, guest, staff = Client(), Client(), Client()
    somebody.force_login(account("ben@example.org"))
    staff.force_login(account("staff@example.org", staff=True))
    started(guest, name="A guest's")
    return {"somebody else": somebody, "guest": guest, "staff": staff}


def copied(client: Client) -> Client:
    """Return a new browser with the same session and no other state."""
    browser = Client(raise_request_exception=False)
    browser.cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    return browser


def tried(client: Client, address: str, method: str) -> tuple[HttpResponse, str]:
    browser = copied(client)
    answer = browser.get(address) if method == "get" else browser.post(address, FIELDS)
    return answer, text_of(answer)


@contextmanager
def undone() -> Iterator[list[str]]:
    """Roll back everything done here. Yields the statements that change something."""
    changes: list[str] = []

    def noted(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            changes.append(sql)
        return execute(sql, *given)

    cache.clear()
    with transaction.atomic(), connection.execute_wrapper(noted):
        yield changes
        transaction.set_rollback(True)


def kept(owner: Owner) -> list[Any]:
    lists = Roster.objects.filter(public_id=owner.public_id)
    return [
        *(
            row
            for model in list_owned_models()
            for row in model._default_manager.filter(owner__email="ann@example.org").values()
        ),
        *lists.values("owner__email", "owner__password", "owner__is_staff"),
        *RosterRevision.objects.filter(roster__in=lists).values(),
        *RosterPlan.objects.filter(roster__in=lists).values(),
    ]


def closed(answer: HttpResponse) -> bool:
    """Return whether the answer is a sign-in page, a refusal or empty."""
    to_login = answer.status_code == 302 and "/login" in answer["Location"]
    return to_login or answer.status_code in (403, 404, 405)


def complaint(who: str, way: Way, answer: HttpResponse, told: str) -> str:
    """Return what is wrong with an answer to another user, or ""."""
    if answer.status_code >= 500:
        return "fails"
    if way.parameters & {OWN, SHARED} and "api/" not in way.route and answer.status_code not in (404, 405):
        return f"{answer.status_code} where there should be nothing"
    if SHARED in way.parameters and answer.status_code == 200:
        return "opens"
    if way.is_staffs and who != "staff" and not closed(answer):
        return f"{answer.status_code} for what is the staff's"
    if way.needs_account and who == "guest" and not closed(answer):
        return f"{answer.status_code} for what needs an account"
    if who != "staff" or not way.is_staffs:
        return "tells of it" if NAME in told or "ann@example.org" in told else ""
    return ""


@pytest.fixture(scope="module")
def before(strangers: dict[str, Client], owner: Owner) -> list[Any]:
    return kept(owner)


@pytest.mark.parametrize("way", sample(WAYS, 20), ids=str)
def test_others_see_and_change_nothing(
    owner: Owner, strangers: dict[str, Client], values: dict[str, Any], before: list[Any], way: Way
) -> None:
    found = []
    for who, client in strangers.items():
        for method in ("get", "post"):
            with undone() as changes:
                answer, told = tried(client, filled(way, values), method)
                wrong = complaint(who, way, answer, told)
                if changes and kept(owner) != before and not (who == "staff" and way.is_staffs):
                    wrong = "changes it"
            if wrong:
                found.append(f"{who}, {method}: {wrong}")
    assert found == []


@pytest.mark.parametrize("way", sample(WAYS, 20), ids=str)
def test_what_judges_a_list_takes_its_turn(
    owner: Owner, values: dict[str, Any], way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that print judge lists inside the renderer's own queue."""
    judged, judge = [], Evaluation.__init__

    def note(self: Evaluation, *arguments: Any, **options: Any) -> None:
        judged.append(self)
        judge(self, *arguments, **options)

    forget_evaluations()
    monkeypatch.setattr(Evaluation, "__init__", note)
    address = filled(way, values)
    with undone():
        tried(owner.client, address, "get")
    if judged:
        match = resolve(address)
        assert f"{match.app_name}:{match.url_name}" in {*JUDGED, *UNCHARGED} - (POSTED - WITH_LIST)


@pytest.fixture(scope="module")
def opponent(strangers: dict[str, Client], owner: Owner) -> Client:
    """A guest who joined the owner's game as the other player."""
    client = Client()
    owner.client.post(reverse("play:game-invite", args=[owner.public_id]), {"do": "opponent"})
    code = GameInvitation.objects.get().code
    assert client.post(reverse("play:game-join", args=[code])).status_code == 303
    return client


def list_settled(owner: Owner) -> list[Any]:
    """Everything of the owner's that the other player must not change: all but the running game."""
    played = {"state", "last", "updated", "ended"}
    return [
        {key: value for key, value in row.items() if key not in played} if isinstance(row, dict) else row
        for row in kept(owner)
    ]


@pytest.mark.parametrize("way", sample(WAYS, 20), ids=str)
def test_who_joined_a_game_finds_that_game_alone(
    owner: Owner, opponent: Client, values: dict[str, Any], way: Way
) -> None:
    settled = list_settled(owner)
    is_game = way.route.startswith(("play/", "g/"))
    found = []
    for method in ("get", "post"):
        with undone() as changes:
            answer, told = tried(opponent, filled(way, values), method)
            wrong = "" if is_game else complaint("guest", way, answer, told)
            if answer.status_code >= 500 or "ann@example.org" in told:
                wrong = "fails or tells who the owner is"
            if changes and list_settled(owner) != settled:
                wrong = "changes it"
        if wrong:
            found.append(f"{method}: {wrong}")
    assert found == []


def test_who_joined_a_game_does_find_it(owner: Owner, opponent: Client) -> None:
    for name in ("game", "game-taps", "game-end"):
        assert opponent.get(reverse(f"play:{name}", args=[owner.public_id])).status_code == 200, name


@pytest.mark.postgres
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("way", sample(WAYS, 20), ids=str)
def test_nothing_fails_for_the_owner(owner: Owner, values: dict[str, Any], way: Way, method: str) -> None:
    with undone():
        # The document has no mission: strangers must not get that far.
        ObjectiveHand.objects.all().delete()
        answer, _told = tried(owner.client, filled(way, values), method)
    assert answer.status_code < 500
    if method == "get" and way.route in OWNERS:
        assert answer.status_code != 404


def close_as_servers_do(answer: HttpResponse) -> None:
    """Close an unread answer, such as a file for HEAD, but keep the connection to the database."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)


METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")


@pytest.mark.parametrize("way", sample(WAYS, 10), ids=str)
def test_no_method_fails(owner: Owner, strangers: dict[str, Client], values: dict[str, Any], way: Way) -> None:
    found = []
    for who, client in {"owner": owner.client, **strangers}.items():
        for method in METHODS:
            with undone():
                if who == "owner":
                    # The document has no mission: strangers must not get that far.
                    ObjectiveHand.objects.all().delete()
                answer = copied(client).generic(method, filled(way, values), b"", content_type="application/json")
                close_as_servers_do(answer)
            if answer.status_code >= 500:
                found.append(f"{who}, {method}: {answer.status_code}")
    assert found == []


BODILESS = (
    *("undo/", "redo/", "restore/", "reset/", "test/", "confirmation/", "shuffle/"),
    *("house-rules/<str:public_id>/versions/", "decks/by-link/<str:link_id>/copy/"),
)
"""Addresses of the API that do their work without a body."""
ALSO_BODILESS = ("end/", "draws/", "copies/", "data/")
"""Addresses of the API whose fields may all be left out, and the body with them."""
NO_OBJECTS = [b"1", b"-0", b"1.5", b"true", b"null", b'"x"', b"[]", b"[1]", b"", b"{", b"\xff", b"[" * 200_000]


@pytest.mark.parametrize("body", NO_OBJECTS, ids=lambda body: body[:4])
def test_a_body_that_is_no_object_is_refused_with_a_reason(owner: Owner, values: dict[str, Any], body: bytes) -> None:
    reading = 0
    for way in WAYS:
        if not way.route.startswith("api/") or way.route.endswith(BODILESS):
            continue
        if not body and way.route.endswith(ALSO_BODILESS):
            continue
        with undone():
            answer = copied(owner.client).post(filled(way, values), body, content_type="application/json")
        if answer.status_code not in (404, 405) and way.route != "api/":
            reading += 1
            is_too_long = len(body) > MOST_BYTES and "house-rules" in way.route
            assert answer.status_code == (413 if is_too_long else 400), way
            # For events, an empty body is an empty form with a missing field.
            said = answer.json()
            assert said if not body else said.get("reason") or said.get("detail"), way
    assert reading > 10


@pytest.mark.parametrize("method", METHODS)
def test_the_description_of_the_api_answers_any_method(owner: Owner, method: str) -> None:
    """The page comes from a package that answers OPTIONS with data."""
    for address in (reverse("api-docs"), reverse("api-schema")):
        assert Client(raise_request_exception=False).generic(method, address).status_code in (200, 405)


def test_the_matrix_is_of_all_there_is() -> None:
    routes = [way.route for way in WAYS]
    assert len(routes) > 100
    for known in ("rosters/<str:public_id>/", "r/<str:link_id>/", "account/", "accounts/login/", "admin/"):
        assert known in routes
