"""Cards on paper: true sizes, backs in register, no text overflow. Positions are read from the PDF."""

import io
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pypdf import PdfReader

from catalogue.definitions.identity import UNKNOWN
from roster.pdf.imposition.card_face import CardHalf, Face, FaceBlock, FaceKind, FaceRow, PrintCard
from roster.pdf.imposition.card_format import (
    BLEED,
    MARGIN,
    SIZES,
    TOKEN_GAP,
    CardFormat,
    CardSize,
    SheetGrid,
    fit_grid,
    get_format,
)
from roster.pdf.imposition.card_job import read_card_options
from roster.pdf.imposition.impose import MM
from roster.pdf.imposition.print_cards import CannotPrintError, CardOptions, print_cards
from roster.pdf.pages import PAPERS
from roster.pdf.render_lock import TooSlowError
from roster.pdf.sheet_options import Ink, PaperSize
from roster.pdf.stock import choose_stock
from roster.pdf.weasyprint_hooks import limit_time
from tests.roster.paper_promises import find_page_faults
from tests.roster.paper_tools import words_in

pytestmark = pytest.mark.slow

POINTS = 72 / 25.4
"""Points in a millimetre."""
TOLERANCE = 0.2
OPTIONS = [
    CardOptions(card_format=get_format(size), paper=paper, bleed=bleed)
    for size in CardSize
    for paper in PaperSize
    for bleed in (False, True)
]


def card(number: int, *, words: int = 5, back: bool = True, copies: int = 1) -> PrintCard:
    text = " ".join(f"w{number}x{place}." for place in range(words))
    front = Face(title=f"F{number}", kicker="Objective", blocks=(FaceBlock(texts=(text,)),), foot="rules, p. 1")
    behind = Face(title=f"B{number}", kicker="Back", blocks=(FaceBlock(rows=(FaceRow(name="Hold it", value="5"),)),))
    return PrintCard(key=str(number), front=front, back=behind if back else None, copies=copies)


def printed(cards: list[PrintCard], options: CardOptions, plain: Face | None = None) -> bytes:
    return print_cards(cards, options, title="Deck", identity=UNKNOWN, plain=plain)


def pages(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def words_at(pdf: bytes, number: int) -> dict[str, tuple[float, float, float, float]]:
    """Return the words of a page with direction and position: (cos, sin, x, y) in millimetres from the upper left."""
    page = pages(pdf).pages[number]
    height = float(page.mediabox.height)
    found: dict[str, tuple[float, float, float, float]] = {}

    def visit(text: str, cm: list[float], tm: list[float], *_: object) -> None:
        if text.strip():
            a, b = tm[0] * cm[0] + tm[1] * cm[2], tm[0] * cm[1] + tm[1] * cm[3]
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            size = (a * a + b * b) ** 0.5
            found[text.strip()] = (a / size, b / size, x / POINTS, (height - y) / POINTS)

    page.extract_text(visitor_text=visit)
    return found


def cut_lines(pdf: bytes, number: int) -> set[tuple[str, float]]:
    """Return the cut marks of a page: axis `x` or `y`, and distance from the upper left in millimetres."""
    page = pages(pdf).pages[number]
    height = float(page.mediabox.height)
    data = page.get_contents()
    assert data is not None
    lines: set[tuple[str, float]] = set()
    start = (0.0, 0.0)
    for operands, operator in data.operations:
        if operator == b"m":
            start = (float(operands[0]), float(operands[1]))
        elif operator == b"l":
            # The page's own transformation: CSS pixels from the upper left.
            x, y = float(operands[0]) / MM, float(operands[1]) / MM
            lines.add(("x", round(x, 2)) if abs(x - start[0] / MM) < TOLERANCE else ("y", round(y, 2)))
    assert height > 0
    return lines


def edges(grid: SheetGrid) -> Iterator[tuple[str, float]]:
    width, height = grid.cell
    for place in grid.fronts:
        for x in (place.left, place.left + width):
            yield "x", x
        for y in (place.top, place.top + height):
            yield "y", y


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_cards_lie_where_they_are_cut_and_backs_behind_fronts(options: CardOptions) -> None:
    grid = fit_grid(options.card_format, options.paper, bleed=options.margin)
    assert grid is not None
    count = grid.columns * grid.rows
    pdf = printed([card(number) for number in range(count)], options)
    paper_width, paper_height = PAPERS[options.paper]
    assert len(pages(pdf).pages) == 2
    for page in pages(pdf).pages:
        box = page.mediabox
        assert (float(box.width) / POINTS, float(box.height) / POINTS) == pytest.approx(
            (paper_width, paper_height), abs=TOLERANCE
        )
    fronts, backs = words_at(pdf, 0), words_at(pdf, 1)
    width, height = grid.cell
    stock = choose_stock(options.card_format.width, options.card_format.height)
    safe = stock.safe + (stock.inset * 0.3 if grid.fills_paper else 0.0)
    for number, place in enumerate(grid.fronts):
        cos, sin, x, y = fronts[f"F{number}"]
        back_cos, back_sin, back_x, back_y = backs[f"B{number}"]
        if grid.turned:
            assert (round(cos), round(sin)) == (0, -1)
            assert (round(back_cos), round(back_sin)) == (0, 1)
            assert y == pytest.approx(place.top + safe, abs=TOLERANCE)
            assert back_y == pytest.approx(place.top + height - safe, abs=TOLERANCE)
            # Both titles have the same distance from the same end of the card.
            assert x - place.left == pytest.approx(paper_width - back_x - place.left, abs=TOLERANCE)
        else:
            assert (round(cos), round(sin)) == (1, 0)
            assert x == pytest.approx(place.left + safe, abs=TOLERANCE)
            assert back_x == pytest.approx(paper_width - place.left - width + safe, abs=TOLERANCE)
            assert y == pytest.approx(back_y, abs=TOLERANCE)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_cut_marks_stand_at_the_edges_of_the_cards(options: CardOptions) -> None:
    grid = fit_grid(options.card_format, options.paper, bleed=options.margin)
    assert grid is not None
    found = cut_lines(printed([card(0)], options), 0)
    paper = dict(zip("xy", PAPERS[options.paper], strict=True))
    # If a sheet is cut through, its edges need no marks.
    inside = [(axis, at) for axis, at in edges(grid) if 0.1 < at < paper[axis] - 0.1]
    assert inside
    for axis, at in inside:
        assert any(axis == known and abs(at - where) < TOLERANCE for known, where in found), (axis, at)


def test_without_marks_there_are_none() -> None:
    assert not cut_lines(printed([card(0, back=False)], CardOptions(marks=False)), 0)


@pytest.mark.parametrize("size", CardSize)
def test_text_shrinks_then_goes_on_on_the_back_and_nothing_is_lost(size: CardSize) -> None:
    small, large = SIZES[CardSize.MINI], SIZES[size]
    words = int(215 * large[0] * large[1] / (small[0] * small[1]))
    pdf = printed([card(7, words=words, back=False)], CardOptions(card_format=get_format(size)))
    text = "".join(page.extract_text() for page in pages(pdf).pages)
    for place in range(words):
        assert f"w7x{place}." in text.replace("\n", "")
    assert len(pages(pdf).pages) == 2


def test_a_little_too_much_text_only_shrinks() -> None:
    assert len(pages(printed([card(1, words=60, back=False)], CardOptions())).pages) == 1


def test_what_a_back_of_its_own_pushes_away_is_a_further_card() -> None:
    pdf = printed([card(3, words=300)], CardOptions())
    front, back = (page.extract_text() for page in pages(pdf).pages)
    assert "F3" in front
    assert "w3x299." in front.replace("\n", "")
    assert "B3" in back


def test_cards_without_a_back_share_a_plain_one() -> None:
    plain = Face(title="Reeds", kicker="Objectives", kind=FaceKind.PLAIN)
    pdf = printed([card(number, back=False) for number in range(3)], CardOptions(), plain)
    assert pages(pdf).pages[1].extract_text().count("Reeds") == 3
    assert len(pages(printed([card(0, back=False)], CardOptions())).pages) == 1


def test_copies_and_sheets() -> None:
    pdf = printed([card(0, copies=10, back=False), card(1, back=False)], CardOptions())
    texts = [page.extract_text() for page in pages(pdf).pages]
    assert [text.count("F0") for text in texts] == [9, 1]
    assert [text.count("F1") for text in texts] == [0, 1]


def test_the_same_cards_give_the_same_bytes() -> None:
    cards = [card(number) for number in range(4)]
    assert printed(cards, CardOptions()) == printed(cards, CardOptions())


def test_saving_ink_prints_no_colour() -> None:
    def fills(ink: Ink) -> set[tuple[str, ...]]:
        data = pages(printed([card(0)], CardOptions(ink=ink))).pages[0].get_contents()
        assert data is not None
        return {
            tuple(str(value) for value in operands)
            for operands, operator in data.operations
            if operator in (b"rg", b"scn")
        }

    for ink in Ink:
        assert fills(ink)
    assert all(len(set(colour)) == 1 for colour in fills(Ink.SAVER))


@pytest.mark.parametrize(
    ("cards", "stock", "code"),
    [
        ([], CardFormat(63, 88), "no-cards"),
        ([card(0, copies=0)], CardFormat(63, 88), "no-cards"),
        ([card(0, copies=10_000)], CardFormat(63, 88), "too-many-cards"),
        ([card(0)], CardFormat(250.0, 300.0), "does-not-fit"),
    ],
)
def test_what_cannot_be_printed_says_why(cards: list[PrintCard], stock: CardFormat, code: str) -> None:
    with pytest.raises(CannotPrintError) as caught:
        printed(cards, CardOptions(card_format=stock))
    assert caught.value.code == code


def test_a_layout_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(TooSlowError), limit_time(time.monotonic() - 1):
        printed([card(0)], CardOptions())
    assert printed([card(0)], CardOptions())


def test_markup_of_users_is_text() -> None:
    face = Face(title="<b>Bold</b>", blocks=(FaceBlock(texts=("<script>&amp;",)),))
    text = pages(printed([PrintCard(key="x", front=face)], CardOptions())).pages[0].extract_text()
    assert "<b>Bold</b>" in text
    assert "<script>&amp;" in text


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize("size", CardSize)
@pytest.mark.parametrize("bleed", [0.0, BLEED])
def test_every_size_keeps_its_margin(size: CardSize, paper: PaperSize, bleed: float) -> None:
    grid = fit_grid(get_format(size), paper, bleed=bleed)
    assert grid is not None
    margin = 0.0 if grid.fills_paper else MARGIN
    assert min(place.left for place in grid.fronts) - bleed >= margin - 0.001
    assert min(place.top for place in grid.fronts) - bleed >= margin - 0.001


@pytest.mark.parametrize(("size", "count"), [(CardSize.A6, 4), (CardSize.A5, 2), (CardSize.POKER, 9)])
def test_a4_is_cut_into_quarters_and_halves_with_nothing_left(size: CardSize, count: int) -> None:
    grid = fit_grid(get_format(size), PaperSize.A4)
    assert grid is not None
    assert len(grid.fronts) == count
    assert grid.fills_paper is (size is not CardSize.POKER)


def test_tokens_keep_apart() -> None:
    grid = fit_grid(CardFormat(25.0, 25.0, round=True), PaperSize.A4)
    assert grid is not None
    lefts = sorted({place.left for place in grid.fronts})
    assert lefts[1] - lefts[0] == pytest.approx(25.0 + TOKEN_GAP)


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize("size", CardSize)
def test_marks_stay_where_printers_print(size: CardSize, paper: PaperSize) -> None:
    grid = fit_grid(get_format(size), paper)
    assert grid is not None
    ends = [value for line in grid.list_marks() for value in line]
    assert ends
    assert min(ends) >= 4.0


@pytest.mark.parametrize("bleed", [False, True])
def test_a_file_of_cards_asks_for_its_true_size_both_sides_and_says_where_it_is_cut(bleed: bool) -> None:
    options = CardOptions(bleed=bleed)
    grid = fit_grid(options.card_format, options.paper, bleed=options.margin)
    assert grid is not None
    made = pages(printed([card(0)], options))
    preferences = made.root_object["/ViewerPreferences"]
    assert preferences["/PrintScaling"] == "/None"
    assert preferences["/Duplex"] == "/DuplexFlipLongEdge"
    for page in made.pages:
        assert float(page.trimbox.left) / POINTS == pytest.approx(grid.fronts[0].left, abs=0.01)
        assert float(page.trimbox.left - page.bleedbox.left) / POINTS == pytest.approx(options.margin, abs=0.01)
        assert float(page.trimbox.width) / POINTS == pytest.approx(
            grid.columns * grid.cell[0] + (grid.columns - 1) * grid.gap, abs=0.01
        )


def test_a_ruler_of_50_mm_stands_beside_the_cards() -> None:
    lines = cut_lines(printed([card(0, back=False)], CardOptions()), 0)
    ends = {at for axis, at in lines if axis == "x"}
    assert {80.0, 90.0, 100.0, 110.0, 120.0, 130.0} <= ends


@pytest.mark.parametrize("text", ["63.5x88", "70x120", "44.45x67"])
def test_sizes_may_have_decimals(text: str) -> None:
    width, height = map(float, text.split("x"))
    assert read_card_options({"size": text}).card_format == CardFormat(width, height)


@pytest.mark.parametrize("text", ["63,5x88", "63.555x88", ".5x88", "1e2x88", "63.5x", "19.9x88", "63.5x88x1"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(CannotPrintError) as caught:
        read_card_options({"size": text})
    assert caught.value.code == "bad-size"


def test_tokens_of_several_sizes_share_a_sheet() -> None:
    diameters = [25.0] * 9 + [40.0] * 5
    cards = [
        PrintCard(
            key=str(number),
            front=Face(title="Marker", corner=str(number), kind=FaceKind.TOKEN),
            card_format=CardFormat(diameter, diameter, round=True),
        )
        for number, diameter in enumerate(diameters)
    ]
    pdf = print_cards(cards, CardOptions(), title="Tokens", identity=UNKNOWN)
    (words,) = words_in(pdf)
    tops = {word[4]: word[1] for word in words if word[4].isdecimal()}
    assert len(tops) == len(diameters)
    assert max(tops[str(number)] for number in range(9, 14)) < min(tops[str(number)] for number in range(9))
    assert all(word[1] > 6 and word[3] < 291 for word in words)


LONG_TITLES = (
    "Maximilian-Alexander of Hohenzollern-Sigmaringen and Castell-Castell, Seneschal of the Eternal Marshes",
    "Sturmgeschützkommandopanzerabteilung",
)
LONG_KICKER = "Heavy cavalry of the second column, only in a detachment of river wardens, once in a game"
LONG_FOOT = "Reeds and Rust, the Expanded Edition of the Rules for Marshes, Rivers and Deltas, with supplements, p. 12"


@pytest.mark.parametrize("title", LONG_TITLES)
@pytest.mark.parametrize("size", CardSize)
def test_a_front_cuts_nothing_short(size: CardSize, title: str) -> None:
    text = " ".join(f"w{number}." for number in range(700))
    plain = Face(title=title, kicker=LONG_KICKER, corner="12", icon="heron", foot=LONG_FOOT)
    half = CardHalf(title=title, cost="2", icon="heron", note=LONG_KICKER, text="Move through water. " * 9)
    cards = [
        PrintCard(key="a", front=replace(plain, blocks=(FaceBlock(texts=(text,)),))),
        PrintCard(key="b", front=replace(plain, kind=FaceKind.ACTION, halves=(half, half))),
    ]
    found = words_in(printed(cards, CardOptions(card_format=get_format(size))))
    assert [fault for words in found for fault in find_page_faults(words, "")] == []
    # Words of long titles may break at the end of a line, with a hyphen.
    joined = "".join(word[4] for words in found for word in words).replace("-", "")
    for part, least in ((title, 3), (LONG_KICKER, 3), (LONG_FOOT, 2), ("Move through water. " * 9, 2)):
        assert joined.count("".join(part.split()).replace("-", "")) >= least, part


@pytest.mark.parametrize("size", [CardSize.POKER, CardSize.MINI])
def test_a_back_cuts_no_name_short(size: CardSize) -> None:
    title, foot = "The Congregation of the Eternal Marshes and Rivers", "A Game of Reeds and Rust, the Expanded Edition"
    back = Face(title=title, lead="12", kicker="Heavy cavalry of the second column", foot=foot)
    cards = [PrintCard(key="a", front=Face(title="Heron"), back=back)]
    pdf = print_cards(cards, CardOptions(card_format=get_format(size)), title="Backs", identity=UNKNOWN)
    words = words_in(pdf)[1]
    assert list(find_page_faults(words, "")) == []
    assert {"Congregation", "Rivers", "Expanded", "column"} <= {word[4] for word in words}
