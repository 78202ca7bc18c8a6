"""What a list needs beside what its owner has: its page, the builder's marks, and filling from owned models."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import GameSystem
from roster.club.models import Collection, OwnedKind, StateChange
from roster.club.services.collections import MOST_GAMES, add_models, list_startable_factions, move_models
from roster.club.services.list_models import list_kinds, load_holdings
from roster.club.services.progress import measure_progress
from roster.models import Roster
from roster.services.owners import Visitor
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Owner:
    return started()


def page(owner: Owner) -> str:
    return reverse("club:list-models", args=[owner.public_id])


def visitor(owner: Owner) -> Visitor:
    return Visitor(key=owner.key)


def start(owner: Owner) -> Collection:
    assert owner.client.post(reverse("club:collections"), {"faction": "fenland:marsh"}).status_code == 303
    return Collection.objects.get()


def buy(collection: Collection, name: str, number: int, state: str = "built") -> OwnedKind:
    kind = add_models(collection, name, number, state)
    assert isinstance(kind, OwnedKind)
    return kind


def count_units(owner: Owner, entry: str) -> int:
    return [unit.entry_id for unit in owner.roster.tree.forces[0].selections].count(entry)


def test_the_page_says_what_a_list_lacks(owner: Owner) -> None:
    owner.unit("cutters")
    (need,) = list_kinds(owner.roster, load_holdings(visitor(owner), owner.roster))
    assert (need.name, need.at_hand, need.short) == ("Cutters", 0, need.needed)
    collection = start(owner)
    buy(collection, "Cutters", 1, "painted")
    buy(collection, "Cutters", 1, "lent")
    (now,) = list_kinds(owner.roster, load_holdings(visitor(owner), owner.roster))
    assert (now.at_hand, now.ready, now.short) == (1, 1, need.needed - 1)
    assert "Cutters" in markup(owner.client.get(page(owner)))


def test_owning_a_list_starts_its_collection(owner: Owner) -> None:
    owner.unit("cutters")
    assert owner.client.post(page(owner), {"do": "own", "target": "painted"}).status_code == 303
    kind = OwnedKind.objects.get()
    assert kind.painted > 0
    assert kind.collection.faction_id == "marsh"
    (need,) = list_kinds(owner.roster, load_holdings(visitor(owner), owner.roster))
    assert need.short == 0
    assert owner.client.post(page(owner), {"do": "own", "target": "painted"}).status_code == 303
    assert OwnedKind.objects.get().owned == kind.owned


def test_a_list_is_filled_only_from_what_is_owned(owner: Owner) -> None:
    owner.unit("cutters")
    (need,) = list_kinds(owner.roster, load_holdings(visitor(owner), owner.roster))
    collection = start(owner)
    buy(collection, "Cutters", 2 * need.needed + need.needed - 1)
    head = owner.roster.head
    assert owner.client.post(page(owner), {"do": "fill"}).status_code == 303
    assert count_units(owner, "cutters") == 2
    assert {unit.entry_id for unit in owner.roster.tree.forces[0].selections} == {"cutters"}
    assert owner.roster.head == head + 1
    refused = owner.client.post(page(owner), {"do": "fill"})
    assert refused.status_code == 422
    assert "Nothing that you own fits into this list." in markup(refused)
    assert owner.roster.head == head + 1


def test_lent_models_fill_nothing(owner: Owner) -> None:
    buy(start(owner), "Cutters", 50, "lent")
    assert owner.client.post(page(owner), {"do": "fill"}).status_code == 422
    assert count_units(owner, "cutters") == 0


@pytest.mark.parametrize("form", [{}, {"do": "sing"}, {"do": "own", "target": "gold"}, {"do": "own"}])
def test_bad_forms_change_nothing(owner: Owner, form: dict[str, str]) -> None:
    owner.unit("cutters")
    head = owner.roster.head
    answer = owner.client.post(page(owner), form)
    assert answer.status_code in (400, 422)
    assert 'role="alert"' in markup(answer)
    assert not OwnedKind.objects.exists()
    assert owner.roster.head == head


def test_strangers_see_nothing(owner: Owner) -> None:
    buy(start(owner), "Cutters", 5)
    marks = reverse("club:list-marks", args=[owner.public_id])
    for client in (Client(), started(Client()).client):
        assert client.get(page(owner)).status_code == 404
        assert client.post(page(owner), {"do": "fill"}).status_code == 404
        assert client.get(marks).status_code == 404
    Roster.objects.filter(public_id=owner.public_id).update(binned=timezone.now())
    assert owner.client.post(page(owner), {"do": "fill"}).status_code == 404


def test_the_builder_marks_what_is_owned(owner: Owner) -> None:
    assert 'id="owning"' not in markup(owner.page())
    collection = start(owner)
    kind = buy(collection, "Cutters", 5, "painted")
    move_models(collection, kind.pk, "painted", "lent", 1)
    marks = reverse("club:list-marks", args=[owner.public_id])
    assert marks in markup(owner.page())
    held = json.loads(owner.client.get(marks).content)["collections"]
    assert held == [[{"ids": ["cutters"], "name": "Cutters", "own": 4, "ready": 4}]]


def test_marks_count_all_factions_of_a_game(owner: Owner) -> None:
    buy(start(owner), "Cutters", 5)
    other = Collection.objects.create(
        game=owner.roster.version.game, game_name="x", faction_id="toll", name="Toll", owner_key=owner.key
    )
    buy(other, "Cutters", 2)
    holdings = load_holdings(visitor(owner), owner.roster)
    assert holdings.count("cutters", "Cutters") == 7
    assert holdings.count("another-id", "cutters") == 7
    assert holdings.count("cutters", "Eel-catchers") == 5


@pytest.fixture
def old_shelf(owner: Owner) -> Collection:
    """The owner's collection of an older edition, whose data is not here, with models of three units."""
    game = GameSystem.objects.create(slug="old-fenland", name="Fenland", edition="1st")
    collection = Collection.objects.create(
        game=game, game_name=str(game), faction_id="marsh", name="Old marsh", owner_key=owner.key
    )
    for entry_id, name, number in (("old-1", "CUTTERS", 3), ("warden", "Old warden", 2), ("old-3", "Warden", 9)):
        OwnedKind.objects.create(collection=collection, entry_id=entry_id, name=name, built=number)
    return collection


def choose_games(owner: Owner, collection: Collection, *slugs: str, client: Client | None = None) -> int:
    form = {"do": "games", "game": list(slugs)}
    return (client or owner.client).post(reverse("club:collection", args=[collection.public_id]), form).status_code


def test_models_count_in_further_games_once_their_owner_says_so(owner: Owner, old_shelf: Collection) -> None:
    owner.unit("cutters")
    marks = reverse("club:list-marks", args=[owner.public_id])
    assert 'id="owning"' not in markup(owner.page())
    assert json.loads(owner.client.get(marks).content) == {"collections": []}
    assert owner.client.post(page(owner), {"do": "fill"}).status_code == 422
    assert choose_games(owner, old_shelf, "fenland") == 303
    assert 'id="owning"' in markup(owner.page())
    (held,) = json.loads(owner.client.get(marks).content)["collections"]
    assert [(kind["ids"], kind["own"]) for kind in held] == [(["old-1"], 3), (["warden"], 2), (["old-3"], 9)]
    holdings = load_holdings(visitor(owner), owner.roster)
    # By name, because no entry id is the unit's; by entry id, although another kind has the unit's name.
    assert [kind.name for kind in holdings.find("cutters", "Cutters")] == ["CUTTERS"]
    assert [kind.name for kind in holdings.find("warden", "Warden")] == ["Old warden"]
    shown = markup(owner.client.get(page(owner)))
    assert "Old marsh" in shown
    assert "Fenland, 1st" in shown
    # Collections of both games add up, and only what both lack is bought.
    (need,) = list_kinds(owner.roster, holdings)
    assert (need.at_hand, need.short) == (3, need.needed - 3)
    assert owner.client.post(page(owner), {"do": "own", "target": "built"}).status_code == 303
    (need,) = list_kinds(owner.roster, load_holdings(visitor(owner), owner.roster))
    assert (need.at_hand, need.short) == (need.needed, 0)
    assert owner.client.post(page(owner), {"do": "fill"}).status_code == 303
    assert count_units(owner, "warden") > 0
    assert choose_games(owner, old_shelf) == 303
    assert load_holdings(visitor(owner), owner.roster).count("warden", "Warden") == 0


def test_only_games_that_the_owner_may_read_can_be_chosen(owner: Owner, old_shelf: Collection) -> None:
    fenland = GameSystem.objects.get(slug="fenland")
    private = GameSystem.objects.create(slug="ben-game", name="Bens game", owner=account("ben@example.org"))
    GameSystem.objects.filter(pk=fenland.pk).update(current=None, owner=private.owner, private_version=fenland.current)
    address = reverse("club:collection", args=[old_shelf.public_id])
    assert 'value="fenland"' not in markup(owner.client.get(address))
    for slugs in (["fenland"], ["ben-game"], ["nothing"], ["x" * 3_000]):
        assert choose_games(owner, old_shelf, *slugs) in (400, 422)
    assert not old_shelf.more_games.exists()
    ben = Client()
    ben.force_login(private.owner)
    assert choose_games(owner, old_shelf, "fenland", client=ben) == 404
    Collection.objects.update(owner=private.owner, owner_key="")
    assert 'value="fenland"' in markup(ben.get(address))
    assert choose_games(owner, old_shelf, "fenland", client=ben) == 303
    # A withdrawn game stays until its owner unticks it; a deleted one is gone.
    GameSystem.objects.filter(pk=fenland.pk).update(private_version=None)
    assert choose_games(owner, old_shelf, "fenland", client=ben) == 303
    assert list(old_shelf.more_games.all()) == [fenland]


def test_a_collection_outlives_a_further_game(owner: Owner, old_shelf: Collection) -> None:
    extra = GameSystem.objects.create(slug="reeds", name="Reeds")
    old_shelf.more_games.add(extra)
    assert "Reeds" in markup(owner.client.get(reverse("club:collection", args=[old_shelf.public_id])))
    extra.delete()
    assert not old_shelf.more_games.exists()
    assert "Reeds" not in markup(owner.client.get(reverse("club:collection", args=[old_shelf.public_id])))


def test_a_collection_counts_for_few_games(owner: Owner, old_shelf: Collection) -> None:
    games = [GameSystem(slug=f"game-{number}", name=f"Game {number}") for number in range(MOST_GAMES)]
    old_shelf.more_games.set(GameSystem.objects.bulk_create(games))
    assert choose_games(owner, old_shelf, "fenland", *(game.slug for game in games)) == 422
    assert old_shelf.more_games.count() == MOST_GAMES
    assert choose_games(owner, old_shelf, "fenland") == 303
    assert old_shelf.more_games.count() == 1


def test_a_private_game_can_be_collected_by_its_owner_only(owner: Owner) -> None:
    user = account()
    game = GameSystem.objects.get(slug="fenland")
    version = game.current
    assert version is not None
    GameSystem.objects.filter(pk=game.pk).update(current=None, owner=user, private_version=version)
    mine, stranger = Client(), Client()
    mine.force_login(user)
    assert mine.post(reverse("club:collections"), {"faction": "fenland:marsh"}).status_code == 303
    buy(Collection.objects.get(), "Cutters", 3)
    assert OwnedKind.objects.get().entry_id == "cutters"
    assert "Cutters" in markup(mine.get(reverse("club:collection", args=[Collection.objects.get().public_id])))
    assert "fenland:marsh" in markup(mine.get(reverse("club:collections")))
    assert "fenland:marsh" not in markup(stranger.get(reverse("club:collections")))
    assert stranger.post(reverse("club:collections"), {"faction": "fenland:marsh"}).status_code == 404
    assert not list_startable_factions(Visitor(key="x" * 64)).exists()


def test_progress_counts_back_from_today(owner: Owner) -> None:
    collection = start(owner)
    kind = buy(collection, "Cutters", 10, "sprue")
    today = timezone.now().replace(day=15)
    StateChange.objects.update(created=today - timedelta(days=65))
    move_models(collection, kind.pk, "sprue", "painted", 4)
    StateChange.objects.filter(target="painted").update(created=today - timedelta(days=31))
    move_models(collection, kind.pk, "painted", "based", 3)
    move_models(collection, kind.pk, "sprue", "", 2)
    months = measure_progress(collection, list(collection.kinds.all()))
    assert [(end.owned, end.ready) for end in months] == [(10, 0), (10, 4), (8, 4)]
    assert [end.month.day for end in months] == [1, 1, 1]
    shown = markup(owner.client.get(reverse("club:collection", args=[collection.public_id])))
    assert "4 of 8" in shown


def test_a_new_collection_has_no_progress(owner: Owner) -> None:
    collection = start(owner)
    buy(collection, "Cutters", 10)
    assert len(measure_progress(collection, list(collection.kinds.all()))) == 1
    assert "Painted, month by month" not in markup(
        owner.client.get(reverse("club:collection", args=[collection.public_id]))
    )
