"""Look up names: exactly, ignoring accents, punctuation and plurals, or by similarity."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from roster.formats.list_text import simplify_name
from roster.formats.text.pasted import Reading

Named = TypeVar("Named")
CLOSE = 80
"""The least similarity, of 100, for guessing that one name means another."""
ALIKE = 60
"""The least similarity to offer one name for another."""
OFFERED = 5
MOST_HOLDING = 50
"""The most names that are ranked because they contain the words of a name."""
LEAST_SHORTENED = 2
"""The fewest words of a name whose words may be abbreviated."""
LEAST_SPELLED = 12
"""The fewest letters of a name that may have one wrong letter."""
_SMALL_WORDS = frozenset(("and", "the"))
_JOINT = re.compile(r"\s+(?:and|with|w/)\s+|\s*[&/+,]\s*", re.I)
_CARRIED = re.compile(r"\s+(?:w/|with)\s*|\s*[(\[:]|\s+[-–]\s+", re.I)


@dataclass(frozen=True, slots=True)
class NameMatch(Generic[Named]):
    """A name's meaning, and its other possible meanings, likeliest first."""

    value: Named | None
    reading: Reading
    others: tuple[Named, ...] = ()

    @property
    def certain(self) -> Named | None:
        return self.value if self.reading is Reading.UNDERSTOOD else None


@lru_cache(maxsize=8192)
def fold_plural(name: str) -> str:
    """Fold singular and plural together.

    >>> fold_plural("Khorne Berzerkers"), fold_plural("Boss")
    ('khorne berzerker', 'boss')
    """
    words = simplify_name(name).split()
    return " ".join(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


@lru_cache(maxsize=8192)
def make_key(name: str) -> str:
    """Fold a name without punctuation, plurals, articles and "and".

    >>> make_key("Thunder hammers & storm shield"), make_key("Thunder Hammer and Storm Shield")
    ('thunder hammer storm shield', 'thunder hammer storm shield')
    """
    return " ".join(word for word in fold_plural(name).split() if word not in _SMALL_WORDS)


def split_key(name: str) -> tuple[str, ...]:
    """Return the keys of the names that a name joins, else ().

    >>> split_key("Bolt pistol and chainsword")
    ('bolt pistol', 'chainsword')
    """
    parts = list(map(make_key, _JOINT.split(name)))
    return tuple(filter(None, parts)) if len(parts) > 1 else ()


def take_base(name: str) -> str:
    """Drop the equipment from a model kind's name.

    >>> take_base("Reed Guard w/ bow"), take_base("Guard (Captain)")
    ('Reed Guard', 'Guard')
    """
    return _CARRIED.split(name, maxsplit=1)[0] or name


def is_misspelled(written: str, name: str) -> bool:
    """Return whether a long name differs by a single letter.

    >>> is_misspelled("Ruthless Oversser", "Ruthless Overseer"), is_misspelled("Cuttres", "Cutters")
    (True, False)
    """
    plain, simplified = simplify_name(written), simplify_name(name)
    return (
        min(len(plain), len(simplified)) >= LEAST_SPELLED
        and Levenshtein.distance(plain, simplified, score_cutoff=1) <= 1
    )


def _list_keys(name: str) -> Iterable[str]:
    # `Club and Projector` is `Projector and Club`. Keys may be equal, and a name of punctuation alone has none.
    joined = " + ".join(sorted(split_key(name)))
    return filter(None, dict.fromkeys((simplify_name(name), fold_plural(name), make_key(name), joined)))


class NameLookup(Generic[Named]):
    """Values by name. The first of equal names is preferred."""

    def __init__(self, named: Iterable[tuple[str, Named]]) -> None:
        self._values: dict[str, list[Named]] = {}
        for name, value in named:
            for key in _list_keys(name):
                self._values.setdefault(key, []).append(value)
        self._keys = list(self._values)

    @property
    def values(self) -> Iterator[Named]:
        yield from dict.fromkeys(value for values in self._values.values() for value in values)

    def find(self, name: str) -> NameMatch[Named]:
        """Return a guess for a similar or abbreviated name."""
        for key in _list_keys(name):
            if values := self._values.get(key):
                return NameMatch(values[0], Reading.UNDERSTOOD, tuple(values[1:]))

        ranked = self._rank_alike(fold_plural(name))
        others = tuple(dict.fromkeys(self._values[key][0] for key, _ in ranked))
        if ranked and ranked[0][1] >= CLOSE:
            return NameMatch(others[0], Reading.GUESSED, others[1:OFFERED])
        matches = self._find_shortened(fold_plural(name).split())
        if len(matches) == 1:
            further = tuple(other for other in others if other != matches[0])
            return NameMatch(matches[0], Reading.GUESSED, further[:OFFERED])
        return NameMatch(None, Reading.UNREAD, others[:OFFERED])

    def _find_shortened(self, words: Sequence[str]) -> list[Named]:
        """Find what words may abbreviate: `res orb` is a `Resurrection Orb`."""
        if len(words) < LEAST_SHORTENED:
            return []
        keys = [key for key in self._keys if len(key.split()) == len(words)]
        matching = [key for key in keys if all(map(str.startswith, key.split(), words))]
        return list(dict.fromkeys(self._values[key][0] for key in matching))

    def _rank_alike(self, key: str) -> Sequence[tuple[str, float]]:
        if not key or not self._keys:
            return []
        # Common words alone count a little less than similar spelling.
        whole = process.extract(key, self._keys, scorer=fuzz.token_sort_ratio, limit=OFFERED, score_cutoff=ALIKE)
        words = process.extract(key, self._keys, scorer=fuzz.token_set_ratio, limit=MOST_HOLDING, score_cutoff=90)
        scores = {alike_key: score * 0.85 for alike_key, score, _ in words}
        for alike_key, score, _ in whole:
            scores[alike_key] = max(score, scores.get(alike_key, 0))

        def rank(pair: tuple[str, float]) -> tuple[object, ...]:
            alike, score = pair
            # Of names with equal scores, `Guard` is rather a `Guard Squad` than a `Captain of the Guard`, and the
            # longer of several in the written name is more specific.
            is_start = alike.startswith(f"{key} ")
            return -score, not is_start, len(alike) if is_start else -len(alike), alike

        return sorted(scores.items(), key=rank)
