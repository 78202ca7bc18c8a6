"""How large a list may grow, and what its texts may hold. Beyond that an edit is refused; nothing is cut silently."""

import re
from decimal import Decimal

from django.conf import settings

from catalogue.definitions.numbers import Number, shorten_number
from roster.engine.deadline import Deadline, expire_after
from roster.engine.document_paths import count_nodes
from roster.engine.edits import Refused
from roster.engine.tree import RosterTree
from roster.formats.list_text import MAX_PARTS, NAME_LENGTH, NOTES_LENGTH, clean_text

MAX_DOCUMENT_BYTES = 400_000
MAX_NUMBER = 1_000
MAX_NOTES = NOTES_LENGTH
MAX_ID = 2_000

_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")


def check_text(text: str, limit: int, *, lines: bool = False, subject: str = "") -> str | Refused:
    """Return the cleaned text, or `too-long`."""
    cleaned = clean_text(text, lines=lines)
    if len(cleaned) > limit:
        return Refused(code="too-long", subject_id=subject, measured=len(cleaned), allowed=limit)
    return cleaned


def check_name(text: str, *, subject: str = "") -> str | Refused:
    """Return a name on one line, or `too-long`."""
    return check_text(text, NAME_LENGTH, subject=subject)


def parse_amount(text: str, *, subject: str = "") -> Number | Refused | None:
    """Parse a limit such as "120" or "7.5": None for a blank text ("no limit"), or `bad-number`."""
    text = text.strip()
    if not text:
        return None
    # Decimal alone would also take "1e9", "NaN" and digits of other scripts.
    if not _AMOUNT.fullmatch(text):
        return Refused(code="bad-number", subject_id=subject)
    return shorten_number(Decimal(text))


def start_deadline() -> Deadline:
    """Start the deadline for filling and judging a list that somebody hands in."""
    return expire_after(settings.ARMYBUILDER["JUDGING_SECONDS"])


def check_size(roster: RosterTree, document_bytes: int) -> Refused | None:
    """Return `too-large` if a list has too many parts, `too-long` if its document has too many bytes; else None."""
    nodes = count_nodes(roster)
    if nodes > MAX_PARTS:
        return Refused(code="too-large", measured=nodes, allowed=MAX_PARTS)
    if document_bytes > MAX_DOCUMENT_BYTES:
        return Refused(code="too-long", measured=document_bytes, allowed=MAX_DOCUMENT_BYTES)
    return None
