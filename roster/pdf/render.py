"""Turn HTML into PDF with WeasyPrint. Slow steps run once per process, and only bundled files are opened."""

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pydyf
from weasyprint import CSS, Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

from roster.pdf.markup import compose_width_classes
from roster.pdf.type.signs import FONTS
from roster.pdf.weasyprint_hooks import PaperDocument, expect_pages

STYLES = Path(__file__).resolve().parent / "styles"
SCHEME, PHOTO = "bundled", "photo"
UNIVERSAL = "pdf/ua-1"
TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".ttf": "font/ttf"}
_SCRIPTS = ("", " Ext", " Cyrillic", " Cyrillic Ext", " Greek", " Greek Ext", " Vietnamese")
_LAST_RESORT = '"Signs", "DejaVu Sans Condensed", sans-serif'
TEXT_FAMILIES = ", ".join([*(f'"Paper{script}"' for script in _SCRIPTS), _LAST_RESORT])
"""The value of TEXT in styles."""
NAME_FAMILIES = ", ".join([*(f'"Paper Names{script}"' for script in _SCRIPTS[:5]), TEXT_FAMILIES])
"""The value of NAME in styles."""
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"  # or turning the line around
)
_STYLED = re.compile('<([a-z0-9]+)(?: class="([^"]*)")? style="([^"]*)"')
_IN_SIGNS = re.compile(r'<s>[^<]*|<p class="(?:em|bx)"[^>]*>[^<]*')
LATIN = re.compile("[\t\n -~\xa0-\xac\xae-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]*")
"""Characters that the first families of text and names both have."""


NO_PHOTOS: Mapping[str, bytes] = {}
NO_LABELS: Mapping[int, str] = {}


class RefusedAddressError(ValueError):
    """The address is not bundled. WeasyPrint logs this and continues."""


class BundledFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Opens `bundled:name`, and `photo:key` of the given JPEGs; refuses all other addresses."""

    def __init__(self, photos: Mapping[str, bytes] = NO_PHOTOS) -> None:
        super().__init__()
        self._photos = photos

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """Open a stylesheet, font or photo. Raises RefusedAddressError."""
        parts = urlsplit(url)
        if parts.scheme == PHOTO and parts.path in self._photos:
            return URLFetcherResponse(url, self._photos[parts.path], {"Content-Type": "image/jpeg"})
        folder = STYLES if parts.path.endswith(".css") else FONTS
        path = (folder / unquote(parts.path)).resolve()
        kind = TYPES.get(path.suffix)
        if parts.scheme != SCHEME or kind is None or path.parent != folder or not path.is_file():
            raise RefusedAddressError(f"A sheet may not open {url[:200]}")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})


def write_pdf(
    document: Document,
    pages: Sequence[Any],
    *,
    is_duplex: bool = False,
    labels: Mapping[int, str] = NO_LABELS,
    title: str = "",
) -> bytes:
    """Return tagged pages as PDF/UA-1, from this document or imposed on sheets.

    The file asks printers for true size and, with `is_duplex`, for both sides, flipped on the long edge. Pages with a
    `trim` are cut there. `labels` precede page numbers, by the index of their first page. The file has no identifier,
    because computing one would write all objects twice.
    """

    def finish(_document: Document, pdf: pydyf.PDF) -> None:
        preferences = pdf.catalog.get("ViewerPreferences") or pydyf.Dictionary()
        preferences["PrintScaling"], preferences["PickTrayByPDFSize"] = "/None", "true"
        preferences["Duplex"] = "/DuplexFlipLongEdge" if is_duplex else "/Simplex"
        pdf.catalog["ViewerPreferences"] = preferences
        if labels:
            numbers = pydyf.Array()
            for start, text in labels.items():
                numbers += [start, pydyf.Dictionary({"P": pydyf.String(text), "S": "/D"})]
            pdf.catalog["PageLabels"] = pydyf.Dictionary({"Nums": numbers})

        dictionaries = [element for element in pdf.objects if isinstance(element, pydyf.Dictionary)]
        # In print, all table headings are column headings.
        for element in dictionaries:
            if element.get("S") == "/TH":
                element["A"]["Scope"] = "/Column"

        # pydyf compresses with the highest effort: files are a thirtieth smaller, but it takes three times as long.
        for stream in pdf.objects:
            if isinstance(stream, pydyf.Stream) and stream.compress:
                plain: bytes = pydyf.Stream(stream.stream).data
                content = plain.partition(b"stream\n")[2].removesuffix(b"\nendstream")
                stream.stream, stream.compress = [zlib.compress(content, 6)], False
                stream.extra["Filter"] = "/FlateDecode"

        written_pages = [element for element in dictionaries if element.get("Type") == "/Page"]
        for page, sheet in zip(written_pages, pages, strict=True):
            if trim := getattr(sheet, "trim", None):
                page["TrimBox"] = pydyf.Array(trim.list_corners(0.0))
                page["BleedBox"] = pydyf.Array(trim.list_corners(trim.bleed))

    if title:
        document.metadata.title = title
    written: bytes = document.copy(pages).write_pdf(pdf_variant=UNIVERSAL, finisher=finish)
    return written


def lay_out(html: str, styles: Sequence[str], more: str = "", photos: Mapping[str, bytes] = NO_PHOTOS) -> Document:
    """Lay out a document. `styles` names files of styles/, `more` is further CSS, `photos` are JPEGs by key.

    Layouts share fonts, so a process runs only one at a time; see `render_lock`.
    """
    # Each page or side of a card is a section.
    expect_pages(html.count("<section"))
    is_latin = LATIN.fullmatch(_IN_SIGNS.sub("", html)) is not None
    html, class_styles = name_styles(_UNPRINTABLE.sub("", html))
    document = PaperDocument(html, _load_element_styles(), BundledFetcher(photos))
    own_styles = CSS(string=class_styles, font_config=_load_fonts(), url_fetcher=BundledFetcher())
    sheets = [_load_shared_styles(), _parse_styles(tuple(styles), more, is_latin=is_latin), own_styles]
    return document.render(stylesheets=sheets, font_config=_load_fonts())


def name_styles(html: str) -> tuple[str, str]:
    """Replace `style` attributes by classes; return the document and the CSS.

    WeasyPrint computes styles again for each `style` attribute, but shares them between elements with the same classes.

    >>> name_styles('<p class="n" style="top:1mm">a</p><b style="top:1mm">b</b>')
    ('<p class="n own0">a</p><b class="own0">b</b>', '.own0.own0.own0.own0{top:1mm}')
    """
    numbers: dict[str, int] = {}

    def name(match: re.Match[str]) -> str:
        element, classes, style = match.groups()
        number = numbers.setdefault(style, len(numbers))
        return f'<{element} class="{classes} own{number}"' if classes else f'<{element} class="own{number}"'

    named = _STYLED.sub(name, html)
    # Repeating the class four times gives it priority over all other rules, like an attribute.
    return named, "".join(f"{f'.own{number}' * 4}{{{style}}}" for style, number in numbers.items())


def compose_css(styles: Sequence[str], more: str = "", *, is_latin: bool = False) -> str:
    """Return a document's whole CSS.

    An `is_latin` document uses a single font family, because each family takes time for every word.
    """
    css = "\n".join([*(_read_styles(name) for name in styles), more])
    text, name = ('"Paper"', '"Paper Names"') if is_latin else (TEXT_FAMILIES, NAME_FAMILIES)
    return css.replace("TEXT", text).replace("NAME", name)


@cache
def _load_fonts() -> FontConfiguration:
    return FontConfiguration()


@cache
def _load_shared_styles() -> CSS:
    """Load fonts and width classes once per process, because each style sheet with fonts would load them again."""
    css = _read_styles("fonts") + compose_width_classes()
    return CSS(string=css, font_config=_load_fonts(), url_fetcher=BundledFetcher())


@cache
def _load_element_styles() -> CSS:
    return CSS(string=_read_styles("elements"), url_fetcher=BundledFetcher())


@lru_cache(maxsize=32)
def _parse_styles(styles: tuple[str, ...], more: str, *, is_latin: bool) -> CSS:
    """Parse all styles as one sheet, because WeasyPrint matches every sheet against every element."""
    css = compose_css(styles, more, is_latin=is_latin)
    return CSS(string=css, font_config=_load_fonts(), url_fetcher=BundledFetcher())


def _read_styles(name: str) -> str:
    return (STYLES / f"{name}.css").read_text(encoding="utf-8")
