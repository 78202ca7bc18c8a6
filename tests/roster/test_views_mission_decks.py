"""Mission decks and hands: kept, drawn from, opened by link; what others see of them."""

import re
from collections import Counter

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion
from catalogue.services.shelving import shelve
from roster.models import MissionDeck, MissionDraw, ObjectiveHand

pytestmark = pytest.mark.django_db


@pytest.fixture
def reeds(db: None) -> PackVersion:
    version = shelve(SHIPPED / "reeds_and_rust" / "first").version
    assert version is not None
    return version


@pytest.fixture
def war(db: None) -> PackVersion:
    version = shelve(SHIPPED / "wh40k" / "ninth").version
    assert version is not None
    return version


def started(client: Client, name: str = "Evening") -> MissionDeck:
    answer = client.post("/decks/", {"name": name})
    assert answer.status_code == 303
    return MissionDeck.objects.get()


def filled(client: Client, version: PackVersion, **copies: int) -> MissionDeck:
    deck = started(client)
    fields = {f"copies:{version.pk}:{own.replace('_', '-')}": str(n) for own, n in copies.items()}
    answer = client.post(f"/decks/{deck.public_id}/", {"do": "fill", "name": "Evening", **fields})
    assert answer.status_code == 303, answer.content.decode()
    return deck


def act(client: Client, deck: MissionDeck, do: str, **fields: str) -> int:
    return client.post(f"/decks/{deck.public_id}/", {"do": do, **fields}).status_code


def test_a_deck_is_filled_and_kept(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=2, the_toll=1, night_crossing=0)
    assert {m.mission_id: m.copies for m in deck.missions.all()} == {"high-water": 2, "the-toll": 1}
    page = client.get(f"/decks/{deck.public_id}/").content.decode()
    assert 'value="2"' in page


def test_drawn_at_random_without_putting_back(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=2, the_toll=1)
    for _ in range(3):
        assert act(client, deck, "draw") == 303
    assert Counter(MissionDraw.objects.values_list("mission_id", flat=True)) == {
        "high-water": 2,
        "the-toll": 1,
    }
    assert act(client, deck, "draw") == 422
    assert act(client, deck, "shuffle") == 303
    assert act(client, deck, "draw") == 303
    assert deck.draws.count() == 4


def test_drawn_as_the_book_rolls(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, the_toll=1)
    assert act(client, deck, "book", pack=f"{reeds.pk}:tide-tables") == 303
    draw = deck.draws.get()
    assert draw.mission_id == "the-toll"
    assert re.fullmatch(r"D6: (\d, )*[34]", draw.rolled)
    # The mission names no deployment, so one was rolled along.
    assert draw.map_id in ("both-banks", "three-mouths")


def test_a_mission_with_its_own_deployment_rolls_none(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    act(client, deck, "draw")
    assert deck.draws.get().map_id == ""


def test_the_history_stands_on_the_page(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    act(client, deck, "draw")
    page = client.get(f"/decks/{deck.public_id}/").content.decode()
    assert "Drawn so far" in page
    assert "Draw 1" in page


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "draw"}, 422),
        ({"do": "book", "pack": "1:none"}, 422),
        ({"do": "book", "pack": "x"}, 422),
        ({"do": "fly"}, 400),
        ({}, 400),
        ({"do": "share", "visibility": "everybody"}, 400),
        ({"do": "share", "visibility": "public"}, 422),
        ({"do": "fill", "name": "x" * 1000}, 422),
        ({"do": "fill", "copies:x:y": "1"}, 400),
        ({"do": "fill", "copies:999999:high-water": "1"}, 400),
        ({"do": "fill", "copies:{version}:no-mission": "1"}, 422),
        ({"do": "fill", "copies:{version}:high-water": "10000"}, 422),
        ({"do": "fill", "copies:{version}:high-water": "-1"}, 400),
        ({"do": "fill", "copies:{version}:high-water": "many"}, 400),
    ],
)
def test_bad_input_changes_nothing(
    client: Client, reeds: PackVersion, fields: dict[str, str], status: int
) -> None:
    deck = started(client)
    sent = {key.replace("{version}", str(reeds.pk)): value for key, value in fields.items()}
    assert client.post(f"/decks/{deck.public_id}/", sent).status_code == status
    assert not deck.missions.exists()
    assert not deck.draws.exists()


def test_a_link_shows_prints_and_copies(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=3)
    other = Client()
    page = other.get(f"/d/{deck.link_id}/")
    assert "High water" in page.content.decode()
    assert other.get(f"/d/{deck.link_id}/cards.pdf").content.startswith(b"%PDF")
    assert other.post(f"/d/{deck.link_id}/copy/").status_code == 303
    assert MissionDeck.objects.count() == 2


def test_an_empty_deck_prints_nothing(client: Client, reeds: PackVersion) -> None:
    deck = started(client)
    assert client.get(f"/d/{deck.link_id}/cards.pdf").status_code == 422


def test_others_neither_see_nor_change_it(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    other = Client()
    assert other.get(f"/decks/{deck.public_id}/").status_code == 404
    assert act(other, deck, "draw") == 404
    assert act(client, deck, "share", visibility="private") == 303
    for address in ("", "cards.pdf"):
        assert other.get(f"/d/{deck.link_id}/{address}").status_code == 404
    assert other.post(f"/d/{deck.link_id}/copy/").status_code == 404


def test_a_new_address_ends_the_old_one(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    assert act(client, deck, "renew") == 303
    assert Client().get(f"/d/{deck.link_id}/").status_code == 404


def test_script_in_a_name_is_text(client: Client, reeds: PackVersion) -> None:
    deck = started(client, "<script>alert(1)</script>")
    assert "<script>alert" not in client.get(f"/decks/{deck.public_id}/").content.decode()


def test_deleted(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    assert act(client, deck, "delete") == 303
    assert not MissionDeck.objects.exists()


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_a_deck(
    client: Client, reeds: PackVersion, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deck = filled(client, reeds, high_water=3)
    for _ in range(count):
        act(client, deck, "draw")
    client.get(f"/decks/{deck.public_id}/")
    with django_assert_num_queries(7):
        client.get(f"/decks/{deck.public_id}/")


# ---- hands ----


def opened(client: Client, mission: str = "never-surrender") -> ObjectiveHand:
    form = {"game": "maelstrom-of-war-9e", "mission": mission, "size": "incursion"}
    assert client.post("/hands/", form).status_code == 303
    return ObjectiveHand.objects.get()


def done(client: Client, do: str, **fields: object) -> int:
    hand = ObjectiveHand.objects.get()
    form = {"do": do, "revision": str(hand.revision), **fields}
    return client.post(f"/hands/{hand.public_id}/", form).status_code


def test_a_hand_is_played_and_survives_a_reload(client: Client, war: PackVersion) -> None:
    opened(client)
    assert done(client, "choose", group=["raid", "eradication", "brought-low"]) == 303
    assert done(client, "begin") == 303
    held = ObjectiveHand.objects.get().hand.now.drawn
    assert len(held) == 3
    page = client.get(ObjectiveHand.objects.get().get_absolute_url()).content.decode()
    assert page.count("Scored: ") == 3
    assert done(client, "score", place="0") == 303
    assert ObjectiveHand.objects.get().hand.now.drawn[0].scored
    assert done(client, "unscore", place="0") == 303
    assert done(client, "replace", place="1", objective="") == 303
    assert done(client, "begin", extra="on") == 303
    assert len(ObjectiveHand.objects.get().hand.now.drawn) == 4


@pytest.mark.parametrize(
    "mission",
    [
        "territorial-control",
        "ambitious-surge",
        "complex-front",
        "subterfuge-and-interference",
        "chaotic-engagement",
    ],
)
def test_every_mission_opens_a_page(client: Client, war: PackVersion, mission: str) -> None:
    hand = opened(client, mission)
    done(client, "choose", group=["raid", "eradication", "brought-low"], secret="raid")
    assert done(client, "begin") == 303
    assert done(client, "begin") == 303
    assert client.get(hand.get_absolute_url()).status_code == 200


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "begin"}, 422),
        ({"do": "choose", "group": ["raid"]}, 422),
        ({"do": "choose", "group": ["raid", "raid", "raid"]}, 422),
        ({"do": "score", "place": "7"}, 400),
        ({"do": "score", "place": "x"}, 400),
        ({"do": "fly"}, 400),
        ({"do": "begin", "revision": "x"}, 400),
        ({"do": "choose", "group": ["raid", "eradication", "brought-low"], "revision": "9"}, 409),
    ],
)
def test_bad_acts_change_nothing(
    client: Client, war: PackVersion, fields: dict[str, object], status: int
) -> None:
    hand = opened(client)
    assert done(client, str(fields["do"]), **{k: v for k, v in fields.items() if k != "do"}) == status
    hand.refresh_from_db()
    assert hand.revision == 1


@pytest.mark.parametrize(
    "form",
    [
        {"game": "maelstrom-of-war-9e", "mission": "no-mission", "size": "incursion"},
        {"game": "maelstrom-of-war-9e", "mission": "never-surrender", "size": "huge"},
    ],
)
def test_no_hand_without_mission_and_size(client: Client, war: PackVersion, form: dict[str, str]) -> None:
    assert client.post("/hands/", form).status_code == 422
    assert client.post("/hands/", form | {"game": "nothing"}).status_code == 404
    assert not ObjectiveHand.objects.exists()


def test_a_hand_is_secret(client: Client, war: PackVersion) -> None:
    hand = opened(client)
    other = Client()
    assert other.get(hand.get_absolute_url()).status_code == 404
    assert other.post(hand.get_absolute_url(), {"do": "delete"}).status_code == 404
    assert "Never Surrender" not in other.get("/hands/").content.decode()


def test_a_hand_is_put_away(client: Client, war: PackVersion) -> None:
    opened(client)
    assert done(client, "delete") == 303
    assert not ObjectiveHand.objects.exists()


def test_a_mission_offers_its_hand(client: Client, war: PackVersion, reeds: PackVersion) -> None:
    assert "Open a hand" in client.get("/missions/maelstrom-of-war-9e/never-surrender/").content.decode()
    assert "Open a hand" not in client.get("/missions/reeds-and-rust/high-water/").content.decode()


@pytest.mark.parametrize("address", ["/d/x/", "/d/x/copy/", "/d/x/cards.pdf"])
def test_bad_links_are_404(client: Client, reeds: PackVersion, address: str) -> None:
    ask = client.post if "copy" in address else client.get
    assert ask(address).status_code == 404


@pytest.mark.parametrize("address", ["/decks/", "/hands/"])
def test_wrong_method(client: Client, reeds: PackVersion, address: str) -> None:
    assert client.put(address).status_code == 405
