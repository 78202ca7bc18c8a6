"""The type of paper: how wide texts are, what the fonts hold, and signs as letters."""

from fontTools.ttLib import TTFont

from catalogue.definitions.identity import EMBLEMS
from catalogue.services.icons import FOLDER
from roster.pdf.render import lay_out
from roster.pdf.type.build_fonts import SIGNS
from roster.pdf.type.measure import TextRun, count_lines, find_missing_letters, fit_line, measure_width
from roster.pdf.type.signs import BOX, ICONS, MARK_CODES, find_phase_mark, find_sign, read_emblems

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


def test_runs_join_words_across_faces():
    whole = count_lines([TextRun("Flayer Claws", "text", 7)], 10)
    assert count_lines([TextRun("Fla", "text", 7), TextRun("yer Claws", "text", 7)], 10) == whole


def test_a_line_that_does_not_fit_is_cut_with_an_ellipsis():
    line = fit_line("Phaeron Anathrakis the Unburied of the Seventh Gate", "name", 40, 13, 9)
    assert line.is_cut
    assert line.size == 9
    assert measure_width(line.text, "name", line.size) <= 40


def test_a_long_name_takes_the_largest_size_that_fits():
    line = fit_line("Canoptek Reanimator", "name", 30, 13, 7)
    assert not line.is_cut
    assert measure_width(line.text, "name", line.size) <= 30 < measure_width(line.text, "name", line.size + 0.5)


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
    # Those that only pages use.
    assert unknown <= {"printer", "x", "plus", "search", "info", "menu"}, unknown
    assert all(find_sign(name) for name in ICONS)
    assert find_sign("") == ""
    assert find_phase_mark("teatime") == ""
