"""Answers that everybody may share name what they show, and a change of it purges them from caches: docs/adr/0111."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import resolve
from django_tasks import default_task_backend

from catalogue.services import edge
from catalogue.services.public_answers import find_public_view
from roster.club.services.statistics import count_all_games
from roster.models import HomebrewSet, HomebrewVersion, Roster, RosterPlan
from roster.models.ownership import Visibility
from roster.services.accounts import set_player_name
from roster.services.rosters import identify_list
from roster.services.sharing import set_visibility
from tests.events.test_webhooks import Receiver
from tests.extent import SEED
from tests.roster.small_game_update import later
from tests.roster.test_public_answers import ACTS, DATA, Acts, list_addresses
from tests.roster.views_cast import Owner, started, started_with_account

pytestmark = pytest.mark.django_db

CACHE = "http://cache.example/"
Commit = Callable[..., AbstractContextManager[Any]]


class Purges:
    """Tasks that wait for a worker."""

    def take(self) -> set[str]:
        """Return the keys of the waiting purges, and forget them."""
        keys = {key for result in self.tasks for key in result.args[1]}
        default_task_backend.clear()
        return keys

    @property
    def tasks(self) -> list[Any]:
        return [result for result in default_task_backend.results if result.task.name == edge.purge_cache.name]


@pytest.fixture
def owner() -> Owner:
    return started_with_account()


@pytest.fixture
def purges(owner: Owner, settings: Any) -> Iterator[Purges]:
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    settings.EDGE_PURGE_URLS = [CACHE]
    for shown in edge.shown_models:
        shown.connect()
    yield Purges()
    for shown in edge.shown_models:
        shown.disconnect()


def read_states(addresses: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what public answers show now, by address and key. Nothing purges the age of a list."""
    states = {}
    for address in addresses:
        match = resolve(urlsplit(address).path)
        public = find_public_view(match.func)
        assert public is not None
        found = public.identify(RequestFactory().get(address), *match.args, **match.kwargs) or {}
        states[address] = {key: repr(value) for key, value in found.items() if key != "age"}
    return states


def test_whatever_changes_an_answer_purges_its_key_and_no_other_list(
    owner: Owner, purges: Purges, django_capture_on_commit_callbacks: Commit
) -> None:
    dice = Random(SEED)
    acts = Acts(owner, dice, lambda time: None)
    elsewhere = started(name="Elsewhere").roster
    addresses = {*list_addresses(owner.roster), *list_addresses(elsewhere), "/games/", "/statistics/"}
    changes = 0
    for name in [*dice.sample(ACTS, len(ACTS)), *dice.choices(ACTS, k=10)]:
        is_binned = Roster.objects.filter(public_id=owner.public_id).exclude(binned=None).exists()
        before = read_states(addresses)
        with django_capture_on_commit_callbacks(execute=True):
            getattr(acts, "bring_back" if is_binned else name)()
        after = read_states(addresses)
        purged = purges.take()
        for address, shown in before.items():
            changed = {key for key, value in shown.items() if after[address].get(key) != value}
            # If the answer is gone, one of its keys is enough.
            assert changed <= purged or (not after[address] and not purged.isdisjoint(shown)), (name, address)
            changes += bool(changed)
        assert edge.make_key("list", elsewhere.pk) not in purged, name
        addresses.update(list_addresses(Roster.objects.get(public_id=owner.public_id)))
    assert changes > 10


def test_each_kind_of_state_is_purged(owner: Owner, purges: Purges, django_capture_on_commit_callbacks: Commit) -> None:
    roster = owner.roster
    homebrew = HomebrewSet.objects.create(owner=roster.owner, game=roster.version.game, name="Ours", working="")
    HomebrewVersion.objects.create(homebrew_set=homebrew, number=1, document="", content_hash="1")
    roster.document = roster.document.replace("{", f'{{"homebrew":"{homebrew.public_id}@1",', 1)
    rules, player = edge.make_key("rules", homebrew.public_id), edge.make_key("player", roster.owner_id)
    assert {rules, player} <= identify_list(roster).keys()

    def purge(act: Callable[[], object]) -> set[str]:
        purges.take()
        with django_capture_on_commit_callbacks(execute=True):
            act()
        return purges.take()

    assert roster.owner is not None
    assert purge(lambda: HomebrewSet.objects.update(taken_down=True)) == {rules}
    assert identify_list(roster)[rules] is None
    assert purge(lambda: set_player_name(roster.owner, "Ann of the Fen")) == {player}
    assert purge(lambda: set_player_name(roster.owner, "")) == {player}
    assert purge(lambda: RosterPlan.objects.create(roster=roster)) == {edge.make_key("list", roster.pk)}
    assert purge(lambda: RosterPlan.objects.update(revision=2)) == {edge.make_key("list", roster.pk)}
    assert purge(later) == {"catalogue"}
    assert purge(count_all_games) == {"statistics"}


def test_shared_answers_have_keys_and_a_bound(owner: Owner, purges: Purges) -> None:
    roster = owner.roster
    link = Client().get(roster.get_absolute_url())
    keys = {"pages", f"list-{roster.pk}", f"player-{roster.owner_id}", "catalogue", "age"}
    assert set(link["Surrogate-Key"].split()) == keys
    assert link["Surrogate-Control"] == "max-age=60"
    # Browsers still confirm each page, and a cache that confirms its copy gets the keys again.
    assert link["Cache-Control"] == "public, no-cache"
    again = Client().get(roster.get_absolute_url(), headers={"if-none-match": link["ETag"]})
    assert (again.status_code, again["Surrogate-Key"]) == (304, link["Surrogate-Key"])
    for address in DATA:
        answer = Client().get(address)
        assert (answer["Surrogate-Key"], answer["Surrogate-Control"]) == ("pages catalogue", "max-age=600")
    assert Client().get("/api/schema/")["Surrogate-Key"] == "pages"


def test_answers_for_one_reader_have_no_keys(owner: Owner, purges: Purges, settings: Any) -> None:
    address = owner.url("link")
    answers = [
        owner.client.get(address),
        Client().get(address, headers={"HX-Request": "true"}),
        Client().get(address, headers={"Authorization": "Bearer x"}),
        Client().get(address, {"revision": "1"}),
        Client().get("/rosters/"),
        Client().get("/r/nothing/"),
    ]
    assert not [answer for answer in answers if "Surrogate-Key" in answer or "Surrogate-Control" in answer]
    settings.EDGE_PURGE_URLS = []
    assert "Surrogate-Key" not in Client().get("/games/"), "nobody would purge it"


def test_a_hidden_list_is_purged_before_others(
    owner: Owner, purges: Purges, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        owner.done(do="rename", node="", text="High water")
        set_visibility(owner.roster, Visibility.PRIVATE)
    renamed, hidden = purges.tasks[0], purges.tasks[-1]
    assert renamed.args[1] == hidden.args[1] == [edge.make_key("list", owner.roster.pk)]
    assert renamed.task.priority < hidden.task.priority


def test_a_rolled_back_change_purges_nothing_and_no_failure_reaches_the_owner(
    owner: Owner, purges: Purges, django_capture_on_commit_callbacks: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        set_visibility(owner.roster, Visibility.PRIVATE)
        transaction.set_rollback(True)
    assert not purges.tasks
    # For example, because the database is full.
    monkeypatch.setattr(edge, "purge_cache", None)
    with django_capture_on_commit_callbacks(execute=True):
        owner.done(do="rename", node="", text="High water")
    assert owner.roster.name == "High water"


# ---- how it is sent ----------------------------------------------------------------------------------------------


@pytest.fixture
def receiver(purges: Purges, settings: Any) -> Iterator[Receiver]:
    receiver = Receiver()
    settings.EDGE_PURGE_URLS = [receiver.address]
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def test_a_failed_purge_is_sent_again_until_pages_have_ended(receiver: Receiver, purges: Purges, settings: Any) -> None:
    settings.EDGE_PURGE_HEADER = "Fastly-Key: secret: of a CDN"
    receiver.status = 503
    arguments: tuple[Any, ...] = (receiver.address, ["list-1", "list-2"])
    waited = timedelta()
    for _ in edge.PAUSES:
        edge.purge_cache.func(*arguments)
        (again,) = purges.tasks
        arguments = again.args
        waited += again.task.run_after - again.enqueued_at
        default_task_backend.clear()
    edge.purge_cache.func(*arguments)
    assert not purges.tasks
    assert round(waited.total_seconds()) >= edge.SECONDS_OF_DATA
    headers = [headers for headers, _body in receiver.messages]
    assert {(one["Surrogate-Key"], one["Fastly-Key"]) for one in headers} == {("list-1 list-2", "secret: of a CDN")}
    receiver.status = 200
    edge.purge_cache.func(receiver.address, ["list-1"])
    assert not purges.tasks
    settings.EDGE_PURGE_URLS = []
    edge.purge_cache.func(receiver.address, ["list-1"])
    assert len(receiver.messages) == len(edge.PAUSES) + 2, "an address that was taken out is not asked again"


def test_an_upgrade_purges_everything_or_says_which_caches_are_left(receiver: Receiver, settings: Any) -> None:
    call_command("purge_edge")
    assert [headers["Surrogate-Key"] for headers, _body in receiver.messages] == ["pages"]
    receiver.status = 500
    with pytest.raises(CommandError, match="1 of 1 caches did not accept"):
        call_command("purge_edge")
    settings.EDGE_PURGE_URLS = []
    call_command("purge_edge")


def test_many_keys_are_sent_in_parts(purges: Purges, django_capture_on_commit_callbacks: Commit) -> None:
    keys = [f"list-{number}" for number in range(2 * edge.MOST_KEYS + 1)]
    with django_capture_on_commit_callbacks(execute=True):
        edge.purge_after_commit(keys, edge.PRIORITY)
    assert [len(result.args[1]) for result in purges.tasks] == [edge.MOST_KEYS, edge.MOST_KEYS, 1]
    assert purges.take() == set(keys)
