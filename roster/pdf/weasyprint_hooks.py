"""All code that depends on WeasyPrint's internals.

docs/adr/0002 says what each hook gains and when to review it; tests/roster/test_weasyprint_hooks.py tests each. A hook
stays only if printing needs it or would take a tenth longer without it. "Upstream:" precedes the issue to file with
WeasyPrint.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from PIL import ImageFile
from weasyprint import CSS, HTML
from weasyprint.logger import PROGRESS_LOGGER
from weasyprint.urls import URLFetcher

from roster.pdf.render_lock import TooSlowError

# Importing WeasyPrint makes Pillow accept truncated files in the whole process, and fill the missing part with grey.
# Then a photo whose upload broke off would be stored. Printing does not need it, because we wrote all its pictures.
#
# Upstream: "Leave `ImageFile.LOAD_TRUNCATED_IMAGES` to the program, or set it only while a document's images load."
ImageFile.LOAD_TRUNCATED_IMAGES = False


@dataclass(slots=True)
class _Watch:
    """A thread's layout: its deadline, and how many of its pages are done. `before` are pages of earlier documents."""

    end: float
    report: Callable[[int, int], None]
    pages: int = 0
    before: int = 0


_watch = threading.local()


class PaperDocument(HTML):  # type: ignore[misc]  # WeasyPrint has no types
    """A document with our style sheet instead of WeasyPrint's for all of HTML.

    A sheet has a dozen kinds of elements, but `html5_ua.css` makes six styles for every element. `_ua_stylesheets` is
    private.

    Upstream: "Let a document have another user agent style sheet. `HTML(..., ua_stylesheets=[...])` would save us a
    tenth of the time."
    """

    def __init__(self, html: str, element_styles: CSS, url_fetcher: URLFetcher) -> None:
        super().__init__(string=html, url_fetcher=url_fetcher)
        self._element_styles = element_styles

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [self._element_styles]


@contextmanager
def limit_time(end: float, report: Callable[[int, int], None] = lambda laid_out, pages: None) -> Iterator[None]:
    """Let this thread's layouts report their pages, and raise TooSlowError once the monotonic clock passes `end`."""
    _watch.layouts = _Watch(end, report)
    try:
        yield
    finally:
        _watch.layouts = None


def expect_pages(pages: int) -> None:
    """Announce how many pages this thread's next document has."""
    watch: _Watch | None = getattr(_watch, "layouts", None)
    if watch:
        watch.before = watch.pages
        watch.pages += pages


class _Clock(logging.Filter):
    """Reports a layout's pages, and ends it when its time is up.

    WeasyPrint logs each step and page, and a log filter may raise. WeasyPrint does not document that this ends the
    layout. The filter is global, but only ends threads inside `limit_time`.

    Upstream: "Let a caller end a layout. Servers that lay out untrusted documents have to give up after some seconds.
    Please document that a filter of the progress logger may raise, or offer `progress=`."
    """

    def filter(self, record: logging.LogRecord) -> bool:
        watch: _Watch | None = getattr(_watch, "layouts", None)
        if watch is None:
            return False
        if time.monotonic() > watch.end:
            raise TooSlowError(record.getMessage())
        if record.msg == PAGE_MESSAGE and isinstance(record.args, tuple):
            (page,) = record.args
            watch.report(min(watch.before + int(str(page)), watch.pages), watch.pages)
        return False


PAGE_MESSAGE = "Step 5 - Creating layout - Page %d"
PROGRESS_LOGGER.setLevel(logging.INFO)
PROGRESS_LOGGER.addFilter(_Clock())


def merge_page_boxes(pages: Sequence[Any]) -> Any:
    """Return the first page's box with the children of all pages, for a sheet's tags.

    Upstream: "Impose pages. `Document.copy` accepts objects with the attributes and the `paint` of a page, but makes
    tags from the private `_page_box`. Please offer a public method that yields the boxes to tag."
    """
    boxes = [page._page_box for page in pages]
    return boxes[0].copy_with_children([child for box in boxes for child in box.children])


@contextmanager
def skip_tags(stream: Any) -> Iterator[None]:
    """Paint without tags, so that screen readers skip a second copy of a page.

    Upstream: "Paint a page as an artifact. A page painted twice on one sheet fails, because each box may be tagged
    once. `Page.paint(stream, scale, is_artifact=True)` would help; we set the private `_tags` to None."
    """
    with stream.artifact():
        tags, stream._tags = stream._tags, None
        yield
        stream._tags = tags
