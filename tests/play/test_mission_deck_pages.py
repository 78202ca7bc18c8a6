"""Mission decks: kept, drawn from, opened by link; what others see of them."""

import re
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion, Release
from catalogue.services.install_packs import install_pack
from catalogue.services.play import load_play
from roster.play.models import MissionDeck, MissionDraw
from roster.play.services.mission_decks import delete_deck, draw_at_random, draw_by_the_book, fill_deck, shuffle_deck
from roster.play.views import mission_decks
from roster.services.outcomes import Refused
from roster.services.sharing import take_down
from tests.markup import markup
from tests.shipped_packs import install_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

QUERIES_OF_THE_DECKS = 2
QUERIES_OF_A_LINK = 5
QUERIES_OF_CARDS = 3


@pytest.fixture
def reeds(db: None) -> PackVersion:
    return install_shipped(SHIPPED / "reeds_and_rust" / "first")


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


def say(client: Client, deck: MissionDeck, visibility: str, **fields: str) -> int:
    form = {"do": "share", "visibility": visibility, **fields}
    return client.post(f"/decks/{deck.public_id}/sharing/", form).status_code


def test_a_deck_is_filled_and_kept(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=2, the_toll=1, night_crossing=0)
    assert {m.mission_id: m.copies for m in deck.missions.all()} == {"high-water": 2, "the-toll": 1}
    page = markup(client.get(f"/decks/{deck.public_id}/"))
    assert 'value="2"' in page


def test_games_are_folded_unless_the_deck_holds_some_of_them(client: Client, reeds: PackVersion) -> None:
    deck = started(client)
    folds = re.compile(
        r"<details class=\"panel filling[^>]*?( open)?><summary>[^\0]*?<b>([^<]*)</b>([^\0]*?)</summary>"
    )

    def games() -> dict[str, tuple[bool, list[str]]]:
        page = markup(client.get(f"/decks/{deck.public_id}/"))
        return {name: (bool(opened), re.findall(r"\d+", said)) for opened, name, said in folds.findall(page)}

    assert list(games().values()) == [(True, ["3"])]  # the only game
    install_shipped(SHIPPED / "edge_dawnfall" / "dawnfall")
    assert [opened for opened, _said in games().values()] == [False, False]
    act(client, deck, "fill", name="Evening", **{f"copies:{reeds.pk}:high-water": "2"})
    assert sorted(games().values()) == [(False, ["4"]), (True, ["2"])]


def test_drawn_at_random_without_putting_back(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=2, the_toll=1)
    for _ in range(3):
        assert act(client, deck, "draw") == 303
    assert Counter(MissionDraw.objects.values_list("mission_id", flat=True)) == {"high-water": 2, "the-toll": 1}
    assert act(client, deck, "draw") == 422
    assert act(client, deck, "shuffle") == 303
    assert act(client, deck, "draw") == 303
    assert deck.draws.count() == 4


def test_two_tabs_draw_no_card_twice(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    here, there = (MissionDeck.objects.get(pk=deck.pk) for _ in range(2))
    assert isinstance(draw_at_random(here), MissionDraw)
    shuffle_deck(here)
    assert isinstance(draw_at_random(there), MissionDraw)
    assert isinstance(draw_at_random(here), Refused)


def test_missions_that_wait_to_be_published_are_in_no_deck(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    Release.objects.all().delete()
    assert act(client, deck, "fill", name="Evening", **{f"copies:{reeds.pk}:the-toll": "1"}) == 400
    assert [mission.mission_id for mission in deck.missions.all()] == ["high-water"]


def test_filling_leaves_alone_who_may_see_it(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    stale = MissionDeck.objects.get(pk=deck.pk)
    take_down(deck)
    assert fill_deck(stale, "Morning", {}) is None
    kept = MissionDeck.objects.get(pk=deck.pk)
    assert (kept.name, kept.taken_down) == ("Morning", True)


def test_a_deck_that_is_gone_is_404(client: Client, reeds: PackVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = filled(client, reeds, high_water=1)
    monkeypatch.setattr(mission_decks, "own_deck", lambda request, public_id: stale)
    stale = MissionDeck.objects.get(pk=deck.pk)
    delete_deck(deck)
    delete_deck(stale)
    assert [act(client, stale, do) for do in ("draw", "book", "fill", "shuffle")] == [404] * 4


def test_drawn_as_the_book_rolls(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, the_toll=1)
    assert act(client, deck, "book", pack=f"{reeds.pk}:tide-tables") == 303
    draw = deck.draws.get()
    assert draw.mission_id == "the-toll"
    assert re.fullmatch(r"D6: (\d, )*[34]", draw.rolled)
    # The mission names no deployment, so one was rolled along.
    assert draw.map_id in ("both-banks", "three-mouths")


@pytest.fixture
def flawed(db: None, tmp_path: Path) -> PackVersion:
    """A pack whose second mission is beyond its die. It can be used all the same."""
    pack = shutil.copytree(SHIPPED / "reeds_and_rust" / "first", tmp_path / "flawed")
    file = pack / "missions" / "tide-tables.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("roll: 3-4", "roll: 9"), encoding="utf-8")
    version = install_pack(pack).version
    assert version is not None
    return version


def test_a_mission_beyond_the_die_is_never_rolled(client: Client, flawed: PackVersion) -> None:
    deck = filled(client, flawed, the_toll=1)
    assert draw_by_the_book(deck, flawed.pk, "tide-tables") == Refused(code="empty-deck")
    fill_deck(deck, "Evening", {(flawed, "the-toll"): 1, (flawed, "high-water"): 1})
    draws = [draw_by_the_book(deck, flawed.pk, "tide-tables") for _ in range(9)]
    assert {draw.mission_id for draw in draws if isinstance(draw, MissionDraw)} == {"high-water"}


class Fives(Random):
    """A die that shows nothing but fives, however long it is rolled."""

    def randint(self, a: int, b: int) -> int:
        return 5


def test_rolling_by_the_book_comes_to_an_end(
    client: Client, reeds: PackVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = filled(client, reeds, the_toll=1)
    monkeypatch.setattr("roster.play.services.mission_decks._dice", Fives())
    draw = draw_by_the_book(deck, reeds.pk, "tide-tables")
    assert isinstance(draw, MissionDraw)
    assert re.fullmatch(r"D6: (5, ){7}[34]", draw.rolled)


def test_a_mission_with_its_own_deployment_rolls_none(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    act(client, deck, "draw")
    assert deck.draws.get().map_id == ""


def test_the_history_stands_on_the_page(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    act(client, deck, "draw")
    page = markup(client.get(f"/decks/{deck.public_id}/"))
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
        ({"do": "delete"}, 400),
        ({"do": "share", "visibility": "private"}, 400),
        ({"do": "fill", "name": "x" * 1000}, 422),
        ({"do": "fill", "copies:x:y": "1"}, 400),
        ({"do": "fill", "copies:999999:high-water": "1"}, 400),
        ({"do": "fill", "copies:{version}:no-mission": "1"}, 422),
        ({"do": "fill", "copies:{version}:high-water": "10000"}, 422),
        ({"do": "fill", "copies:{version}:high-water": "-1"}, 400),
        ({"do": "fill", "copies:{version}:high-water": "many"}, 400),
    ],
)
def test_bad_input_changes_nothing(client: Client, reeds: PackVersion, fields: dict[str, str], status: int) -> None:
    deck = started(client)
    sent = {key.replace("{version}", str(reeds.pk)): value for key, value in fields.items()}
    assert client.post(f"/decks/{deck.public_id}/", sent).status_code == status
    assert not deck.missions.exists()
    assert not deck.draws.exists()


def test_what_was_typed_is_not_lost_when_it_cannot_be_kept(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=2)
    copies = {f"copies:{reeds.pk}:high-water": "3", f"copies:{reeds.pk}:the-toll": "10000"}
    answer = client.post(f"/decks/{deck.public_id}/", {"do": "fill", "name": "Late evening", **copies})
    page = markup(answer)
    assert answer.status_code == 422
    assert 'value="Late evening"' in page
    for field, text in copies.items():
        assert re.search(f'name="{field}"[^>]*value="{text}"', page)
    assert re.search(r"<details class=\"panel filling[^\"]*\" id=\"game-\d+\" open>", page)


def test_a_link_shows_prints_and_copies(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=3)
    other = Client()
    page = other.get(f"/d/{deck.link_id}/")
    assert "High water" in markup(page)
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
    for page in ("sharing", "delete"):
        assert other.get(f"/decks/{deck.public_id}/{page}/").status_code == 404
        assert other.post(f"/decks/{deck.public_id}/{page}/", {"do": "renew"}).status_code == 404
    assert say(client, deck, "private") == 303
    for address in ("", "cards.pdf", "report/"):
        assert other.get(f"/d/{deck.link_id}/{address}").status_code == 404
    assert other.post(f"/d/{deck.link_id}/copy/").status_code == 404


def test_script_in_a_name_is_text(client: Client, reeds: PackVersion) -> None:
    deck = started(client, "<script>alert(1)</script>")
    assert "<script>alert" not in markup(client.get(f"/decks/{deck.public_id}/"))


def test_deleted(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    page = f"/decks/{deck.public_id}/delete/"
    assert client.get(page).status_code == 200
    assert MissionDeck.objects.exists(), "asked first"
    assert client.post(page).status_code == 303
    assert not MissionDeck.objects.exists()


def test_order_is_that_of_the_books_and_a_mission_left_out_is_gone(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, the_toll=1, high_water=2, night_crossing=1)
    fields = {f"copies:{reeds.pk}:the-toll": "3", f"copies:{reeds.pk}:high-water": "1"}
    answer = client.post(f"/decks/{deck.public_id}/", {"do": "fill", "name": "Late evening", **fields})
    assert answer.status_code == 303
    page = markup(client.get(f"/d/{deck.link_id}/"))
    assert re.findall(r"<b>(High water|The toll|Night crossing)</b>", page) == ["High water", "The toll"]
    assert re.findall(r"× (\d+)</span>", page) == ["1", "3"]
    assert "Late evening" in page


def test_missions_of_several_games_in_one_deck(client: Client, reeds: PackVersion) -> None:
    war = install_shipped(SHIPPED / "wh40k" / "ninth")
    assert war is not None
    deck = started(client)
    fields = {f"copies:{reeds.pk}:the-toll": "1", f"copies:{war.pk}:complex-front": "1"}
    assert act(client, deck, "fill", name="Both", **fields) == 303
    for version, pack in ((reeds, "tide-tables"), (war, "maelstrom-of-war")):
        assert act(client, deck, "book", pack=f"{version.pk}:{pack}") == 303
    assert set(deck.draws.values_list("mission_id", flat=True)) == {"the-toll", "complex-front"}


def test_rolling_by_the_book_leaves_the_cards_where_they_are(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, the_toll=1)
    for _ in range(3):
        assert act(client, deck, "book", pack=f"{reeds.pk}:tide-tables") == 303
    assert act(client, deck, "draw") == 303


def test_a_mission_gone_from_the_data_is_left_out(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1)
    deck.missions.update(mission_id="washed-away")
    assert client.get(f"/decks/{deck.public_id}/").status_code == 200
    assert act(client, deck, "draw") == 422


@pytest.mark.parametrize("given", [{"size": "300x300"}, {"copies": "10000"}, {"paper": "a3"}])
def test_a_print_that_cannot_be_says_why(client: Client, reeds: PackVersion, given: dict[str, str]) -> None:
    deck = filled(client, reeds, high_water=1)
    answer = client.get(f"/d/{deck.link_id}/cards.pdf", given)
    assert answer.status_code == 422
    assert answer["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_the_decks(
    client: Client, reeds: PackVersion, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        client.post("/decks/", {"name": "Evening"})
    with django_assert_num_queries(QUERIES_OF_THE_DECKS):
        assert markup(client.get("/decks/")).count("Evening") == count


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_a_link_and_of_its_cards(
    client: Client, reeds: PackVersion, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = ("high_water", "the_toll", "night_crossing")
    deck = filled(client, reeds, **dict.fromkeys(names[:count], 1))
    for _ in range(count):
        act(client, deck, "draw")
    MissionDraw.objects.update(map_id="both-banks")  # drawn at random, but always with a deployment
    other = Client()
    with django_assert_num_queries(QUERIES_OF_A_LINK):
        other.get(f"/d/{deck.link_id}/")
    other.get(f"/d/{deck.link_id}/cards.pdf")
    with django_assert_num_queries(QUERIES_OF_CARDS):
        assert other.get(f"/d/{deck.link_id}/cards.pdf").status_code == 200


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


@pytest.mark.parametrize("address", ["/d/x/", "/d/x/copy/", "/d/x/cards.pdf"])
def test_bad_links_are_404(client: Client, reeds: PackVersion, address: str) -> None:
    ask = client.post if "copy" in address else client.get
    assert ask(address).status_code == 404


@pytest.mark.parametrize("address", ["/decks/"])
def test_wrong_method(client: Client, reeds: PackVersion, address: str) -> None:
    assert client.put(address).status_code == 405


def test_missions_are_added_one_by_one_and_by_the_pack(client: Client, reeds: PackVersion) -> None:
    deck = filled(client, reeds, high_water=1, the_toll=0, night_crossing=0)
    fields = {f"copies:{reeds.pk}:{mission}": "1" for mission in ("high-water", "the-toll")}
    assert act(client, deck, "fill", name="Evening", more=f"{reeds.pk}:high-water", **fields) == 303
    assert copies_of(deck) == {"high-water": 2, "the-toll": 1}
    assert act(client, deck, "fill", name="Evening", less=f"{reeds.pk}:the-toll", **fields) == 303
    assert copies_of(deck) == {"high-water": 1}
    pack = load_play(reeds).missions["high-water"].pack
    assert act(client, deck, "fill", name="Evening", more=f"{reeds.pk}:{pack}", **fields) == 303
    assert copies_of(deck) == {"high-water": 2, "the-toll": 2}
    assert act(client, deck, "fill", name="Evening", more="nonsense", **fields) == 303
    assert copies_of(deck) == {"high-water": 1, "the-toll": 1}


def test_a_mission_is_put_into_a_deck_from_its_page(client: Client, reeds: PackVersion) -> None:
    page = client.get("/missions/reeds-and-rust/high-water/").content.decode()
    assert f'value="{reeds.pk}:high-water"' in page
    for copies in (1, 2):
        assert client.post("/decks/", {"mission": f"{reeds.pk}:high-water"}).status_code == 303
        assert copies_of(MissionDeck.objects.get()) == {"high-water": copies}


@pytest.mark.parametrize("mission", ["0:high-water", "x:high-water", "{version}:no-mission"])
def test_a_mission_that_is_none_is_put_into_no_deck(client: Client, reeds: PackVersion, mission: str) -> None:
    assert client.post("/decks/", {"mission": mission.format(version=reeds.pk)}).status_code == 422
    assert not MissionDeck.objects.exists()


def copies_of(deck: MissionDeck) -> dict[str, int]:
    return dict(deck.missions.values_list("mission_id", "copies"))
