"""Webhooks: who is told what, how messages are signed and tried again, and which addresses are never asked."""

import hmac
import json
import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from catalogue.models import GameSystem, Release
from catalogue.services.downloads import post
from roster.events.models import Pairing
from roster.events.services.bench import decide_list
from roster.events.services.pairings import publish_round
from roster.models.tokens import TokenScope
from roster.models.webhooks import Topic, Webhook, WebhookDelivery
from roster.services import webhooks
from roster.services.outcomes import Refused
from roster.services.webhooks import (
    CHOSEN,
    MOST_FAILURES,
    MOST_WEBHOOKS,
    PAUSES,
    announce,
    compute_secret,
    create_webhook,
    deliver,
    sign,
)
from tests.events.cast import Bench, opened
from tests.roster.accounts_cast import account, say_who
from tests.roster.small_game_update import later
from tests.roster.test_tokens import ask, make

pytestmark = pytest.mark.django_db
HOOKS = "/api/v1/webhooks/"


class Receiver:
    """A program that receives messages and answers with `status`."""

    def __init__(self) -> None:
        self.messages: list[tuple[dict[str, str], str]] = []
        self.status = 204
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.messages.append((dict(self.headers), body))
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _headers, body in self.messages]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    cache.clear()
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ALLOW_PRIVATE_SOURCES": True}
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def bench() -> Bench:
    return opened("ann", "bob")


def listen(user: User, receiver: Receiver, *topics: Topic) -> Webhook:
    webhook = create_webhook(user, receiver.address, topics or CHOSEN)
    assert isinstance(webhook, Webhook), webhook
    return webhook


def send_waiting() -> None:
    """Do what a worker does."""
    for delivery in WebhookDelivery.objects.exclude(next_try=None).order_by("pk"):
        deliver.func(delivery.pk)


# ---- who is told -------------------------------------------------------------------------------------------------


def test_helpers_are_told_of_lists_and_rounds(bench: Bench, receiver: Receiver) -> None:
    listen(bench.people["ora"], receiver)
    bench.submit("ann")
    decide_list(bench.entry("ann"), bench.people["jud"], "accepted")
    Pairing.objects.create(event=bench.event, round=1, table="1", first=bench.entry("ann"), second=bench.entry("bob"))
    publish_round(bench.event, bench.people["ora"], 1, is_shown=True)
    send_waiting()
    told = [(body["topic"], body["event"], body["act"]) for body in receiver.bodies]
    here = bench.event.public_id
    assert told == [
        ("list-submitted", here, "submit"),
        ("list-decided", here, "accepted"),
        ("round-published", here, "publish"),
    ]
    assert receiver.bodies[0]["player"] == bench.entry("ann").public_id
    assert "column" not in receiver.messages[0][1], "the list stays here"


def test_others_and_blind_helpers_are_told_nothing(bench: Bench, receiver: Receiver) -> None:
    for name in ("ann", "bob", "sue", "jud"):
        listen(bench.people[name], receiver)
    bench.event.roles.filter(user=bench.people["jud"]).update(is_blind=True)
    bench.submit("ann")
    decide_list(bench.entry("ann"), bench.people["ora"], "accepted")
    send_waiting()
    assert receiver.messages == []


def test_a_webhook_is_told_of_its_topics_only(bench: Bench, receiver: Receiver) -> None:
    listen(bench.people["ora"], receiver, Topic.DECIDED)
    bench.submit("ann")
    send_waiting()
    assert receiver.messages == []


def test_new_data_is_told_to_all_but_not_of_private_games(bench: Bench, receiver: Receiver) -> None:
    listen(bench.people["sue"], receiver, Topic.DATA)
    new = later()
    send_waiting()
    assert [(body["topic"], body["game"], body["hash"]) for body in receiver.bodies] == [
        ("data-published", "fenland", new.content_hash)
    ]
    game = GameSystem.objects.get()
    GameSystem.objects.update(owner=bench.people["ora"], current=None, private_version=new)
    game.refresh_from_db()
    Release.objects.create(game=game, version=type(new).objects.get(pk=new.pk))
    send_waiting()
    assert len(receiver.messages) == 1


# ---- how it is sent ----------------------------------------------------------------------------------------------


def test_messages_are_signed(bench: Bench, receiver: Receiver) -> None:
    webhook = listen(bench.people["ora"], receiver)
    bench.submit("ann")
    send_waiting()
    headers, body = receiver.messages[0]
    moment, signature = (part.partition("=")[2] for part in headers["Webhook-Signature"].split(","))
    expected = hmac.new(compute_secret(webhook).encode(), f"{moment}.{body}".encode(), sha256).hexdigest()
    assert signature == expected
    assert abs(int(moment) - timezone.now().timestamp()) < 60
    assert compute_secret(webhook) != compute_secret(listen(bench.people["ora"], receiver))
    assert sign(["one"], 1, body) != sign(["one"], 2, body)


def test_messages_keep_their_signatures_under_a_new_key(bench: Bench, receiver: Receiver, settings: Any) -> None:
    webhook = listen(bench.people["ora"], receiver)
    secret = compute_secret(webhook)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the next one"
    assert compute_secret(webhook) != secret
    bench.submit("ann")
    send_waiting()
    ((headers, body),) = receiver.messages
    moment, *signatures = headers["Webhook-Signature"].split(",")
    signed = f"{moment.removeprefix('t=')}.{body}".encode()
    keys = (compute_secret(webhook), secret)
    assert signatures == [f"v1={hmac.new(key.encode(), signed, sha256).hexdigest()}" for key in keys]


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_message_that_fails_is_tried_again_with_growing_pauses(bench: Bench, receiver: Receiver, status: int) -> None:
    webhook = listen(bench.people["ora"], receiver)
    receiver.status = status
    bench.submit("ann")
    pauses = []
    for _ in range(len(PAUSES)):
        send_waiting()
        delivery = WebhookDelivery.objects.get()
        assert delivery.next_try is not None
        pauses.append(round((delivery.next_try - timezone.now()) / timedelta(minutes=1)))
        send_waiting()
        assert WebhookDelivery.objects.get().tries == delivery.tries, "it is not time yet"
        WebhookDelivery.objects.update(next_try=timezone.now())
    assert pauses == sorted(set(pauses))
    send_waiting()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.tries, delivery.status, delivery.next_try, delivery.delivered) == (6, status, None, None)
    assert len(receiver.messages) == 6, "no redirect is followed"
    assert len({headers["Webhook-Id"] for headers, _body in receiver.messages}) == 1
    webhook.refresh_from_db()
    assert webhook.failures == 6


def test_a_webhook_that_always_fails_is_paused_until_a_test_succeeds(bench: Bench, receiver: Receiver) -> None:
    webhook = listen(bench.people["ora"], receiver)
    Webhook.objects.update(failures=MOST_FAILURES)
    bench.submit("ann")
    assert not WebhookDelivery.objects.exists()
    token = make(bench.people["ora"], TokenScope.EVENTS)
    assert ask(token, HOOKS).json()[0]["is_paused"]
    answer = ask(token, f"{HOOKS}{webhook.public_id}/test/", "post").json()
    assert (answer["topic"], answer["status"], answer["tries"]) == ("test", 204, 1)
    assert not ask(token, HOOKS).json()[0]["is_paused"]


def test_a_paused_webhook_gets_no_message_that_was_waiting(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = listen(bench.people["ora"], receiver)
    bench.submit("ann")
    Webhook.objects.update(failures=MOST_FAILURES)
    send_waiting()
    assert receiver.messages == []
    token = make(bench.people["ora"], TokenScope.EVENTS)
    (row,) = ask(token, f"{HOOKS}{webhook.public_id}/deliveries/").json()
    assert (row["next_try"], row["tries"], row["trouble"]) == (None, 0, "The webhook was paused.")
    # A message that was on its way when others paused the webhook does not resume it; only a test does.
    Webhook.objects.update(failures=0)
    bench.submit("bob")

    def pause_meanwhile(*message: Any) -> int:
        Webhook.objects.update(failures=MOST_FAILURES)
        return post(*message)

    monkeypatch.setattr(webhooks, "post", pause_meanwhile)
    send_waiting()
    assert len(receiver.messages) == 1
    webhook.refresh_from_db()
    assert webhook.failures == MOST_FAILURES


def test_a_server_that_is_not_there_is_in_the_log(bench: Bench, receiver: Receiver) -> None:
    webhook = listen(bench.people["ora"], receiver)
    receiver.server.shutdown()
    receiver.server.server_close()
    token = make(bench.people["ora"], TokenScope.EVENTS)
    answer = ask(token, f"{HOOKS}{webhook.public_id}/test/", "post").json()
    assert (answer["status"], answer["next_try"]) == (0, None)
    assert "does not answer" in answer["trouble"]
    (row,) = ask(token, f"{HOOKS}{webhook.public_id}/deliveries/").json()
    assert row == answer


# ---- which addresses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "http://bot.example/",
        "ftp://bot.example/",
        "https://ann:secret@bot.example/",
        "https://testserver/api/v1/check",
        "https://TESTSERVER:8443/api/v1/check",
        "https://testserver./api/v1/check",
        "https://bot.example/\nHost: x",
        "javascript:alert(1)",
        "https://" + "x" * 490 + ".example/",
        "",
    ],
)
def test_addresses_that_are_refused(bench: Bench, address: str) -> None:
    cache.clear()
    made = create_webhook(bench.people["ora"], address, CHOSEN)
    assert isinstance(made, Refused)
    assert made.code == "bad-webhook-address"


@pytest.mark.parametrize("address", ["https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.0.0.1/"])
def test_private_addresses_are_never_asked(bench: Bench, address: str, caplog: pytest.LogCaptureFixture) -> None:
    cache.clear()
    webhook = Webhook.objects.create(user=bench.people["ora"], address=address, topics=["list-submitted"])
    bench.submit("ann")
    send_waiting()
    delivery = WebhookDelivery.objects.get()
    assert (delivery.status, delivery.delivered) == (0, None)
    assert "public net" in caplog.text
    token = make(bench.people["ora"], TokenScope.EVENTS)
    (row,) = ask(token, f"{HOOKS}{webhook.public_id}/deliveries/").json()
    assert row["trouble"] == "There is no public server at this address."
    page = bench.client("ora").get("/account/webhooks/").content.decode()
    assert "There is no public server at this address" in page
    assert "public net" not in page
    # An earlier version stored what the log has now.
    WebhookDelivery.objects.update(trouble="db.internal is at 10.1.2.3")
    assert ask(token, f"{HOOKS}{webhook.public_id}/deliveries/").json()[0]["trouble"] == "The server does not answer."


def test_an_address_in_a_private_network_is_refused_at_once(bench: Bench) -> None:
    for address in ("https://127.0.0.1:8443/x", "https://[::1]/", "https://169.254.169.254/"):
        refused = create_webhook(bench.people["ora"], address, CHOSEN)
        assert isinstance(refused, Refused)
        assert refused.code == "private-webhook-address"


# ---- the API -----------------------------------------------------------------------------------------------------


def test_webhooks_are_made_and_deleted(bench: Bench, receiver: Receiver) -> None:
    token = make(bench.people["ora"], TokenScope.EVENTS)
    body = {"address": receiver.address, "topics": ["list-decided", "list-submitted"]}
    answer = ask(token, HOOKS, "post", data=body, content_type="application/json")
    assert (answer.status_code, len(answer.json()["secret"])) == (201, 64)
    (row,) = ask(token, HOOKS).json()
    assert "secret" not in row
    other = make(bench.people["sue"], TokenScope.EVENTS)
    address = f"{HOOKS}{row['id']}/"
    assert ask(other, HOOKS).json() == []
    assert [ask(other, address, "delete").status_code, ask(other, f"{address}deliveries/").status_code] == [404, 404]
    assert ask(other, f"{address}test/", "post").status_code == 404
    assert Client().get(HOOKS).status_code == 401
    assert ask(token, address, "delete").status_code == 204
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("status", [204, 500])
def test_a_webhook_is_deleted_while_its_messages_are_sent(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    def delete_meanwhile(*message: Any) -> int:
        Webhook.objects.all().delete()
        return post(*message)

    monkeypatch.setattr(webhooks, "post", delete_meanwhile)
    receiver.status = status
    webhook = listen(bench.people["ora"], receiver)
    token = make(bench.people["ora"], TokenScope.EVENTS)
    answer = ask(token, f"{HOOKS}{webhook.public_id}/test/", "post")
    assert (answer.status_code, answer.json()["status"]) == (200, status)
    listen(bench.people["ora"], receiver)
    bench.submit("ann")
    send_waiting()
    assert [body["topic"] for body in receiver.bodies] == ["test", "list-submitted"]
    assert not WebhookDelivery.objects.exists()
    page = bench.client("ora")
    webhook = listen(bench.people["ora"], receiver)
    page.post("/account/webhooks/change/", {"test": webhook.public_id})
    assert page.get("/account/webhooks/").status_code == 200
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "body",
    [{}, {"address": "https://bot.example/"}, {"address": "https://bot.example/", "topics": ["test"]}, {"topics": []}],
)
def test_what_is_no_webhook_is_refused(bench: Bench, receiver: Receiver, body: dict[str, Any]) -> None:
    token = make(bench.people["ora"], TokenScope.EVENTS)
    answer = ask(token, HOOKS, "post", data=body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-fields")


def test_an_account_has_few_webhooks(bench: Bench, receiver: Receiver) -> None:
    for _ in range(MOST_WEBHOOKS):
        listen(bench.people["ora"], receiver)
    refused = create_webhook(bench.people["ora"], receiver.address, CHOSEN)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.allowed) == ("too-many-webhooks", MOST_WEBHOOKS)


def test_closed_accounts_are_told_nothing(bench: Bench, receiver: Receiver) -> None:
    listen(bench.people["sue"], receiver)
    announce(Topic.DATA, {"game": "fenland"})
    User.objects.filter(pk=bench.people["sue"].pk).update(is_active=False)
    announce(Topic.DATA, {"game": "fenland"})
    send_waiting()
    assert receiver.messages == []
    assert WebhookDelivery.objects.get().tries == 0


# ---- the page ----------------------------------------------------------------------------------------------------


def sign_in() -> Client:
    page = Client()
    page.force_login(account())
    say_who(page)
    return page


def test_the_page_makes_tests_and_deletes(receiver: Receiver) -> None:
    page = sign_in()
    made = page.post("/account/webhooks/", {"address": receiver.address, "topic": ["list-submitted"]})
    webhook = Webhook.objects.get()
    assert compute_secret(webhook) in made.content.decode()
    assert compute_secret(webhook) not in page.get("/account/webhooks/").content.decode()
    tested = page.post("/account/webhooks/change/", {"test": webhook.public_id}, follow=True).content.decode()
    assert "The test message arrived." in tested
    receiver.status = 500
    failed = page.post("/account/webhooks/change/", {"test": webhook.public_id}, follow=True).content.decode()
    assert "The server answered 500." in failed
    assert "<td>500</td>" in "".join(failed.split()), "the log"
    other = Client()
    other.force_login(account("ben@example.org"))
    other.post("/account/webhooks/change/", {"delete": webhook.public_id})
    assert Webhook.objects.exists()
    page.post("/account/webhooks/change/", {"delete": webhook.public_id})
    assert not Webhook.objects.exists()


def test_the_page_keeps_what_was_typed() -> None:
    cache.clear()
    page = sign_in()
    answer = page.post("/account/webhooks/", {"address": "http://bot.example/", "topic": ["data-published"]})
    assert answer.status_code == 422
    content = answer.content.decode()
    assert 'value="http://bot.example/"' in content
    assert "begins with https://" in content
    assert not Webhook.objects.exists()
    assert Client().get("/account/webhooks/").status_code == 302


def test_the_page_of_tokens_shows_webhooks_with_their_state(receiver: Receiver) -> None:
    page, user = sign_in(), User.objects.get()
    assert "You have no webhooks yet." in page.get("/account/tokens/").content.decode()
    webhook = listen(user, receiver, Topic.SUBMITTED)
    now = timezone.now()
    states = ({"delivered": now, "status": 204}, {"status": 503, "next_try": now + timedelta(hours=2)})
    for state in (*states, {"trouble": "no-answer"}, {"next_try": now, "tries": 0}):
        WebhookDelivery.objects.create(
            **{"webhook": webhook, "topic": Topic.SUBMITTED, "body": "{}", "tries": 1} | state
        )
    shown = " ".join(page.get("/account/webhooks/").content.decode().split())
    answers = ("<td>204</td>", "<td>The server does not answer; given up</td>", "<td>waiting</td>")
    for answer in answers:
        assert answer in shown, answer
    assert re.search(r"<td>503; next try in [^<]+ \(2 of 6\)</td>", shown)
    # The page of tokens shows the newest ones.
    shown = page.get("/account/tokens/").content.decode()
    assert [answer in shown for answer in answers] == [False, True, True]
    assert "Paused" not in shown
    Webhook.objects.update(failures=MOST_FAILURES)
    assert "Paused" in page.get("/account/tokens/").content.decode()
