"""The API conforms to its schema: every operation, whatever is sent, for visitors, organisers and each kind of token.

schemathesis makes valid and invalid requests; in every other case the things in the address exist. Every status is in
the schema, and every answer has the form it describes.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from roster.models import AccessToken, HomebrewSet
from roster.models.ownership import Visibility
from roster.models.tokens import TokenScope
from roster.play.models import DeckMission, MissionDeck, ObjectiveHand
from roster.play.services.objective_hands import open_hand
from roster.services.homebrew import import_set
from roster.services.owners import Visitor
from tests.events.cast import LIST, Bench, opened, pair
from tests.extent import COMPLETE, sample
from tests.play.games import NINTH
from tests.roster.addresses import WAYS
from tests.roster.programs_cast import make_program_token
from tests.roster.test_tokens import make
from tests.roster.views_cast import started
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PATHS = sorted({re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{way.route}") for way in WAYS if way.route.startswith("api/v1/")})
EXAMPLES = 6 if COMPLETE else 4
EXAMPLES_OF_TOKENS = 3
METHODS = ("get", "head", "options", "post", "put", "patch", "delete", "trace")
TOKEN = "a" * 32


@pytest.fixture(scope="module")
def bench(module_db: None) -> Bench:
    made = opened("ann", "bob")
    made.submit("ann", LIST)
    return made


@pytest.fixture(scope="module")
def values(bench: Bench) -> dict[str, str]:
    roster = started(bench.client("ora")).roster
    roster.visibility = Visibility.PUBLIC
    roster.save()
    homebrew_set = import_set(bench.people["ora"], b"homebrew: 1\nname: Sluice club rules\ngame: fenland\n")
    assert isinstance(homebrew_set, HomebrewSet)
    HomebrewSet.objects.update(public_id=bench.event.public_id)
    war, ora = install_shipped(NINTH), bench.people["ora"]
    deck = MissionDeck.objects.create(
        owner=ora, name="Evening", public_id=bench.event.public_id, link_id=roster.link_id
    )
    DeckMission.objects.create(deck=deck, version=war, mission_id="never-surrender", copies=20)
    hand = open_hand(Visitor(user_id=ora.pk), war, "never-surrender", "incursion")
    assert isinstance(hand, ObjectiveHand)
    ObjectiveHand.objects.update(public_id=bench.event.public_id)
    seats = {"first": bench.entry("ann"), "second": bench.entry("bob")}
    pair(bench.event, 1, **seats)
    return {
        "public_id": bench.event.public_id,
        "player": bench.entry("ann").public_id,
        "link_id": roster.link_id,
        "game": "fenland",
        "faction": "marsh-folk",
        "unit": "warden",
        "number": "1",
        "content_hash": roster.version.content_hash,
        "key": "1",
        "node": roster.tree.forces[0].id if roster.tree.forces else "1",
    }


@pytest.fixture
def connected(values: dict[str, str]) -> Iterator[None]:
    """Keep the connection with the test's data after a request, as Django's test client does.

    The test client reconnects the signals after its own requests, so it is used before.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def described(connected: None) -> Any:
    import schemathesis

    from armybuilder.wsgi import application

    return schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)


def sign_in(client: Client) -> dict[str, str]:
    session = client.cookies.get("sessionid")
    cookies = [f"csrftoken={TOKEN}", *([f"sessionid={session.value}"] if session else [])]
    # The client requests compression but cannot read it.
    return {"Accept-Encoding": "identity", "Cookie": "; ".join(cookies), "X-CSRFToken": TOKEN}


@pytest.fixture(scope="module")
def tokens(bench: Bench) -> dict[str, str]:
    """A personal token for each scope, one that is revoked, and a program's token for all scopes."""
    ora = bench.people["ora"]
    made = {scope.value: make(ora, scope, name=scope.value) for scope in TokenScope}
    made["revoked"] = make(ora, name="revoked")
    AccessToken.objects.filter(name="revoked").update(revoked=timezone.now())
    return made | {"program": make_program_token(ora, *TokenScope.values)}


def try_operations(
    described: Any, path: str, askers: list[dict[str, str]], values: dict[str, str], examples: int
) -> None:
    """Send valid and invalid requests to each operation at a path, each from one of the askers (their headers)."""
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

    # A well-formed list may be of a missing game. The same address may be public with less content, so answers do not
    # depend on authentication alone.
    left_out = [ignored_auth, positive_data_acceptance]
    operations = [operation.ok() for operation in described.include(path=path).get_all_operations()]
    assert operations
    for operation in operations:

        @hypothesis_settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(), st.booleans(), st.sampled_from(askers))
        def holds(case: Any, is_there: bool, asker: dict[str, str]) -> None:
            if is_there:
                case.path_parameters |= {name: values[name] for name in case.path_parameters}
            case.call_and_validate(headers=asker, excluded_checks=left_out)

        holds()


@pytest.mark.parametrize("path", sample(PATHS, 12))
def test_every_operation_answers_as_it_is_described(
    described: Any, bench: Bench, values: dict[str, str], path: str
) -> None:
    try_operations(described, path, [sign_in(Client()), sign_in(bench.client("ora"))], values, EXAMPLES)


@pytest.mark.complete
@pytest.mark.parametrize("kind", [*TokenScope.values, "revoked", "program"])
def test_every_operation_answers_each_kind_of_token_as_it_is_described(
    described: Any, tokens: dict[str, str], values: dict[str, str], kind: str
) -> None:
    asker = {"Accept-Encoding": "identity", "Authorization": f"Bearer {tokens[kind]}"}
    for path in PATHS:
        try_operations(described, path, [asker], values, EXAMPLES_OF_TOKENS)


def test_what_is_not_described_is_refused(described: Any, bench: Bench, values: dict[str, str]) -> None:
    """Any other method at an address of the API."""
    paths: dict[str, set[str]] = {}
    for operation in described.get_all_operations():
        paths.setdefault(operation.ok().path, {"head", "options"}).add(operation.ok().method.lower())
    clients = [Client(), bench.client("ora")]
    assert len(paths) > 10
    for path, methods in paths.items():
        for method in METHODS:
            for client in clients:
                answer = client.generic(method.upper(), path.format(**values), b"{}", "application/json")
                if method in methods:
                    assert answer.status_code < 500, (path, method)
                else:
                    assert answer.status_code in (403, 405), (path, method)
