"""Reading data that is not as it should be, and the doctests of what reads it."""

import doctest

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.entries import Entry, EntryKind, EntryType
from catalogue.definitions.link_index import Binding
from catalogue.definitions.queries import Bound
from catalogue.services import documents, entries, finding, lru, texts
from catalogue.services.book import Book, Library
from catalogue.services.points import Smallest, points_type
from catalogue.templatetags import ledger
from tests.catalogue.games import SYSTEM, limit, option, unit


def book_with(*roots: Entry, shared: tuple[Entry, ...] = ()) -> Book:
    faction = Catalogue(id="f", name="F", kind=CatalogueKind.FACTION, entries=roots, shared_entries=shared)
    return Book(Library(Binding(DataSet(catalogues=(SYSTEM, faction)))), faction)


def link(key: str, target: str) -> Entry:
    return Entry(id=key, kind=EntryKind.ENTRY_LINK, target_id=target)


def points_of(book: Book) -> int:
    return Smallest(book.library, "points").costs(book.roots()[0])["points"]


@pytest.mark.parametrize("module", [documents, entries, finding, ledger, lru, texts])
def test_examples_in_the_code_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0


def test_links_to_nothing_and_links_in_a_circle_are_left_out() -> None:
    assert book_with(link("a", "nowhere"), link("b", "b")).roots() == []


def test_an_entry_inside_itself_ends() -> None:
    inner = Entry(
        id="shared", name="Shared", costs=option("x", "", 3).costs, entries=(link("again", "shared"),)
    )
    book = book_with(link("root", "shared"), shared=(inner,))
    assert points_of(book) == 3


def test_a_group_without_default_takes_what_costs_least() -> None:
    group = Entry(
        id="g",
        kind=EntryKind.GROUP,
        name="G",
        constraints=(limit("g-min", Bound.MIN, 3),),
        entries=(
            option("dear", "Dear", 5),
            option("cheap", "Cheap", 1, constraints=(limit("cheap-max", Bound.MAX, 2),)),
        ),
    )
    assert points_of(book_with(unit("u", "U", "core", 10, group))) == 10 + 1 + 1 + 5


def test_models_in_a_group_keep_to_the_limits_of_the_group() -> None:
    group = Entry(
        id="g",
        kind=EntryKind.GROUP,
        name="G",
        constraints=(limit("g-min", Bound.MIN, 3), limit("g-max", Bound.MAX, 6)),
        entries=(
            Entry(id="m1", name="M1", type=EntryType.MODEL),
            Entry(id="m2", name="M2", type=EntryType.MODEL),
        ),
    )
    book = book_with(unit("u", "U", "core", 10, group))
    assert Smallest(book.library, "points").models(book.roots()[0]) == (3, 6)


def test_what_lists_are_limited_by() -> None:
    kind = points_type(DataSet(catalogues=(SYSTEM,)))
    assert kind is not None
    assert kind.id == "points"
    bare = Catalogue(id="s", name="S", kind=CatalogueKind.GAME_SYSTEM)
    assert points_type(DataSet(catalogues=(bare,))) is None
