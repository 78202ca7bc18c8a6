"""Read JSON as nodes with places, without duplicate keys and NaN."""

import json
import re
from bisect import bisect_right
from json import decoder, scanner
from typing import Any

from catalogue.documents.node import DocumentNode, DocumentSource
from catalogue.documents.problems import DocumentError, DocumentLimits


def read_json(text: str, source: DocumentSource, limits: DocumentLimits) -> DocumentNode:
    """Raise DocumentError for a bad document, json.JSONDecodeError if the text is not JSON."""
    node: DocumentNode = _PlacedDecoder(text, source, limits).decode(text)
    return node


class _PlacedDecoder(json.JSONDecoder):
    def __init__(self, text: str, source: DocumentSource, limits: DocumentLimits) -> None:
        super().__init__(parse_int=_Raw, parse_float=_Raw, parse_constant=_Constant)
        self._source = source
        self._limits = limits
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._depth = self._count = 0
        self.parse_object = self._read_object
        self.parse_array = self._read_array
        # Only the scanner in Python tells its position.
        self._inner = scanner.py_make_scanner(self)  # type: ignore[attr-defined]  # no stub
        self.scan_once = self._scan_value

    def _scan_value(self, text: str, index: int) -> tuple[DocumentNode, int]:
        line = bisect_right(self._starts, index)
        column = index - self._starts[line - 1] + 1
        self._count += 1
        if self._depth > self._limits.depth:
            raise DocumentError("too-deep", line, column, detail=str(self._limits.depth))
        if self._count > self._limits.values:
            raise DocumentError("too-big", line, column, detail=str(self._limits.values))
        value, end = self._inner(text, index)
        return self._build_node(value, line, column), end

    def _build_node(self, value: Any, line: int, column: int) -> DocumentNode:
        match value:
            case _Constant():
                raise DocumentError("not-a-number", line, column, value.text)
            case list():
                return DocumentNode(value, self._source, line, column)
            case _Pairs():
                members: dict[str, tuple[DocumentNode, DocumentNode]] = {}
                for name, member in value.pairs:
                    key = _replace_surrogates(name)
                    # The standard library silently keeps the last value.
                    if key in members:
                        raise DocumentError("duplicate-key", member.line, member.column, key)
                    key_node = DocumentNode(key, self._source, member.line, member.column, quoted=True)
                    members[key] = key_node, member
                return DocumentNode(list(members.values()), self._source, line, column, is_map=True)
            case _Raw():
                return DocumentNode(value.text, self._source, line, column)
            case str():
                return DocumentNode(_replace_surrogates(value), self._source, line, column, quoted=True)
        return DocumentNode({True: "true", False: "false", None: "null"}[value], self._source, line, column)

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
    def __init__(self, text: str) -> None:
        self.text = text


class _Pairs:
    def __init__(self, pairs: list[tuple[str, DocumentNode]]) -> None:
        self.pairs = pairs


class _Constant(_Raw):
    """NaN or Infinity."""


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which no file or database can hold."""
    return text.encode("utf-8", "replace").decode()
