"""Searching all games."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.models import PackVersion
from catalogue.services.install_version import install_version
from tests.catalogue.games import ABOUT, with_units
from tests.markup import markup

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

SEARCH = "/search/"


def test_works(client: Client, tin_meadow: PackVersion) -> None:
    text = markup(client.get(SEARCH, {"q": "fork"}))
    assert "/games/tin-meadow/the-mowers/hay-hands/" in text
    assert "Tin Meadow" in text


def test_what_many_factions_offer_is_listed_once(client: Client, tin_meadow: PackVersion) -> None:
    mowers, moles = tin_meadow.factions.order_by("position")
    wagon = mowers.units.get(slug="hay-wagon")
    wagon.pk, wagon.faction, wagon.position, wagon.slug = None, moles, 99, "borrowed"
    wagon.save()
    text = markup(client.get(SEARCH, {"q": "wagon"}))
    assert text.count("<b>Hay Wagon</b>") == 1
    assert '<a href="/games/tin-meadow/the-moles/borrowed/">The Moles</a>' in text


def test_without_words_it_asks(client: Client, tin_meadow: PackVersion) -> None:
    for query in ({}, {"q": ""}, {"q": "   "}):
        page = client.get(SEARCH, query)
        assert page.status_code == 200
        assert b"Hay" not in page.content


@pytest.mark.parametrize("typed", ["wagn", "hay wogon", "WAGONN"])
def test_a_typing_error_finds_what_was_meant(client: Client, tin_meadow: PackVersion, typed: str) -> None:
    page = client.get(SEARCH, {"q": typed})
    assert "/games/tin-meadow/the-mowers/hay-wagon/" in markup(page)
    assert page.context["corrected"]


@pytest.mark.parametrize("typed", ["wagon", "xyzzyxyzzy", "wg"])
def test_nothing_is_corrected_that_is_right_or_like_nothing(
    client: Client, tin_meadow: PackVersion, typed: str
) -> None:
    assert client.get(SEARCH, {"q": typed}).context["corrected"] == ""


def test_old_versions_are_not_searched(client: Client, tin_meadow: PackVersion) -> None:
    install_version(ABOUT, with_units(1))
    assert b"hay-hands" not in client.get(SEARCH, {"q": "hay"}).content


def test_wrong_method(client: Client, db: None) -> None:
    assert client.post(SEARCH).status_code == 405


@pytest.mark.parametrize("rows", [1, 3])
def test_query_count(client: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    install_version(ABOUT, with_units(rows))
    with django_assert_num_queries(4):
        assert client.get(SEARCH, {"q": "row"}).status_code == 200


def test_whole_page_and_part_of_it(client: Client, tin_meadow: PackVersion) -> None:
    part = client.get(SEARCH, {"q": "hay"}, headers={"HX-Request": "true"})
    assert b"<html" in client.get(SEARCH, {"q": "hay"}).content
    assert b"<html" not in part.content
    assert "HX-Request" in part["Vary"]


def test_script_in_the_search_text_stays_text(client: Client, tin_meadow: PackVersion) -> None:
    text = markup(client.get(SEARCH, {"q": "<script>alert(1)</script>"}))
    assert "<script>alert" not in text


@pytest.mark.parametrize("text", ["\x00", "%", "'; drop table", "🦀", "a" * 10_000])
def test_odd_texts_are_answered(client: Client, tin_meadow: PackVersion, text: str) -> None:
    assert client.get(SEARCH, {"q": text}).status_code == 200
