"""How wide the columns of profile tables are: the same for one type of profile wherever it stands in a list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from roster.engine.report import EffectiveProfile
from roster.pdf.column_widths import share_out
from roster.pdf.shapes import Column
from roster.pdf.text_width import breakable, extent, widest_word

HALF = 75
"""How many average characters stand side by side on a card of half the page's width."""
FULL = 154
LONG = 70
"""A text above this many characters is no figure of a table: it is printed among the rules."""
AIR = 2.2
"""The edges of a cell, and what keeps two figures apart."""
_SHORT_NAME, _LONG_NAME = 9.0, 22.0
_FIGURE = 8
_NARROW, _WORD = 2.2, 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The columns of one table. `width` is in average characters, `name` in hundredths of it."""

    width: int
    name: int
    columns: tuple[Column, ...]


Plans = Mapping[str, tuple[Plan, ...]]
"""By type of profile: one plan, or several where all columns do not fit side by side."""


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
    names = _least_name(profile.name for group in by_type.values() for profile in group)
    plans = {key: tuple(_plans(group, names, width)) for key, group in by_type.items()}
    return {key: found for key, found in plans.items() if cut or len(found) == 1}


def _plans(profiles: Sequence[EffectiveProfile], names: float, width: int) -> Iterator[Plan]:
    heads = list(dict.fromkeys(c.name for profile in profiles for c in profile.characteristics))
    texts = [[head, *_values(profiles, head)] for head in heads]
    least = [min(max(widest_word(column), _NARROW), _WORD) + AIR for column in texts]
    titles = [profiles[0].type_name, *(profile.name for profile in profiles)]
    for start, end in _cuts(least, width - names):
        rows = [[extent(text) for text in row] for row in zip(titles, *texts[start:end], strict=True)]
        name, *shares = _hundredths(share_out(rows, [names, *least[start:end]], width), width)
        columns = (
            Column(name=head, width=share, figures=max(map(len, column)) <= _FIGURE)
            for head, share, column in zip(heads[start:end], shares, texts[start:end], strict=True)
        )
        yield Plan(width=width, name=name, columns=tuple(columns))


def _least_name(names: Iterable[str]) -> float:
    return min(max(widest_word(names), _SHORT_NAME), _LONG_NAME) + AIR


def _values(profiles: Sequence[EffectiveProfile], head: str) -> list[str]:
    found = [next((c.value for c in profile.characteristics if c.name == head), "") for profile in profiles]
    return ["" if len(value) > LONG else breakable(value) for value in found]


def _cuts(least: Sequence[float], room: float) -> Iterator[tuple[int, int]]:
    """Runs of columns that fit beside the names."""
    start, used = 0, 0.0
    for index, need in enumerate(least):
        if used + need > room and index > start:
            yield start, index
            start, used = index, 0.0
        used += need
    yield start, len(least)


def _hundredths(wide: Sequence[float], width: float) -> list[int]:
    """Widths as hundredths of the table; all the same where words are too long for any."""
    shares = [int(100 * one / width) for one in wide[1:]]
    if sum(shares) >= 100 or 0 in shares:
        shares = [100 // len(wide)] * len(shares)
    return [100 - sum(shares), *shares]
