"""How large a list may grow, and what its texts may hold. Beyond that an edit is refused; nothing is cut silently."""

import re
import unicodedata
from decimal import Decimal

from catalogue.definitions.numbers import Number, exact
from roster.engine.edits import Refused
from roster.engine.tree import Force, Roster, Selection
from roster.models.roster import NAME_LENGTH

MAX_NODES = 2_000
MAX_DEPTH = 30
MAX_DOCUMENT_BYTES = 400_000
MAX_NUMBER = 1_000
MAX_NOTES = 2_000
MAX_ID = 2_000

_AMOUNT = re.compile(r"\d{1,9}(\.\d{1,4})?")
# Marks that turn the direction of what follows: with them a name could make the text beside it read differently.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_text(text: str, *, lines: bool = False) -> str:
    """`text` without characters that nobody can see or no database keeps; several lines only where `lines`."""
    kept = "".join(c for c in text.replace("\r\n", "\n") if _is_visible(c) or (lines and c in "\n\t"))
    return kept.strip() if lines else " ".join(kept.split())


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _TURNING


def checked_text(text: str, limit: int, *, lines: bool = False, subject: str = "") -> str | Refused:
    """The cleaned text, or `too-long`."""
    cleaned = clean_text(text, lines=lines)
    if len(cleaned) > limit:
        return Refused(code="too-long", subject_id=subject, measured=len(cleaned), allowed=limit)
    return cleaned


def checked_name(text: str, *, subject: str = "") -> str | Refused:
    """A name on one line, or `too-long`."""
    return checked_text(text, NAME_LENGTH, subject=subject)


def checked_amount(text: str, *, subject: str = "") -> Number | Refused | None:
    """A limit such as "120" or "7.5", None for a blank text ("no limit"), or `bad-number`."""
    text = text.strip()
    if not text:
        return None
    if not _AMOUNT.fullmatch(text):
        return Refused(code="bad-number", subject_id=subject)
    return exact(Decimal(text))


def too_large(roster: Roster, document_bytes: int) -> Refused | None:
    """`too-large` where a list has too many parts, `too-long` where its document has too many bytes; else None."""
    nodes = count_nodes(roster)
    if nodes > MAX_NODES:
        return Refused(code="too-large", measured=nodes, allowed=MAX_NODES)
    if document_bytes > MAX_DOCUMENT_BYTES:
        return Refused(code="too-long", measured=document_bytes, allowed=MAX_DOCUMENT_BYTES)
    return None


def count_nodes(roster: Roster) -> int:
    """How many forces and selections a list has."""
    stack: list[Force | Selection] = list(roster.forces)
    count = 0
    while stack:
        node = stack.pop()
        count += 1
        stack.extend(node.selections)
        if isinstance(node, Force):
            stack.extend(node.forces)
    return count
