"""The marks in texts of community data: `**bold**` and `^^small capitals^^`."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

_MARK = 2
_BOLD = re.compile(r"\*\*(?=[^\s*])[^\n]*?(?<=\S)\*\*")
# Two carets have no other meaning, so spaces inside the marks are a slip of the data.
_CAPITALS = re.compile(r"\^\^(?=[^\n^])[^\n]*?\^\^")


class Run(NamedTuple):
    text: str
    bold: bool = False
    capitals: bool = False


def split_runs(text: str) -> tuple[Run, ...]:
    """Split a text. A mark that is not closed on its line is plain text.

    >>> [run.text for run in split_runs("If a **^^Fly^^** unit")]
    ['If a ', 'Fly', ' unit']
    >>> split_runs("4+** and 2*")
    (Run(text='4+** and 2*', bold=False, capitals=False),)
    """
    bold = [match.span() for match in _BOLD.finditer(text)]
    capitals = [match.span() for match in _CAPITALS.finditer(text)]
    if not bold and not capitals:
        return (Run(text),)
    marks = {place for start, end in (*bold, *capitals) for place in (start, end - _MARK)}
    cuts = sorted({0, len(text), *marks, *(place + _MARK for place in marks)})
    return tuple(
        Run(text[start:end], _is_inside(start, bold), _is_inside(start, capitals))
        for start, end in pairwise(cuts)
        if start not in marks
    )


# Pages ask for the same names with every edit.
@lru_cache(maxsize=2048)
def remove_marks(text: str) -> str:
    """Remove emphasis marks.

    >>> remove_marks("**[ASSAULT]**")
    '[ASSAULT]'
    """
    return "".join(run.text for run in split_runs(text))


def _is_inside(index: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= index < end for start, end in spans)
