"""Differences between two lists as data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roster.engine.compare import Difference, DifferenceKind, DifferencePart, compare_rosters
from roster.engine.tree import Force, Limit, RosterTree, Selection, copy_with


def part(ident: str, entry: str, *inside: Selection, **more: Any) -> Selection:
    return Selection(id=ident, entry_id=entry, name=entry.title(), selections=inside, **more)


def listed(*units: Selection, **more: Any) -> RosterTree:
    column = Force(id="f", entry_id="column", catalogue_id="marsh", name="Column", selections=units)
    return RosterTree(id="r", forces=(column,), **more)


def told(before: RosterTree, after: RosterTree) -> list[tuple[str, str, int, str, str]]:
    return [(d.kind.value, d.name, d.number, d.before, d.unit) for d in compare_rosters(before, after)]


SABRE, PISTOL = part("s", "sabre", group_id="arms"), part("p", "pistol", group_id="arms")


def test_units_more_and_fewer_are_counted_by_name() -> None:
    before = listed(part("1", "cutters"), part("2", "crew"))
    after = listed(part("1", "cutters"), part("3", "cutters"), part("4", "cutters"))
    assert told(before, after) == [("added", "Cutters", 2, "", ""), ("removed", "Crew", 1, "", "")]


def test_one_choice_of_a_group_instead_of_another() -> None:
    assert told(listed(part("1", "warden", SABRE)), listed(part("1", "warden", PISTOL))) == [
        ("replaced", "Pistol", 1, "Sabre", "Warden")
    ]


def test_choices_without_a_group_come_and_go() -> None:
    lamp, hook = part("l", "lamp"), part("h", "hook")
    assert told(listed(part("1", "warden", lamp)), listed(part("1", "warden", hook))) == [
        ("added", "Hook", 1, "", "Warden"),
        ("removed", "Lamp", 1, "", "Warden"),
    ]


def test_numbers_deep_inside_a_unit() -> None:
    def unit(number: int) -> RosterTree:
        return listed(part("1", "cutters", part("2", "cutter", part("3", "net", number=number), number=5)))

    assert told(unit(1), unit(3)) == [("added", "Net", 2, "", "Cutters")]


def test_an_option_is_in_the_unit_by_the_name_its_owner_gave_it() -> None:
    anna = part("1", "warden", SABRE, custom_name="Anna")
    assert told(listed(anna), listed(copy_with(anna, selections=()))) == [("removed", "Sabre", 1, "", "Anna")]


def test_lists_without_ids_in_common_are_told_apart_by_what_they_hold() -> None:
    before = listed(part("1", "crew", SABRE), part("2", "crew", PISTOL))
    after = listed(part("9", "crew", copy_with(PISTOL, id="x")), part("8", "crew", copy_with(SABRE, id="y")))
    assert told(before, after) == [("reordered", "", 0, "", "")]
    assert told(before, listed(part("9", "crew", copy_with(PISTOL, id="x")))) == [("removed", "Crew", 1, "", "")]


def test_what_is_written_on_a_list() -> None:
    before = listed(part("1", "warden"), name="Low", limits=(Limit(type_id="points", value=100),))
    after = listed(
        part("1", "warden", custom_name="Anna", notes="first"),
        name="High",
        notes="for Sunday",
        limits=(Limit(type_id="points", value=-1),),
    )
    assert compare_rosters(before, after) == (
        Difference(kind=DifferenceKind.LIMIT, what=DifferencePart.LIST, name="points", was=100, now=None),
        Difference(kind=DifferenceKind.RENAMED, what=DifferencePart.LIST, name="High", before="Low"),
        Difference(kind=DifferenceKind.NOTED, what=DifferencePart.LIST),
        Difference(kind=DifferenceKind.RENAMED, what=DifferencePart.UNIT, name="Anna", before="Warden"),
        Difference(kind=DifferenceKind.NOTED, what=DifferencePart.UNIT, name="Anna"),
    )


def test_rules_besides_those_of_the_data() -> None:
    with_rules = listed(overlay="cup@0123")
    assert told(listed(), with_rules) == [("rules", "cup", 0, "", "")]
    assert told(with_rules, listed()) == [("rules", "", 0, "", "")]


def test_detachments_and_who_leads_them() -> None:
    before = listed(part("1", "warden"))
    column = copy_with(before.forces[0], leader_id="1")
    escort = Force(id="g", entry_id="escort", catalogue_id="marsh", name="Escort")
    after = copy_with(before, forces=(copy_with(column, forces=(escort,)),))
    assert [(d.kind, d.what, d.name, d.unit) for d in compare_rosters(before, after)] == [
        (DifferenceKind.ADDED, DifferencePart.DETACHMENT, "Escort", ""),
        (DifferenceKind.LEADS, DifferencePart.DETACHMENT, "Warden", "Column"),
    ]


ENTRIES = st.sampled_from(["crew", "cutters", "warden", "lamp"])


@st.composite
def parts(draw: Any, depth: int = 2) -> Selection:
    inside = draw(st.lists(parts(depth - 1), max_size=3)) if depth else []
    return part(draw(st.uuids()).hex, draw(ENTRIES), *inside, number=draw(st.integers(1, 4)), group_id=draw(ENTRIES))


@given(st.lists(parts(), max_size=5))
def test_a_list_is_no_different_from_itself(units: list[Selection]) -> None:
    assert compare_rosters(listed(*units), listed(*units)) == ()


@given(st.lists(parts(), max_size=4), st.lists(parts(), max_size=4))
def test_units_added_one_way_are_removed_the_other_way(one: list[Selection], other: list[Selection]) -> None:
    def units(before: list[Selection], after: list[Selection], kind: DifferenceKind) -> set[tuple[str, int]]:
        found = compare_rosters(listed(*before), listed(*after))
        return {(d.name, d.number) for d in found if d.what is DifferencePart.UNIT and d.kind is kind}

    assert units(one, other, DifferenceKind.ADDED) == units(other, one, DifferenceKind.REMOVED)


@pytest.mark.parametrize("number", [0, 1])
def test_empty_lists(number: int) -> None:
    assert compare_rosters(listed(), listed(*[part("1", "crew")] * number)) == (
        (Difference(kind=DifferenceKind.ADDED, what=DifferencePart.UNIT, name="Crew", number=1),) * number
    )
