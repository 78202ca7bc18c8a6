"""Lists that name house rules: of another game, of a version that is deleted, hidden, shown again or deleted."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from catalogue.models import GameSystem
from roster.formats.list_document import build_document
from roster.models import HomebrewSet, HomebrewVersion, Roster
from roster.models.ownership import Visibility
from roster.services import homebrew, homebrew_lists
from roster.services.evaluation import forget_evaluations
from roster.services.homebrew import delete_set, describe_set, import_set, publish_set
from roster.services.outcomes import Refused
from roster.services.rulesets import load_list_ruleset
from tests.roster.accounts_cast import account
from tests.roster.views_cast import Owner, started

pytestmark = pytest.mark.django_db

DOCUMENT = b"""
homebrew: 1
name: Sluice club rules
game: fenland
changes:
- {in: marsh, name: "Warden, points", entry: warden, field: cost, id: points, was: '20', to: '12'}
"""


@pytest.fixture
def ann() -> User:
    return account()


@pytest.fixture
def owner(ann: User) -> Iterator[Owner]:
    client = Client()
    client.force_login(ann)
    made = started(client)
    made.unit("warden")
    yield made
    forget_evaluations()


@pytest.fixture
def rules(ann: User, owner: Owner) -> HomebrewSet:
    made = import_set(ann, DOCUMENT)
    assert isinstance(made, HomebrewSet)
    assert isinstance(publish_set(made), HomebrewVersion)
    return made


@pytest.fixture
def version(rules: HomebrewSet) -> HomebrewVersion:
    return rules.versions.get()


def use(owner: Owner, key: str) -> None:
    assert owner.client.post(owner.url("house-rules"), {"homebrew": key}).status_code == 303


def publish_again(rules: HomebrewSet, name: str) -> HomebrewVersion | Refused:
    assert describe_set(rules, name, "") is None
    published = publish_set(rules)
    assert isinstance(published, HomebrewVersion | Refused)
    return published


def list_numbers(rules: HomebrewSet) -> list[int]:
    return sorted(rules.versions.values_list("number", flat=True))


# ---- rules of another game ------------------------------------------------------------------------------------------


def check(owner: Owner, key: str) -> Any:
    roster = Roster.objects.get()
    ruleset = load_list_ruleset(roster.version, roster.faction_id, roster.tree)
    written = build_document(ruleset, roster.tree, game="fenland", faction_id="marsh") | {"homebrew": key}
    return owner.client.post("/api/v1/check", json.dumps(written, default=str), content_type="application/json")


def test_a_document_may_not_name_house_rules_of_another_game(owner: Owner, version: HomebrewVersion) -> None:
    answer = check(owner, version.key)
    assert (answer.status_code, answer.json()["house_rules"]) == (200, "Sluice club rules")

    # As if they were for a game that only another account may see.
    private = GameSystem.objects.create(slug="secret", name="Secret", owner=account("bob@example.org"))
    HomebrewSet.objects.update(game=private)
    answer = check(owner, version.key)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-rules")
    assert "Sluice" not in answer.content.decode()
    # Deleted ones are named by lists, which say so.
    answer = check(owner, f"{'x' * 22}@1")
    assert (answer.status_code, answer.json()["house_rules"]) == (200, "")
    assert "rules-gone" in [remark["code"] for remark in answer.json()["unchecked"]]


def test_a_list_that_names_rules_of_another_game_counts_and_shows_none(owner: Owner, version: HomebrewVersion) -> None:
    use(owner, version.key)
    HomebrewSet.objects.update(game=GameSystem.objects.create(slug="other", name="Other"))
    forget_evaluations()
    for page in ("builder", "house-rules", "history"):
        assert "Sluice" not in owner.client.get(owner.url(page)).content.decode()


# ---- versions that nothing uses -------------------------------------------------------------------------------------


def test_beyond_the_limit_the_oldest_version_goes_that_nothing_uses(
    owner: Owner, rules: HomebrewSet, version: HomebrewVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(homebrew, "MOST_VERSIONS", 3)
    use(owner, version.key)
    for name in ("Two", "Three"):
        publish_again(rules, name)
    assert list_numbers(rules) == [1, 2, 3]
    # A list uses the first, so the second goes.
    publish_again(rules, "Four")
    assert list_numbers(rules) == [1, 3, 4]
    owner.client.post(owner.url("house-rules"), {"homebrew": ""})
    publish_again(rules, "Five")
    assert list_numbers(rules) == [3, 4, 5]


def test_versions_in_use_stay_and_nothing_is_published(
    owner: Owner, rules: HomebrewSet, version: HomebrewVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(homebrew, "MOST_VERSIONS", 1)
    use(owner, version.key)
    refused = publish_again(rules, "Two")
    assert isinstance(refused, Refused)
    assert (refused.code, list_numbers(rules)) == ("too-many-versions", [1])


# ---- hidden, shown again, deleted -----------------------------------------------------------------------------------


def test_overviews_follow_hidden_and_deleted_rules(
    owner: Owner,
    rules: HomebrewSet,
    version: HomebrewVersion,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(homebrew_lists, "BATCH", 1)
    plain = Roster.objects.get().points
    use(owner, version.key)
    Roster.objects.update(visibility=Visibility.PUBLIC)
    owner.client.post(owner.url("copy"))
    assert Roster.objects.filter(homebrew="Sluice club rules").count() == 2
    dated = list(Roster.objects.order_by("pk").values_list("updated", flat=True))
    changed = Roster.objects.first().points

    def read() -> set[tuple[str, str]]:
        rows = Client().get("/api/v1/rosters/").json()["results"]
        return {(row["house_rules"], row["points"]) for row in rows}

    assert read() == {("Sluice club rules", changed)}
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    for act, state in (("hide", ("", plain)), ("show_again", ("Sluice club rules", changed))):
        with django_capture_on_commit_callbacks(execute=True):
            chosen = {"action": act, "_selected_action": [str(rules.pk)]}
            staff.post(reverse("admin:roster_homebrewset_changelist"), chosen)
        assert read() == {state}
    with django_capture_on_commit_callbacks(execute=True):
        delete_set(rules)
    assert read() == {("", plain)}
    assert list(Roster.objects.order_by("pk").values_list("updated", flat=True)) == dated
