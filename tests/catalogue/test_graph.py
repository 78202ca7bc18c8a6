"""The compiled catalogue for pages, also from faulty data."""

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import Entry, EntryKind, EntryType
from catalogue.definitions.queries import Bound
from catalogue.graph.compiled_entry import CompiledEntry
from catalogue.graph.declared import find_copies_allowed
from catalogue.graph.ruleset import Ruleset, compile_ruleset, find_points_type
from tests.catalogue.games import SYSTEM, limit, option, unit


def rules_with(*roots: Entry, shared: tuple[Entry, ...] = ()) -> Ruleset:
    faction = Catalogue(id="f", name="F", kind=CatalogueKind.FACTION, entries=roots, shared_entries=shared)
    return compile_ruleset(DataSet(catalogues=(SYSTEM, faction)))


def link(key: str, target: str) -> Entry:
    return Entry(id=key, kind=EntryKind.ENTRY_LINK, target_id=target)


def roots_of(ruleset: Ruleset) -> list[CompiledEntry]:
    return [root.entry for root in ruleset.find_catalogue("f").distinct_roots]


def points_of(ruleset: Ruleset) -> int:
    return ruleset.smallest.sum_costs(roots_of(ruleset)[0])["points"]


def test_links_to_nothing_and_links_in_a_circle_are_left_out() -> None:
    assert roots_of(rules_with(link("a", "nowhere"), link("b", "b"))) == []


def test_an_entry_inside_itself_ends() -> None:
    inner = Entry(id="shared", name="Shared", costs=option("x", "", 3).costs, entries=(link("again", "shared"),))
    ruleset = rules_with(link("root", "shared"), shared=(inner,))
    assert points_of(ruleset) == 3


def group_of(default_id: str = "") -> Entry:
    return Entry(
        id="g",
        kind=EntryKind.GROUP,
        name="G",
        default_id=default_id,
        constraints=(limit("g-min", Bound.MIN, 3),),
        entries=(
            option("dear", "Dear", 5),
            option("cheap", "Cheap", 1, constraints=(limit("cheap-max", Bound.MAX, 2),)),
        ),
    )


@pytest.mark.parametrize(("default_id", "points"), [("", 10), ("dear", 10 + 3 * 5), ("cheap", 10 + 2 * 1)])
def test_a_group_is_filled_with_its_default_alone(default_id: str, points: int) -> None:
    assert points_of(rules_with(unit("u", "U", "core", 10, group_of(default_id)))) == points


def test_an_entry_behind_two_links_fills_its_minimum_once() -> None:
    inner = option("shared", "Shared", 3, constraints=(limit("s-min", Bound.MIN, 1),))
    outer = unit("u", "U", "core", 10, link("one", "shared"), link("two", "shared"))
    assert points_of(rules_with(outer, shared=(inner,))) == 10 + 3


@pytest.mark.parametrize(
    ("severity", "copies"), [(Severity.ERROR, 2), (Severity.WARNING, None)], ids=["binding", "advice"]
)
def test_copies_allowed_of_a_card_are_those_that_a_rule_demands(severity: Severity, copies: int | None) -> None:
    card = option("card", "Card", 1, constraints=(limit("c-max", Bound.MAX, 2, severity=severity),))
    assert find_copies_allowed(roots_of(rules_with(card))[0]) == copies


def test_models_in_a_group_keep_to_the_limits_of_the_group() -> None:
    group = Entry(
        id="g",
        kind=EntryKind.GROUP,
        name="G",
        constraints=(limit("g-min", Bound.MIN, 3), limit("g-max", Bound.MAX, 6)),
        entries=(Entry(id="m1", name="M1", type=EntryType.MODEL), Entry(id="m2", name="M2", type=EntryType.MODEL)),
    )
    ruleset = rules_with(unit("u", "U", "core", 10, group))
    assert ruleset.smallest.count_models(roots_of(ruleset)[0]) == (3, 6)


def test_what_lists_are_limited_by() -> None:
    kind = find_points_type(DataSet(catalogues=(SYSTEM,)))
    assert kind is not None
    assert kind.id == "points"
    bare = Catalogue(id="s", name="S", kind=CatalogueKind.GAME_SYSTEM)
    assert find_points_type(DataSet(catalogues=(bare,))) is None
