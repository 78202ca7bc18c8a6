"""How wide the columns of profile tables are: the same for one type of profile wherever it stands in a list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roster.engine.report import EffectiveProfile
from roster.pdf.shapes import Column

HALF = 58
"""How many characters stand side by side on a card of half the page's width."""
FULL = 122
LONG = 70
"""A text above this many characters is no figure of a table: it is printed among the rules."""
AIR = 1.6
_NAME = (9.0, 20.0)
_FIGURE = 7
_WORD, _TEXT = 16, 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The columns of one table. `width` is in characters, `name` in hundredths of it."""

    width: int
    name: int
    columns: tuple[Column, ...]


Plans = Mapping[str, tuple[Plan, ...]]
"""By type of profile: one plan, or several where all columns do not fit side by side."""


@dataclass(frozen=True, slots=True)
class Need:
    """How wide a column has to be in characters, and how wide it would be at best."""

    least: float
    best: float


def type_key(profile: EffectiveProfile) -> str:
    """Profiles with one key stand in one table."""
    return profile.type_id or profile.type_name


def is_text(profile: EffectiveProfile) -> bool:
    """Whether a profile is a rule in disguise: a name and one text."""
    filled = [c for c in profile.characteristics if c.value]
    return len(profile.characteristics) <= 1 or (len(filled) == 1 and len(filled[0].value) > LONG)


def has_long_text(profile: EffectiveProfile) -> bool:
    """Whether something of a profile is too long for a table."""
    return is_text(profile) or any(len(c.value) > LONG for c in profile.characteristics)


def plans_for(profiles: Iterable[EffectiveProfile], width: int, *, cut: bool) -> Plans:
    """The tables of a list, `width` characters wide.

    A type with more columns than fit is cut into several tables; without `cut` it has no plan.
    """
    by_type: dict[str, list[EffectiveProfile]] = {}
    for profile in profiles:
        if not is_text(profile):
            by_type.setdefault(type_key(profile), []).append(profile)
    names = _name_width(profile.name for group in by_type.values() for profile in group)
    plans = {key: tuple(_plans(group, names, width)) for key, group in by_type.items()}
    return {key: found for key, found in plans.items() if cut or len(found) == 1}


def longest_word(texts: Iterable[str]) -> int:
    """The length of what cannot be broken."""
    return max((len(word) for text in texts for word in text.replace("-", "- ").split()), default=1)


def _name_width(names: Iterable[str]) -> Need:
    """One width for the names of all tables, so that the figures of all cards stand below one another."""
    known = list(names)
    least, best = _NAME
    return Need(
        min(max(longest_word(known), least), best) + AIR, min(max(map(len, known), default=0), best + 4) + AIR
    )


def _plans(profiles: Sequence[EffectiveProfile], names: Need, width: int) -> Iterator[Plan]:
    heads = list(dict.fromkeys(c.name for profile in profiles for c in profile.characteristics))
    texts = {head: [head, *_values(profiles, head)] for head in heads}
    needs = [_need(texts[head]) for head in heads]
    for start, end in _cuts(needs, width - names.least):
        name, *shares = _shares(names, needs[start:end], width)
        pairs = zip(heads[start:end], shares, strict=True)
        columns = (
            Column(name=head, width=share, figures=max(map(len, texts[head])) <= _FIGURE)
            for head, share in pairs
        )
        yield Plan(width=width, name=name, columns=tuple(columns))


def _need(texts: Sequence[str]) -> Need:
    return Need(min(longest_word(texts), _WORD) + AIR, min(max(map(len, texts)), _TEXT) + AIR)


def _values(profiles: Sequence[EffectiveProfile], head: str) -> list[str]:
    found = [next((c.value for c in profile.characteristics if c.name == head), "") for profile in profiles]
    return ["" if len(value) > LONG else value for value in found]


def _cuts(needs: Sequence[Need], room: float) -> Iterator[tuple[int, int]]:
    """Runs of columns that fit beside the names."""
    start, used = 0, 0.0
    for index, need in enumerate(needs):
        if used + need.least > room and index > start:
            yield start, index
            start, used = index, 0.0
        used += need.least
    yield start, len(needs)


def _shares(names: Need, needs: Sequence[Need], width: int) -> list[int]:
    """Hundredths of the table per column: what each needs, of the rest what each would like, then the same for all."""
    every = [names, *needs]
    spare = max(width - sum(need.least for need in every), 0.0)
    wish = sum(need.best - need.least for need in every)
    share = min(1.0, spare / wish) if wish else 0.0
    wide = [need.least + (need.best - need.least) * share for need in every]
    rest = max(width - sum(wide), 0.0) / max(len(needs), 1)
    hundredths = [int(100 * (w + rest) / width) for w in wide[1:]]
    return [100 - sum(hundredths), *hundredths] if sum(hundredths) < 100 else _even(len(every))


def _even(count: int) -> list[int]:
    """Columns of one width, for words that are too long for any."""
    return [100 - (count - 1) * (100 // count), *[100 // count] * (count - 1)]
