"""What an id or a name in a document means among the things that may stand there."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

from roster.formats.list_document.nodes import Unreadable, UnreadableError
from roster.formats.list_document.values import Text
from roster.formats.list_text import simplify_name

Resolved = TypeVar("Resolved")
MAX_SUGGESTIONS = 3
CUTOFF = 0.6


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Resolved]):
    """Something a document may mean. `ids` are all it is known by, the one that means nothing else first."""

    value: Resolved
    ids: tuple[str, ...]
    name: str


def resolve_name(given: Text, candidates: Sequence[Candidate[Resolved]], code: str) -> Resolved:
    """Return the one candidate that `given` means.

    Raises UnreadableError with `code` where it means nothing, and `ambiguous` where it means several.
    """
    named = rank_matches(given.value, candidates)
    if len(named) == 1:
        return named[0].value
    if named:
        raise UnreadableError(_build_unreadable("ambiguous", given, dict.fromkeys(c.ids[0] for c in named)))
    raise UnreadableError(_build_unreadable(code, given, _suggest_ids(given.value, candidates)))


def rank_matches(wanted: str, candidates: Sequence[Candidate[Resolved]]) -> list[Candidate[Resolved]]:
    """Return the candidates that a text means: by their own id, else another id of theirs, else their name."""
    plain = simplify_name(wanted)
    tests: tuple[Callable[[Candidate[Resolved]], bool], ...] = (
        lambda candidate: candidate.ids[0] == wanted,
        lambda candidate: wanted in candidate.ids,
        lambda candidate: candidate.name == wanted,
        lambda candidate: bool(plain) and simplify_name(candidate.name) == plain,
    )
    # The surest test that anything passes decides: an exact id is never ambiguous because a name is like it.
    for is_match in tests:
        matches = [candidate for candidate in candidates if is_match(candidate)]
        if matches:
            return matches
    return []


def _build_unreadable(code: str, given: Text, suggestions: Iterable[str]) -> Unreadable:
    return Unreadable(code, given.line, given.column, given.value[:100], tuple(suggestions))


def _suggest_ids(wanted: str, candidates: Sequence[Candidate[Resolved]]) -> list[str]:
    """Suggest ids close to what was written, or whose names are, the closest first."""
    spelled: dict[str, str] = {}
    for candidate in candidates:
        for known in reversed(candidate.ids):
            spelled.setdefault(simplify_name(known), known)
        spelled.setdefault(simplify_name(candidate.name), candidate.ids[-1])
    close = get_close_matches(simplify_name(wanted)[:100], list(spelled), n=MAX_SUGGESTIONS, cutoff=CUTOFF)
    return list(dict.fromkeys(spelled[spelling] for spelling in close))
