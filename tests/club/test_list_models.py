"""What a list needs beside what its owner has: its page, the builder's marks, and filling from owned models."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import GameSystem
from roster.club.models import Collection, OwnedKind, StateChange
from roster.club.services.collections import add_models, list_startable_factions, move_models
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
    held = json.loads(owner.client.get(marks).content)["kinds"]
    assert held == [{"id": "cutters", "name": "Cutters", "own": 4, "ready": 4}]


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
