"""What an id or a name in a document means among the things that may stand there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from roster.formats.list_document.document import Text
from roster.formats.list_document.nodes import Unreadable, UnreadableError
from roster.formats.list_text import folded

Meant = TypeVar("Meant")
MAX_SUGGESTIONS = 3
CUTOFF = 0.6


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Meant]):
    """Something a document may mean. `ids` are all it is known by, the one that means nothing else first."""

    value: Meant
    ids: tuple[str, ...]
    name: str


def meant(given: Text, candidates: Sequence[Candidate[Meant]], code: str) -> Meant:
    """The one candidate that `given` means.

    Raises UnreadableError with `code` where it means nothing, and `ambiguous` where it means several.
    """
    named = surest(given.value, candidates)
    if len(named) == 1:
        return named[0].value
    if named:
        raise UnreadableError(_unreadable("ambiguous", given, dict.fromkeys(c.ids[0] for c in named)))
    raise UnreadableError(_unreadable(code, given, _alike(given.value, candidates)))


def surest(wanted: str, candidates: Sequence[Candidate[Meant]]) -> list[Candidate[Meant]]:
    """The candidates that a text means: by their own id, else another id of theirs, else their name."""
    plain = folded(wanted)
    return (
        [c for c in candidates if c.ids[0] == wanted]
        or [c for c in candidates if wanted in c.ids]
        or [c for c in candidates if c.name == wanted]
        or [c for c in candidates if plain and folded(c.name) == plain]
    )


def _unreadable(code: str, given: Text, suggestions: Iterable[str]) -> Unreadable:
    return Unreadable(code, given.line, given.column, given.value[:100], tuple(suggestions))


def _alike(wanted: str, candidates: Sequence[Candidate[Meant]]) -> list[str]:
    """Ids that look like what was written, or whose names do, the likest first."""
    spelled: dict[str, str] = {}
    for candidate in candidates:
        for known in reversed(candidate.ids):
            spelled.setdefault(folded(known), known)
        spelled.setdefault(folded(candidate.name), candidate.ids[-1])
    close = get_close_matches(folded(wanted)[:100], list(spelled), n=MAX_SUGGESTIONS, cutoff=CUTOFF)
    return list(dict.fromkeys(spelled[spelling] for spelling in close))
