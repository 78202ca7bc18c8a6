"""Tokens open what their owner's browser opens, and what programs send by mistake is refused with a reason."""

import pytest
from django.core.cache import cache
from django.test import Client

from roster.events.models import Pairing
from roster.models import AccessToken, HomebrewSet, Roster
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.play.models import MissionDeck
from roster.services.homebrew import import_set
from roster.services.programs import withdraw_program
from roster.services.tokens import revoke_token
from tests.events.cast import LIST, Bench, opened, pair
from tests.extent import sample
from tests.roster.addresses import WAYS, Way, filled
from tests.roster.programs_cast import make_program_token, register
from tests.roster.test_access_matrix import NO_OBJECTS, close_as_servers_do, undone
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

API = [way for way in WAYS if way.route.startswith("api/v1/")]
WRITTEN = [way for way in API if hasattr(getattr(way.pattern[-1].callback, "cls", None), "put")]
METHODS = ("get", "post", "put", "delete")


@pytest.fixture(scope="module")
def bench(module_db: None) -> Bench:
    made = opened("ann", "bob")
    made.submit("ann", LIST)
    # Signed in here, because sessions that a test begins end with it.
    made.client("bob")
    return made


@pytest.fixture(scope="module")
def values(bench: Bench) -> dict[str, str]:
    """Private things of the organiser, and a pairing. House rules and a mission deck have the id of the event."""
    roster = started(bench.client("ora")).roster
    homebrew_set = import_set(bench.people["ora"], b"homebrew: 1\nname: Sluice club rules\ngame: fenland\n")
    assert isinstance(homebrew_set, HomebrewSet)
    HomebrewSet.objects.update(public_id=bench.event.public_id)
    Roster.objects.update(visibility=Visibility.PRIVATE)
    ids = {"public_id": bench.event.public_id, "link_id": roster.link_id}
    MissionDeck.objects.create(owner=bench.people["ora"], name="Evening", visibility=Visibility.PRIVATE, **ids)
    pair(bench.event, 1, first=bench.entry("ann"))
    return {
        "public_id": bench.event.public_id,
        "player": bench.entry("ann").public_id,
        "link_id": roster.link_id,
        "game": "fenland",
        "faction": "marsh-folk",
        "unit": "warden",
        "number": "1",
        "node": roster.tree.forces[0].id,
        "content_hash": roster.version.content_hash,
    }


@pytest.fixture(scope="module")
def secrets(bench: Bench) -> dict[str, tuple[str, str]]:
    """For the organiser and another player: a personal token and a program's, with all scopes."""
    return {
        who: (make(bench.people[who]), make_program_token(bench.people[who], *TokenScope.values))
        for who in ("ora", "bob")
    }


@pytest.mark.parametrize("who", ["ora", "bob"])
@pytest.mark.parametrize("way", sample(API, 12), ids=str)
def test_a_token_with_all_scopes_opens_what_a_browser_opens(
    bench: Bench, values: dict[str, str], secrets: dict[str, tuple[str, str]], way: Way, who: str
) -> None:
    address = filled(way, values)
    found: list[tuple[str, list[int]]] = []
    for method in METHODS:
        kind = {} if method == "get" else {"content_type": "application/json"}
        statuses = []
        for asker in (bench.client(who), *secrets[who]):
            cache.clear()
            with undone():
                answer = (
                    getattr(asker, method)(address, **kind)
                    if isinstance(asker, Client)
                    else ask(asker, address, method, **kind)
                )
                close_as_servers_do(answer)
            statuses.append(answer.status_code)
        if len(set(statuses)) > 1 or statuses[0] >= 500:
            found.append((method, statuses))
    assert found == []


@pytest.mark.parametrize("way", [way for way in API if "link_id" in way.parameters], ids=str)
def test_a_token_of_somebody_else_finds_no_private_list(
    values: dict[str, str], secrets: dict[str, tuple[str, str]], way: Way
) -> None:
    assert len(secrets["bob"]) == 2
    for secret in secrets["bob"]:
        for method in METHODS:
            kind = {} if method == "get" else {"content_type": "application/json", "headers": {"If-Match": '"1"'}}
            answer = ask(secret, filled(way, values), method, **kind)
            assert answer.status_code in (404, 405), (method, answer.content)


@pytest.mark.parametrize("body", NO_OBJECTS, ids=lambda body: body[:4])
@pytest.mark.parametrize("way", WRITTEN, ids=str)
def test_a_replacement_that_is_no_object_is_refused_with_a_reason(
    values: dict[str, str], secrets: dict[str, tuple[str, str]], way: Way, body: bytes
) -> None:
    secret = secrets["ora"][0]
    before = list_stored()
    answer = Client(headers={"Authorization": f"Bearer {secret}", "If-Match": '"1"'}).put(
        filled(way, values), body, content_type="application/json"
    )
    # A list may be YAML, so text that is no JSON is a document that names no game.
    refusals = (400, 409, 412, 413, 422)
    assert answer.status_code in refusals, answer.content[:300]
    assert answer.json()["detail"]
    assert list_stored() == before


def list_stored() -> list[dict[str, object]]:
    return [row for model in (Roster, HomebrewSet, MissionDeck, Pairing) for row in model.objects.values()]


def test_replacements_are_tried() -> None:
    assert len(WRITTEN) >= 2


@pytest.mark.parametrize("kind", ["personal", "program"])
def test_a_token_that_is_revoked_between_two_pages_ends_there(bench: Bench, kind: str) -> None:
    bob = bench.people["bob"]
    for number in range(3):
        started(bench.client("bob"), name=f"List {number}")
    league = register(bob, "Reader")
    secret = make(bob, name="Reader") if kind == "personal" else league.sign_in(bob)["access_token"]
    first = ask(secret, "/api/v1/rosters/?mine=true&limit=2")
    assert (first.status_code, len(first.json()["results"])) == (200, 2)
    if kind == "personal":
        revoke_token(bob, AccessToken.objects.get(user=bob, name="Reader").pk)
    else:
        withdraw_program(bob, league.program_id)
    second = ask(secret, first.json()["next"])
    # Programs have no list of their tokens, so a withdrawn one is gone.
    code = "token-revoked" if kind == "personal" else "token-unknown"
    assert (second.status_code, second.json()["code"]) == (401, code)
