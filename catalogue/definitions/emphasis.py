"""Hidden marks in community texts: `**bold**`, `^^small capitals^^` and `*italics*`."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# Three stars are bold italics.
_BOLD = re.compile(r"(\*{3}|\*\*)(?=[^\s*])[^\n]*?(?<=\S)\1")
# Two carets have no other meaning, so spaces inside the marks are a slip of the data.
_CAPITALS = re.compile(r"(\^\^)(?=[^\n^])[^\n]*?\^\^")
# A single star may also refer to a note, as in "4+*" and "* only in combat".
_ITALICS = re.compile(r"(?<![\w+*])(\*)(?=[^\W\d])[^\n*]*?(?<=[^\W\d]|[.!?)])\*(?![\w*])")


class Run(NamedTuple):
    text: str
    bold: bool = False
    capitals: bool = False


def split_runs(text: str) -> tuple[Run, ...]:
    """Split a text. A mark not closed on its line is plain text.

    >>> [run.text for run in split_runs("If a **^^Fly^^** unit")]
    ['If a ', 'Fly', ' unit']
    >>> split_runs("4+** and 2*")
    (Run(text='4+** and 2*', bold=False, capitals=False),)
    >>> "".join(run.text for run in split_runs("Heavy (***x*** only), within *x* of it"))
    'Heavy (x only), within x of it'
    """
    bold, capitals, italics = (list(pattern.finditer(text)) for pattern in (_BOLD, _CAPITALS, _ITALICS))
    if not bold and not capitals and not italics:
        return (Run(text),)
    marks: dict[int, int] = {}
    for match in (*italics, *bold, *capitals):
        length = len(match[1])
        marks |= {match.start(): match.start() + length, match.end() - length: match.end()}
    cuts = sorted({0, len(text), *marks, *marks.values()})
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


def _is_inside(index: int, matches: Iterable[re.Match[str]]) -> bool:
    return any(match.start() <= index < match.end() for match in matches)
