"""The builder's model: what a list has, what it may take, and what prevents it."""

from typing import Any

import pytest
from msgspec.structs import replace

from catalogue.definitions.constraints import Severity
from catalogue.definitions.entries import Entry, EntryKind
from catalogue.definitions.queries import Bound, Field, Scope
from catalogue.models import PackVersion
from catalogue.services.install_version import install_version
from roster.engine.report import CostTotal, Verdict
from roster.engine.tree import Selection, append_selection, find_path
from roster.models import Roster
from roster.services.board import (
    Board,
    ChoiceGroup,
    DetachmentRow,
    OpenedUnit,
    OptionChoice,
    SlotCounter,
    UnitOffer,
    UnitRow,
    build_board,
)
from roster.services.board.shapes import list_other_costs
from roster.services.changes import read_change
from roster.services.deeds import propose_deeds
from roster.services.edits import edit_roster, undo_edit
from roster.services.evaluation import encode_tree
from roster.services.outcomes import SavedEdit
from roster.services.owners import Visitor
from roster.services.rosters import find_roster, start_roster
from roster.templatetags.builder import format_choice_price, format_slot_counter
from roster.views.verdict_presenter import VerdictPresenter
from tests.roster.small_game import ABOUT, COLUMN, FENLAND, MARSH, SYSTEM, WARDEN, bound, installed, limits, option

pytestmark = pytest.mark.django_db


class Builder:
    """A user at the builder's page."""

    def __init__(self, version: PackVersion | None = None) -> None:
        made = start_roster(Visitor(key="owner"), version or installed(), "marsh", "Low water")
        assert isinstance(made, Roster)
        self.roster = made

    def do(self, **fields: Any) -> str:
        change = read_change(fields)
        outcome = edit_roster(self.roster, self.roster.head, change)
        assert isinstance(outcome, SavedEdit), outcome
        self.evaluated_list = outcome.evaluated_list
        return next(iter(outcome.created), "")

    def take(self, *units: str) -> list[str]:
        column = self.do(do="add-detachment", entry="column")
        return [self.do(do="add-unit", node=column, entry=unit) for unit in units]

    def board(self, **which: str) -> Board:
        return build_board(self.roster, **which)


@pytest.fixture
def builder() -> Builder:
    return Builder()


def only(board: Board) -> DetachmentRow:
    (detachment,) = board.detachments
    return detachment


def row(board: Board, unit_id: str) -> UnitRow:
    return next(unit for d in board.detachments for unit in d.units if unit.id == unit_id)


def offered(board: Board, entry: str) -> UnitOffer:
    return next(unit for place in board.offered for unit in place.units if unit.entry_id == entry)


def choice(opened: OpenedUnit | None, entry: str) -> OptionChoice:
    assert opened is not None
    items = [inner for item in opened.items for inner in (item.items if isinstance(item, ChoiceGroup) else (item,))]
    return next(item for item in items if isinstance(item, OptionChoice) and item.entry_id == entry)


def test_an_empty_list_offers_detachments(builder: Builder) -> None:
    board = builder.board()
    assert [(f.entry_id, f.catalogue_id, f.name) for f in board.forces] == [("column", "marsh", "Column")]
    assert (board.into, board.offered, board.detachments) == ("", (), ())
    assert board.points is not None
    assert (board.points.value, board.points.limit, board.left) == (0, 100, 100)
    assert (board.can_undo, board.can_redo, board.revision) == (False, False, 1)
    assert [note.code for note in board.unchecked] == ["weather"]


def test_rows_of_units(builder: Builder) -> None:
    warden, cutters, crew = builder.take("warden", "cutters", "crew")
    builder.do(do="rename", node=warden, text="Anna")
    builder.do(do="toggle", node=warden, entry="lamp")
    board = builder.board()
    first, second, third = (row(board, unit) for unit in (warden, cutters, crew))
    assert (first.name, first.selection.name, first.type, str(first.points)) == ("Anna", "Wärden", "Command", "22.5")
    assert first.options == {"Lamp": 1, "Sabre": 1}
    assert (second.models, second.options, second.points) == (5, {}, 10)
    assert third.models == 2
    assert [unit.position for unit in only(board).units] == [0, 2, 1], "rows are sorted by type and name"
    assert not first.violations


def test_slots_count_what_the_rules_count(builder: Builder) -> None:
    builder.take("giants", "giants", "crew")
    slots = {slot.id: slot for slot in only(builder.board()).slots}
    figures = {i: (s.name, s.measured, s.min, s.max, s.state) for i, s in slots.items()}
    assert figures == {
        "command": ("Command", 0, 1, None, "short"),
        "core": ("Core", 1, None, None, "open"),
        "hammer": ("Hammer", 2, None, 1, "over"),
    }
    assert slots["hammer"].violation is not None
    assert slots["hammer"].violation.rule == "fen-columns"
    assert slots["core"].violation is None


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        (SlotCounter(id="hq", name="HQ", measured=1, min=2), "1 / 2+"),
        (SlotCounter(id="hq", name="HQ", measured=1, min=2, max=3), "1 / 2–3"),
        (SlotCounter(id="cards", name="Cards", measured=0, min=25, max=25), "0 / 25"),
        (SlotCounter(id="hq", name="HQ", measured=3, max=2), "3 / 2"),
        (SlotCounter(id="hq", name="HQ", measured=3), "3"),
    ],
)
def test_how_a_slot_is_told(slot: SlotCounter, said: str) -> None:
    assert format_slot_counter(slot) == said


@pytest.mark.parametrize(
    ("control", "points", "said"),
    [
        ("tick", 3, "+3"),
        ("number", -2, "−2"),
        ("tick", 0, "free"),
        ("radio", 0, ""),
        ("fixed", 130, ""),
        ("tick", None, ""),
    ],
)
def test_what_one_more_costs(control: Any, points: int | None, said: str) -> None:
    assert (
        format_choice_price(OptionChoice(node_id="n", entry_id="dog", name="Dog", control=control, points=points))
        == said
    )


@pytest.mark.parametrize(
    ("points", "said"), [(0, "2 Command"), (3, "+3, 2 Command"), (None, "2 Command")], ids=["free", "paid", "unsized"]
)
def test_other_costs_than_points_are_named_at_options(points: int | None, said: str) -> None:
    other = CostTotal(type_id="cp", name="Command", value=2)
    choice = OptionChoice(node_id="n", entry_id="dog", name="Dog", control="radio", points=points, other_costs=(other,))
    assert format_choice_price(choice) == said


def test_only_costs_that_are_shown_and_come_to_something_count_as_other_costs() -> None:
    costs = [
        CostTotal(type_id="pts", name="points", value=5),
        CostTotal(type_id="cp", name="Command", value=2),
        CostTotal(type_id="xp", name="Experience", value=3, hidden=True),
        CostTotal(type_id="pl", name="Power", value=0),
    ]
    assert [cost.name for cost in list_other_costs(costs, "pts")] == ["Command"]


def ask_for_lamp(**more: Any) -> Builder:
    """Start a list that requires a lamp as a whole."""
    lamp = bound("a-lamp", Bound.MIN, 1, scope=Scope.ROSTER, child_id="lamp", deep=True, **more)
    system = replace(SYSTEM, constraints=(lamp,))
    return Builder(install_version(ABOUT, replace(FENLAND, catalogues=(system, *FENLAND.catalogues[1:]))))


def test_an_option_that_the_list_lacks_is_marked_until_one_is_taken() -> None:
    builder = ask_for_lamp()
    first, second = builder.take("warden", "warden")
    assert choice(builder.board(opened=second).opened, "lamp").needed
    builder.do(do="toggle", node=first, entry="lamp")
    for unit in (first, second):
        assert not choice(builder.board(opened=unit).opened, "lamp").needed


@pytest.mark.parametrize(("name", "asked"), [("Command", "1 Command"), ("Commanders", "Commanders: 1")])
def test_one_of_what_is_named_in_the_plural_is_asked_for_behind_it(name: str, asked: str) -> None:
    system = replace(SYSTEM, categories=(replace(SYSTEM.categories[0], name=name), *SYSTEM.categories[1:]))
    builder = Builder(install_version(ABOUT, replace(FENLAND, catalogues=(system, *FENLAND.catalogues[1:]))))
    builder.do(do="add-detachment", entry="column")
    verdict = VerdictPresenter(builder.board()).build_verdict()
    assert [item.title for item in verdict.needs] == [asked]


def test_for_a_missing_kind_of_detachment_its_deed_is_shown_and_no_link_to_units() -> None:
    one_escort = bound("one-escort", Bound.MIN, 1, scope=Scope.PARENT, field=Field.FORCES)
    column = replace(COLUMN, forces=(replace(COLUMN.forces[0], constraints=(one_escort,)),))
    system = replace(SYSTEM, forces=(column,))
    builder = Builder(install_version(ABOUT, replace(FENLAND, catalogues=(system, *FENLAND.catalogues[1:]))))
    builder.take("warden")
    board = builder.board()
    (item,) = VerdictPresenter(board, propose_deeds(board.evaluated_list)).build_verdict().why
    assert item.fits is None
    assert [deed.words for deed in item.deeds] == ["Add Escort"]
    builder.do(**dict(item.deeds[0].fields))
    assert VerdictPresenter(builder.board()).build_verdict().why == ()


def test_what_is_only_advised_is_not_marked() -> None:
    builder = ask_for_lamp(severity=Severity.WARNING)
    (warden,) = builder.take("warden")
    assert not choice(builder.board(opened=warden).opened, "lamp").needed


def test_what_is_wrong_stands_at_what_is_to_blame(builder: Builder) -> None:
    giants, warden = builder.take("giants", "warden")
    board = builder.board()
    assert board.verdict is Verdict.INCOMPLETE
    assert [v.rule for v in row(board, giants).violations] == ["fen-columns"]
    assert row(board, warden).violations == ()
    assert board.violations == board.evaluated_list.report.violations


def test_units_on_offer_with_the_reason_against_them(builder: Builder) -> None:
    builder.take("warden")
    board = builder.board()
    assert [place.id for place in board.offered] == ["command", "core", "hammer"]
    assert [place.slot.measured for place in board.offered if place.slot] == [1, 0, 0]
    assert (offered(board, "warden").points, offered(board, "warden").number) == (20, 1)
    assert offered(board, "cutters").points == 10, "with the models that come along"
    assert offered(board, "cutters").blocked is None
    blocked = offered(board, "giants").blocked
    assert blocked is not None
    assert blocked.rule == "fen-columns"


def test_what_is_full_is_blocked(builder: Builder) -> None:
    builder.take("warden", "crew", "crew", "crew")
    blocked = offered(builder.board(), "crew").blocked
    assert blocked is not None
    assert blocked.rule == "fen-four"


def test_offers_of_one_detachment_at_a_time(builder: Builder) -> None:
    builder.take("warden")
    first = builder.board().into
    second = builder.do(do="add-detachment", entry="column")
    unit = builder.do(do="add-unit", node=second, entry="crew")
    assert builder.board().into == first
    assert builder.board(into=second).into == second
    assert builder.board(opened=unit).into == second
    assert builder.board(into="nowhere", opened="nothing").into == first


def test_detachments_inside_others(builder: Builder) -> None:
    builder.take()
    outer = only(builder.board())
    assert [force.entry_id for force in outer.inside] == ["escort"]
    inner = builder.do(do="add-detachment", entry="escort", node=outer.id)
    builder.do(do="add-unit", node=inner, entry="crew")
    first, second = builder.board(into=inner).detachments
    assert (first.force.forces, second.id, second.depth) == ((second.force,), inner, 1)
    assert second.inside == ()
    assert [unit.selection.name for unit in second.units] == ["Crew"]
    assert builder.board(opened=second.units[0].id).into == inner


def test_limits_that_count_detachments_inside_bound_a_slot_where_there_are_none() -> None:
    command, *others = COLUMN.categories
    (least,) = command.constraints
    inside_too = replace(least, query=replace(least.query, include_child_forces=True))
    column = replace(COLUMN, categories=(replace(command, constraints=(inside_too,)), *others))
    system = replace(SYSTEM, forces=(column,))
    builder = Builder(install_version(ABOUT, replace(FENLAND, catalogues=(system, MARSH))))
    builder.take("crew")
    slots = {slot.id: slot.min for slot in only(builder.board()).slots}
    assert slots["command"] == 1
    builder.do(do="add-detachment", node=only(builder.board()).id, entry="escort")
    outer = builder.board().detachments[0]
    assert {slot.id: slot.min for slot in outer.slots}["command"] is None


# ---- choices -----------------------------------------------------------------------------------------------------


def test_what_is_barred_does_not_look_as_if_it_were_always_there() -> None:
    dark = replace(WARDEN, entries=(option("lamp", "Lamp", constraints=limits("lamp", 0, 0)), *WARDEN.entries[1:]))
    marsh = replace(MARSH, entries=(dark, *MARSH.entries[1:]))
    builder = Builder(install_version(ABOUT, replace(FENLAND, catalogues=(SYSTEM, marsh))))
    (warden,) = builder.take("warden")
    lamp = choice(builder.board(opened=warden).opened, "lamp")
    assert (lamp.control, lamp.max, lamp.taken) == ("tick", 0, False)


def test_each_choice_says_how_it_is_asked(builder: Builder) -> None:
    warden, cutters, crew = builder.take("warden", "cutters", "crew")
    opened = builder.board(opened=warden).opened
    assert choice(opened, "lamp").control == "tick"
    assert (choice(opened, "sabre").control, choice(opened, "sabre").taken) == ("radio", True)
    assert (choice(opened, "pistol").control, choice(opened, "pistol").taken) == ("radio", False)
    assert str(choice(opened, "lamp").points) == "2.5"
    opened = builder.board(opened=cutters).opened
    assert (choice(opened, "cutter").control, choice(opened, "cutter").number) == ("number", 5)
    assert (choice(opened, "cutter").min, choice(opened, "cutter").max) == (5, 8)
    sailor = choice(builder.board(opened=crew).opened, "sailor")
    assert (sailor.control, sailor.number, len(sailor.inside)) == ("number", 2, 1)
    assert (sailor.inside[0].number, sailor.counter.number, sailor.counter.is_stack) == (2, 2, True)
    assert choice(sailor.inside[0], "hook").control == "tick"


def test_groups_say_whether_nothing_is_a_choice(builder: Builder) -> None:
    warden, cutters = builder.take("warden", "cutters")
    for unit, none in ((warden, False), (cutters, True)):
        opened = builder.board(opened=unit).opened
        assert opened is not None
        (group,) = (item for item in opened.items if isinstance(item, ChoiceGroup))
        assert (group.one_of, group.none) == (True, none)
        assert group.items[0].node_id == unit


def test_every_control_does_what_it_says(builder: Builder) -> None:
    warden, cutters = builder.take("warden", "cutters")
    for unit in (warden, cutters):
        opened = builder.board(opened=unit).opened
        assert opened is not None
        for item in opened.items:
            for found in item.items if isinstance(item, ChoiceGroup) else (item,):
                assert isinstance(found, OptionChoice)
                fields = {"node": found.node_id, "entry": found.entry_id}
                if found.control == "radio":
                    builder.do(do="choose", group=found.group_id, **fields)
                elif found.control == "tick":
                    builder.do(do="toggle", on="true", **fields)
                elif found.control == "number":
                    builder.do(do="set-number", number=found.number + 1, **fields)
                again = choice(builder.board(opened=unit).opened, found.entry_id)
                assert again.number == (found.number + 1 if found.control == "number" else 1)


def test_what_the_data_hides_is_not_offered_unless_taken(builder: Builder) -> None:
    (warden,) = builder.take("warden")
    with pytest.raises(StopIteration):
        choice(builder.board(opened=warden).opened, "old-relic")
    builder.do(do="toggle", node=warden, entry="old-relic")
    assert choice(builder.board(opened=warden).opened, "old-relic").taken


# ---- back and forth, and what it costs ---------------------------------------------------------------------------


def test_undo_and_redo_are_offered_when_there_is_something(builder: Builder) -> None:
    builder.take("warden")
    assert (builder.board().can_undo, builder.board().can_redo) == (True, False)
    undo_edit(builder.roster, builder.roster.head)
    assert (builder.board().can_undo, builder.board().can_redo) == (True, True)


@pytest.mark.parametrize("units", [1, 3])
def test_no_query_beside_the_list_itself(builder: Builder, units: int, django_assert_num_queries: Any) -> None:
    builder.take(*["crew"] * units)
    with django_assert_num_queries(1):
        build_board(find_roster(builder.roster.public_id))
    with django_assert_num_queries(0):
        build_board(builder.roster, builder.evaluated_list)


def with_strays(builder: Builder, unit_id: str, model_id: str) -> None:
    tree = builder.roster.tree
    for number, node_id in enumerate((unit_id, model_id)):
        stray = Selection(id=f"stray{number}", entry_id=f"lost-{number}", name=f"Lost pike {number}", number=2)
        tree = append_selection(find_path(tree, node_id), stray)
    Roster.objects.filter(pk=builder.roster.pk).update(document=encode_tree(tree))
    builder.roster = find_roster(builder.roster.public_id)


def test_what_the_data_does_not_have_inside_a_unit_is_named_and_can_be_taken_out(builder: Builder) -> None:
    _warden, cutters = builder.take("warden", "cutters")
    cutter = builder.roster.tree.forces[0].selections[1].selections[0].id
    assert builder.board(opened=cutters).opened.strays == ()
    with_strays(builder, cutters, cutter)
    opened = builder.board(opened=cutters).opened
    assert opened is not None
    assert [(stray.node_id, stray.name, stray.number) for stray in opened.strays] == [("stray0", "Lost pike 0", 2)]
    inside = [inner for item in opened.items if isinstance(item, OptionChoice) for inner in item.inside]
    assert [stray.node_id for inner in inside for stray in inner.strays] == ["stray1"]
    assert len(builder.board().evaluated_list.report.errors) == 2
    builder.do(do="remove", node="stray0")
    builder.do(do="remove", node="stray1")
    assert builder.board().evaluated_list.report.errors == ()


def test_a_group_with_nothing_to_choose_has_no_heading() -> None:
    empty = Entry(id="relics", kind=EntryKind.GROUP, name="Relics", entries=(option("crown", "Crown", hidden=True),))
    warden = replace(WARDEN, entries=(*WARDEN.entries, empty))
    marsh = replace(MARSH, entries=tuple(warden if each is WARDEN else each for each in MARSH.entries))
    builder = Builder(install_version(ABOUT, replace(FENLAND, catalogues=(SYSTEM, marsh))))
    (unit,) = builder.take("warden")
    opened = builder.board(opened=unit).opened
    assert opened is not None
    assert "Relics" not in [item.name for item in opened.items]
