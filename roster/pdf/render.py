"""Turn HTML into PDF with WeasyPrint. Slow steps run once per process, and only bundled files are opened."""

import gc
import logging
import re
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import cssselect2  # type: ignore[import-untyped]  # has none
import pydyf
import tinycss2  # type: ignore[import-untyped]  # has none
from weasyprint import CSS, HTML, Document
from weasyprint.css.validation import preprocess_declarations
from weasyprint.layout import inline
from weasyprint.logger import PROGRESS_LOGGER
from weasyprint.text import line_break
from weasyprint.text.ffi import pango
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from roster.pdf.markup import compose_width_classes
from roster.pdf.render_lock import TooSlowError
from roster.pdf.type.signs import FONTS

STYLES = Path(__file__).resolve().parent / "styles"
SCHEME = "bundled"
UNIVERSAL = "pdf/ua-1"
TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".ttf": "font/ttf"}
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"  # or turning the line around
)
_SCRIPTS = ("", " Ext", " Cyrillic", " Cyrillic Ext", " Greek", " Greek Ext", " Vietnamese")
_LAST_RESORT = '"DejaVu Sans Condensed", sans-serif'
TEXT_FAMILIES = ", ".join([*(f'"Paper{script}"' for script in _SCRIPTS), _LAST_RESORT])
"""What stands for TEXT in styles: the family of each script, then a font of the machine for what they lack."""
NAME_FAMILIES = ", ".join([*(f'"Paper Names{script}"' for script in _SCRIPTS[:5]), TEXT_FAMILIES])
"""What stands for NAME."""
_IN_SIGNS = re.compile(r'<s>[^<]*|<p class="(?:em|bx)"[^>]*>[^<]*')
LATIN = re.compile("[\t\n -~\xa0-\xac\xae-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]*")
"""Letters that the first family of text and that of names both have."""
_BLOCKS = frozenset(("p", "h1", "h2", "h3", "th", "td"))
_SPACE = " \t\r\n"

_deadline = threading.local()


class RefusedAddressError(ValueError):
    """A sheet asked for a file or an address that is not bundled. WeasyPrint leaves it out and logs this."""


class BundledFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Opens `bundled:name` and refuses every other address: files, hosts, data."""

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """Return a stylesheet or font. Raises RefusedAddressError for everything else."""
        parts = urlsplit(url)
        folder = STYLES if parts.path.endswith(".css") else FONTS
        path = (folder / unquote(parts.path)).resolve()
        kind = TYPES.get(path.suffix)
        if parts.scheme != SCHEME or kind is None or not _is_in_folder(path, folder):
            raise RefusedAddressError(f"A sheet may not open {url[:200]}")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})


def _is_in_folder(path: Path, folder: Path) -> bool:
    return path.parent == folder and path.is_file()


class PaperDocument(HTML):  # type: ignore[misc]  # WeasyPrint has no types
    """A document from our own templates.

    It is well-formed, so a parser in C can read it. It has few kinds of elements, so a short stylesheet replaces that
    of all HTML. Both together halve the time before the layout.
    """

    def __init__(self, html: str) -> None:
        self.base_url = None
        self.url_fetcher = BundledFetcher()
        self.media_type = "print"
        # The document is our own template's; what users wrote in it is escaped, entities are never declared.
        root = ElementTree.fromstring(_UNPRINTABLE.sub("", html))  # noqa: S314 - our own templates' output
        _trim_blocks(root)
        self.own_styles = OwnStyles(root)
        self.wrapper_element = cssselect2.ElementWrapper.from_html_root(root, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [_load_element_styles()]


def _trim_blocks(root: ElementTree.Element) -> None:
    """Remove the space at both ends of paragraphs, headings and cells.

    Browsers collapse it. WeasyPrint gives it room in a table cell, where a text that would just fit is then broken.
    """
    for element in root.iter():
        if element.tag in _BLOCKS:
            _trim_block(element)


def _trim_block(element: ElementTree.Element) -> None:
    element.text = (element.text or "").lstrip(_SPACE)
    if len(element):
        element[-1].tail = (element[-1].tail or "").rstrip(_SPACE)
    else:
        element.text = element.text.rstrip(_SPACE)


class OwnStyles:
    """The styles that elements have of their own, as a stylesheet of WeasyPrint.

    WeasyPrint parses the style of every element, and computes it anew for the element and all inside. Here equal
    styles are parsed once in a process, and elements with equal ones share what was computed.
    """

    def __init__(self, root: ElementTree.Element) -> None:
        self.matcher = self
        self.page_rules: list[Any] = []
        self.layers: list[str] = []
        self._styles: dict[ElementTree.Element, str] = {}
        for element in root.iter():
            # Drawings are read by another part of WeasyPrint.
            if "style" in element.attrib and not element.tag.startswith("{"):
                self._styles[element] = element.attrib.pop("style")

    def match(self, element: Any) -> list[tuple[Any, ...]]:
        """Return the style of an element as WeasyPrint has a rule: specificity, order, pseudo-element, declarations."""
        style = self._styles.get(element.etree_element)
        return [((1, 0, 0), 0, None, (_parse_style(style), None))] if style else []


@lru_cache(maxsize=16384)
def _parse_style(style: str) -> list[Any]:
    return list(preprocess_declarations("", tinycss2.parse_blocks_contents(style)))


class ShapedLine(line_break.Layout):  # type: ignore[misc]  # WeasyPrint has no types
    """A line that is drawn as it was shaped when lines were broken.

    WeasyPrint forgets it and shapes it again, to hold fewer at a time: a tenth of the time of a print, and beside the
    boxes of a page lines take little.
    """

    def set_text(self, text: str, justify: bool = False) -> None:
        """Set the text in the way in which it is drawn, as one paragraph."""
        if "\n" not in text:
            pango.pango_layout_set_single_paragraph_mode(self.layout, True)
        super().set_text(text, justify)

    def deactivate(self) -> None:
        """Keep the line."""

    def reactivate(self, style: object) -> None:
        """Find it as it was kept."""


def split_first_line(text: str, style: Any, context: Any, max_width: Any, *arguments: Any, **options: Any) -> Any:
    """Return what is on the first line, as WeasyPrint does, but let the space after the text hang over the edge.

    WeasyPrint measures it with the words before an element: a text that fits but for this space lost all words but
    its first to the next line.
    """
    split = line_break.split_first_line(text, style, context, max_width, *arguments, **options)
    _, length, resume_index, *_ = split
    first_word, space, more = text.partition(" ")
    if resume_index is None or not more or text[-1] != " " or length > len((first_word + space).encode()):
        return split
    bare = line_break.split_first_line(text.rstrip(" "), style, context, max_width, *arguments, **options)
    if bare[2] is not None:
        return split
    return line_break.split_first_line(text, style, context, None, *arguments, **options)


line_break.Layout = ShapedLine
inline.split_first_line = split_first_line
# With the utmost effort, which pydyf asks for, files are a thirtieth smaller and packed three times as long.
pydyf.zlib = SimpleNamespace(compressobj=lambda level: zlib.compressobj(min(level, 6)))


def write_pdf(document: Document, pages: Sequence[Any], *, is_duplex: bool = False, is_tagged: bool = True) -> bytes:
    """Write pages, of this document or laid on sheets, as PDF/UA-1: tagged, and with metadata that says so.

    What is joined into another file loses its tags there, and is written without (not `is_tagged`).

    There is no identifier of the file: to hash one, all objects would be written out twice.

    The file asks for its true size. With `is_duplex` it asks for both sides, turned over the long edge; a page with a
    `trim` is cut there.
    """

    def finish(_document: Document, pdf: pydyf.PDF) -> None:
        _ask_for_true_size(pdf, is_duplex=is_duplex)
        _say_what_heads_are_for(pdf)
        for page, sheet in zip(_list_pages(pdf), pages, strict=True):
            if trim := getattr(sheet, "trim", None):
                page["TrimBox"] = pydyf.Array(trim.list_corners(0.0))
                page["BleedBox"] = pydyf.Array(trim.list_corners(trim.bleed))

    written: bytes = document.copy(pages).write_pdf(pdf_variant=UNIVERSAL if is_tagged else None, finisher=finish)
    return written


def _ask_for_true_size(pdf: pydyf.PDF, *, is_duplex: bool) -> None:
    """Ask anybody who prints for the true size, and for both sides of the paper where the pages need them."""
    preferences = pdf.catalog.get("ViewerPreferences") or pydyf.Dictionary()
    preferences["PrintScaling"], preferences["PickTrayByPDFSize"] = "/None", "true"
    preferences["Duplex"] = "/DuplexFlipLongEdge" if is_duplex else "/Simplex"
    pdf.catalog["ViewerPreferences"] = preferences


def _say_what_heads_are_for(pdf: pydyf.PDF) -> None:
    """Say of each head of a table that it is one of a column; all heads on paper are."""
    for element in pdf.objects:
        if isinstance(element, pydyf.Dictionary) and element.get("S") == "/TH":
            element["A"]["Scope"] = "/Column"


def _list_pages(pdf: pydyf.PDF) -> list[pydyf.Dictionary]:
    """Return the pages as they are in the file, in order."""
    return [one for one in pdf.objects if isinstance(one, pydyf.Dictionary) and one.get("Type") == "/Page"]


@contextmanager
def limit_time(end: float) -> Iterator[None]:
    """Make layouts of this thread raise TooSlowError once the monotonic clock is past `end`."""
    _deadline.at = end
    try:
        yield
    finally:
        _deadline.at = None


@contextmanager
def pause_collector() -> Iterator[None]:
    """Leave cyclic garbage alone for a while.

    A layout makes a million objects that are all needed until it is written; the collector would walk through them
    again and again, an eighth of the time of a print.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def lay_out(html: str, styles: Sequence[str], more: str = "") -> Document:
    """Return the laid out document. `styles` names files of styles/, `more` is style of this document alone.

    Fonts are shared between layouts, so only one may run at a time in a process; see `render_lock`.
    """
    document = PaperDocument(html)
    is_latin = LATIN.fullmatch(_IN_SIGNS.sub("", html)) is not None
    sheets = [_load_shared_styles(), _parse_styles(tuple(styles), more, is_latin=is_latin), document.own_styles]
    return document.render(stylesheets=sheets, font_config=_load_fonts())


def compose_css(styles: Sequence[str], more: str = "", *, is_latin: bool = False) -> str:
    """Return the whole style of a document as one text.

    One that `is_latin` lists a single family: each that is listed costs time with every word.
    """
    css = "\n".join([*(_read_styles(name) for name in styles), more])
    text, name = ('"Paper"', '"Paper Names"') if is_latin else (TEXT_FAMILIES, NAME_FAMILIES)
    return css.replace("TEXT", text).replace("NAME", name)


@cache
def _load_fonts() -> FontConfiguration:
    """Load the fonts, once per process."""
    return FontConfiguration()


@cache
def _load_shared_styles() -> CSS:
    """Load the bundled fonts and the classes of widths, once per process: whatever lists fonts loads them again."""
    css = _read_styles("fonts") + compose_width_classes()
    return CSS(string=css, font_config=_load_fonts(), url_fetcher=BundledFetcher())


@cache
def _load_element_styles() -> CSS:
    return CSS(string=_read_styles("elements"), url_fetcher=BundledFetcher())


@lru_cache(maxsize=32)
def _parse_styles(styles: tuple[str, ...], more: str, *, is_latin: bool) -> CSS:
    """Parse all styles as one sheet, because WeasyPrint asks every sheet about every element."""
    css = compose_css(styles, more, is_latin=is_latin)
    return CSS(string=css, font_config=_load_fonts(), url_fetcher=BundledFetcher())


def _read_styles(name: str) -> str:
    return (STYLES / f"{name}.css").read_text(encoding="utf-8")


class _Clock(logging.Filter):
    """Ends a layout when its time is over.

    A thread cannot be stopped from outside, but WeasyPrint logs each step and each page, and a log filter may raise.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        end = getattr(_deadline, "at", None)
        if end is not None and time.monotonic() > end:
            raise TooSlowError(record.getMessage())
        return False


PROGRESS_LOGGER.setLevel(logging.INFO)
PROGRESS_LOGGER.addFilter(_Clock())
