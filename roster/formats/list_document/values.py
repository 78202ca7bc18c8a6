"""What a place in a list document may hold: keys, lists, and the texts and numbers that people write."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TypeVar

from catalogue.definitions.numbers import Number, parse_number
from roster.engine.report import Verdict
from roster.formats.list_document.document import Text
from roster.formats.list_document.nodes import Fields, Items, Node, Scalar, refuse_node
from roster.formats.list_text import NAME_LENGTH, NOTES_LENGTH, clean_text

MAX_COUNT = 1_000

_INTEGER = re.compile(r"[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_TRUE, _FALSE = ("true", "yes"), ("false", "no")
_Read = TypeVar("_Read")
_Else = TypeVar("_Else")


def check_fields(node: Node, *known: str) -> Fields:
    """Return keys and values, all of them `known` if any are given."""
    if not isinstance(node, Fields):
        refuse_node(
            "not-fields", node, given=node.text if isinstance(node, Scalar) else "", suggestions=known
        )
    for key, (line, column) in node.places.items():
        if known and key not in known:
            refuse_node(
                "unknown-key", given=key, line=line, column=column, suggestions=_suggest_keys(key, known)
            )
    return node


def _suggest_keys(given: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(given, known, n=1)) or known


def read_required(form: Fields, key: str, read: Callable[[Node], _Read]) -> _Read:
    """Read what is at a key; its absence ends the reading."""
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        refuse_node("missing-key", form, given=key)
    return read(node)


def read_optional(form: Fields, key: str, read: Callable[[Node], _Read], otherwise: _Else) -> _Read | _Else:
    """Read what is at a key, `otherwise` if nothing is."""
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return otherwise
    return read(node)


def read_each(read: Callable[[Node], _Read]) -> Callable[[Node], tuple[_Read, ...]]:
    """Return a reader of lists of what `read` reads."""

    def read_items(node: Node) -> tuple[_Read, ...]:
        if not isinstance(node, Items):
            refuse_node("not-items", node, given=node.text if isinstance(node, Scalar) else "")
        return tuple(read(item) for item in node.items)

    return read_items


def read_word(node: Node) -> Text:
    """Read an id, a name or a number on one line."""
    return Text(clean_text(_read_text(node)), node.line, node.column)


def read_name(node: Node) -> str:
    """Read a name on one line."""
    return _check_length(node, clean_text(_read_text(node)), NAME_LENGTH)


def read_notes(node: Node) -> str:
    """Read notes of several lines."""
    return _check_length(node, clean_text(_read_text(node), lines=True), NOTES_LENGTH)


def _check_length(node: Node, text: str, limit: int) -> str:
    if len(text) > limit:
        refuse_node("text-too-long", node, given=str(len(text)), detail=str(limit))
    return text


def _read_text(node: Node) -> str:
    if not isinstance(node, Scalar):
        refuse_node("not-text", node)
    return node.text


def read_integer(node: Node) -> int:
    """Read a whole number."""
    text = _read_text(node)
    if not _INTEGER.fullmatch(text):
        refuse_node("not-a-number", node, given=text)
    return int(text)


def read_count(node: Node) -> int:
    """Read how many there are of something."""
    count = read_integer(node)
    if count > MAX_COUNT:
        refuse_node("count-too-high", node, given=str(count), detail=str(MAX_COUNT))
    return count


def read_verdict(node: Node) -> str:
    """Read the word of a verdict."""
    word = _read_text(node)
    if word not in _VERDICTS:
        refuse_node("not-a-verdict", node, given=word, suggestions=_VERDICTS)
    return word


def read_truth(node: Node) -> bool:
    """Read yes or no."""
    word = _read_text(node).lower()
    if word not in _TRUE + _FALSE:
        refuse_node("not-a-truth", node, given=word)
    return word in _TRUE


def read_number(node: Node) -> Number:
    """Read a number of points and the like, exact."""
    text = read_word(node)
    if not _NUMBER.fullmatch(text.value):
        refuse_node("not-a-number", node, given=text.value)
    return parse_number(text.value)
