"""What forms, chats and users do to the text of a list, as functions from text to text."""

import re
from collections.abc import Callable

_BULLET = re.compile(r"(?m)^(\s*)(?:[•◦●▪]|[*-](?![*-])) ?")
_FOOT = re.compile(r"(?:created|exported|app|data|server|built|made|generated|\[?https?|-{2,}|`)\b.*|[-`]*", re.I)


def drop_bullets(text: str) -> str:
    return _BULLET.sub(r"\1", text)


def drop_indents(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def flatten(text: str) -> str:
    return drop_indents(drop_bullets(text))


def drop_some_indents(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line.strip() if place % 2 else line for place, line in enumerate(lines))


def flatten_some(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line if place % 2 else flatten(line) for place, line in enumerate(lines))


def write_capitals(text: str) -> str:
    return text.upper()


def write_small(text: str) -> str:
    return text.lower()


def use_smart_quotes(text: str) -> str:
    return re.sub(r'"([^"\n]*)"', r"“\1”", text.replace("'", "’")).replace(" points)", "\u00a0points)")


def use_windows_lines(text: str) -> str:
    return "\ufeff" + text.replace("\n", "\r\n")


def indent_by_tabs(text: str) -> str:
    return re.sub(r"(?m)^ +", lambda indent: "\t" * max(1, len(indent[0]) // 2), text)


def double_lines(text: str) -> str:
    return text.replace("\n", "\n\n")


def drop_blank_lines(text: str) -> str:
    return re.sub(r"\n\s*\n+", "\n", text)


def group_thousands(text: str) -> str:
    return re.sub(r"\b(\d)(\d{3})(?=\s*(?:pts|points|/|\)))", r"\1,\2", text)


def drop_foot(text: str) -> str:
    lines = text.rstrip().split("\n")
    while lines and _FOOT.fullmatch(lines[-1].strip()):
        lines.pop()
    return "\n".join(lines) + "\n"


def join_by_blanks(text: str) -> str:
    return _join(text, "  ")


def join_by_semicolons(text: str) -> str:
    return _join(text, "; ")


def _join(text: str, sign: str) -> str:
    return sign.join(line.strip() for line in text.split("\n") if line.strip())


WAYS: tuple[Callable[[str], str], ...] = (
    drop_bullets,
    drop_indents,
    flatten,
    drop_some_indents,
    flatten_some,
    write_capitals,
    write_small,
    use_smart_quotes,
    use_windows_lines,
    indent_by_tabs,
    double_lines,
    drop_blank_lines,
    group_thousands,
    drop_foot,
    join_by_blanks,
    join_by_semicolons,
)
WORST = (flatten, write_capitals, drop_blank_lines, join_by_blanks, join_by_semicolons)
"""The functions that leave the least of a list."""
