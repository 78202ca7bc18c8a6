"""Differences between two lists as data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roster.engine.compare import Difference, DifferenceKind, DifferencePart, compare_rosters
from roster.engine.tree import Attachment, CategoryNote, Force, Limit, Origin, RosterTree, Selection, Value, copy_with
from roster.wording.comparison import describe_difference


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


# ---- every field of a list -------------------------------------------------------------------------------------------

PLAYED = RosterTree(
    id="r",
    forces=(
        Force(
            id="f",
            entry_id="column",
            catalogue_id="marsh",
            name="Column",
            leader_id="1",
            selections=(
                part("1", "warden", part("2", "sabre", group_id="arms"), number=2),
                part("3", "warden", part("4", "pistol", group_id="arms"), number=1),
                part("5", "crew", attachments=(Attachment(association_id="joins", to_id="1"),)),
            ),
            category_notes=(CategoryNote(category_id="core", notes="Punts"),),
        ),
    ),
)
CHANGED: dict[type[Value], dict[str, Any]] = {
    RosterTree: {
        "name": "High",
        "player": "Ann",
        "event": "Cup",
        "notes": "first",
        "limits": (Limit(type_id="points", value=100),),
        "unshown": ("options",),
        "overlay": "cup@0123",
        "homebrew": "wet@1",
        "origin": Origin.BATTLESCRIBE,
        "vendor": '{"bot":1}',
        "forces": (),
    },
    Force: {
        "entry_id": "escort",
        "catalogue_id": "fen",
        "name": "Escort",
        "custom_name": "First",
        "notes": "first",
        "leader_id": "3",
        "also_leading": ("3",),
        "category_notes": (CategoryNote(category_id="core", notes="Rafts"),),
        "selections": (),
        "forces": (Force(id="g", entry_id="escort", catalogue_id="marsh", name="Escort"),),
    },
    Selection: {
        "entry_id": "crew",
        "group_id": "left",
        "number": 7,
        "name": "Guard",
        "custom_name": "Anna",
        "notes": "first",
        "attachments": (Attachment(association_id="joins", to_id="3"),),
        "selections": (part("9", "lamp"),),
    },
    CategoryNote: {"category_id": "elite", "custom_name": "Boats", "notes": "Rafts"},
    Attachment: {"association_id": "guards", "to_id": "3"},
    Limit: {"type_id": "supply", "value": 200},
}
UNCOMPARED = {
    (RosterTree, "id"): "it identifies the list",
    (RosterTree, "cost_types"): "the builder keeps them, and the units decide which they are",
    (RosterTree, "faction"): "a list cannot change its faction",
    (Force, "id"): "it identifies the detachment",
    (Selection, "id"): "it identifies the selection",
    (Selection, "automatic"): "it only tells the builder whether it may remove the selection itself",
}


@pytest.mark.parametrize("kind", CHANGED)
def test_a_change_of_any_field_is_a_difference(kind: type[Value]) -> None:
    (column,) = PLAYED.forces
    limited = copy_with(PLAYED, limits=(Limit(type_id="points", value=100),))

    def change(field: str, value: object) -> tuple[RosterTree, RosterTree]:
        if kind is RosterTree:
            return PLAYED, copy_with(PLAYED, **{field: value})
        if kind is Limit:
            return limited, copy_with(limited, limits=(copy_with(limited.limits[0], **{field: value}),))
        if kind is Force:
            new = copy_with(column, **{field: value})
        elif kind is CategoryNote:
            new = copy_with(column, category_notes=(copy_with(column.category_notes[0], **{field: value}),))
        else:
            warden, guard, crew = column.selections
            if kind is Attachment:
                crew = copy_with(crew, attachments=(copy_with(crew.attachments[0], **{field: value}),))
            else:
                warden = copy_with(warden, **{field: value})
            new = copy_with(column, selections=(warden, guard, crew))
        return PLAYED, copy_with(PLAYED, forces=(new,))

    uncompared = {field for owner, field in UNCOMPARED if owner is kind}
    assert {*CHANGED[kind]} | uncompared == {*kind.__struct_fields__}
    for field, value in CHANGED[kind].items():
        before, after = change(field, value)
        for differences in (compare_rosters(before, after), compare_rosters(after, before)):
            assert differences, field
            assert all(describe_difference(one, {}) for one in differences)


def test_what_joins_what() -> None:
    (column,) = PLAYED.forces
    warden, guard, crew = column.selections

    def joined(*attachments: Attachment) -> RosterTree:
        new = copy_with(crew, attachments=attachments, custom_name="Old Brack")
        return copy_with(PLAYED, forces=(copy_with(column, selections=(warden, guard, new)),))

    def told_of(before: RosterTree, after: RosterTree) -> list[str]:
        return [describe_difference(one, {}) for one in compare_rosters(before, after)]

    alone, with_first = joined(), joined(Attachment(association_id="joins", to_id="1"))
    assert told_of(alone, with_first) == ["Old Brack joins Warden"]
    assert told_of(with_first, alone) == ["Old Brack no longer joins Warden"]
    guarding = joined(Attachment(association_id="guards", to_id="1"))
    assert told_of(with_first, guarding) == ["Old Brack joins Warden in another way"]
    lost = joined(Attachment(association_id="joins", to_id="gone"))
    assert told_of(alone, lost) == ["Old Brack joins a unit that is not in the list"]
    assert told_of(lost, lost) == []


def test_ids_that_count_up_in_the_order_of_a_document() -> None:
    """Units are found again although their ids belong to others now."""
    tie = Attachment(association_id="joins", to_id="1")
    before = listed(part("1", "warden"), part("2", "crew", attachments=(tie,)))
    before = copy_with(before, forces=(copy_with(before.forces[0], leader_id="1"),))
    swapped = listed(part("1", "crew", attachments=(copy_with(tie, to_id="2"),)), part("2", "warden"))
    swapped = copy_with(swapped, forces=(copy_with(swapped.forces[0], leader_id="2"),))
    assert told(before, swapped) == [("reordered", "", 0, "", "")]

    def columns(first: Selection, second: Selection) -> RosterTree:
        forces = (("f", "Column", first), ("g", "Escort", second))
        return RosterTree(
            id="r",
            forces=tuple(
                Force(id=ident, entry_id=name, catalogue_id="marsh", name=name, selections=(one,))
                for ident, name, one in forces
            ),
        )

    across = columns(part("1", "warden"), part("2", "crew")), columns(part("1", "crew"), part("2", "warden"))
    assert told(*across) == [("moved", "Crew", 0, "", "Column"), ("moved", "Warden", 0, "", "Escort")]


def test_equal_sums_do_not_hide_other_numbers_or_entries() -> None:
    nets, hooks = part("2", "cutter", part("3", "net")), part("4", "cutter", part("5", "hook"))
    before = listed(part("1", "cutters", copy_with(nets, number=3), copy_with(hooks, number=2)))
    after = listed(part("1", "cutters", copy_with(nets, number=2), copy_with(hooks, number=3)))
    assert told(before, after) == [("divided", "Cutter", 1, "", "Cutters")]
    other = listed(copy_with(part("1", "elite"), name="Crew"))
    (difference,) = compare_rosters(listed(part("1", "crew")), other)
    assert describe_difference(difference, {}) == "another Crew"


def test_models_of_one_entry_are_divided_and_those_of_another_replace_them() -> None:
    def squad(*models: Selection) -> RosterTree:
        return listed(part("1", "squad", *models))

    net = part("n", "net")
    two, one = squad(part("2", "m", number=3), part("3", "m", number=2)), squad(part("2", "m", number=5))
    armed = squad(part("2", "m", number=3), part("3", "m", net, number=2))
    for before, after, others in ((two, one, 0), (one, two, 0), (one, armed, 2), (armed, one, 2)):
        assert told(before, after) == [("divided", "M", others, "", "Squad")]
    other = copy_with(part("3", "elite", number=2), name="M")
    for before, after in ((one, squad(part("2", "m", number=3), other)), (two, squad(part("2", "m", number=3), other))):
        assert told(before, after) == told(after, before) == [("replaced", "M", 0, "M", "Squad")]
