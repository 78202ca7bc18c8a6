"""All our code that depends on the internals of WeasyPrint.

docs/adr/0002 gives the value of each hook and when to review it; tests/roster/test_weasyprint_hooks.py tests each. A
hook stays only if print would lack something without it, or take about a tenth longer. The text after "Upstream:" is
the issue to file with WeasyPrint; when that is settled, remove the hook.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from weasyprint import CSS, HTML
from weasyprint.logger import PROGRESS_LOGGER
from weasyprint.urls import URLFetcher

from roster.pdf.render_lock import TooSlowError

_deadline = threading.local()


class PaperDocument(HTML):  # type: ignore[misc]  # WeasyPrint has no types
    """A document with our style sheet for its elements instead of WeasyPrint's for all of HTML.

    A sheet has a dozen kinds of elements. The rules of `html5_ua.css` for footnotes and list markers make six computed
    styles for every element. `_ua_stylesheets` is private.

    Upstream: "Let a document have another user agent style sheet. Most of the styling time of our documents is spent on
    rules of html5_ua.css for elements that they do not have. `HTML(..., ua_stylesheets=[...])` would save a tenth of
    the time; today we override `_ua_stylesheets`."
    """

    def __init__(self, html: str, element_styles: CSS, url_fetcher: URLFetcher) -> None:
        super().__init__(string=html, url_fetcher=url_fetcher)
        self._element_styles = element_styles

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [self._element_styles]


@contextmanager
def limit_time(end: float) -> Iterator[None]:
    """Make layouts of this thread raise TooSlowError once the monotonic clock is past `end`."""
    _deadline.at = end
    try:
        yield
    finally:
        _deadline.at = None


class _Clock(logging.Filter):
    """Ends a layout when its time is over.

    A thread cannot be stopped from outside, but WeasyPrint logs each step and each page, and a log filter may raise.
    The logger is documented; that a layout ends if it raises is not. The filter is global, but ends only threads inside
    `limit_time`.

    Upstream: "Let a caller end a layout. A server that lays out untrusted documents has to give up after some seconds,
    and a thread cannot be stopped from outside. A callback for each step and page, whose exceptions propagate, would
    do: today we raise in a filter of the progress logger. Please document that this works, or offer `progress=`."
    """

    def filter(self, record: logging.LogRecord) -> bool:
        end = getattr(_deadline, "at", None)
        if end is not None and time.monotonic() > end:
            raise TooSlowError(record.getMessage())
        return False


PROGRESS_LOGGER.setLevel(logging.INFO)
PROGRESS_LOGGER.addFilter(_Clock())


def merge_page_boxes(pages: Sequence[Any]) -> Any:
    """Return the first page's box with the children of all, for the tags of a sheet with these pages.

    Upstream: "Impose pages. `Document.copy` takes objects with the attributes and the `paint` of a page, so several
    pages can be drawn on one sheet; but tags are made from the private `_page_box` of a page. A public method that
    yields the boxes to tag would allow a sheet of pages without it."
    """
    boxes = [page._page_box for page in pages]
    return boxes[0].copy_with_children([child for box in boxes for child in box.children])


@contextmanager
def skip_tags(stream: Any) -> Iterator[None]:
    """Paint without tags, so that a second copy of a page on a sheet is not read aloud.

    Upstream: "Paint a page as an artifact. A page that is painted twice on one sheet fails, because each of its boxes
    may be tagged once. `Page.paint(stream, scale, is_artifact=True)` would paint the copy without tags; today we set
    the private `_tags` of the stream to None meanwhile."
    """
    with stream.artifact():
        tags, stream._tags = stream._tags, None
        yield
        stream._tags = tags
