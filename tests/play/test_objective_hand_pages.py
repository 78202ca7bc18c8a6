"""Hands of objectives: opened for a mission, played round by round, kept; nobody else sees them."""

import itertools
import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion
from roster.play.models import ObjectiveHand
from roster.play.objective_hand import encode_hand
from roster.play.services import objective_hands
from roster.services.outcomes import Conflict
from tests.markup import markup
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

GAME = "maelstrom-of-war-9e"


@pytest.fixture
def war(db: None) -> PackVersion:
    return install_shipped(SHIPPED / "wh40k" / "ninth")


@pytest.fixture
def reeds(db: None) -> PackVersion:
    return install_shipped(SHIPPED / "reeds_and_rust" / "first")


def opened(client: Client, mission: str = "never-surrender") -> ObjectiveHand:
    form = {"game": GAME, "mission": mission, "size": "incursion"}
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
    stored = ObjectiveHand.objects.get()
    held = stored.hand.now.drawn
    assert len(held) == 3
    page = markup(client.get(ObjectiveHand.objects.get().get_absolute_url()))
    assert page.count("Score ") == 3
    assert set(re.findall(r'name="revision" value="(\d*)"', page)) == {str(stored.revision)}
    assert done(client, "score", place="0") == 303
    assert ObjectiveHand.objects.get().hand.now.drawn[0].scored
    assert done(client, "unscore", place="0") == 303
    assert done(client, "begin", extra="on") == 303
    assert len(ObjectiveHand.objects.get().hand.now.drawn) == 4


def test_an_act_on_what_another_tab_made_of_the_hand_is_not_done(client: Client, war: PackVersion) -> None:
    stale = opened(client)
    assert done(client, "choose", group=["raid", "eradication", "brought-low"]) == 303
    now = ObjectiveHand.objects.get()
    assert isinstance(objective_hands.act_on(stale, now.revision, "begin", {}), Conflict)
    assert ObjectiveHand.objects.get().document == now.document


@pytest.mark.parametrize(
    "mission",
    ["territorial-control", "ambitious-surge", "complex-front", "subterfuge-and-interference", "chaotic-engagement"],
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
        ({"do": "score"}, 400),
        ({"do": "fly"}, 400),
        ({"do": "begin", "revision": "x"}, 400),
        ({"do": "begin", "revision": ""}, 400),
        ({"do": "choose", "group": ["raid", "eradication", "brought-low"], "revision": "9"}, 409),
    ],
)
def test_bad_acts_change_nothing(client: Client, war: PackVersion, fields: dict[str, object], status: int) -> None:
    hand = opened(client)
    assert done(client, str(fields["do"]), **{k: v for k, v in fields.items() if k != "do"}) == status
    hand.refresh_from_db()
    assert hand.revision == 1


def test_a_fourth_category_in_secret_is_said_and_the_choices_stay(client: Client, war: PackVersion) -> None:
    hand = opened(client, "complex-front")
    groups = ["raid", "eradication", "brought-low"]
    other = next(group for group in client.get(hand.get_absolute_url()).context["groups"] if group.id not in groups)
    form = {"revision": "1", "do": "choose", "group": groups, "secret": other.id}
    answer = client.post(hand.get_absolute_url(), form)
    assert answer.status_code == 422
    page = markup(answer)
    assert "secret category has to be one of those you chose" in page
    assert all(f'<option value="{chosen}" selected>' in page for chosen in (*groups, other.id))


@pytest.mark.parametrize(
    "form",
    [
        {"game": GAME, "mission": "no-mission", "size": "incursion"},
        {"game": GAME, "mission": "never-surrender", "size": "huge"},
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
    assert "Never Surrender" not in markup(other.get("/hands/"))


def test_a_hand_is_put_away(client: Client, war: PackVersion) -> None:
    opened(client)
    assert done(client, "delete") == 303
    assert not ObjectiveHand.objects.exists()


def test_a_mission_offers_its_hand(client: Client, war: PackVersion, reeds: PackVersion) -> None:
    assert "Start drawing" in markup(client.get("/missions/maelstrom-of-war-9e/never-surrender/"))
    assert "Start drawing" not in markup(client.get("/missions/reeds-and-rust/high-water/"))


def test_every_act_of_a_round_is_a_form_of_the_page(
    client: Client, war: PackVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = itertools.cycle([1, 2, 3, 2, 3, 4])
    monkeypatch.setattr(objective_hands, "derive_dice", lambda seed, place, number: lambda sides, name: next(dice))
    hand = opened(client)
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    done(client, "begin")
    page = markup(client.get(hand.get_absolute_url()))
    for word in ("Replace", "Standing Orders", "Quick Thinking", "New Intel", "Fixed Determination"):
        assert word in page


def test_a_category_is_given_up_by_new_intel(client: Client, war: PackVersion) -> None:
    opened(client)
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    assert done(client, "category", old="raid", new="heroic-deeds") == 422
    done(client, "begin")
    assert done(client, "category", old="raid", new="heroic-deeds") == 303
    assert ObjectiveHand.objects.get().hand.groups[0] == "heroic-deeds"


def test_the_sixth_round_is_refused(client: Client, war: PackVersion) -> None:
    opened(client, "chaotic-engagement")
    for _ in range(5):
        assert done(client, "begin") == 303
    assert done(client, "begin") == 422
    assert len(ObjectiveHand.objects.get().hand.rounds) == 5


def test_a_round_drawn_by_mistake_is_taken_back(client: Client, war: PackVersion) -> None:
    hand = opened(client)
    assert done(client, "back") == 400
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    done(client, "begin")
    before = ObjectiveHand.objects.get()
    done(client, "begin")
    done(client, "score", place="0")
    page = markup(client.get(hand.get_absolute_url()))
    worth = page.split("Not scored after all")[0].rsplit('class="die num">', 1)[1].split("<")[0]
    assert f"<b>{worth} point" in page.split("Was round 2 drawn by mistake?")[1]
    assert done(client, "back", revision=str(before.revision)) == 409
    assert done(client, "back") == 303
    assert ObjectiveHand.objects.get().document == before.document
    assert "Back to before the battle" in markup(client.get(hand.get_absolute_url()))


def test_hands_of_one_mission_are_told_apart(client: Client, war: PackVersion) -> None:
    hand = opened(client, "chaotic-engagement")
    done(client, "begin")
    client.post("/hands/", {"game": GAME, "mission": "chaotic-engagement", "size": "onslaught"})
    ObjectiveHand.objects.filter(pk=hand.pk).update(updated=datetime(2026, 2, 3, 14, 5, tzinfo=UTC))
    first, second = markup(client.get("/hands/")).split("</li>")[-3:-1]
    assert ("Onslaught" in first, "Not started" in first) == (True, True)
    assert [said in second for said in ("Incursion", "Round 1 of 5", "3 Feb")] == [True] * 3


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_the_hands(
    client: Client, war: PackVersion, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        client.post("/hands/", {"game": GAME, "mission": "never-surrender", "size": "incursion"})
    with django_assert_num_queries(2):
        assert markup(client.get("/hands/")).count("Never Surrender") == count


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_a_hand(
    client: Client, war: PackVersion, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hand = opened(client)
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    for _ in range(count):
        done(client, "begin")
    client.get(hand.get_absolute_url())
    with django_assert_num_queries(2):
        client.get(hand.get_absolute_url())


def test_wrong_method(client: Client, war: PackVersion) -> None:
    assert client.put("/hands/").status_code == 405
    assert client.put(opened(client).get_absolute_url()).status_code == 405


def test_hands_that_do_not_exist_are_404(client: Client, war: PackVersion) -> None:
    assert client.get(f"/hands/{'x' * 22}/").status_code == 404


def test_a_choice_that_will_not_do_comes_back_as_it_was_made(client: Client, war: PackVersion) -> None:
    hand = opened(client)
    form = {"do": "choose", "revision": str(hand.revision), "group": ["raid", "raid", "brought-low"]}
    page = markup(client.post(hand.get_absolute_url(), form))
    assert page.count('value="raid" selected') == 2
    assert page.count('value="brought-low" selected') == 1


def test_a_round_taken_back_and_drawn_again_is_the_same_round(client: Client, war: PackVersion) -> None:
    opened(client)
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    hands = []
    for _ in range(3):
        assert done(client, "begin") == 303
        hands.append(ObjectiveHand.objects.get().hand.now)
        assert done(client, "back") == 303
    assert hands[0].drawn
    assert hands.count(hands[0]) == 3


def test_a_hand_from_before_seeds_gets_one_with_its_next_act(client: Client, war: PackVersion) -> None:
    stored = opened(client)
    ObjectiveHand.objects.update(document=encode_hand(replace(stored.hand, seed="")))
    done(client, "choose", group=["raid", "eradication", "brought-low"])
    assert len(ObjectiveHand.objects.get().hand.seed) == 64
