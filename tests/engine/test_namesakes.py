"""Known entries with the same name and place as unknown ones."""

from typing import Any

import pytest

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.entries import Entry, EntryKind, ForceEntry
from catalogue.graph.ruleset import compile_ruleset
from roster.engine.namesakes import take_namesakes
from roster.engine.tree import Force, RosterTree, Selection


def option(ident: str, name: str, *inside: Entry, **more: Any) -> Entry:
    return Entry(id=ident, name=name, entries=inside, **more)


def take(offered: tuple[Entry, ...], *selections: Selection) -> list[tuple[str, str]]:
    """Return entry and name of the selections in a squad after taking its namesakes."""
    squad = option("squad", "Squad", *offered)
    system = Catalogue(
        id="g", name="G", kind=CatalogueKind.GAME_SYSTEM, forces=(ForceEntry(id="f", name="F"),), entries=(squad,)
    )
    force = Force(
        id="1", entry_id="f", catalogue_id="g", selections=(Selection(id="2", entry_id="squad", selections=selections),)
    )
    roster, _ = take_namesakes(compile_ruleset(DataSet(catalogues=(system,))), RosterTree(id="r", forces=(force,)))
    return [(inner.entry_id, inner.name) for inner in roster.forces[0].selections[0].selections]


def unknown(ident: str = "3", name: str = "Power  Sword", **more: Any) -> Selection:
    return Selection(id=ident, entry_id="gone", name=name, **more)


def test_case_and_blanks_make_no_other_name() -> None:
    assert take((option("new", "power sword"),), unknown()) == [("new", "power sword")]


def test_another_name_is_left_alone() -> None:
    assert take((option("new", "Power Axe"),), unknown()) == [("gone", "Power  Sword")]


@pytest.mark.parametrize(
    "offered",
    [(option("a", "Power Sword"), option("b", "Power Sword")), (option("a", "Power Sword", hidden=True),)],
    ids=["two-of-the-name", "hidden"],
)
def test_what_is_open_or_not_on_offer_is_left_alone(offered: tuple[Entry, ...]) -> None:
    assert take(offered, unknown()) == [("gone", "Power  Sword")]


def test_of_two_the_one_in_the_same_group_is_meant() -> None:
    groups = tuple(
        Entry(id=group, kind=EntryKind.GROUP, name=group, entries=(option(f"{group}-sword", "Power Sword"),))
        for group in ("left", "right")
    )
    assert take(groups, unknown(group_id="right")) == [("right-sword", "Power Sword")]


def test_what_is_taken_there_already_is_not_taken_again() -> None:
    known = Selection(id="4", entry_id="new", name="Power Sword")
    assert take((option("new", "Power Sword"),), unknown(), known) == [("gone", "Power  Sword"), ("new", "Power Sword")]
    assert take((option("new", "Power Sword"),), unknown(), unknown("5")) == [
        ("new", "Power Sword"),
        ("gone", "Power  Sword"),
    ]
