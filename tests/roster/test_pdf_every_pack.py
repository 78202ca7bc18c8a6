"""Check the printed texts of every pack, on every paper and in every style."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import cast

import pytest

from catalogue.formats.packs.load import SHIPPED, find_packs
from catalogue.services.play import Play
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.card_job import CardJob
from roster.pdf.imposition.print_cards import CardOptions
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.pages import FOOT, MARGIN, PAPERS, compose_document, format_foot
from roster.pdf.shapes import Rule
from roster.pdf.sheet_job import SheetBatchJob, SheetJob
from roster.pdf.sheet_options import Ink, PaperSize, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.full_lists import ReadyList, full_pack, full_sheet, read_ruleset
from tests.roster.paper_promises import Word, find_card_faults, find_overlaps, find_page_faults, print_sheet
from tests.roster.paper_tools import words_in

pytestmark = pytest.mark.slow

PACKS = find_packs()
PLAYED = [pack for pack in PACKS if Play(read_ruleset(pack).data.game_system).missions]
RETIRED = re.compile(
    r"text we have|lost in our|lost in the text|as in the book|may have meant|the book (speaks|doubles|may)"
    r"|see the unit card|\bWe (take|read)\b|in the own|the own (edge|zone|force)|1s to hit again|\bjust \+\d",
    re.IGNORECASE,
)
"""Notes on the edition, and phrases that no player uses."""
STYLES = [style for style in Style if style is not Style.POCKET]
"""The sheets that are not folded."""
LEAST_TYPE, LEAST_USED = 6.0, 0.25
UNITS = (9, 15, 40, 120)


def measure_used(words: list[Word], height: float) -> float:
    """Return how far down a page its text reaches, as a share of the space."""
    room = height - MARGIN - FOOT
    lowest = max((word[3] for word in words if word[3] < height - FOOT + 1), default=0.0)
    return (lowest - MARGIN) / room


@pytest.mark.parametrize(
    ("second", "overlaps"), [((12.0, 10.0, 20.0, 13.0, "☐☐☐"), True), ((16.0, 10.0, 20.0, 13.0, "b"), False)]
)
def test_words_and_boxes_on_each_other_are_noticed(second: Word, overlaps: bool) -> None:
    assert bool(find_overlaps([(10.0, 10.0, 15.0, 13.0, "tokens"), second])) is overlaps
    assert not find_overlaps([(10.0, 5.0, 15.0, 8.0, "tokens"), second])


def check_pages(pdf: bytes, paper: PaperSize, data: str, *, has_only_our_words: bool = True) -> int:
    width, height = PAPERS[paper]
    pages = words_in(pdf)
    for number, words in enumerate(pages, 1):
        assert words, number
        assert min(word[0] for word in words) >= MARGIN - 0.5, number
        assert max(word[2] for word in words) <= width - MARGIN + 0.5, number
        assert max(word[3] for word in words) <= height - 5.0, number
        assert list(find_page_faults(words, data)) == [], number
        if number < len(pages):
            assert measure_used(words, height) >= LEAST_USED, number
        said = RETIRED.search(" ".join(word[4] for word in words)) if has_only_our_words else None
        assert said is None, (number, said)
    return len(pages)


def check_markup(html: str) -> None:
    """Check the markup before layout: heads with rows, smallest type size."""
    for table in re.findall(r"<table.*?</table>", html):
        rows = re.findall(r"<tr.*?</tr>", table)
        heads = ["<th" in row for row in rows]
        assert not all(heads), table
        assert not any(heads[2:]), table
    sizes = [float(size) for size in re.findall(r"font-size:([0-9.]+)pt", html)]
    assert min(sizes) >= LEAST_TYPE


def bounded(seconds: float = 120) -> Iterator[None]:
    with limit_time(time.monotonic() + seconds):
        yield


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    yield from bounded()


@pytest.mark.parametrize(
    ("pack", "units", "options"),
    sample(
        product(
            PACKS,
            UNITS,
            [SheetOptions(paper=paper, style=style, ink=ink) for paper, style, ink in product(PaperSize, STYLES, Ink)],
        ),
        2,
        complete=100,
    ),
)
def test_sheets_hold_what_paper_promises(pack: Path, units: int, options: SheetOptions) -> None:
    sheet = full_sheet(pack, units)
    pages = build_sheet_pages(sheet, options, make_look(sheet, options))
    check_markup(compose_document(pages, sheet.title))
    pdf, faults = print_sheet(sheet, options)
    assert faults == []
    assert check_pages(pdf, options.paper, repr(sheet)) == len(pages)


def test_a_row_higher_than_a_page_goes_on_overleaf() -> None:
    made = full_sheet(PACKS[0], 3)
    block, *others = made.blocks
    long = " ".join(f"Note{number}" for number in range(4000))
    lines = (replace(block.lines[0], notes=long), *block.lines[1:])
    sheet = replace(made, blocks=(replace(block, lines=lines), *others))
    options = SheetOptions(style=Style.OPPONENT)
    _pdf, faults = print_sheet(sheet, options)
    assert faults == []
    content = "".join(page.content for page in build_sheet_pages(sheet, options, make_look(sheet, options)))
    assert re.findall(r"Note\d+", content) == long.split()


def list_packs_to_print() -> Iterator[tuple[Path, int, PaperSize, Ink]]:
    """List each mission of each pack once, with paper and ink in turn, because a layout takes seconds."""
    for pack in PLAYED:
        missions = range(len(Play(read_ruleset(pack).data.game_system).missions))
        for mission, (paper, ink) in zip(missions, cycle(product(PaperSize, Ink)), strict=False):
            yield pack, mission, paper, ink


@pytest.mark.parametrize(("pack", "mission", "paper", "ink"), sample(list_packs_to_print(), 1, complete=12))
def test_game_packs_hold_what_paper_promises(pack: Path, mission: int, paper: PaperSize, ink: Ink) -> None:
    job = full_pack(pack, mission, options=SheetOptions(paper=paper, ink=ink))
    pages = job.build_pages()
    check_markup(compose_document(pages, job.title))
    assert check_pages(job.make_pdf(), paper, " ".join(job.texts)) == len(pages)


@pytest.mark.parametrize("pack", sample(PLAYED, 2), ids=lambda pack: f"{pack.parent.name}/{pack.name}")
def test_long_names_of_players_and_lists_are_whole_on_the_score_sheet(pack: Path) -> None:
    player = "Maximilian-Alexander of Hohenzollern-Sigmaringen and Castell-Castell the Younger"
    army = "The seventh company of the long northern march through marshes, deltas and the cities below"
    missions = range(len(Play(read_ruleset(pack).data.game_system).missions))
    assert missions
    for mission in missions:
        job = full_pack(pack, mission, units=3, names=[(player, army)] * 2)
        found = words_in(job.make_pdf())
        assert [fault for words in found for fault in find_page_faults(words, " ".join(job.texts))] == []
        joined = "".join(word[4] for words in found for word in words)
        assert joined.count(player.replace(" ", "")) >= 2
        assert joined.count(army.replace(" ", "")) >= 2


@pytest.mark.parametrize(("pack", "mission", "paper", "ink"), sample(list_packs_to_print(), 1, complete=8))
def test_a_game_pack_gives_the_same_bytes_again(pack: Path, mission: int, paper: PaperSize, ink: Ink) -> None:
    options = SheetOptions(paper=paper, ink=ink)
    made = [full_pack(pack, mission, options=options).make_pdf() for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("pack", "units", "mission"),
    sample([(pack, units, number) for number, (pack, units) in enumerate(product(PLAYED, UNITS))], 2),
)
def test_a_list_takes_the_same_pages_alone_and_in_the_pack_of_a_game(pack: Path, units: int, mission: int) -> None:
    job = full_pack(pack, mission, units=units)
    sheets = [replace(one.build_sheet(), title=f"List {number}") for number, one in enumerate(job.lists)]
    lists = [ReadyList(sheet, one.options) for sheet, one in zip(sheets, job.lists, strict=True)]
    feet = Counter(page.foot for page in replace(job, lists=cast("tuple[SheetJob, ...]", tuple(lists))).build_pages())
    alone = [len(build_sheet_pages(one.sheet, one.options, make_look(one.sheet, one.options))) for one in lists]
    assert [feet[format_foot(sheet)] for sheet in sheets] == alone


@pytest.mark.parametrize("pack", sample(PACKS, 1))
def test_lists_in_one_file_begin_on_front_sides_and_take_the_pages_they_take_alone(pack: Path) -> None:
    lists = [ReadyList(full_sheet(pack, units, faction)) for faction, units in enumerate((40, 9, 3, 15))]
    expected: list[str] = []
    for one in lists:
        expected += [""] * (len(expected) % 2)
        count = len(build_sheet_pages(one.sheet, one.options, make_look(one.sheet, one.options)))
        expected += [f"{number}/{count}" for number in range(1, count + 1)]
    pdf = SheetBatchJob(cast("tuple[SheetJob, ...]", tuple(lists))).make_pdf()
    assert ["".join(word[4] for word in words[-3:]) for words in words_in(pdf)] == expected


def test_a_game_with_little_to_read_has_its_score_sheet_on_the_same_page() -> None:
    job = full_pack(SHIPPED / "edge_dawnfall" / "dawnfall", units=3)
    first, *lists = job.build_pages()
    assert len(lists) == 2
    assert all(part in first.content for part in ("Two players", "Backstab", "Anna", "How it ended"))
    assert "attacker" not in first.content.lower()


def test_a_card_with_a_table_of_its_own_name_is_named_once_among_the_units() -> None:
    sheet = full_sheet(SHIPPED / "edge_dawnfall" / "dawnfall", 8)
    name = "Additional Wound / Thorn Beast"
    (unit,) = (unit for unit in sheet.datasheets if unit.name == name)
    assert unit.weapons[0].rows[0].name == name
    pages = build_sheet_pages(sheet, SheetOptions(), make_look(sheet, SheetOptions()))
    # Among the units, above its block, and in its table.
    assert "".join(page.content for page in pages).count(name) == 3


def test_an_objective_is_printed_once_and_heads_only_where_a_column_begins() -> None:
    page = full_pack(SHIPPED / "wh40k" / "ninth").build_pages()[1].content
    heads = re.findall(r"<th class=\"l [^>]*>(.*?)</th>", page)
    assert len(set(heads)) == 6
    assert len(heads) <= len(set(heads)) + 1


@pytest.mark.parametrize(
    ("pack", "units", "missions", "most"),
    sample([("wh40k/ninth", 16, 6, 8), ("maelstroms_edge/second", 8, 15, 6), ("maelstroms_edge/first", 8, 9, 6)], 1),
)
def test_packs_of_usual_lists_are_short(pack: str, units: int, missions: int, most: int) -> None:
    counts = [len(full_pack(SHIPPED / pack, number, units=units).build_pages()) for number in range(missions)]
    assert max(counts) <= most


def test_long_lists_have_the_score_sheet_below_the_mission() -> None:
    job = full_pack(SHIPPED / "maelstroms_edge" / "second", units=8)
    _, mission, *lists = job.build_pages()
    assert len(lists) == 4
    assert all(part in mission.content for part in ("Bloodbath", "Meat Grinder", "Anna", "Bruno", "Total"))


def test_what_goes_with_every_list_is_printed_once_in_a_pack() -> None:
    job = full_pack(SHIPPED / "maelstroms_edge" / "second", units=3)
    reminders = (Rule(name="Size of markers", text=("All of one objective the same.",)),)
    lists = [ReadyList(replace(one.build_sheet(), reminders=reminders)) for one in job.lists]
    pages = replace(job, lists=tuple(lists)).build_pages()  # type: ignore[arg-type]  # stands in for a job
    html = compose_document(pages, job.title)
    assert html.count("Size of markers") == 1


@pytest.mark.parametrize(("pack", "size"), sample(product(PACKS, (CardSize.POKER, CardSize.MINI, CardSize.A6)), 1))
def test_cards_hold_what_paper_promises(pack: Path, size: CardSize) -> None:
    assert list(find_card_faults(full_sheet(pack, 20), CardOptions(card_format=get_format(size)))) == []


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: f"{pack.parent.name}/{pack.name}")
def test_no_card_says_what_no_player_says(pack: Path) -> None:
    play = Play(read_ruleset(pack).data.game_system)
    cards = select_cards(play, read_selection(play, [kind.value for kind in CardKind], [], ""), [])
    job = CardJob(title="All", cards=tuple(cards))
    assert RETIRED.search(" ".join(job.texts)) is None
    sheet = full_sheet(pack)
    assert RETIRED.search(repr(sheet.datasheets)) is None
