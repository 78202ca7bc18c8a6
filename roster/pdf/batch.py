"""The sheets of several lists in one file, each beginning on a page of its own."""

import time
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings

from roster.pdf.cache import SheetCache
from roster.pdf.html import accent_of, attempts, styles_of
from roster.pdf.render_lock import TooSlowError, turn
from roster.pdf.sheet_job import LONGEST_WAIT, Busy, Order, ordered_sheet

if TYPE_CHECKING:
    from weasyprint import Document

MOST = 12
"""How many sheets go into one file: as many as are laid out in the time that a layout may take."""


def render_pile(orders: Sequence[Order]) -> bytes:
    """The PDF of up to `MOST` sheets, in their order. Equal orders give equal bytes. Raises Busy."""
    given = settings.ARMYBUILDER
    kept = SheetCache(given["PDF_CACHE_DIR"], given["PDF_CACHE_MAX_BYTES"])
    key = key_of(orders)
    if pdf := kept.get(key):
        return pdf
    with turn(kept.folder, given["PDF_LAYOUTS_AT_ONCE"], min(LONGEST_WAIT, given["PDF_SECONDS"])):
        pdf = kept.get(key) or _made(orders, key, time.monotonic() + given["PDF_SECONDS"])
    kept.put(key, pdf)
    return pdf


def key_of(orders: Sequence[Order]) -> str:
    """The hash that the finished file is kept under, in hexadecimal."""
    return sha256("\n".join(["pile", *(order.key for order in orders)]).encode()).hexdigest()


def _made(orders: Sequence[Order], key: str, end: float) -> bytes:
    from roster.pdf.render import pile_to_pdf  # takes half a second, which only sheets have to wait for

    try:
        documents = [laid_out(order, end) for order in orders]
        return pile_to_pdf(documents, identifier=key[:32].encode(), end=end)
    except TooSlowError as error:
        raise Busy(f"the layout took too long: {error}", too_slow=True) from error


def laid_out(order: Order, end: float) -> "Document":
    """A sheet, ready to be written or put among others. Raises TooSlowError."""
    from roster.pdf.render import deadline, lay_out

    sheet = ordered_sheet(order)
    with deadline(end):
        for attempt in attempts(sheet, order.options):
            document = lay_out(attempt.html, styles_of(order.options), accent_of(sheet, order.options))
            if not attempt.pages or len(document.pages) <= attempt.pages:
                return document
    raise AssertionError("the last attempt counts in any case")
