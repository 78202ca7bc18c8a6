"""Each address of the API opens to a token with its scope, and to no other."""

import pytest
from django.core.cache import cache
from django.test import Client

from roster.models.tokens import TokenScope
from tests.events.cast import LIST, Bench, opened
from tests.roster.addresses import WAYS, Way, filled
from tests.roster.programs_cast import make_program_token
from tests.roster.test_tokens import ask, make
from tests.roster.views_cast import started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

API = [way for way in WAYS if way.route.startswith("api/v1/")]
OPEN = (
    "api/v1/games/",
    "api/v1/dumps/",
    "api/v1/schemas/",
    "api/v1/gallery/",
    "api/v1/problems/",
    "api/v1/check",
    "api/v1/read",
    "api/v1/complete",
    "api/v1/fill",
    "api/v1/repair",
    "api/v1/addable",
    "api/v1/me/",
)
"""Addresses that any program may ask, with any token. All but the last answer without one, too."""
NEEDED = {
    ("api/v1/rosters/", "get"): TokenScope.READ,
    ("api/v1/rosters/", "post"): TokenScope.WRITE,
    ("api/v1/rosters/", "put"): TokenScope.WRITE,
    ("api/v1/rosters/", "delete"): TokenScope.WRITE,
    ("api/v1/house-rules/", "get"): TokenScope.READ,
    ("api/v1/house-rules/", "post"): TokenScope.WRITE,
    ("api/v1/house-rules/", "put"): TokenScope.WRITE,
    ("api/v1/house-rules/", "delete"): TokenScope.WRITE,
    ("api/v1/gallery/", "post"): TokenScope.DATA,
    ("api/v1/jobs/", "get"): TokenScope.DATA,
    ("api/v1/webhooks/", "get"): TokenScope.EVENTS,
    ("api/v1/webhooks/", "post"): TokenScope.EVENTS,
    ("api/v1/webhooks/", "delete"): TokenScope.EVENTS,
    ("api/v1/bin/", "get"): TokenScope.READ,
    ("api/v1/bin/", "post"): TokenScope.WRITE,
    ("api/v1/bin/", "delete"): TokenScope.WRITE,
    ("api/v1/played/<str:public_id>/invitations/", "get"): TokenScope.WRITE,
    ("api/v1/played/", "get"): TokenScope.READ,
    ("api/v1/played/", "post"): TokenScope.WRITE,
    ("api/v1/played/", "delete"): TokenScope.WRITE,
    ("api/v1/decks/", "get"): TokenScope.READ,
    ("api/v1/decks/", "post"): TokenScope.WRITE,
    ("api/v1/decks/", "put"): TokenScope.WRITE,
    ("api/v1/decks/", "delete"): TokenScope.WRITE,
    ("api/v1/hands/", "get"): TokenScope.READ,
    ("api/v1/hands/", "post"): TokenScope.WRITE,
    ("api/v1/hands/", "delete"): TokenScope.WRITE,
    ("api/v1/clubs/", "get"): TokenScope.EVENTS,
    ("api/v1/seasons/", "get"): TokenScope.EVENTS,
    ("api/v1/seasons/", "post"): TokenScope.EVENTS,
    ("api/v1/seasons/", "delete"): TokenScope.EVENTS,
    ("api/v1/events/", "get"): TokenScope.EVENTS,
    ("api/v1/events/", "post"): TokenScope.EVENTS,
    ("api/v1/events/", "put"): TokenScope.EVENTS,
    ("api/v1/events/", "delete"): TokenScope.EVENTS,
}
"""The scope that a token needs below an address."""


@pytest.fixture(scope="module")
def bench(module_db: None) -> Bench:
    made = opened("ann")
    made.submit("ann", LIST)
    return made


@pytest.fixture(scope="module")
def values(bench: Bench) -> dict[str, str]:
    roster = started(bench.client("ora")).roster
    return {
        "public_id": bench.event.public_id,
        "player": bench.entry("ann").public_id,
        "link_id": roster.link_id,
        "game": "fenland",
        "faction": "marsh-folk",
        "unit": "warden",
        "number": 1,
    }


@pytest.fixture(scope="module")
def secrets(bench: Bench) -> list[tuple[TokenScope, str]]:
    """A personal token and the token of a program for each scope."""
    ora = bench.people["ora"]
    personal = [(scope, make(ora, scope, name=scope.value)) for scope in TokenScope]
    return [*personal, *((scope, make_program_token(ora, scope.value)) for scope in TokenScope)]


@pytest.mark.parametrize("way", API, ids=str)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_each_address_opens_to_its_scope_only(
    way: Way, method: str, bench: Bench, values: dict[str, str], secrets: list[tuple[TokenScope, str]]
) -> None:
    cache.clear()
    address = filled(way, values)
    stranger = Client().generic(method.upper(), address)
    if stranger.status_code == 405:
        return
    needed = next(
        (scope for (below, verb), scope in NEEDED.items() if way.route.startswith(below) and verb == method), None
    )
    assert needed or way.route.startswith(OPEN), "say here which scope this address needs"
    for scope, secret in secrets:
        answer = ask(secret, address, method, **({"content_type": "application/json"} if method != "get" else {}))
        if needed in (None, scope):
            assert answer.status_code not in (401, 403), (scope, answer.content)
        else:
            assert answer.status_code == 403, scope
            assert answer["WWW-Authenticate"].endswith(f'error="insufficient_scope", scope="{needed}"')
            assert f"“{needed}”" in answer.json()["detail"]


@pytest.mark.parametrize("way", API, ids=str)
@pytest.mark.parametrize("secret", ["ab_unknown", "abp_unknown"])
def test_a_dead_token_opens_nothing_that_is_open_to_strangers(way: Way, secret: str, values: dict[str, str]) -> None:
    address = filled(way, values)
    method = "post" if Client().get(address).status_code == 405 else "get"
    answer = ask(secret, address, method)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (
        401,
        'Bearer realm="Armybuilder", error="invalid_token"',
    )
