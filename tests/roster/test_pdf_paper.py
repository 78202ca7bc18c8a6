"""The printed sheet: its text, its pages, what is kept together."""

import io
import logging
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pypdf
import pytest

from roster.pdf.render import BundledFetcher, RefusedAddressError
from roster.pdf.sheet_options import BadOptionError, SheetOptions, read_options
from tests.roster.paper_fixture import ABILITIES, force, long_list, node, report, sheet, short_list, warden
from tests.roster.paper_promises import print_sheet
from tests.roster.paper_tools import boxes_on, bytes_of, laid_out, page_texts, pdf_of, printed, text_of, words_in

pytestmark = pytest.mark.slow

POINTS_PER_MM = 72 / 25.4
STYLES = ("full", "summary", "opponent")
FOOT_TOP = 287.0
"""Millimetres from the top of an A4 page to its foot."""


# ---- what it says ------------------------------------------------------------------------------------------------


def test_the_first_page_is_the_opponents_copy() -> None:
    first = page_texts(printed("short_list"))[0]
    for word in (
        "Low water column",
        "Marsh Compact · Reeds and Rust · 1.2",
        "revision 7 · 3f9c 21ab",
        "Player",
        "✓ Legal",
        "116 / 120 points",
        "8 units",
        "Not checked: House rules of an event",
        "First detachment 1 Command · 2 Core · 1 Hammer · 1 Vanguard",
        "78 points",
        "Lock Warden",
        "Storm lantern +2",
        "Heron Scouts (2 units as one choice, 8 models)",
        "Pot Carrier (in Reed Cutters)",
        "MV EVS SKL AV CQA FOR WP",
    ):
        assert word in first, word


def test_blocks_of_units_follow_with_profiles_weapons_options_and_abilities() -> None:
    text = text_of("short_list")
    assert "Lock Warden" in text
    assert "5 4 4 3 3 3 2+" in text
    assert 'Storm lantern Pistol 12" 2 3 1 4+' in text
    assert "Bell staff" in text
    assert "Command (2)." in text
    assert "2 × Heron Scouts" in text
    assert "Wounds ☐☐☐" in text


@pytest.mark.parametrize("title", ["The seventh company of the long northern march " * 2, "W" * 100])
def test_the_whole_name_of_a_list_is_at_the_top(title: str) -> None:
    named = replace(sheet(short_list()), title=title.strip())
    pdf, faults = print_sheet(named, SheetOptions())
    assert faults == []
    assert title.strip().replace(" ", "") in page_texts(pypdf.PdfReader(io.BytesIO(pdf)))[0].replace(" ", "")


@pytest.mark.parametrize("ability", ABILITIES, ids=lambda ability: ability.name)
def test_a_rule_of_several_units_is_told_once(ability) -> None:
    assert text_of("long_list", 15).count(ability.description) == 1


@pytest.mark.parametrize("style", STYLES)
def test_an_illegal_list_says_so_with_the_rule_and_its_place(style: str) -> None:
    text = text_of("illegal_list", style=style)
    assert "✕ Illegal" in text
    assert "98 / 120 points" in text
    assert "✕1 No type above core. 3 Hammer, 2 allowed. Reeds and Rust, p. 14" in text


def test_units_concerned_carry_the_number_of_the_problem() -> None:
    assert "3 × Sluice Giants ✕1 (2 models)" in text_of("illegal_list")


@pytest.mark.parametrize("style", ["full", "opponent"])
def test_notes_keep_the_lines_they_were_written_in(style: str) -> None:
    noted = node("Willow Guard", slot="Core", notes="Painted blue.\nThe tall one leads.")
    made = pypdf.PdfReader(io.BytesIO(pdf_of(report(force("First", noted)), style=style)))
    assert made.pages
    for page in made.pages:
        assert "blue.\nThe tall" in page.extract_text()


def test_an_incomplete_list_says_so() -> None:
    assert "◔ Incomplete" in text_of("incomplete_list")


def test_an_empty_list_is_a_sheet_too() -> None:
    text = text_of("empty_list")
    assert "Nothing has been taken yet." in text
    assert len(printed("empty_list").pages) == 1


def test_the_hash_and_the_page_stand_on_every_page() -> None:
    texts = page_texts(printed("long_list", 15))
    assert len(texts) > 1
    for number, text in enumerate(texts, 1):
        assert "Low water column · revision 7 · 3f9c 21ab" in text
        assert f"{number} / {len(texts)}" in text


def test_what_is_provisional_is_marked() -> None:
    text = text_of("list_of_trouble")
    assert "† Figures from the 1st edition" in text
    assert text.count("Old Grumbler†") == 2


# ---- styles, papers, ink -----------------------------------------------------------------------------------------


def test_the_opponents_copy_alone_has_no_cards() -> None:
    assert len(printed("long_list", 15, style="opponent").pages) == 1
    assert "☐" not in text_of("long_list", 15, style="opponent")


@pytest.mark.parametrize("units", [0, 3, 15, 40])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_summary_is_one_page(units: int, paper: str) -> None:
    assert len(printed("long_list", units, style="summary", paper=paper).pages) == 1


def test_the_summary_has_all_units_with_their_profiles() -> None:
    text = text_of("long_list", 15, style="summary")
    assert "Willow Guard" in text
    assert "MV EVS" in text
    assert "☐" not in text


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_pages_have_the_size_of_the_paper(paper: str, width: float, height: float) -> None:
    pages = printed("short_list", paper=paper).pages
    assert pages
    for page in pages:
        assert float(page.mediabox.width) == pytest.approx(width * POINTS_PER_MM, abs=0.1)
        assert float(page.mediabox.height) == pytest.approx(height * POINTS_PER_MM, abs=0.1)


@pytest.mark.parametrize("name", ["short_list", "illegal_list"])
def test_ink_saver_prints_no_colour_and_no_tint(name: str) -> None:
    for page in printed(name, ink="saver").pages:
        operators = pypdf.generic.ContentStream(page["/Contents"], printed(name, ink="saver")).operations
        colours = {tuple(map(float, operands)) for operands, operator in operators if operator in (b"rg", b"RG")}
        assert colours
        assert all(len(set(colour)) == 1 for colour in colours), colours
    assert text_of(name, ink="saver") == text_of(name)


def test_options_of_a_sheet() -> None:
    assert read_options({"paper": "letter", "other": "x"}).paper.value == "letter"
    with pytest.raises(BadOptionError, match="a4, letter"):
        read_options({"paper": "a3"})


# ---- holding together --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [("short_list",), ("long_list", 24), ("list_of_trouble",), ("illegal_list",)])
def test_no_unit_is_split_and_none_overlap(made: tuple[str, int]) -> None:
    cards = boxes_on(laid_out(*made), "blk")
    assert cards
    assert len({box.element for _, box in cards}) == len(cards)
    for (page, one), (other_page, other) in combinations(cards, 2):
        assert page != other_page or not _overlap(one, other)
    for _, box in cards:
        assert box.position_x >= 0
        assert box.position_y + box.margin_height() < 297 / 25.4 * 96


def _overlap(one, other) -> bool:
    return (
        one.position_x < other.position_x + other.width
        and other.position_x < one.position_x + one.width
        and one.position_y < other.position_y + other.height
        and other.position_y < one.position_y + one.height
    )


def test_a_table_longer_than_a_page_repeats_its_heading_and_splits_no_row() -> None:
    texts = page_texts(printed("huge_table"))
    with_rows = [text for text in texts if "Gun of the row" in text]
    assert len(with_rows) > 1
    assert all("RNG SHO PEN DAM SUP" in text for text in with_rows)
    for number in range(90):
        row = f'Gun of the row number {number} Short ranged, turret {number}" {number} 3 1 4+'
        assert row in text_of("huge_table")


def test_a_detachment_that_runs_on_repeats_its_heading() -> None:
    units = [node(f"Crew {number}", "unit", slot="Core", cost=2) for number in range(70)]
    texts = page_texts(pypdf.PdfReader(io.BytesIO(pdf_of(report(force("Endless", *units)), style="opponent"))))
    assert len(texts) > 1
    assert all("Endless" in text for text in texts)


def test_a_very_long_list_has_every_unit_in_a_block() -> None:
    blocks = boxes_on(laid_out("long_list"), "blk")
    assert len(blocks) == len(sheet(long_list()).datasheets)


@pytest.mark.parametrize("units", [4, 9, 15, 24, 31])
def test_no_page_but_the_last_is_nearly_empty(units: int) -> None:
    pages = words_in(bytes_of("long_list", units))
    used = [max(word[3] for word in words if word[3] < FOOT_TOP) - 10 for words in pages]
    assert used
    assert all(height > 0.25 * 272 for height in used[:-1]), used


@pytest.mark.parametrize("made", [("long_list", 15), ("list_of_trouble",), ("huge_table",), ("illegal_list",)])
def test_nothing_lies_below_the_foot_or_beside_the_page(made: tuple[str, int]) -> None:
    printed_pages = list(words_in(bytes_of(*made)))
    assert printed_pages
    for words in printed_pages:
        assert words
        for left, _top, right, bottom, word in words:
            assert left > 9.5, word
            assert right < 200.5, word
            assert bottom < 291.5, word
        assert not [word for word in words if FOOT_TOP - 1.0 < word[3] < FOOT_TOP + 0.4], "text runs into the foot"


# ---- texts by users ----------------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src="http://198.51.100.7/a.png">',
    '"><link rel=stylesheet href=file:///etc/passwd>',
    "<style>@import url(http://198.51.100.7/)</style>",
    "{{ settings.SECRET_KEY }}{% include 'base.html' %}",
    "&lt;b&gt; &amp; &unknown; &#60;",
    "]]> <!-- <?xml version='1.0'?> <!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_what_users_write_stays_text(text: str, caplog: pytest.LogCaptureFixture) -> None:
    unit = node(text, "model", node(text), slot=text, custom_name=text, notes=text, cost=2)
    with caplog.at_level(logging.WARNING, logger="weasyprint"):
        pdf = pypdf.PdfReader(io.BytesIO(pdf_of(report(force(text, unit, notes=text)))))
    squeezed = "".join("".join(page_texts(pdf)).split())
    assert squeezed.count("".join(text.split())) >= 5
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("text", ["\x00\x01\x1b[31m", "\ud800", "\ufffe\uffff", "\u202eevil\u2066"])
def test_characters_that_no_document_may_hold_are_left_out(text: str) -> None:
    made = report(force("First", node(f"A{text}B", "model", cost=1, slot="Core")))
    assert "A" in "".join(page_texts(pypdf.PdfReader(io.BytesIO(pdf_of(made)))))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://198.51.100.7/x.png",
        "https://198.51.100.7/x.png",
        "ftp://198.51.100.7/x",
        "data:text/css,body{}",
        "bundled:../../../../manage.py",
        "bundled:..%2f..%2frender.py",
        "bundled:/etc/passwd",
        "bundled:missing.css",
        "bundled:",
        "no address at all",
    ],
)
def test_the_renderer_opens_bundled_files_only(url: str) -> None:
    with pytest.raises(RefusedAddressError):
        BundledFetcher().fetch(url)


def test_a_bundled_file_is_opened() -> None:
    assert b".card" in BundledFetcher().fetch("bundled:cards.css").read()


def test_an_address_in_a_document_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    printed("short_list")  # the first document of a process loads styles and fonts
    asked: list[str] = []
    real = BundledFetcher.fetch
    monkeypatch.setattr(BundledFetcher, "fetch", lambda self, url, headers=None: asked.append(url) or real(self, url))
    pdf_of(report(force("http://198.51.100.7/", warden(), notes="url(file:///etc/passwd) https://198.51.100.7/a.png")))
    assert asked == []


# ---- the file ----------------------------------------------------------------------------------------------------


def test_it_has_a_title_a_language_and_is_tagged() -> None:
    pdf = printed("short_list")
    assert pdf.metadata.title == "Low water column"
    assert pdf.metadata.subject == "Reeds and Rust 1.2, Marsh Compact"
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    kinds = _kinds(root["/StructTreeRoot"])
    assert kinds >= {"/H1", "/H2", "/H3", "/Table", "/TR", "/TH", "/TD", "/P", "/Figure"}


def _kinds(element) -> set[str]:
    element = element.get_object()
    if not isinstance(element, pypdf.generic.DictionaryObject):
        return set()
    inside = element.get("/K", [])
    found = {element["/S"]} if "/S" in element else set()
    return found.union(*map(_kinds, inside if isinstance(inside, list) else [inside]))


def test_bookmarks_lead_to_units() -> None:
    title, inside = printed("short_list").outline
    names = [entry.title for entry in _flatten(inside)]
    assert title.title == "Low water column"
    assert {"Lock Warden", "Punt Crew", "2 × Heron Scouts", "Pot Carrier"} < set(names)


def _flatten(entries: list) -> list:
    return [one for entry in entries for one in (_flatten(entry) if isinstance(entry, list) else [entry])]


def test_the_same_list_gives_the_same_bytes() -> None:
    assert pdf_of(short_list()) == bytes_of("short_list")


def test_another_process_gives_the_same_bytes(tmp_path: Path) -> None:
    program = (
        "import sys, django; django.setup()\n"
        "from tests.roster import paper_fixture, paper_tools\n"
        "sys.stdout.buffer.write(paper_tools.pdf_of(paper_fixture.illegal_list()))"
    )
    made = subprocess.run(
        [sys.executable, "-c", program], env=_environment("1", tmp_path), capture_output=True, check=True
    )
    assert made.stdout == bytes_of("illegal_list")


def _environment(seed: str, folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.test",
        "ARMYBUILDER_VAR": str(folder),
    }


def test_no_date_stands_in_the_file() -> None:
    data = bytes_of("empty_list")
    assert b"CreationDate" not in data
    assert b"ModDate" not in data
