"""Render a sheet as HTML, with the templates in templates/paper."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.height_estimate import PAGE, estimate_card_height
from roster.pdf.qr import draw_qr_code
from roster.pdf.redact import redact_sheet
from roster.pdf.shapes import ListSheet, Problem, SheetCard
from roster.pdf.sheet_options import Ink, SheetOptions, Style
from roster.pdf.summary_page import list_summaries

# Problems in one column; more are set in two.
_MANY = 10
# A word of so many letters may be wider than a column of a card.
_LONG_WORD = re.compile(r"[^\s<>\"'=/\-&;]{25,}")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to set a sheet. It counts only if it takes at most `pages` pages; 0 means any number."""

    html: str
    pages: int = 0


def list_attempts(sheet: ListSheet, options: SheetOptions) -> Iterator[Attempt]:
    """Yield the ways to set a sheet, the best first. The last one always counts."""
    context = {
        "sheet": sheet,
        "style": options.style.value,
        "language": get_language() or "en",
        "problems": _split_problems(sheet),
        "qr": draw_qr_code(sheet.imprint.link, sheet.title),
    }
    match options.style:
        case Style.FULL:
            yield Attempt(_render_template("full", context | {"columns": arrange_cards(sheet.cards)}))
        case Style.OPPONENT:
            yield Attempt(_render_template("opponent", context))
        case Style.VEILED:
            yield Attempt(
                _render_template("opponent", context | {"sheet": redact_sheet(sheet), "problems": []})
            )
        case Style.SUMMARY:
            for summary in list_summaries(sheet):
                html = _render_template("summary", context | {"summary": summary})
                yield Attempt(html, 0 if summary.is_last else 1)


def _split_problems(sheet: ListSheet) -> list[Sequence[Problem]]:
    """Return errors, then remarks, in two columns if there are many."""
    problems = [*sheet.problems, *sheet.remarks]
    if len(problems) > _MANY:
        half = (len(problems) + 1) // 2
        return [problems[:half], problems[half:]]
    return [problems] if problems else []


def _render_template(name: str, context: dict[str, Any]) -> str:
    """Return the document. Only a document that needs it may break words anywhere, because that takes time."""
    html = render_to_string(f"paper/{name}.html", context)
    return html.replace("<body ", '<body id="tight" ', 1) if _LONG_WORD.search(html) else html


def list_styles(options: SheetOptions) -> Sequence[str]:
    """Return the names of the stylesheets."""
    return ["paper", options.paper.value, *(["saver"] if options.ink is Ink.SAVER else [])]


def choose_accent(sheet: ListSheet, options: SheetOptions) -> str:
    """Return the colour of headings and rules."""
    return "#000" if options.ink is Ink.SAVER else sheet.imprint.accent


@dataclass(frozen=True, slots=True)
class Columns:
    """The cards of the left and the right column, then those as wide as the page."""

    left: tuple[SheetCard, ...] = ()
    right: tuple[SheetCard, ...] = ()
    wide: tuple[SheetCard, ...] = ()


def arrange_cards(cards: Iterable[SheetCard]) -> Columns:
    """Put each card, in order, into the column that is shorter so far. A card higher than a page may be broken."""
    left: list[SheetCard] = []
    right: list[SheetCard] = []
    wide: list[SheetCard] = []
    heights = [0.0, 0.0]
    for card in cards:
        height = estimate_card_height(card)
        placed = replace(card, long=height > PAGE)
        if card.wide:
            wide.append(placed)
            continue
        side = 0 if heights[0] <= heights[1] else 1
        (left, right)[side].append(placed)
        heights[side] += height
    return Columns(tuple(left), tuple(right), tuple(wide))
