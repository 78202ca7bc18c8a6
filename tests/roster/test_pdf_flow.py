"""Parts fill columns: dense rules break, later blocks fill the ends of columns, heads of columns are printed once."""

import pytest
from django.utils.safestring import SafeString

from roster.pdf.datasheet_parts import build_last_parts
from roster.pdf.flow import FEWEST_LINES, FittedRow, Paragraph, RowTable, Solid
from roster.pdf.imposition.card_face import Face, PrintCard
from roster.pdf.imposition.card_format import POKER, CardSize, get_format
from roster.pdf.imposition.reference_cards import build_rules_card, enlarge_rules_card, move_long_rules
from roster.pdf.imposition.set_face import CardLook, count_sides
from roster.pdf.markup import tag
from roster.pdf.pages import Group, PaperPage, compose_document, fill_columns
from roster.pdf.shapes import Ability, Datasheet, Track, WeaponRow, WeaponTable
from roster.pdf.stock import A6
from roster.pdf.type.measure import TextRun
from tests.roster.paper_tools import boxes_of

LOOK = CardLook(card_format=POKER)
SENTENCE = "Each time a model in this unit makes an attack, you can re-roll the hit roll. "


def build_paragraph(*, flows: bool, sentences: int = 12) -> Paragraph:
    return Paragraph((TextRun(SENTENCE * sentences, "text", 7.0),), 60.0, 7.0, 1.17, flows=flows)


def build_group(height: float, *, movable: bool = True) -> Group:
    return Group(Solid(5.0, SafeString("<p></p>")), (Solid(height - 5.0, SafeString("<p></p>")),), 0.0, movable=movable)


def build_rows(count: int) -> Group:
    rows = tuple(Solid(10.0, SafeString("<p></p>")) for _ in range(count))
    return Group(Solid(0.0, SafeString("<p></p>")), rows, 0.0, movable=True)


def test_a_paragraph_that_flows_breaks_at_the_end_of_a_column() -> None:
    whole = build_paragraph(flows=False)
    assert whole.split(whole.height / 2, is_first=False).fitting is None
    split = build_paragraph(flows=True).split(whole.height / 2, is_first=False)
    assert isinstance(split.fitting, Paragraph)
    assert isinstance(split.rest, Paragraph)
    assert split.fitting.height <= whole.height / 2
    text = "".join(run.text for part in (split.fitting, split.rest) for run in part.runs)
    assert text == SENTENCE * 12


def test_no_single_line_of_a_paragraph_is_left_alone() -> None:
    part = build_paragraph(flows=True)
    assert part.split(part.line_height * 1.5, is_first=False).fitting is None
    split = part.split(part.height - part.line_height * 0.5, is_first=False)
    assert isinstance(split.rest, Paragraph)
    assert split.rest.lines >= FEWEST_LINES


@pytest.mark.parametrize("room", range(20, 90, 7))
def test_runs_of_several_sizes_take_the_lines_that_are_counted(room: int) -> None:
    runs = (
        TextRun("HEROIC ACTIONS ", "bold", 5.0),
        TextRun("March, Strength", "text", 7.0),
        TextRun(" CORE ", "bold", 5.0),
        TextRun("Horse Lord, Expert Rider, Sworn Protector", "text", 7.0),
        TextRun(" Reeds and Rust, p. 14", "text", 4.5),
    )
    part = Paragraph(runs, float(room), 7.0, 1.17, "probe")
    page = tag("div", part.render(), style=f"width:{room}mm")
    (_page, box), *_lines = boxes_of(compose_document([PaperPage(page)], ""), "probe")
    # Kerning may save a line.
    assert len(box.children) in (part.lines - 1, part.lines)
    assert box.height * 25.4 / 96 == pytest.approx(len(box.children) * part.line_height, abs=0.02)


@pytest.mark.parametrize("heights", [(60, 30), (40, 40, 70), (90,)])
def test_even_columns_break_no_block_that_fits_whole(heights: tuple[int, ...]) -> None:
    blocks = [build_rows(height // 10) for height in heights]
    (page,) = fill_columns(blocks, [100.0], 2)
    assert [part for column in page for part in column] == blocks


def test_a_later_block_fills_the_end_of_a_column() -> None:
    blocks = [build_group(60), build_group(70), build_group(30)]
    (page,) = fill_columns(blocks, [100.0], 2)
    assert page == [[blocks[0], blocks[2]], [blocks[1]]]


def test_parts_that_are_read_in_order_stay_in_order() -> None:
    blocks = [build_group(60, movable=False), build_group(70, movable=False), build_group(30, movable=False)]
    assert [part for page in fill_columns(blocks, [100.0], 2) for column in page for part in column] == blocks


def test_a_table_has_its_whole_heading_at_the_top_of_a_page() -> None:
    rows = tuple(FittedRow(10.0, SafeString(f"<tr><td>{number}</td></tr>")) for number in range(4))
    table = RowTable(8.0, SafeString("<tr><th>all</th></tr>"), rows, "", opening=FittedRow(3.0, SafeString("<tr/>")))
    assert table.height == 43.0
    split = table.split(25.0, is_first=False)
    assert split.fitting is not None
    assert "all" not in split.fitting.render()
    assert split.rest is not None
    assert "all" in split.rest.render()
    moved = table.split(5.0, is_first=False).rest
    assert moved is not None
    at_top = moved.split(100.0, is_first=True).fitting
    assert at_top is not None
    assert at_top.height == 48.0
    assert "all" in at_top.render()


@pytest.mark.parametrize("boxes", range(1, 60))
def test_keywords_are_beside_the_boxes_only_if_there_is_room(boxes: int) -> None:
    sheet = Datasheet(name="Warden", tracks=(Track("", (boxes,), life="W"),), keywords=("HERO", "WARDEN"))
    parts = build_last_parts(sheet, A6, 89.8)
    texts = [part.render() for part in parts]
    assert sum("HERO" in text for text in texts) == 1
    assert len(texts) == (1 if "HERO" in texts[0] else 2)


def build_unit(abilities: tuple[Ability, ...] = (), weapons: tuple[WeaponTable, ...] = ()) -> PrintCard:
    datasheet = Datasheet(name="Warden", abilities=abilities, weapons=weapons)
    return PrintCard(key="unit-0", front=Face(title="Warden", datasheet=datasheet))


def test_a_rule_that_needs_a_third_side_is_on_the_card_of_rules() -> None:
    short, long = Ability("Steady", SENTENCE), Ability("Tides", SENTENCE * 50)
    unit, rules = move_long_rules([build_unit(abilities=(short, long))], LOOK)
    assert unit.front.datasheet
    assert unit.front.datasheet.abilities == (short,)
    assert unit.front.datasheet.lines == (("On the rules card", ("Tides",)),)
    assert count_sides(unit.front, LOOK) <= 2
    assert [block.label for block in rules.front.blocks] == ["Tides (Warden)"]


def test_spells_in_a_table_are_rules() -> None:
    spells = tuple(WeaponRow(name, ("7+",), SENTENCE * 20) for name in ("Mist", "Flood", "Silt", "Ebb"))
    unit, rules = move_long_rules([build_unit(weapons=(WeaponTable("Spells", ("CV",), spells),))], LOOK)
    assert count_sides(unit.front, LOOK) <= 2
    assert unit.front.datasheet
    kept = [row.name for table in unit.front.datasheet.weapons for row in table.rows]
    assert kept == ["Mist", "Flood", "Silt", "Ebb"]
    assert rules.front.blocks


def test_a_unit_with_two_sides_keeps_its_rules() -> None:
    card = build_unit(abilities=(Ability("Steady", SENTENCE),))
    assert move_long_rules([card], LOOK) == [card]


def test_a_long_card_of_rules_is_a6() -> None:
    many = [Ability(f"Rule {number}", SENTENCE * 8) for number in range(20)]
    large = get_format(CardSize.A6)
    assert enlarge_rules_card(build_rules_card(many, "Rules", "", ""), LOOK).card_format == large
    assert enlarge_rules_card(build_rules_card(many[:2], "Rules", "", ""), LOOK).card_format is None
    # At A6 and above all cards have one size.
    at_a6 = CardLook(card_format=large)
    assert enlarge_rules_card(build_rules_card(many * 3, "Rules", "", ""), at_a6).card_format is None
