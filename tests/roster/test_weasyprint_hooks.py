"""Each hook into WeasyPrint works, and is still needed."""

import io
import threading
import time
from collections.abc import Iterator
from typing import Any

import pypdf
import pytest
from PIL import ImageFile
from weasyprint.formatting_structure.boxes import BlockBox

from catalogue.definitions.identity import UNKNOWN
from roster.pdf.imposition.card_face import Face, FaceBlock, PrintCard
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.render import lay_out
from roster.pdf.render_lock import TooSlowError
from roster.pdf.weasyprint_hooks import limit_time

pytestmark = pytest.mark.slow

STYLE = '@page { size: 100mm 9000mm; margin: 0 } body { font: 7pt/1 "Paper" } b { font-weight: 700 }'


def compose(body: str) -> str:
    return f'<html lang="en"><head><title>Reeds</title></head><body>{body}</body></html>'


def list_boxes(document: Any, kind: type) -> list[Any]:
    def walk(box: Any) -> Iterator[Any]:
        yield box
        for child in getattr(box, "children", ()):
            yield from walk(child)

    boxes = (box for page in document.pages for box in walk(page._page_box))
    return [box for box in boxes if isinstance(box, kind)]


def test_our_style_sheet_takes_the_place_of_that_for_all_of_html() -> None:
    document = lay_out(compose("<p>Reeds</p>"), [], STYLE)
    (paragraph,) = (box for box in list_boxes(document, BlockBox) if box.element_tag == "p")
    # WeasyPrint's own style sheet gives paragraphs margins of an em.
    assert paragraph.margin_top == paragraph.margin_bottom == 0


def test_a_layout_ends_when_the_time_of_its_thread_is_over() -> None:
    html = compose("<p>Reeds</p>")
    finished = threading.Event()

    def lay_out_elsewhere() -> None:
        lay_out(html, [], STYLE)
        finished.set()

    with limit_time(time.monotonic() - 1):
        with pytest.raises(TooSlowError):
            lay_out(html, [], STYLE)
        other = threading.Thread(target=lay_out_elsewhere)
        other.start()
        other.join()
    assert finished.is_set()
    assert lay_out(html, [], STYLE).pages


def test_a_layout_reports_its_pages() -> None:
    pages = "".join(f'<section style="break-after:page">{number}</section>' for number in range(3))
    reports: list[tuple[int, int]] = []
    with limit_time(time.monotonic() + 60, lambda laid_out, expected: reports.append((laid_out, expected))):
        for _ in range(2):
            lay_out(compose(pages), [], "@page { size: 100mm 90mm }")
    assert reports == [(1, 3), (2, 3), (3, 3), (4, 6), (5, 6), (6, 6)]


def test_a_sheet_of_cards_is_tagged_and_a_copy_is_read_out_once() -> None:
    cards = [
        PrintCard(key=name, front=Face(title=name, blocks=(FaceBlock(texts=("Words",)),)), copies=2)
        for name in ("Heron", "Otter")
    ]
    pdf = pypdf.PdfReader(io.BytesIO(print_cards(cards, CardOptions(), title="Deck", identity=UNKNOWN)))
    assert len(pdf.pages) == 1
    assert pdf.pages[0].extract_text().count("Heron") == 2
    pending = [pdf.root_object["/StructTreeRoot"]["/K"][0].get_object()]
    heads = 0
    while pending:
        element = pending.pop()
        heads += element.get("/S") == "/H1"
        kids = element.get("/K", [])
        pending += [
            kid.get_object() for kid in (kids if isinstance(kids, list) else [kids]) if not isinstance(kid, int)
        ]
    assert heads == 2


def test_pictures_that_were_cut_short_stay_errors() -> None:
    assert not ImageFile.LOAD_TRUNCATED_IMAGES, "importing WeasyPrint sets it"
