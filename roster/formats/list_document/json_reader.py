"""JSON as a tree of places: strict, each key once, no NaN."""

import json
import re
from bisect import bisect_right
from json import decoder, scanner
from typing import Any

from roster.formats.list_document.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    Fields,
    Items,
    Node,
    Scalar,
    add_pair,
    refuse_node,
)


def read_json(text: str) -> Node:
    """Return the tree of a JSON document; raises UnreadableError."""
    try:
        node: Node = _PlacedDecoder(text).decode(text)
    except json.JSONDecodeError as error:
        refuse_node("bad-json", line=error.lineno, column=error.colno, detail=error.msg)
    return node


class _PlacedDecoder(json.JSONDecoder):
    """The standard library's decoder, with a note of where each value began."""

    def __init__(self, text: str) -> None:
        super().__init__(parse_int=_Raw, parse_float=_Raw, parse_constant=_Constant)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._depth = self._count = 0
        self.parse_object = self._read_object
        self.parse_array = self._read_array
        self._inner = scanner.py_make_scanner(self)  # type: ignore[attr-defined]  # no stub
        self.scan_once = self._scan_value

    def _locate_index(self, index: int) -> tuple[int, int]:
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def _scan_value(self, text: str, index: int) -> tuple[Node, int]:
        line, column = self._locate_index(index)
        self._count += 1
        if self._depth > MAX_DEPTH:
            refuse_node("too-deep", line=line, column=column, detail=str(MAX_DEPTH))
        if self._count > MAX_NODES:
            refuse_node("too-big", line=line, column=column, detail=str(MAX_NODES))
        value, end = self._inner(text, index)
        return self._build_node(value, line, column), end

    def _build_node(self, value: Any, line: int, column: int) -> Node:
        match value:
            case _Constant():
                refuse_node("not-a-number", line=line, column=column, given=value.text)
            case list():
                return Items(line, column, value)
            case _Pairs():
                fields = Fields(line, column)
                for key, item in value.pairs:
                    add_pair(fields, _replace_surrogates(key), item, (item.line, item.column))
                return fields
            case _Raw():
                return Scalar(line, column, value.text)
            case str():
                return Scalar(line, column, _replace_surrogates(value), quoted=True)
        return Scalar(line, column, {True: "true", False: "false", None: "null"}[value])

    def _read_object(self, start: Any, strict: bool, *_rest: Any) -> tuple[Any, int]:
        self._depth += 1
        result = decoder.JSONObject(start, strict, self._scan_value, None, _Pairs, {})  # type: ignore[attr-defined]  # no stub
        self._depth -= 1
        return result  # type: ignore[no-any-return]  # no stub

    def _read_array(self, start: Any, _scan: Any) -> tuple[Any, int]:
        self._depth += 1
        result = decoder.JSONArray(start, self._scan_value)  # type: ignore[attr-defined]  # no stub
        self._depth -= 1
        return result  # type: ignore[no-any-return]  # no stub


class _Raw:
    """A number as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Pairs:
    """The pairs of an object, repeated keys among them."""

    def __init__(self, pairs: list[tuple[str, Node]]) -> None:
        self.pairs = pairs


class _Constant(_Raw):
    """NaN and Infinity, which are no numbers."""


def _replace_surrogates(text: str) -> str:
    """Replace half characters, which JSON can spell and no file or database can hold."""
    return text.encode("utf-8", "replace").decode()
