"""From what stands on a sheet to HTML, through the templates in templates/paper."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.columns import columns_of
from roster.pdf.qr import qr_code
from roster.pdf.redact import veil
from roster.pdf.shapes import Problem, Sheet
from roster.pdf.sheet_options import Ink, SheetOptions, Style
from roster.pdf.summary_page import summaries

_MANY = 10
_LONG_WORD = re.compile(r"[^\s<>\"'=/\-&;]{25,}")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to set a sheet. It counts only where it takes no more than so many `pages`; 0 for any number."""

    html: str
    pages: int = 0


def attempts(sheet: Sheet, options: SheetOptions) -> Iterator[Attempt]:
    """The ways to set a sheet, the best first; the last one counts in any case."""
    context = {
        "sheet": sheet,
        "style": options.style.value,
        "language": get_language() or "en",
        "problems": _problems(sheet),
        "qr": qr_code(sheet.imprint.link, sheet.title),
    }
    match options.style:
        case Style.FULL:
            yield Attempt(_html("full", context | {"columns": columns_of(sheet.cards)}))
        case Style.OPPONENT:
            yield Attempt(_html("opponent", context))
        case Style.VEILED:
            yield Attempt(_html("opponent", context | {"sheet": veil(sheet), "problems": []}))
        case Style.SUMMARY:
            for summary in summaries(sheet):
                html = _html("summary", context | {"summary": summary})
                yield Attempt(html, 0 if summary.is_last else 1)


def _problems(sheet: Sheet) -> list[Sequence[Problem]]:
    """Errors, then remarks; side by side where they are many."""
    found = [*sheet.problems, *sheet.remarks]
    half = (len(found) + 1) // 2
    return [part for part in ([found[:half], found[half:]] if len(found) > _MANY else [found]) if part]


def _html(name: str, context: dict[str, Any]) -> str:
    """The document. Only one with words too long for a line lets them be broken anywhere, which takes time."""
    html = render_to_string(f"paper/{name}.html", context)
    return html.replace("<body ", '<body id="tight" ', 1) if _LONG_WORD.search(html) else html


def styles_of(options: SheetOptions) -> Sequence[str]:
    """The names of the stylesheets."""
    return ["paper", options.paper.value, *(["saver"] if options.ink is Ink.SAVER else [])]


def accent_of(sheet: Sheet, options: SheetOptions) -> str:
    """The colour of headings and rules."""
    return "#000" if options.ink is Ink.SAVER else sheet.imprint.accent
