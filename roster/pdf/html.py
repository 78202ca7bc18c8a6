"""From what stands on a sheet to HTML, through the templates in templates/paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import get_language

from roster.pdf.columns import columns_of
from roster.pdf.options import Ink, SheetOptions, Style
from roster.pdf.qr import qr_code
from roster.pdf.shapes import Sheet
from roster.pdf.summary import summaries


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
        "qr": qr_code(sheet.imprint.link, sheet.title),
    }
    match options.style:
        case Style.FULL:
            yield Attempt(render_to_string("paper/full.html", context | {"columns": columns_of(sheet.cards)}))
        case Style.OPPONENT:
            yield Attempt(render_to_string("paper/opponent.html", context))
        case Style.SUMMARY:
            for summary in summaries(sheet):
                html = render_to_string("paper/summary.html", context | {"summary": summary})
                yield Attempt(html, 0 if summary.is_last else 1)


def styles_of(options: SheetOptions) -> Sequence[str]:
    """The names of the stylesheets."""
    return ["paper", options.paper.value, *(["saver"] if options.ink is Ink.SAVER else [])]


def accent_of(sheet: Sheet, options: SheetOptions) -> str:
    """The colour of headings and rules."""
    return "#000" if options.ink is Ink.SAVER else sheet.imprint.accent
