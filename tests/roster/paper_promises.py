"""What docs/paper.md promises of every print, as faults that a print may have."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import islice

import pypdf

from roster.engine.model_profiles import has_model_profile
from roster.engine.report import Report
from roster.pdf.imposition.list_cards import build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.pages import FOOT, MARGIN, PAPERS
from roster.pdf.paper_text import format_count
from roster.pdf.render import write_pdf
from roster.pdf.shapes import ListSheet
from roster.pdf.sheet_job import lay_out_sheet
from roster.pdf.sheet_options import PaperSize, SheetOptions, Style
from roster.pdf.sheet_pages import build_sheet_pages, make_look
from tests.roster.paper_tools import words_in

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
OVERLAP, OVERLAP_SHARE = 0.5, 0.45
"""The millimetres across, and the share of the height, that words may share."""
PRIVATE = re.compile("[\ue000-\uf8ff]")
MARKS = ("**", "^^", "[[")
EDGE = 2.8
"""Millimetres between a word of a card and the side of the paper."""
SHORT = 3
"""Letters of a word that may be higher than wide."""
Word = tuple[float, float, float, float, str]


def find_overlaps(words: list[Word]) -> list[tuple[str, str]]:
    """Return the words that lie on each other. Boxes to tick are letters; emblems have codes of their own."""
    long = [word for word in words if len(word[4]) > SHORT]
    if 2 * sum(bottom - top > right - left for left, top, right, bottom, _ in long) > len(long):
        # The cards are turned, and boxes of lines one below the other touch sideways.
        words = [(top, left, bottom, right, text) for left, top, right, bottom, text in words]
    real = sorted(word for word in words if not PRIVATE.search(word[4]))
    found = []
    for place, (_, top, right, bottom, text) in enumerate(real):
        for left, other_top, _, other_bottom, other in islice(real, place + 1, None):
            if right - left <= OVERLAP:
                break
            shared = min(bottom, other_bottom) - max(top, other_top)
            if shared > OVERLAP_SHARE * min(bottom - top, other_bottom - other_top):
                found.append((text, other))
    return found


def find_page_faults(words: list[Word], data: str) -> Iterator[str]:
    """Yield the faults of any page. `data` has the texts that are printed."""
    for one, other in find_overlaps(words):
        yield f"{one!r} lies on {other!r}"
    for word in (text for *_, text in words):
        if any(mark in word for mark in MARKS):
            yield f"{word!r} is markup"
        if ELLIPSIS in word and word not in data:
            yield f"{word!r} is cut off"


def print_sheet(sheet: ListSheet, options: SheetOptions) -> tuple[bytes, list[str]]:
    """Return the file of a sheet, and its faults."""
    pages = build_sheet_pages(sheet, options, make_look(sheet, options))
    document = lay_out_sheet(sheet, options)
    pdf = write_pdf(document, document.pages)
    faults = [*find_tag_faults(pdf), *_find_file_faults(pdf, len(pages), repr(sheet), options.paper)]
    if len(document.pages) != len(pages):
        faults.append(f"{len(pages)} pages are counted, {len(document.pages)} are laid out")
    content = unescape("".join(page.content for page in pages))
    titles = [format_count(unit.count, unit.name).strip() for unit in sheet.datasheets if unit.profile]
    if options.style is Style.FULL:
        faults += [f"{title} has no block" for title in titles if f">{title}" not in content]
    return pdf, faults


def _find_file_faults(pdf: bytes, pages: int, data: str, paper: PaperSize) -> Iterator[str]:
    width, height = PAPERS[paper]
    foot = height - FOOT + 0.5
    for number, words in enumerate(words_in(pdf), 1):
        if not words:
            yield f"page {number} is empty"
            continue
        if min(word[0] for word in words) < MARGIN - 0.5 or max(word[2] for word in words) > width - MARGIN + 0.5:
            yield f"page {number} has text in its margin"
        # The lowest and rightmost word; a short last cell may stand after it in the file.
        total = max(words, key=lambda word: (round(word[3]), word[2]))[4]
        if total != str(pages):
            yield f"page {number} counts {total} pages"
        crossing = (word for word in words if word[3] > foot and word[1] < foot)
        faults = [*(f"{word[4]!r} is in the foot" for word in crossing), *find_page_faults(words, data)]
        yield from (f"page {number}: {fault}" for fault in faults)


def find_card_faults(sheet: ListSheet, options: CardOptions) -> Iterator[str]:
    cards = list(build_unit_cards(sheet))
    titles = {card.front.title for card in cards}
    for unit in sheet.datasheets:
        if unit.profile and format_count(unit.count, unit.name) not in titles:
            yield f"{unit.name} has no card"
    pdf = print_cards(cards, options, title=sheet.title, identity=sheet.imprint.identity)
    yield from find_tag_faults(pdf)
    width, height = PAPERS[options.paper]
    for number, words in enumerate(words_in(pdf), 1):
        for left, top, right, bottom, word in words:
            if left < EDGE or right > width - EDGE or top < 0 or bottom > height:
                yield f"page {number}: {word!r} is at the edge of the paper"
        yield from (f"page {number}: {fault}" for fault in find_page_faults(words, repr(sheet)))


def find_tag_faults(pdf: bytes) -> Iterator[str]:
    root = pypdf.PdfReader(io.BytesIO(pdf)).root_object
    for name in ("/StructTreeRoot", "/Lang", "/Metadata", "/ViewerPreferences"):
        if name not in root:
            yield f"the file has no {name}"


def find_missing_units(report: Report, sheet: ListSheet) -> Iterator[str]:
    """Yield choices with a model's profile that no datasheet has."""
    profiled = {unit.name for unit in sheet.datasheets if unit.profile}
    for force in report.walk_forces():
        for choice in force.selections:
            names = {part.name for part in choice.walk()}
            if any(map(has_model_profile, choice.walk())) and not names & profiled:
                yield f"{choice.name} has a profile and no datasheet"


def find_shared_twice(sheet: ListSheet) -> Iterator[str]:
    """Yield the names of rules that are printed twice among the shared ones."""
    for name, count in Counter(rule.name for rule in sheet.common).items():
        if count > 1:
            yield f"{count} shared rules are called {name}"
