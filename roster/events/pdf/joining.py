"""Join finished PDF files with bookmarks, links and continuous page numbers. ADR 0026 says what is lost."""

import gc
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    Fit,
    IndirectObject,
    NameObject,
    RectangleObject,
)

POINT = 72 / 25.4
COLLECTED_AFTER = 20
"""Collect garbage after this many files."""
_NUMBER_FONT = NameObject("/BookletNumber")
_NUMBER_SIZE = 8
_DIGIT = 0.556
"""Width of a digit, in font sizes."""
_EDGE, _DOWN = 10 * POINT, 7 * POINT
"""Distance of a page number's end from the right and upper edge."""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A rectangle that links to a page: millimetres from the upper left corner, pages from 0."""

    page: int
    left: float
    top: float
    width: float
    height: float
    target: int


def join_files(files: Iterable[bytes]) -> bytes:
    """Return one file with the pages of all."""
    writer = PdfWriter()
    for file in files:
        _append_file(writer, file)
    return _write_file(writer)


@dataclass(frozen=True, slots=True)
class Front:
    """The pages before all others, and their links."""

    file: bytes
    links: Sequence[PageLink]


def bind_booklet(
    title: str,
    papers: Iterable[tuple[str, bytes]],
    build_front: Callable[[Sequence[int | None]], Front],
    *,
    is_duplex: bool = False,
) -> bytes:
    """Return one file of all papers with bookmarks and page numbers from 1. Empty papers get no bookmark.

    `build_front` gets the number of pages before each paper, None for an empty one. If `is_duplex`, each paper begins
    on a front side.
    """
    writer = PdfWriter()
    before: list[int | None] = []
    for number, (name, file) in enumerate(papers, 1):
        if is_duplex and len(writer.pages) % 2:
            writer.add_blank_page()
        if file:
            before.append(len(writer.pages))
            _append_file(writer, file)
            writer.add_outline_item(title=name, page_number=before[-1])
        else:
            before.append(None)
        if number % COLLECTED_AFTER == 0:
            # pypdf leaves reference cycles, and layout switches the automatic collector off.
            gc.collect()
    _put_before(writer, build_front(before), is_duplex=is_duplex)
    writer.add_metadata({"/Title": title, "/Creator": "Armybuilder"})
    return _write_file(writer)


def _put_before(writer: PdfWriter, front: Front, *, is_duplex: bool) -> None:
    pages = PdfReader(io.BytesIO(front.file)).pages
    for number, page in enumerate(pages):
        writer.insert_page(page, number).pop("/StructParents", None)
    if is_duplex and len(pages) % 2:
        writer.insert_blank_page(index=len(pages))

    font = writer._add_object(
        DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
    )
    for number, page in enumerate(writer.pages, 1):
        _number_page(writer, page, number, font)

    for link in front.links:
        height = float(writer.pages[link.page].mediabox.height)
        top = height - link.top * POINT
        corners = (link.left * POINT, top - link.height * POINT, (link.left + link.width) * POINT, top)
        area = RectangleObject(corners)
        writer.add_annotation(link.page, Link(rect=area, target_page_index=link.target, fit=Fit.fit()))


def _append_file(writer: PdfWriter, file: bytes) -> None:
    # A file can have only one structure tree, so those of the files are dropped.
    for page in PdfReader(io.BytesIO(file)).pages:
        added = writer.add_page(page)
        added.pop("/StructParents", None)


def _write_file(writer: PdfWriter) -> bytes:
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _number_page(writer: PdfWriter, page: PageObject, number: int, font: IndirectObject) -> None:
    """Write a page number into the upper right corner without parsing the page's content."""
    if "/Contents" not in page:
        return  # empty back of a page
    text, box = str(number), page.mediabox
    left = float(box.width) - _EDGE - len(text) * _DIGIT * _NUMBER_SIZE
    down = float(box.height) - _DOWN
    drawn = f"\nQ BT /BookletNumber {_NUMBER_SIZE} Tf {left:.2f} {down:.2f} Td ({text}) Tj ET\n"
    contents = page.raw_get("/Contents")
    resolved = contents.get_object()
    inside = list(resolved) if isinstance(resolved, ArrayObject) else [contents]
    streams = [_add_stream(writer, b"q\n"), *inside, _add_stream(writer, drawn.encode())]
    page[NameObject("/Contents")] = ArrayObject(streams)
    resources = cast("DictionaryObject", page["/Resources"].get_object())
    fonts = cast("DictionaryObject", resources.setdefault(NameObject("/Font"), DictionaryObject()).get_object())
    fonts[_NUMBER_FONT] = font


def _add_stream(writer: PdfWriter, data: bytes) -> IndirectObject:
    stream = DecodedStreamObject()
    stream.set_data(data)
    return writer._add_object(stream)
