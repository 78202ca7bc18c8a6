"""Nothing of a list is visible before its time: on pages, in API, search, statistics or response time."""

import re
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from catalogue.formats.packs.load import SHIPPED
from roster.events import urls as event_urls
from roster.events.api import urls as api_urls
from roster.events.models import Assignment, Event, EventRole, Participant
from roster.events.services.bench import assign_lists
from roster.events.services.events import create_event, join_event, set_status
from roster.events.services.reading import read_upload
from roster.events.services.submissions import judge_received, submit_list
from tests.events.cast import TWO_CUTTERS, Bench, opened, person
from tests.extent import sample
from tests.roster.deck_owner import REEDS
from tests.roster.views_cast import SCRIPT
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

LITERAL = re.compile(r"'[^']*'")
OTHERS = ["bob", "sue", ""]
BAD_DECK = (SHIPPED / "reeds_and_rust" / "first" / "lists" / "bad-deck.yaml").read_text()
CARDS = ("Low water", "Undertow", "Fog bank", "Quiet bargain", "low-water", "undertow", "fog-bank", "quiet-bargain")


def reveal(*parts: str, at: datetime | None = None) -> None:
    Event.objects.update(**{f"reveal_{part}": at or timezone.now() for part in parts})


def pages(bench: Bench) -> list[str]:
    """Every address that could show something of ann's list."""
    event, entry = bench.event.public_id, bench.entry("ann")
    assert entry.current
    return [
        reverse("events:event", args=[event]),
        reverse("events:lists", args=[event]),
        reverse("events:lists", args=[event]) + "?q=cutters",
        reverse("events:numbers", args=[event]),
        reverse("events:list", args=[event, entry.public_id]),
        reverse("events:submit", args=[event, entry.public_id]),
        reverse("events:receipt", args=[event, entry.current.public_id]),
        reverse("events:bench", args=[event]) + "?q=cutters",
        *(reverse(f"events:{name}", args=[event]) for name in ("pairings", "standings", "export-standings", "print")),
        reverse("events:paper", args=[event]) + f"?paper={entry.current.content_hash[:8]}",
        reverse("events:list", args=[event, entry.public_id]) + f"?hash={entry.current.content_hash[:8]}",
        f"/api/v1/events/{event}/",
        f"/api/v1/events/{event}/submissions/",
        f"/api/v1/events/{event}/players/{entry.public_id}/",
        "/search/?q=secret",
        "/lists/?q=low+water",
    ]


def told(bench: Bench, who: str) -> str:
    """Return everything that a user sees of ann's list anywhere."""
    client = bench.client(who)
    return "\n".join(client.get(page).content.decode() for page in pages(bench))


@pytest.mark.parametrize("who", sample(OTHERS, 1))
def test_nothing_is_told_before_its_time(who):
    bench = opened("ann", "bob")
    bench.submit("ann", TWO_CUTTERS.replace("Low water", "The secret of ann"))
    secrets = ("Marsh Folk", "The secret of ann", "Illegal")
    assert [secret for secret in secrets if secret in told(bench, who)] == []
    reveal("faction", "roster", "deck", "reserves", at=timezone.now() + timedelta(minutes=1))
    assert [secret for secret in secrets if secret in told(bench, who)] == []
    reveal("faction", at=timezone.now())
    assert [secret for secret in secrets if secret in told(bench, who)] == ["Marsh Folk"]
    reveal("roster")
    assert [secret for secret in secrets if secret in told(bench, who)] == [*secrets]


def test_who_sees_lists_sees_factions():
    bench = opened("ann", "bob")
    bench.submit("ann")
    reveal("roster")
    assert "Marsh Folk" in bench.client("bob").get(pages(bench)[1]).content.decode()


@pytest.mark.parametrize("who", OTHERS)
@pytest.mark.parametrize("way", ["page", "program"])
def test_a_hidden_list_is_as_absent_as_one_that_never_was(who, way):
    """The same statements in the same order and the same answer, so that the time reveals nothing."""
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")

    def ask(player: str) -> tuple[int, bytes, list[str]]:
        event = bench.event.public_id
        page = reverse("events:list", args=[event, player])
        address = page if way == "page" else f"/api/v1/events/{event}/players/{player}/"
        client = bench.client(who)
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        return answer.status_code, len(answer.content), [LITERAL.sub("?", query["sql"]) for query in queries]

    hidden, without_list, missing = (
        ask(player) for player in (bench.entry("ann").public_id, bench.entry("eve").public_id, "x" * 22)
    )
    assert hidden[0] == 404
    assert hidden == without_list == missing


def test_each_search_finds_only_what_is_shown():
    bench = opened("ann", "bob")
    bench.submit("ann")
    lists = pages(bench)[1]

    def found(words: str) -> list[str]:
        page = bench.client("bob").get(lists, {"q": words}).context["page_obj"]
        return [entry.name for entry in page]

    assert found("ann") == []
    reveal("faction")
    assert (found("ann"), found("marsh"), found("cutters")) == (["ann"], ["ann"], [])
    reveal("roster")
    assert (found("cutters"), found("giants"), found("marsh cutters")) == (["ann"], [], ["ann"])
    assert bench.client("bob").get(lists, {"faction": "Weir Folk"}).context["page_obj"].object_list == []


def test_reserves_are_shown_at_their_own_time():
    bench = opened("ann", "bob")
    bench.submit("ann")
    Participant.objects.filter(name="ann").update(is_reserve=True)
    reveal("faction", "roster")
    assert "Marsh Folk" not in told(bench, "bob")
    assert bench.client("bob").get(pages(bench)[4]).status_code == 404
    reveal("reserves")
    assert bench.client("bob").get(pages(bench)[4]).status_code == 200


def test_who_dropped_out_is_not_shown():
    bench = opened("ann", "bob")
    bench.submit("ann")
    Participant.objects.filter(name="ann").update(dropped=True)
    reveal("faction", "roster", "reserves")
    assert "Marsh Folk" not in told(bench, "bob")


# ---- decks -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def deckers() -> Bench:
    """An event of a game with decks: ann's is wrong, and lists are shown but not decks."""
    version = install_shipped(REEDS)
    people = {name: person(name) for name in ("ora", "ann", "bob", "sue")}
    event = create_event(people["ora"], version, "Spring tide")
    assert isinstance(event, Event)
    set_status(event, people["ora"], "open")
    for name in ("ann", "bob"):
        entry = join_event(event, people[name])
        assert isinstance(entry, Participant)
        submit_list(entry, judge_received(event, read_upload(BAD_DECK.encode(), game="reeds-and-rust")), people[name])
    reveal("faction", "roster")
    return Bench(event, people)


def cards_told(bench: Bench, who: str) -> list[str]:
    text = told(bench, who)
    return [card for card in CARDS if card in text]


def test_decks_are_shown_at_their_own_time(deckers):
    assert deckers.entry("ann").verdict == "illegal"
    for who in ("bob", "sue", ""):
        assert cards_told(deckers, who) == []
    assert cards_told(deckers, "ann")
    assert cards_told(deckers, "ora")
    reveal("deck")
    for who in ("bob", "sue", ""):
        assert {"Low water", "low-water"} <= set(cards_told(deckers, who))


def test_the_list_without_its_deck_stays_readable(deckers):
    entry = deckers.entry("ann")
    answer = deckers.client("bob").get(f"/api/v1/events/{deckers.event.public_id}/players/{entry.public_id}/").json()
    names = [unit["name"] for force in answer["document"]["forces"] for unit in force["selections"]]
    assert "Reed Cutters" in names
    assert (answer["text"], answer["verdict"]) == ("", "illegal")
    page = deckers.client("bob").get(pages(deckers)[4])
    assert "Reed Cutters" in page.content.decode()


def test_the_text_of_an_unreadable_list_waits_for_the_decks(deckers):
    entry = deckers.entry("ann")
    rubbish = judge_received(deckers.event, read_upload(b"my list\n4x Low water", game="reeds-and-rust"))
    submit_list(entry, rubbish, deckers.people["ann"])
    assert "4x Low water" not in told(deckers, "bob")
    reveal("deck")
    assert "4x Low water" in told(deckers, "bob")


def test_who_is_blind_sees_decks_and_reserves_no_sooner_than_others(deckers):
    """Rosters are shown, decks and reserves are not."""
    event, entry = deckers.event.public_id, deckers.entry("ann")
    EventRole.objects.update(is_blind=True)
    assert cards_told(deckers, "ora") == []
    assert deckers.client("ora").get(pages(deckers)[4]).status_code == 200
    closed = [reverse("events:bench", args=[event]), reverse("events:export", args=[event, "json"])]
    assert [deckers.client("ora").get(address).status_code for address in closed] == [403, 403]
    # A list that they were given to check before they played stays hidden.
    assign_lists(deckers.event, deckers.people["sue"], [entry.public_id], [deckers.people["sue"]])
    Assignment.objects.update(checker=deckers.people["ora"])
    assert cards_told(deckers, "ora") == []
    Participant.objects.filter(name="bob").update(is_reserve=True)
    reveal("deck")
    reserve = reverse("events:list", args=[event, deckers.entry("bob").public_id])
    assert deckers.client("ora").get(reserve).status_code == 404
    assert {"Low water", "low-water"} <= set(cards_told(deckers, "ora"))
    reveal("reserves")
    assert [deckers.client("ora").get(address).status_code for address in (reserve, *closed)] == [200, 200, 200]


# ---- numbers ---------------------------------------------------------------------------------------------------------


def numbers(bench: Bench, who: str):
    return bench.client(who).get(reverse("events:numbers", args=[bench.event.public_id])).context["numbers"]


def test_numbers_tell_what_may_be_seen():
    bench = opened("ann", "bob", "eve")
    bench.submit("ann")
    bench.submit("bob", TWO_CUTTERS)
    for who in ("ann", "sue", ""):
        assert (numbers(bench, who).lists, numbers(bench, who).factions) == (0, [])
    for who in ("ora", "jud"):
        shown = numbers(bench, who)
        assert shown.factions == [("Marsh Folk", 2)]
        assert [(pick.name, pick.lists, pick.times) for pick in shown.units] == [("Cutters", 2, 3), ("Wärden", 2, 2)]
        assert sum(number for _step, number in shown.points) == 2
    reveal("faction")
    assert (numbers(bench, "").factions, numbers(bench, "").units) == ([("Marsh Folk", 2)], ())
    reveal("roster")
    assert len(numbers(bench, "").units) == 2


def test_an_organiser_who_plays_sees_no_numbers_before_the_reveal():
    bench = opened("ann", "ora")
    bench.submit("ann")
    assert numbers(bench, "ora").lists == 0
    for name in ("bench", "upload"):
        assert bench.client("ora").get(reverse(f"events:{name}", args=[bench.event.public_id])).status_code == 403
    recheck = reverse("events:recheck", args=[bench.event.public_id])
    assert bench.client("ora").post(recheck).status_code == 403
    reveal("faction", "roster")
    assert numbers(bench, "ora").lists == 1


def test_plots_show_names_as_text():
    bench = opened("ann")
    bench.submit("ann")
    Participant.objects.update(faction=SCRIPT, name=SCRIPT)
    reveal("faction", "roster")
    answers = [bench.client().get(page) for page in pages(bench)[1:4]]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert not any(SCRIPT in answer.content.decode() for answer in answers)


@pytest.mark.parametrize("who", OTHERS)
def test_no_address_of_an_event_tells_of_a_hidden_list(who):
    """All addresses of events, including future ones: pages, files, paper and API."""
    bench = opened("ann", "bob")
    bench.submit("ann", TWO_CUTTERS.replace("Low water", "The secret of ann"))
    entry = bench.entry("ann")
    assert entry.current
    known = {
        "public_id": bench.event.public_id,
        "player": entry.public_id,
        "submission": entry.current.public_id,
        "token": bench.event.token,
        "job": "x" * 22,
        "ending": "json",
        "kind": "pairings",
        "number": 1,
    }
    words = {"at": entry.public_id, "q": "cutters", "list": entry.public_id, "faction": entry.faction}
    asked = set()
    for patterns, namespace in ((event_urls.urlpatterns, "events"), (api_urls.urlpatterns, "events_api")):
        for pattern in patterns:
            asked.add(f"{namespace}:{pattern.name}")
            named = {name: known[name] for name in pattern.pattern.converters}
            answer = bench.client(who).get(reverse(f"{namespace}:{pattern.name}", kwargs=named), words)
            told = b"".join(answer) if answer.streaming else answer.content
            # An answer may repeat the query, but not what is in the list.
            assert b"The secret of ann" not in told, pattern
            assert entry.current.received_hash.encode() not in told, pattern
            assert b"W\xc3\xa4rden" not in told, pattern
    assert {"events:list", "events:receipt", "events:bench", "events:export", "events_api:list"} <= asked
