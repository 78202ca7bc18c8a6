"""Cached public pages and API answers equal fresh ones, for all readers without a session."""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from random import Random
from unittest.mock import patch

import brotli
import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from armybuilder import public_answers
from armybuilder.public_answers import answers
from armybuilder.rate_limits import COUNTED
from armybuilder.urls import urlpatterns
from catalogue.models import GameSystem
from catalogue.services.lru import Lru
from catalogue.services.public_answers import find_public_view
from catalogue.services.releases import publish_version
from roster.models import Roster
from roster.models.ownership import Visibility
from roster.services.accounts import set_player_name
from roster.services.owners import Visitor
from roster.services.sharing import put_back, share_roster, take_down
from roster.views.lists import public_list
from tests.extent import COMPLETE, SEED
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.small_game_update import later
from tests.roster.views_cast import Owner, started, started_with_account

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

DATA = (
    "/games/",
    "/games/fenland/",
    "/games/fenland/marsh-folk/",
    "/games/fenland/marsh-folk/?q=crew",
    "/games/fenland/marsh-folk/crew/",
    "/api/v1/games/",
    "/api/v1/games/fenland/",
    "/api/v1/games/fenland/factions/marsh-folk/units/?limit=2",
    "/api/v1/games/fenland/rules/",
)
PER_ANSWER = {"X-Request-ID", "Content-Security-Policy"}
"""Headers that differ in each answer: the parts of the policy have any order."""
UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress}
Headers = dict[str, str]
Seen = tuple[int, bytes, tuple[tuple[str, str], ...]]


@pytest.fixture
def owner() -> Owner:
    return started_with_account()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Stop the clock; the returned function advances it."""
    now = [datetime(2026, 3, 20, 9, 30, tzinfo=timezone.get_default_timezone())]
    monkeypatch.setattr(timezone, "now", lambda: now[0])

    def move_on(time: timedelta) -> None:
        now[0] += time

    return move_on


def list_addresses(roster: Roster) -> tuple[str, ...]:
    api = reverse("roster_api:roster", args=[roster.link_id])
    return (roster.get_absolute_url(), api, f"{api}?deeds=1", f"{api}text/")


def see(client: Client, address: str, headers: Headers) -> Seen:
    """Return what a reader gets, without what differs in each answer."""
    answer = client.get(address, headers=headers)
    body = answer.content
    if unpack := UNPACKED.get(answer.headers.get("Content-Encoding", "")):
        body = unpack(body)
    shown = {name: value for name, value in answer.headers.items() if name not in PER_ANSWER}
    # Compressed answers have padding of random length.
    shown.pop("Content-Length", None)
    return answer.status_code, body, tuple(sorted(shown.items()))


def see_fresh(address: str, headers: Headers) -> Seen:
    with patch.dict(settings.ARMYBUILDER, KEEP_PUBLIC_ANSWERS=False):
        return see(Client(), address, headers)


# ---- equal to a fresh answer -------------------------------------------------------------------------------------

READERS: tuple[Headers, ...] = (
    {},
    {"accept-language": "de", "accept-encoding": "br"},
    {"cookie": "theme=dark; language=fr", "accept-encoding": "br"},
    {"cookie": "density=compact; theme=nonsense"},
    {"accept": "text/html", "host": "localhost"},
)


@dataclass
class Acts:
    """What owners, staff and time change in public pages."""

    owner: Owner
    dice: Random
    move_on: Callable[[timedelta], None]

    def add_unit(self) -> None:
        if self.owner.roster.tree.forces:  # the detachment may be undone
            self.owner.done(do="add-unit", node=self.owner.detachment(), entry=self.dice.choice(("warden", "crew")))

    def undo(self) -> None:
        if self.owner.roster.can_undo:
            self.owner.done(do="undo")

    def rename(self) -> None:
        self.owner.done(do="rename", node="", text=f"List {self.dice.randrange(3)}")

    def share(self) -> None:
        secret = self.dice.choice(({}, {"secret": "on"}))
        form = {"do": "share", "visibility": self.dice.choice(Visibility.values)} | secret
        assert self.owner.client.post(self.owner.url("sharing"), form).status_code == 303

    def show(self) -> None:
        form = {"do": "share", "visibility": Visibility.LINK}
        assert self.owner.client.post(self.owner.url("sharing"), form).status_code == 303

    def replace_link(self) -> None:
        assert self.owner.client.post(self.owner.url("sharing"), {"do": "renew"}).status_code in (303, 400)

    def call_player(self) -> None:
        set_player_name(self.owner.roster.owner, f"Player {self.dice.randrange(3)}")

    def hide(self) -> None:
        take_down(self.owner.roster)

    def show_again(self) -> None:
        put_back(self.owner.roster)

    def copy(self) -> None:
        Client().post(reverse("roster:copy", args=[self.owner.roster.link_id]))

    def throw_away(self) -> None:
        self.owner.client.post(reverse("roster:bulk"), {"do": "bin", "list": self.owner.public_id})

    def bring_back(self) -> None:
        Roster.objects.filter(public_id=self.owner.public_id).update(binned=None)

    def publish(self) -> None:
        self.dice.choice((later, installed))()

    def hold_and_publish(self) -> None:
        publish_version(self.dice.choice((later(hold=True), installed())))

    def call_game(self) -> None:
        GameSystem.objects.update(title=f"Fenland {self.dice.randrange(3)}")

    def let_time_pass(self) -> None:
        self.move_on(self.dice.choice((timedelta(minutes=1), timedelta(hours=3), timedelta(days=1))))


ACTS = sorted(name for name in vars(Acts) if not name.startswith("_"))


@pytest.mark.parametrize("seed", range(8 if COMPLETE else 1))
def test_what_is_kept_is_what_a_fresh_answer_would_be(
    clock: Callable[[timedelta], None], owner: Owner, seed: int
) -> None:
    dice = Random(f"{SEED} {seed}")
    acts = Acts(owner, dice, clock)
    links = {owner.roster.link_id: list_addresses(owner.roster)}
    for name in [*dice.sample(ACTS, len(ACTS)), *dice.choices(ACTS, k=40 if COMPLETE else 10)]:
        # Lists in the bin cannot be changed.
        is_binned = Roster.objects.filter(public_id=owner.public_id).exclude(binned=None).exists()
        getattr(acts, "bring_back" if is_binned else name)()
        row = Roster.objects.get(public_id=owner.public_id)
        # Withdrawn links are requested as well.
        links[row.link_id] = list_addresses(row)
        of_lists = [address for addresses in links.values() for address in addresses]
        for address in (row.get_absolute_url(), *dice.sample(of_lists, 2), *dice.sample(DATA, 2)):
            headers = dice.choice(READERS)
            fresh = see_fresh(address, headers)
            assert see(Client(), address, headers) == fresh, (name, address, headers)
            assert see(Client(), address, headers) == fresh, (name, address, headers)
    assert len(answers) > 10


def test_readers_are_told_apart_by_what_they_chose(owner: Owner) -> None:
    choices = product(
        ({}, {"accept-language": "de"}),
        ({}, {"accept-encoding": "br"}, {"accept-encoding": "gzip"}),
        ({}, {"cookie": "theme=dark"}, {"cookie": "density=compact"}, {"cookie": "language=fr"}),
        ({}, {"host": "localhost"}),
    )
    readers: list[Headers] = [{**a, **b, **c, **d} for a, b, c, d in choices]
    asked = [(address, reader) for reader in readers for address in (owner.url("link"), "/games/")]
    fresh = [see_fresh(address, reader) for address, reader in asked]
    for _ in range(2):
        for (address, reader), expected in zip(asked, fresh, strict=True):
            assert see(Client(), address, reader) == expected
    # Chosen French is the same page for any language of the browser.
    assert len(answers) == 2 * len(readers) * 7 / 8


def test_the_age_of_a_list_is_as_of_now(clock: Callable[[timedelta], None], owner: Owner) -> None:
    ages = set()
    for time in (timedelta(), timedelta(minutes=70), timedelta(hours=2), timedelta(days=1), timedelta(days=400)):
        clock(time)
        shown = see(Client(), owner.url("link"), {})
        assert shown == see_fresh(owner.url("link"), {})
        ages.add(shown)
    assert len(ages) == 5


def test_a_game_that_goes_back_to_earlier_data_lists_what_came_between(owner: Owner) -> None:
    first = GameSystem.objects.get().shown_version
    between = later(hold=True)
    before = Client().get("/games/fenland/").content
    publish_version(between)
    publish_version(first)
    after = Client().get("/games/fenland/").content
    assert between.short_hash.encode() in after
    assert between.short_hash.encode() not in before


def test_a_list_that_changes_while_its_page_is_written_is_not_kept(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hide_meanwhile(roster: Roster, reader: Visitor) -> bool:
        share_roster(owner.roster, owner.roster.visibility, secret=True)
        return False

    monkeypatch.setattr(public_list, "is_redacted_for", hide_meanwhile)
    assert Client().get(owner.url("link")).status_code == 200
    assert len(answers) == 0


# ---- what is cached, and for whom --------------------------------------------------------------------------------

PUBLIC_VIEWS = {
    "api-schema",
    "catalogue:games",
    "catalogue:game",
    "catalogue:faction",
    "catalogue:cards",
    "catalogue:unit",
    "catalogue-api:games",
    "catalogue-api:problems",
    "catalogue-api:game",
    "catalogue-api:factions",
    "catalogue-api:cards",
    "catalogue-api:deck-rules",
    "catalogue-api:units",
    "catalogue-api:unit",
    "docs",
    "docs-page",
    "roster:link",
    "roster_api:list-schema",
    "roster_api:roster",
    "roster_api:roster-tts",
    "roster_api:roster-text",
    "roster_api:rules",
    "club:all-statistics",
    "club:statistics",
    "club:statistics-feed",
}


def list_public_views(patterns: list[URLPattern | URLResolver], app: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from list_public_views(pattern.url_patterns, pattern.app_name or app)
        elif find_public_view(pattern.callback):
            yield f"{app}:{pattern.name}".removeprefix(":")


def test_public_views_are_these_and_none_of_them_is_counted() -> None:
    assert set(list_public_views(urlpatterns)) == PUBLIC_VIEWS
    assert not PUBLIC_VIEWS & COUNTED.keys()


def list_all(owner: Owner) -> tuple[str, ...]:
    return (
        "/api/schema/",
        "/api/v1/schemas/list-1.json",
        "/docs/play/",
        "/games/fenland/marsh-folk/cards/",
        "/statistics/",
        "/statistics/fenland/",
        *DATA,
        *list_addresses(owner.roster),
    )


def test_public_answers_say_nothing_of_their_reader(owner: Owner) -> None:
    missing = []
    for address in list_all(owner):
        reader = Client(enforce_csrf_checks=True)
        for answer in (reader.get(address), reader.get(address)):
            if answer.status_code == 404:
                missing.append(address)
                continue
            assert not reader.cookies, address
            assert b"csrf" not in answer.content.lower() or address == "/api/schema/"
            assert "cookie" not in answer["Vary"].lower()
            assert answer["Cache-Control"] == "public, no-cache"
    assert len(missing) <= 2, "most of these addresses answer"


def test_what_is_kept_costs_a_look_at_its_state(
    owner: Owner, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    queries = {"/api/schema/": 0, **dict.fromkeys(DATA, 1), **dict.fromkeys(list_addresses(owner.roster), 2)}
    for address, number in queries.items():
        written = Client().get(address)
        with django_assert_num_queries(number):
            kept = Client().get(address)
        with django_assert_num_queries(number):
            known = Client().get(address, headers={"if-none-match": written["ETag"]})
        assert kept.content == written.content
        assert kept.wsgi_request.resolver_match.view_name == written.wsgi_request.resolver_match.view_name
        assert (known.status_code, known.content) == (304, b"")
        for name in ("ETag", "Cache-Control", "Vary"):
            assert known[name] == written[name]


def test_head_is_answered_as_get_and_keeps_nothing(owner: Owner) -> None:
    address = owner.url("link")
    cold = Client().head(address)
    assert len(answers) == 0
    whole, kept = Client().get(address), Client().head(address)
    assert (cold.content, kept.content) == (b"", b"")
    assert cold["ETag"] == whole["ETag"] == kept["ETag"]
    assert Client().head(address, headers={"if-none-match": kept["ETag"]}).status_code == 304


def test_encodings_of_an_answer_have_the_same_tag(owner: Owner) -> None:
    address = owner.url("link")
    plain = Client().get(address)
    packed = Client().get(address, headers={"accept-encoding": "gzip, br"})
    assert packed["Content-Encoding"] == "br"
    assert brotli.decompress(packed.content) == plain.content
    assert packed["ETag"] == plain["ETag"]


def sign_in_as_guest(client: Client) -> None:
    started(client)


def sign_in_with_account(client: Client) -> None:
    client.force_login(account("bob@example.org"))


@pytest.mark.parametrize("sign_in", [sign_in_as_guest, sign_in_with_account])
def test_who_has_a_session_is_answered_in_person(owner: Owner, sign_in: Callable[[Client], None]) -> None:
    client = Client()
    sign_in(client)
    for address in (owner.url("link"), "/games/", "/games/fenland/marsh-folk/"):
        public = Client().get(address)
        answer = client.get(address, headers={"if-none-match": public["ETag"]})
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "private, no-cache"
        assert "Cookie" in answer["Vary"]
        assert "ETag" not in answer.headers
    own = client.get(owner.url("link")).content
    assert (own != Client().get(owner.url("link")).content) == (sign_in is sign_in_with_account)


def test_an_owner_sees_what_others_do_not(owner: Owner) -> None:
    others = Client().get(owner.url("link"))
    # Addresses of the API end alike.
    builder = f'"{owner.url("builder")}'.encode()
    assert builder in owner.client.get(owner.url("link")).content
    assert builder not in others.content
    assert Client().get(owner.url("link")).content == others.content


def test_a_message_is_shown_to_whom_it_is_for(owner: Owner) -> None:
    Client().get("/games/")
    client = Client()
    client.cookies["messages"] = "broken"
    assert "Cookie" in client.get("/games/")["Vary"]


def test_parts_of_pages_are_not_pages(owner: Owner) -> None:
    address = "/games/fenland/marsh-folk/"
    whole = Client().get(address)
    part = Client().get(address, headers={"HX-Request": "true", "if-none-match": whole["ETag"]})
    assert part.status_code == 200
    assert b"<html" not in part.content
    assert "HX-Request" in part["Vary"]
    assert "HX-Request" in whole["Vary"]


def test_a_paper_is_held_against_the_list_each_time(owner: Owner) -> None:
    first = owner.roster.revisions.get(number=1)
    answer = Client().get(owner.url("link"), {"revision": "1", "hash": first.content_hash[:8]})
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-cache")
    assert len(answers) == 0


def test_no_more_is_kept_than_was_set_aside(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    room = 40_000
    monkeypatch.setattr(public_answers, "answers", kept := Lru(room, public_answers.weigh_answer))
    for number in range(12):
        Client().get("/games/", {"q": str(number)})
    assert 0 < len(kept) * len(Client().get("/games/").content) < room


def test_no_answer_is_kept_for_a_host_that_is_not_ours(owner: Owner) -> None:
    assert Client().get("/games/", headers={"host": "elsewhere.example"}).status_code == 400
    assert len(answers) == 0


# ---- the API -----------------------------------------------------------------------------------------------------


def test_the_api_is_revalidated_by_who_has_a_session(owner: Owner) -> None:
    for address in (*list_addresses(owner.roster)[1:], "/api/v1/games/", "/api/v1/events/"):
        answer = owner.client.get(address)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-cache")
        again = owner.client.get(address, headers={"if-none-match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_an_unchanged_list_is_confirmed_to_its_owner_without_a_session(
    owner: Owner, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = f"/api/v1/rosters/{owner.roster.link_id}/"
    first = owner.client.get(address)
    known = {"if-none-match": first["ETag"]}
    with django_assert_num_queries(2):
        again = owner.client.get(address, headers=known)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Cache-Control"] == first["Cache-Control"]
    assert set(again["Vary"].split(", ")) >= set(first["Vary"].split(", "))
    # Another language, a change, a token that is dead, and a list that only its owner may read.
    assert owner.client.get(address, headers=known | {"accept-language": "de"}).status_code == 200
    assert owner.client.get(address, headers=known | {"authorization": "Bearer ab_dead"}).status_code == 401
    assert owner.client.post(address, headers=known).status_code != 304
    Roster.objects.update(visibility="private")
    alone = owner.client.get(address)
    assert (alone.status_code, alone["ETag"] == first["ETag"]) == (200, False)
    assert owner.client.get(address, headers={"if-none-match": alone["ETag"]}).status_code == 304
    assert Client().get(address, headers={"if-none-match": alone["ETag"]}).status_code == 404
    Roster.objects.update(visibility="link", is_secret=True)
    secret = owner.client.get(address)
    assert (secret.status_code, Client().get(address, headers={"if-none-match": secret["ETag"]}).status_code) == (
        200,
        404,
    )
    Roster.objects.update(is_secret=False)
    owner.unit("warden")
    assert owner.client.get(address, headers=known).status_code == 200


def test_answers_of_the_api_keep_what_was_accepted_apart(owner: Owner) -> None:
    plain = Client().get("/api/v1/games/")
    spread = Client().get("/api/v1/games/", headers={"accept": "application/json; indent=4"})
    assert spread.json() == plain.json()
    assert spread.content != plain.content
    assert Client().get("/api/v1/games/", headers={"accept": "text/html"}).status_code == 406


# ---- copying, by a form that has no token ------------------------------------------------------------------------

HERE = "http://testserver"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin", "origin": HERE}, 303),
        ({"origin": HERE}, 303),
        ({"sec-fetch-site": "cross-site", "origin": HERE}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "https://testserver"}, 403),
        ({"origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_a_copy_is_made_for_who_pressed_it_here(owner: Owner, headers: Headers, status: int) -> None:
    reader = Client(enforce_csrf_checks=True)
    assert reader.get(owner.url("link")).status_code == 200
    assert reader.post(owner.url("copy"), headers=headers).status_code == status
    assert Roster.objects.count() == (2 if status == 303 else 1)
    assert bool(reader.cookies) == (status == 303)
