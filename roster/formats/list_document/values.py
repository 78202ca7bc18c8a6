"""What a place in a list document may hold: keys, lists, and the texts and numbers that people write."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TypeVar

from catalogue.definitions.numbers import Number, parse_number
from roster.engine.report import Verdict
from roster.formats.list_document.document import Text
from roster.formats.list_document.nodes import Fields, Items, Node, Scalar, fail
from roster.formats.list_text import NAME_LENGTH, NOTES_LENGTH, clean_text

MAX_COUNT = 1_000

_INTEGER = re.compile(r"[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_TRUE, _FALSE = ("true", "yes"), ("false", "no")
_Read = TypeVar("_Read")
_Else = TypeVar("_Else")


def fields(node: Node, *known: str) -> Fields:
    """Keys and values, of which all are `known` where any are."""
    if not isinstance(node, Fields):
        fail("not-fields", node, given=node.text if isinstance(node, Scalar) else "", suggestions=known)
    for key, (line, column) in node.places.items():
        if known and key not in known:
            fail("unknown-key", given=key, line=line, column=column, suggestions=_like(key, known))
    return node


def _like(given: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(given, known, n=1)) or known


def required(form: Fields, key: str, read: Callable[[Node], _Read]) -> _Read:
    """What stands at a key; its absence ends the reading."""
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        fail("missing-key", form, given=key)
    return read(node)


def optional(form: Fields, key: str, read: Callable[[Node], _Read], otherwise: _Else) -> _Read | _Else:
    """What stands at a key, `otherwise` where nothing does."""
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return otherwise
    return read(node)


def each(read: Callable[[Node], _Read]) -> Callable[[Node], tuple[_Read, ...]]:
    """A reader of lists of what `read` reads."""

    def items(node: Node) -> tuple[_Read, ...]:
        if not isinstance(node, Items):
            fail("not-items", node, given=node.text if isinstance(node, Scalar) else "")
        return tuple(read(item) for item in node.items)

    return items


def read_word(node: Node) -> Text:
    """An id, a name or a number on one line."""
    return Text(clean_text(_text(node)), node.line, node.column)


def read_name(node: Node) -> str:
    """A name on one line."""
    return _kept(node, clean_text(_text(node)), NAME_LENGTH)


def read_notes(node: Node) -> str:
    """Notes of several lines."""
    return _kept(node, clean_text(_text(node), lines=True), NOTES_LENGTH)


def _kept(node: Node, text: str, limit: int) -> str:
    if len(text) > limit:
        fail("text-too-long", node, given=str(len(text)), detail=str(limit))
    return text


def _text(node: Node) -> str:
    if not isinstance(node, Scalar):
        fail("not-text", node)
    return node.text


def read_integer(node: Node) -> int:
    """A whole number."""
    text = _text(node)
    if not _INTEGER.fullmatch(text):
        fail("not-a-number", node, given=text)
    return int(text)


def read_count(node: Node) -> int:
    """How many there are of something."""
    count = read_integer(node)
    if count > MAX_COUNT:
        fail("count-too-high", node, given=str(count), detail=str(MAX_COUNT))
    return count


def read_verdict(node: Node) -> str:
    """The word of a verdict."""
    word = _text(node)
    if word not in _VERDICTS:
        fail("not-a-verdict", node, given=word, suggestions=_VERDICTS)
    return word


def read_truth(node: Node) -> bool:
    """Yes or no."""
    word = _text(node).lower()
    if word not in _TRUE + _FALSE:
        fail("not-a-truth", node, given=word)
    return word in _TRUE


def read_number(node: Node) -> Number:
    """A number of points and the like, exact."""
    text = read_word(node)
    if not _NUMBER.fullmatch(text.value):
        fail("not-a-number", node, given=text.value)
    return parse_number(text.value)
