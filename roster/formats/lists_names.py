"""What an id or a name in a document means among the things that may stand there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from roster.formats.lists_nodes import Unreadable, UnreadableError
from roster.formats.lists_shapes import Text
from roster.formats.lists_text import folded

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
    """The one candidate that `given` means: by its own id, else another id of it, else its name.

    Raises UnreadableError with `code` where it means nothing, and `ambiguous` where it means several.
    """
    wanted = given.value
    plain = folded(wanted)
    for found in (
        [c for c in candidates if c.ids[0] == wanted],
        [c for c in candidates if wanted in c.ids],
        [c for c in candidates if c.name == wanted],
        [c for c in candidates if plain and folded(c.name) == plain],
    ):
        if len(found) == 1:
            return found[0].value
        if found:
            raise UnreadableError(_unreadable("ambiguous", given, dict.fromkeys(c.ids[0] for c in found)))
    raise UnreadableError(_unreadable(code, given, _alike(wanted, candidates)))


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
