"""Why a list document cannot be read, and the mappings in one: the first mistake ends the reading."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from catalogue.documents.node import DocumentNode, MappingReader
from roster.formats.list_text import MAX_PARTS, clean_text

MAX_QUOTED = 100


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a document cannot be read, as data; `roster.wording.explain_unreadable` makes the sentence.

    `line` and `column` count from 1, 0 where there is no place to point at. `given` is what stands there, `suggestions`
    what it may have been meant to be, `detail` the parser's own words or the limit that was passed.
    """

    code: str
    line: int = 0
    column: int = 0
    given: str = ""
    suggestions: tuple[str, ...] = ()
    detail: str = ""


class UnreadableError(Exception):
    """Carries an `Unreadable` out of the depths of a reader; never leaves `roster.formats`."""

    def __init__(self, unreadable: Unreadable) -> None:
        super().__init__(unreadable.code)
        self.unreadable = unreadable


def refuse_size(parts: int) -> Unreadable:
    """Return the error of a list with too many parts."""
    return Unreadable("too-large", given=str(parts), detail=str(MAX_PARTS))


def refuse_node(
    code: str,
    node: DocumentNode | None = None,
    *,
    line: int = 0,
    column: int = 0,
    given: str = "",
    suggestions: tuple[str, ...] = (),
    detail: str = "",
) -> NoReturn:
    """Give up reading, at the place of `node` unless another is given."""
    if node is not None and not line:
        line, column = node.line, node.column
    given, detail = clean_text(given[:MAX_QUOTED]), clean_text(detail[:MAX_QUOTED])
    raise UnreadableError(Unreadable(code, line, column, given, suggestions, detail))


def is_null(node: DocumentNode) -> bool:
    """Whether nothing is written in a node."""
    return not node.quoted and isinstance(node.content, str) and node.content.lower() in ("", "~", "null")


def quote_node(node: DocumentNode) -> str:
    """Return the text of a node, blank for a list or mapping."""
    return node.content if isinstance(node.content, str) else ""


class ListMapping(MappingReader):
    """The keys of one mapping of a list document, written just so; nothing is written where a value is null."""

    def __init__(self, node: DocumentNode, known: Sequence[str], lone_key: str = "") -> None:
        self.node = node
        self.where = node.where
        self.is_lone = bool(lone_key)
        self.values = {lone_key: node} if lone_key else _read_values(node, known)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, *keys: str) -> DocumentNode | None:
        value = self.values.get(keys[0])
        return None if value is None or (is_null(value) and not self.is_lone) else value

    def need(self, key: str, hint: str = "") -> DocumentNode:
        value = self.get(key)
        if value is None:
            refuse_node("missing-key", self.node, given=key)
        return value

    def close(self) -> None:
        """Do nothing: keys that mean nothing end the reading before any value is read."""


def _read_values(node: DocumentNode, known: Sequence[str]) -> dict[str, DocumentNode]:
    if not node.is_map:
        refuse_node("not-fields", node, given=quote_node(node), suggestions=tuple(known))
    for key, _ in node.members:
        name = str(key.content)
        if name not in known:
            near = tuple(get_close_matches(name, known, n=1)) or tuple(known)
            refuse_node("unknown-key", key, given=name, suggestions=near)
    return {str(key.content): value for key, value in node.members}
