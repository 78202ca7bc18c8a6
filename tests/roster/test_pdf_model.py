"""From a report to the content of the sheet."""

from decimal import Decimal

import pytest

from catalogue.definitions.catalogues import Unchecked
from roster.engine.report import CostTotal, Report, Verdict
from roster.engine.tree import copy_with
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.shapes import ListSheet, SheetCard, UnitLine
from tests.roster.paper_fixture import (
    ABILITIES,
    build_violation,
    cutters,
    empty_list,
    force,
    giants,
    illegal_list,
    incomplete_list,
    list_of_trouble,
    long_list,
    node,
    page,
    points,
    pot_carrier,
    report,
    rule,
    scout_unit,
    scouts,
    sheet,
    short_list,
    warden,
    weapon,
)

pytestmark = pytest.mark.slow


def lines_of(paper: ListSheet) -> dict[str, UnitLine]:
    return {line.name: line for block in paper.blocks for line in block.lines}


def card_of(paper: ListSheet, name: str) -> SheetCard:
    return next(card for card in paper.cards if card.name == name)


def test_detachments_with_their_points_and_slots() -> None:
    first, second = sheet(short_list()).blocks
    assert (first.name, first.costs[0].value, first.costs[0].name) == ("First detachment", "78", "points")
    assert [(t.name, t.count) for t in first.tallies] == [("Command", 1), ("Core", 2), ("Hammer", 1), ("Vanguard", 1)]
    assert [line.name for line in second.lines] == ["Eel Broker", "Reed Cutters", "Pot Carrier"]


def test_options_carry_their_price() -> None:
    line = lines_of(sheet(short_list()))["Lock Warden"]
    assert line.options == ("Storm lantern +2", "Bell staff", "Force commander")
    assert line.costs == ("20",)


def test_an_option_that_saves_points_is_written_with_a_minus() -> None:
    unit = node("Lock Warden", "model", node("No lantern", cost=-2), cost=20, slot="Command")
    assert lines_of(sheet(report(force("First", unit))))["Lock Warden"].options == ("No lantern −2",)


def test_options_inside_an_option_stand_in_brackets() -> None:
    relic = node("Relic", "upgrade", node("Bell of tides", cost=5))
    unit = node("Lock Warden", "model", relic, cost=20, slot="Command")
    assert lines_of(sheet(report(force("First", unit))))["Lock Warden"].options == ("Relic (Bell of tides +5)",)


def test_what_each_model_has_several_of_is_counted_per_model() -> None:
    crew = node("Cutter", "model", weapon("Tar pot", 12), number=6)
    line = lines_of(sheet(report(force("First", node("Reed Cutters", "unit", crew, slot="Core")))))["Reed Cutters"]
    assert line.models == 6
    assert line.options == ("6 × Cutter: 2 × Tar pot",)


def test_the_price_of_models_is_in_the_unit() -> None:
    crew = node("Cutter", "model", number=6, cost=12)
    unit = node("Reed Cutters", "unit", crew, cost=3, slot="Core")
    line = lines_of(sheet(report(force("First", unit))))["Reed Cutters"]
    assert (line.models, line.options, line.costs) == (6, (), ("15",))


def test_a_unit_without_models_has_a_box_itself() -> None:
    unit = node("Night Ferry", "unit", cost=14, slot="Anvil")
    paper = sheet(report(force("First", unit, unit)))
    assert (paper.cards[0].model_lines[0].boxes, lines_of(paper)["Night Ferry"].models) == (("☐", "☐"), 0)


def test_equal_units_share_a_line_and_a_card() -> None:
    paper = sheet(report(force("First", giants(), cutters(), giants(), giants())))
    line = lines_of(paper)["Sluice Giants"]
    assert (line.count, line.costs, line.cost_each) == (3, ("63",), "21")
    card = card_of(paper, "Sluice Giants")
    assert (card.count, card.cost) == (3, "21")
    assert card.model_lines[0].boxes == ("☐☐", "☐☐", "☐☐")


def test_units_that_differ_in_one_option_do_not() -> None:
    paper = sheet(report(force("First", cutters(6), cutters(6, "Long sickle"), cutters(7))))
    assert [line.count for line in paper.blocks[0].lines] == [1, 1, 1]
    assert len(paper.cards) == 3


def test_a_unit_with_a_name_of_its_own_has_a_line_of_its_own() -> None:
    named = copy_with(giants(), custom_name="The twins")
    paper = sheet(report(force("First", giants(), named)))
    assert [line.name for line in paper.blocks[0].lines] == ["Sluice Giants", "The twins"]
    assert card_of(paper, "The twins").data_name == "Sluice Giants"


def test_equal_units_of_two_detachments_share_a_card_only() -> None:
    paper = sheet(report(force("First", giants()), force("Second", giants())))
    assert [line.count for block in paper.blocks for line in block.lines] == [1, 1]
    assert [card.count for card in paper.cards] == [2]


def test_units_of_one_choice_that_differ_are_told_apart() -> None:
    foot = copy_with(scout_unit(), selections=(*scout_unit().selections, node("On foot", cost=-3)))
    pair = node("Heron Scouts", "upgrade", scout_unit(), foot, slot="Vanguard")
    assert lines_of(sheet(report(force("First", pair))))["Heron Scouts"].options == (
        "Heron Scouts (4 × Heron Scout: Net thrower)",
        "Heron Scouts (On foot −3, 4 × Heron Scout: Net thrower)",
    )


def test_an_add_on_names_its_host_and_keeps_its_points() -> None:
    paper = sheet(short_list())
    lines = paper.blocks[1].lines
    assert [(line.name, line.host, line.costs) for line in lines[1:]] == [
        ("Reed Cutters", "", ("19",)),
        ("Pot Carrier", "Reed Cutters", ("5",)),
    ]
    assert card_of(paper, "Pot Carrier").host == "Reed Cutters"


def test_an_add_on_model_with_a_type_of_its_own_is_one_too() -> None:
    addon = copy_with(pot_carrier(), type="model")
    lines = sheet(report(force("First", cutters(8, "Long sickle", addon)))).blocks[0].lines
    assert [(line.name, line.models, line.host) for line in lines] == [
        ("Reed Cutters", 8, ""),
        ("Pot Carrier", 2, "Reed Cutters"),
    ]


def test_units_as_one_choice_are_one_line_and_count_each() -> None:
    paper = sheet(short_list())
    line = lines_of(paper)["Heron Scouts"]
    assert (line.count, line.units, line.models, line.costs) == (1, 2, 8, ("13",))
    card = card_of(paper, "Heron Scouts")
    assert (card.count, card.cost, card.type) == (2, "6", "Vanguard")
    assert paper.units == 8


def test_squads_inside_groups_of_a_battlegroup_are_units() -> None:
    left, right = scout_unit(), cutters(6, "Net thrower", pot_carrier())
    wing = node("Left wing", "unit", left, cost=2)
    battlegroup = node("Fleet", "unit", wing, node("Right wing", "unit", node("Heavy", "unit", right)), slot="Core")
    paper = sheet(report(force("First", battlegroup), violations=(build_violation(wing),)))
    assert [(unit.name, unit.host) for unit in paper.datasheets] == [
        ("Heron Scouts", ""),
        ("Reed Cutters", ""),
        ("Pot Carrier", "Reed Cutters"),
    ]
    fleet, pot = paper.blocks[0].lines
    assert (fleet.name, fleet.units, fleet.models, fleet.costs, fleet.problems) == ("Fleet", 2, 10, ("23",), (1,))
    assert (pot.name, pot.host, pot.costs, pot.problems) == ("Pot Carrier", "Reed Cutters", ("5",), ())
    assert sum(int(line.costs[0]) for line in paper.blocks[0].lines) == 28


def test_an_add_on_of_an_add_on_has_a_sheet_and_a_line() -> None:
    hauler = node("Hauler", "unit", giants(), cost=7, profiles=scout_unit().profiles)
    paper = sheet(report(force("First", cutters(6, "Net thrower", hauler))))
    hosts = [("Reed Cutters", ""), ("Hauler", "Reed Cutters"), ("Sluice Giants", "Hauler")]
    assert [(unit.name, unit.host) for unit in paper.datasheets] == hosts
    assert [(line.name, line.host) for line in paper.blocks[0].lines] == hosts


def test_the_name_and_notes_of_a_choice_of_several_stand_on_its_card() -> None:
    left = copy_with(scouts(), custom_name="Left eyes", notes="Follow the dyke.")
    right = copy_with(scouts(), custom_name="Right eyes", notes="Stay on the mill.")
    paper = sheet(report(force("First", left, right, scouts())))
    assert [(card.name, card.data_name, card.notes, card.count) for card in paper.cards] == [
        ("Left eyes", "Heron Scouts", "Follow the dyke.", 2),
        ("Right eyes", "Heron Scouts", "Stay on the mill.", 2),
        ("Heron Scouts", "", "", 2),
    ]
    cut_out = [card.front for card in build_unit_cards(paper)]
    assert [face.title for face in cut_out] == ["2 × Left eyes", "2 × Right eyes", "2 × Heron Scouts"]
    assert cut_out[0].datasheet is not None
    assert cut_out[0].datasheet.notes == "Follow the dyke."


def test_a_unit_named_inside_its_choice_keeps_its_own_name_and_both_notes() -> None:
    first = copy_with(scout_unit(), custom_name="Herons of Ash", notes="Old hands.")
    choice = copy_with(scouts(), custom_name="Left eyes", notes="Dyke.", selections=(first, scout_unit()))
    cards = sheet(report(force("First", choice))).cards
    assert [(card.name, card.notes) for card in cards] == [
        ("Herons of Ash", "Dyke. Old hands."),
        ("Left eyes", "Dyke."),
    ]


def test_one_selection_of_two_units_is_the_same_as_two() -> None:
    crew = node("Heron Scout", "model", weapon("Net thrower", 8), number=8)
    pair = node("Heron Scouts", "unit", crew, cost=12, number=2, profiles=scout_unit().profiles)
    paper = sheet(report(force("First", node("Heron Scouts", "upgrade", pair, cost=1, slot="Vanguard"))))
    line, card = lines_of(paper)["Heron Scouts"], paper.cards[0]
    assert (line.units, line.models, line.costs) == (2, 8, ("13",))
    assert (card.count, card.cost, card.model_lines[0].number, card.model_lines[0].boxes) == (
        2,
        "6",
        4,
        ("☐☐☐☐", "☐☐☐☐"),
    )
    assert line.options == ("2 × Heron Scouts (4 × Heron Scout: Net thrower)",)


def test_units_are_counted_without_add_ons_and_settings() -> None:
    setting = node("Battle size")
    paper = sheet(report(force("First", setting, warden(), cutters(8, "Long sickle", pot_carrier()))))
    assert paper.units == 2
    assert [card.name for card in paper.cards] == ["Lock Warden", "Reed Cutters", "Pot Carrier"]


def test_each_rule_stands_once() -> None:
    rules = sheet(long_list(15)).rules
    assert [r.name for r in rules] == sorted({r.name for r in ABILITIES})


def test_an_ability_that_a_table_names_is_not_named_again() -> None:
    melee = rule("Melee", "Struck in close quarters.", citation=page(13))
    unit = copy_with(warden(), rules=(*warden().rules, melee))
    paper = sheet(report(force("First", unit)))
    assert paper.cards[0].abilities == ("Command (2)", "Steady")
    assert "Melee" in {r.name for r in paper.rules}


def test_values_of_one_rule_stand_together() -> None:
    command = next(r for r in sheet(short_list()).rules if r.name == "Command")
    assert (command.parameters, command.citation) == ("1, 2", "Reeds and Rust, p. 9")
    assert card_of(sheet(short_list()), "Eel Broker").abilities == ("Command (1)",)


def test_two_rules_with_one_name_and_different_texts_both_stand() -> None:
    units = [
        node(name, "unit", slot="Core", rules=(rule("Oath", f"Text of {name}.", citation=page(1)),))
        for name in ("Bells", "Larks")
    ]
    assert [r.text for r in sheet(report(force("First", *units))).rules] == [("Text of Bells.",), ("Text of Larks.",)]


def test_the_introduction_of_a_unit_is_no_rule() -> None:
    about = copy_with(rule("About", "They came with the tide."), id="bells~about")
    unit = node("Bells", "unit", cost=1, slot="Core", rules=(about,))
    paper = sheet(report(force("First", unit)))
    assert (paper.rules, paper.cards[0].abilities) == ((), ())


def test_a_profile_that_is_only_a_text_is_a_rule() -> None:
    paper = sheet(list_of_trouble())
    assert "Mist shield" in card_of(paper, "Old Grumbler").abilities
    assert [t.name for t in card_of(paper, "Old Grumbler").tables] == ["Power", "Engine", "Weapon"]
    assert {r.name for r in paper.rules} >= {"Mist shield", "Rising tide"}


def test_a_long_text_in_a_table_is_told_among_the_rules() -> None:
    paper = sheet(list_of_trouble())
    power = card_of(paper, "Old Grumbler").tables[0]
    assert [cell.see for cell in power.rows[0].cells] == [False, False, True]
    assert next(r for r in paper.rules if r.name == "Rising tide").text[0].startswith("Details: Each time")


def test_tables_of_one_type_have_the_same_columns_on_all_cards() -> None:
    units = sheet(long_list(15)).datasheets
    assert len({unit.profile.heads for unit in units if unit.profile}) == 1
    assert len({table.heads for unit in units for table in unit.weapons}) == 1


def test_a_table_with_many_columns_takes_a_wide_card() -> None:
    paper = sheet(list_of_trouble())
    assert [card.name for card in paper.cards if card.wide] == ["Old Grumbler"]


def test_totals_with_a_limit_come_first_and_hidden_ones_not_at_all() -> None:
    paper = sheet(list_of_trouble())
    amounts = [(a.name, a.value, a.limit, a.over) for a in paper.amounts]
    assert amounts == [
        ("points", "260", "200", True),
        ("command points", "3", "6", False),
        ("power level", "11", "", False),
    ]


def test_half_points_stay_exact() -> None:
    unit = copy_with(giants(), totals=(CostTotal(type_id="pts", name="points", value=Decimal("2.5")),))
    made = Report(costs=points(5, 10), violations=(), forces=(copy_with(force("First"), selections=(unit,)),))
    assert lines_of(sheet(made))["Sluice Giants"].costs == ("2.5",)


def test_what_was_not_checked_about_a_unit_is_marked() -> None:
    paper = sheet(list_of_trouble())
    assert [(note.mark, note.text) for note in paper.unchecked] == [
        ("", "House rules of an event"),
        ("†", "Figures from the 1st edition"),
        ("", "Which models stand on a bridge"),
    ]
    assert lines_of(paper)["Old Grumbler"].marks == card_of(paper, "Old Grumbler").marks == "†"
    assert lines_of(paper)["Lock Warden"].marks == ""


def test_one_note_about_many_units_stands_once() -> None:
    notes = tuple(Unchecked(code="p", text="Provisional", subject_id=s) for s in ("lock-warden", "reed-cutters"))
    paper = sheet(report(force("First", warden(), cutters()), unchecked=notes))
    assert [(note.mark, note.text) for note in paper.unchecked] == [("†", "Provisional")]
    assert [line.marks for line in paper.blocks[0].lines] == ["†", "†"]


def test_problems_are_numbered_and_point_at_their_units() -> None:
    paper = sheet(illegal_list())
    assert paper.verdict is Verdict.ILLEGAL
    assert [problem.citation for problem in paper.problems] == ["Reeds and Rust, p. 14"]
    assert len(paper.remarks) == 1
    assert lines_of(paper)["Sluice Giants"].problems == (1,)
    assert paper.blocks[0].problems == (1,)
    assert lines_of(paper)["Lock Warden"].problems == ()


def test_breaches_that_say_the_same_are_one() -> None:
    first, second = force("First", giants()), force("Second", giants())
    paper = sheet(report(first, second, violations=(build_violation(first), build_violation(second))))
    assert len(paper.problems) == 1
    assert [block.problems for block in paper.blocks] == [(1,), (1,)]


def test_incomplete_and_empty_lists() -> None:
    assert sheet(incomplete_list()).verdict is Verdict.INCOMPLETE
    empty = sheet(empty_list())
    assert (empty.blocks, empty.cards, empty.rules, empty.units) == ((), (), (), 0)
    assert [(a.value, a.limit) for a in empty.amounts] == [("0", "120")]


def test_a_unit_that_the_data_lost_is_listed_without_a_card() -> None:
    paper = sheet(list_of_trouble())
    assert lines_of(paper)["Reed Choir"].placeholder
    assert "Reed Choir" not in {card.name for card in paper.cards}


def test_hundreds_of_models_get_no_boxes() -> None:
    crew = node("Lark", "model", number=400)
    card = sheet(report(force("First", node("Larks", "unit", crew, slot="Core")))).cards[0]
    assert (card.model_lines[0].number, card.model_lines[0].boxes) == (400, ())
