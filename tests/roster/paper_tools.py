"""Print the lists of paper_fixture and read the output."""

import io
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pypdf

from roster.engine.report import Report
from roster.pdf.pages import PAGE_STYLES, PageLook, compose_document, format_paper
from roster.pdf.render import lay_out, write_pdf
from roster.pdf.sheet_job import lay_out_sheet
from roster.pdf.sheet_options import read_options
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from roster.pdf.weasyprint_hooks import limit_time
from tests.roster import paper_fixture
from tests.roster.paper_fixture import sheet


def html_of(judged: Report, **options: str) -> str:
    made, chosen = sheet(judged), read_options(options)
    return compose_document(build_sheet_pages(made, chosen, make_look(made, chosen)), made.title)


def pdf_of(judged: Report, **options: str) -> bytes:
    with limit_time(time.monotonic() + 120):
        document = lay_out_sheet(sheet(judged), read_options(options))
        return write_pdf(document, document.pages)


@cache
def laid_out(name: str, *arguments: int, **options: str) -> Any:
    """Return the laid out pages of a list of paper_fixture, once per test process."""
    with limit_time(time.monotonic() + 120):
        return lay_out_sheet(sheet(getattr(paper_fixture, name)(*arguments)), read_options(options))


@cache
def bytes_of(name: str, *arguments: int, **options: str) -> bytes:
    document = laid_out(name, *arguments, **options)
    return write_pdf(document, document.pages)


@cache
def printed(name: str, *arguments: int, **options: str) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(bytes_of(name, *arguments, **options)))


@cache
def text_of(name: str, *arguments: int, **options: str) -> str:
    return " ".join(page_texts(printed(name, *arguments, **options)))


def page_texts(pdf: pypdf.PdfReader) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in pdf.pages]


def boxes_of(html: str, kind: str, **options: str) -> list[tuple[int, Any]]:
    look = PageLook(paper=read_options(options).paper)
    return boxes_on(lay_out(html, PAGE_STYLES, format_paper(look)), kind)


def boxes_on(document: Any, kind: str) -> list[tuple[int, Any]]:
    """Return the boxes of a class in a laid out document, with their page numbers."""
    return [
        (number, box)
        for number, page in enumerate(document.pages)
        for box in _all(page._page_box)
        if box.element is not None and kind in box.element.get("class", "").split()
    ]


def _all(box: Any) -> Iterator[Any]:
    yield box
    for child in getattr(box, "children", ()):
        yield from _all(getattr(child, "_box", child))


def words_in(pdf: bytes) -> list[list[tuple[float, float, float, float, str]]]:
    """Return the words of each page by poppler: left, top, right, bottom in millimetres, and the text."""
    done = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=pdf, capture_output=True, check=True)
    pages = ElementTree.fromstring(done.stdout).iter("{http://www.w3.org/1999/xhtml}page")
    return [[_placed(word) for word in page] for page in pages]


def _placed(word: ElementTree.Element) -> tuple[float, float, float, float, str]:
    left, top, right, bottom = (float(word.attrib[side]) * 25.4 / 72 for side in ("xMin", "yMin", "xMax", "yMax"))
    return left, top, right, bottom, word.text or ""
