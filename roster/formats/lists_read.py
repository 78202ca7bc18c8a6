"""From the places of a document to a list as people write it: which keys there may be and what they hold.

Nothing here knows a game; ids and names are looked up by `roster.formats.lists_build`.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TypeVar

from catalogue.definitions.numbers import Number, parse_number
from roster.engine.report import Verdict
from roster.formats.lists_nodes import Fields, Items, Node, Scalar, Unreadable, UnreadableError, fail
from roster.formats.lists_shapes import (
    NOTHING,
    Expected,
    ListDocument,
    ListedCategory,
    ListedForce,
    ListedItem,
    ListedLimit,
    Text,
)
from roster.formats.lists_source import Media, read_source
from roster.formats.lists_text import NAME_LENGTH, NOTES_LENGTH, clean_text

LIST_FORM = 1
MAX_COUNT = 1_000
OUTSIDE_WORD = "none"
"""The detachment of what stands in none."""

_INTEGER = re.compile(r"[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,4})?")
_KEYS = ("list", "game", "version", "faction", "name", "notes", "exact", "limits", "unshown", "detachments")
_CLAIMS = ("expect", "breaks", "total", "why")
_VERDICTS = tuple(verdict.value for verdict in Verdict)
_TRUE, _FALSE = ("true", "yes"), ("false", "no")
_Read = TypeVar("_Read")


def read_list(data: bytes, media: Media = Media.AUTO) -> ListDocument | Unreadable:
    """The list that the bytes of a document hold, or why they hold none. Never raises, whatever the bytes are."""
    try:
        return _document(read_source(data, media))
    except UnreadableError as error:
        return error.unreadable


def _document(node: Node) -> ListDocument:
    form = _fields(node, *_KEYS, *_CLAIMS)
    version = _required(form, "list", _integer)
    if version != LIST_FORM:
        fail("unknown-form", form.pairs["list"], given=str(version), detail=str(LIST_FORM))
    return ListDocument(
        game=_required(form, "game", _word),
        version=_optional(form, "version", _word, NOTHING),
        faction=_optional(form, "faction", _word, NOTHING),
        name=_optional(form, "name", _name, ""),
        notes=_optional(form, "notes", _notes, ""),
        exact=_optional(form, "exact", _truth, False),
        limits=_optional(form, "limits", _limits, ()),
        unshown=tuple(word.value for word in _optional(form, "unshown", _each(_word), ())),
        detachments=_optional(form, "detachments", _each(_force), ()),
        expected=Expected(
            verdict=_optional(form, "expect", _verdict, ""),
            breaks=tuple(rule.value for rule in _optional(form, "breaks", _each(_word), ())),
            total=_optional(form, "total", _number, None),
            why=_optional(form, "why", _notes, ""),
        ),
    )


def _limits(node: Node) -> tuple[ListedLimit, ...]:
    fields = _fields(node)
    return tuple(
        ListedLimit(type=Text(name, *fields.places[name]), value=_limit(value))
        for name, value in fields.pairs.items()
    )


def _limit(node: Node) -> Number | None:
    if isinstance(node, Scalar) and (node.is_null or node.text == "none"):
        return None
    return _number(node)


def _number(node: Node) -> Number:
    text = _word(node)
    if not _NUMBER.fullmatch(text.value):
        fail("not-a-number", node, given=text.value)
    return parse_number(text.value)


def _force(node: Node) -> ListedForce:
    form = _fields(node, "detachment", "catalogue", "name", "notes", "categories", "units", "detachments")
    force = _required(form, "detachment", _word)
    return ListedForce(
        force=force,
        outside=force.value == OUTSIDE_WORD,
        catalogue=_optional(form, "catalogue", _word, NOTHING),
        name=_optional(form, "name", _name, ""),
        notes=_optional(form, "notes", _notes, ""),
        categories=_optional(form, "categories", _each(_category), ()),
        units=_optional(form, "units", _each(_unit), ()),
        detachments=_optional(form, "detachments", _each(_force), ()),
    )


def _category(node: Node) -> ListedCategory:
    form = _fields(node, "category", "name", "notes")
    return ListedCategory(
        category=_required(form, "category", _word),
        name=_optional(form, "name", _name, ""),
        notes=_optional(form, "notes", _notes, ""),
    )


def _unit(node: Node) -> ListedItem:
    return _item(node, "unit")


def _option(node: Node) -> ListedItem:
    return _item(node, "option")


def _item(node: Node, key: str) -> ListedItem:
    if isinstance(node, Scalar):
        return ListedItem(entry=_word(node))
    form = _fields(node, key, "group", "count", "name", "notes", "leads", "options")
    return ListedItem(
        entry=_required(form, key, _word),
        group=_optional(form, "group", _word, NOTHING),
        count=_optional(form, "count", _count, None),
        name=_optional(form, "name", _name, ""),
        notes=_optional(form, "notes", _notes, ""),
        leads=_optional(form, "leads", _truth, False),
        options=_optional(form, "options", _each(_option), None),
    )


# ---- what a place may hold ---------------------------------------------------------------------------------------


def _fields(node: Node, *known: str) -> Fields:
    if not isinstance(node, Fields):
        fail("not-fields", node, given=node.text if isinstance(node, Scalar) else "", suggestions=known)
    for key, (line, column) in node.places.items():
        if known and key not in known:
            fail("unknown-key", given=key, line=line, column=column, suggestions=_like(key, known))
    return node


def _like(given: str, known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(given, known, n=1)) or known


def _required(form: Fields, key: str, read: Callable[[Node], _Read]) -> _Read:
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        fail("missing-key", form, given=key)
    return read(node)


_Else = TypeVar("_Else")


def _optional(form: Fields, key: str, read: Callable[[Node], _Read], otherwise: _Else) -> _Read | _Else:
    node = form.pairs.get(key)
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return otherwise
    return read(node)


def _each(read: Callable[[Node], _Read]) -> Callable[[Node], tuple[_Read, ...]]:
    def items(node: Node) -> tuple[_Read, ...]:
        if not isinstance(node, Items):
            fail("not-items", node, given=node.text if isinstance(node, Scalar) else "")
        return tuple(read(item) for item in node.items)

    return items


def _word(node: Node) -> Text:
    """An id, a name or a number on one line."""
    return Text(clean_text(_text(node)), node.line, node.column)


def _name(node: Node) -> str:
    return _kept(node, clean_text(_text(node)), NAME_LENGTH)


def _notes(node: Node) -> str:
    return _kept(node, clean_text(_text(node), lines=True), NOTES_LENGTH)


def _kept(node: Node, text: str, limit: int) -> str:
    if len(text) > limit:
        fail("text-too-long", node, given=str(len(text)), detail=str(limit))
    return text


def _text(node: Node) -> str:
    if not isinstance(node, Scalar):
        fail("not-text", node)
    return node.text


def _integer(node: Node) -> int:
    text = _text(node)
    if not _INTEGER.fullmatch(text):
        fail("not-a-number", node, given=text)
    return int(text)


def _count(node: Node) -> int:
    count = _integer(node)
    if count > MAX_COUNT:
        fail("count-too-high", node, given=str(count), detail=str(MAX_COUNT))
    return count


def _verdict(node: Node) -> str:
    word = _text(node)
    if word not in _VERDICTS:
        fail("not-a-verdict", node, given=word, suggestions=_VERDICTS)
    return word


def _truth(node: Node) -> bool:
    word = _text(node).lower()
    if word not in _TRUE + _FALSE:
        fail("not-a-truth", node, given=word)
    return word in _TRUE
