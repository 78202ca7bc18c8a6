"""The admin shows lists and their history without changing them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.roster.small_game import installed

pytestmark = pytest.mark.django_db


@pytest.fixture
def rosters() -> list[Roster]:
    version = installed()
    return [
        r
        for n in range(3)
        if isinstance(r := start_roster(Visitor(key="owner"), version, "marsh", f"List {n}"), Roster)
    ]


def test_works(admin_client: Client, rosters: list[Roster]) -> None:
    page = admin_client.get(reverse("admin:roster_roster_changelist"), {"q": "List 1", "verdict": "legal"})
    assert page.status_code == 200
    assert b"List 1" in page.content
    one = admin_client.get(reverse("admin:roster_roster_change", args=[rosters[0].pk]))
    assert one.status_code == 200
    assert b"start" in one.content


def test_nothing_can_be_added_or_changed(admin_client: Client, rosters: list[Roster]) -> None:
    assert admin_client.get(reverse("admin:roster_roster_add")).status_code == 403
    address = reverse("admin:roster_roster_change", args=[rosters[0].pk])
    assert admin_client.post(address, {"name": "Mine now"}).status_code == 403


def test_needs_login(client: Client, rosters: list[Roster]) -> None:
    assert client.get(reverse("admin:roster_roster_changelist")).status_code == 302


def test_query_count_does_not_grow(
    admin_client: Client, rosters: list[Roster], django_assert_max_num_queries: Any
) -> None:
    address = reverse("admin:roster_roster_changelist")
    admin_client.get(address)
    with django_assert_max_num_queries(9):
        admin_client.get(address)
