"""Type on paper: widths of texts, coverage of fonts, signs as letters."""

import pytest
from fontTools.ttLib import TTFont

from catalogue.definitions.identity import EMBLEMS
from catalogue.services.icons import FOLDER
from roster.pdf.flow import render_runs
from roster.pdf.markup import tag
from roster.pdf.render import LATIN, lay_out
from roster.pdf.type.build_fonts import FACES, SIGNS
from roster.pdf.type.measure import (
    LEAST,
    TextRun,
    count_lines,
    find_missing_letters,
    fit_text,
    has_wide_word,
    measure_width,
)
from roster.pdf.type.signs import BOX, FONTS, ICONS, MARK_CODES, find_phase_mark, find_sign, read_emblems

TEXTS = (
    'Once a battle, at the start of your command phase: one unit within 6" rises, D3 models of it.',
    "Żubr, Ångström, naïve façade: names of players are in any script. Чапаев. Ωμέγα.",
    "Wiederholungswürfe für Treffer und Verwundungen (außer Fahrzeuge), 3 x 2D6+4 Schaden",
    "W" * 60,
    "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 3,
)
STYLE = """@page {{ size: {room}mm 2000mm; margin: 0 }} p {{ margin: 0; overflow-wrap: anywhere }} body {{ margin: 0;
font: 7pt/1 "Paper", "Paper Ext", "Paper Cyrillic", "Paper Greek" }}"""


def test_a_layout_never_takes_more_lines_than_were_counted():
    html = "<html><head><title>x</title></head><body>" + "".join(f"<p>{t}</p>" for t in TEXTS) + "</body></html>"
    for room in (20, 37, 56, 93.5):
        page = lay_out(html, [], STYLE.format(room=room)).pages[0]
        paragraphs = page._page_box.children[0].children[0].children
        taken = [len(paragraph.children) for paragraph in paragraphs]
        counted = [count_lines([TextRun(text, "text", 7)], room) for text in TEXTS]
        assert len(taken) == len(TEXTS)
        for text, lines, most in zip(TEXTS, taken, counted, strict=True):
            assert lines <= most <= lines + 1, (room, text)


def test_a_space_before_an_element_hangs_over_the_end_of_a_line():
    runs = [
        TextRun("Fearless. ", "bold", 7),
        TextRun("Takes no psych STs, is never pinned or shell-shocked and never flees. ", "text", 7),
        TextRun("(2) ", "bold", 7),
        TextRun("Psych", "text", 7),
    ]
    rooms = [room / 10 for room in range(300, 700)]
    html = "".join(tag("p", *render_runs(runs, 7), style=f"width:{room}mm") for room in rooms)
    more = STYLE.format(room=100).replace("2000mm", "9000mm") + " b { font-weight: 700 }"
    page = lay_out(f"<html><head><title>x</title></head><body>{html}</body></html>", [], more).pages[0]
    taken = [len(paragraph.children) for paragraph in page._page_box.children[0].children[0].children]
    assert len(taken) == len(rooms)
    assert [room for room, lines in zip(rooms, taken, strict=True) if lines > count_lines(runs, room)] == []


def test_elements_with_equal_styles_share_what_is_computed_of_them():
    html = "".join(tag("p", text, css="x", style="margin-left:3mm") for text in "ab")
    more = STYLE.format(room=100) + " p.x { margin-left: 9mm }"
    page = lay_out(f"<html><head><title>x</title></head><body>{html}</body></html>", [], more).pages[0]
    first, second = page._page_box.children[0].children[0].children
    assert first.style is second.style
    # An element's own style overrides those of classes.
    assert first.margin_left == pytest.approx(3 / 25.4 * 96)


def test_runs_join_words_across_faces():
    whole = count_lines([TextRun("Flayer Claws", "text", 7)], 10)
    assert count_lines([TextRun("Fla", "text", 7), TextRun("yer Claws", "text", 7)], 10) == whole


@pytest.mark.parametrize("room", [0.5, 0.0, -0.5, -100.0])
def test_a_column_without_room_has_lines_all_the_same(room: float) -> None:
    assert 10 < count_lines([TextRun("Flayer Claws", "text", 7)], room) < 100


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Phaeron Anathrakis the Unburied of the Seventh Gate",
        "Maximilian-Alexander von Hohenzollern-Sigmaringen und zu Castell-Castell der Jüngere von und zu",
        "W" * 100,
        "Sturmgeschützkommandopanzerabteilung/Nachschubkolonne",
    ],
)
@pytest.mark.parametrize("lines", [1, 2, 3])
@pytest.mark.parametrize("room", [12.0, 40.0])
def test_a_text_that_does_not_fit_is_smaller_and_whole(text: str, lines: int, room: float):
    fitted = fit_text(text, "name", room, 13, 9, lines)
    assert len(fitted.lines) <= lines
    assert all(measure_width(line, "name", fitted.size) <= room for line in fitted.lines)
    # A word that breaks gets a hyphen.
    assert "".join(fitted.lines).replace("-", "").replace(" ", "") == text.replace("-", "").replace(" ", "")


def test_names_keep_their_words_whole_while_type_is_readable():
    fitted = fit_text("Phaeron Anathrakis the Unburied of the Seventh Gate", "name", 40, 13, 9, 3)
    assert fitted.size >= LEAST
    assert " ".join(fitted.lines) == "Phaeron Anathrakis the Unburied of the Seventh Gate"
    assert len(fitted.lines) == 2


def test_a_word_breaks_after_a_hyphen_of_its_own():
    fitted = fit_text("Hohenzollern-Sigmaringen-Castell", "name", 14, 9, 9, 2)
    assert fitted.lines[0].endswith("-")
    assert "".join(fitted.lines) == "Hohenzollern-Sigmaringen-Castell"


def test_a_long_name_takes_the_largest_size_that_fits():
    size = fit_text("Canoptek Reanimator", "name", 30, 13, 7).size
    assert measure_width("Canoptek Reanimator", "name", size) <= 30
    assert measure_width("Canoptek Reanimator", "name", size + 0.5) > 30


def test_letters_that_no_font_has_are_named():
    assert find_missing_letters(["Heron \N{DUCK}", "鷺鷺"]) == "鷺\N{DUCK}"
    assert find_missing_letters(["Ludmiła Żółć, Ωμέγα, Чапаев, Nguyễn"]) == ""


def test_the_font_of_signs_has_each_emblem_mark_and_box():
    letters = TTFont(SIGNS).getBestCmap()
    assert {*map(ord, read_emblems().values()), *MARK_CODES.values(), ord(BOX)} <= set(letters)
    assert set(read_emblems()) >= EMBLEMS


def test_each_icon_of_pages_has_a_sign():
    names = {path.stem for path in FOLDER.glob("*.svg")}
    unknown = {name for name in names if not find_sign(name)}
    # Signs that only pages use.
    assert unknown <= {"printer", "x", "plus", "search", "info", "menu"}, unknown
    assert all(find_sign(name) for name in ICONS)
    assert find_sign("") == ""
    assert find_phase_mark("teatime") == ""


def test_the_first_family_has_each_letter_for_which_no_other_is_listed():
    letters = [letter for letter in map(chr, range(0x20, 0x3000)) if LATIN.fullmatch(letter)]
    assert len(letters) > 190
    for family, weight in FACES.values():
        known = TTFont(FONTS / f"{family}-latin-{weight}-normal.woff2").getBestCmap()
        assert [letter for letter in letters if ord(letter) not in known] == [], (family, weight)


@pytest.mark.parametrize(("text", "families"), [("Heron", {"Paper"}), ("Heron, Чапаев", {"Paper", "Paper Cyrillic"})])
def test_a_document_lists_the_families_that_its_letters_need(text, families):
    html = f'<html lang="en"><head><title>x</title></head><body><s>{BOX}</s><p>{text}</p></body></html>'
    page = lay_out(html, ["cards", "datasheet"]).pages[0]
    listed = set(page._page_box.children[0].children[0].style["font_family"])
    assert families <= listed
    assert ("Paper Greek" in listed) == (len(families) > 1)


def test_only_a_word_wider_than_its_column_is_broken_inside():
    assert has_wide_word([TextRun("Hyper", "text", 7), TextRun("space", "bold", 7)], 8)
    assert not has_wide_word([TextRun("Hyper ", "text", 7), TextRun("space", "bold", 7)], 8)
