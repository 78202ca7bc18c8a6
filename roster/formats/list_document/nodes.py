"""Parse YAML and JSON into one tree of nodes: any bytes give a tree or an `Unreadable`.

Tags, anchors, aliases and duplicate keys are refused, size and depth are limited, and every scalar stays text: a unit
called `no` is not false, and 7.10 is not 7.1.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import NoReturn

import yaml

from catalogue.documents.json_reader import read_json
from catalogue.documents.node import NO_MISNOMERS, DocumentNode, DocumentSource, MappingReader
from catalogue.documents.problems import DocumentError, DocumentLimits, Problems
from catalogue.documents.yaml_reader import read_yaml
from roster.formats.list_text import MAX_PARTS, clean_text

MAX_QUOTED = 100

MAX_BYTES = 500_000
LIMITS = DocumentLimits(values=30_000, depth=40, strict=True)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a document cannot be read; `roster.wording.explain_unreadable` makes the sentence.

    `line` and `column` count from 1, 0 if unknown. `given` is the offending text, `detail` the parser's message or the
    exceeded limit.
    """

    code: str
    line: int = 0
    column: int = 0
    given: str = ""
    suggestions: tuple[str, ...] = ()
    detail: str = ""


class UnreadableError(Exception):
    """Carries an `Unreadable` out of a reader, but never out of `roster.formats`."""

    def __init__(self, unreadable: Unreadable) -> None:
        super().__init__(unreadable.code)
        self.unreadable = unreadable


def refuse_size(parts: int) -> Unreadable:
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
    """Raise UnreadableError, at `node` unless `line` is given."""
    if node is not None and not line:
        line, column = node.line, node.column
    # Answers and logs quote these.
    given, detail = clean_text(given[:MAX_QUOTED]), clean_text(detail[:MAX_QUOTED])
    raise UnreadableError(Unreadable(code, line, column, given, suggestions, detail))


def is_null(node: DocumentNode) -> bool:
    """Return whether a node is unquoted and empty, `~` or `null`."""
    return not node.quoted and isinstance(node.content, str) and node.content.lower() in ("", "~", "null")


def quote_node(node: DocumentNode) -> str:
    return node.content if isinstance(node.content, str) else ""


class ListMapping(MappingReader):
    """The keys of one mapping, spelled exactly. A null value counts as missing.

    Unknown keys are refused, or ignored if the document `is_written_by_program`.
    """

    def __init__(
        self,
        node: DocumentNode,
        keys: Sequence[str],
        lone_key: str = "",
        misnomers: Mapping[str, Sequence[str]] = NO_MISNOMERS,
        *,
        is_written_by_program: bool = False,
    ) -> None:
        self.node = node
        self.where = node.where
        self.is_lone = bool(lone_key)
        self.values = {lone_key: node} if lone_key else _read_values(node, keys, misnomers, is_written_by_program)

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
        """Do nothing: `_read_values` has refused or ignored unknown keys."""


def _read_values(
    node: DocumentNode, keys: Sequence[str], misnomers: Mapping[str, Sequence[str]], is_written_by_program: bool
) -> dict[str, DocumentNode]:
    if not node.is_map:
        refuse_node("not-fields", node, given=quote_node(node), suggestions=tuple(keys))
    # Check all keys first, so that a mistyped key is reported and not a mistake that follows from it.
    for key, _ in node.members:
        name = str(key.content)
        if name not in keys and not is_written_by_program:
            likely = misnomers.get(name) or get_close_matches(name, keys, n=1) or keys
            refuse_node("unknown-key", key, given=name, suggestions=tuple(likely))
    return {str(key.content): value for key, value in node.members}


class Media(StrEnum):
    """How a list is written. `AUTO` is JSON if the text begins like JSON, else YAML."""

    AUTO = "auto"
    YAML = "yaml"
    JSON = "json"


def read_source(data: bytes, media: Media = Media.AUTO) -> DocumentNode:
    """Parse a document. Raises UnreadableError."""
    if len(data) > MAX_BYTES:
        refuse_node("too-big", given=str(len(data)), detail=str(MAX_BYTES))
    try:
        # Editors on Windows write a byte order mark.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse_node("not-utf-8", line=data.count(b"\n", 0, error.start) + 1)
    # The YAML parser reads most JSON, but its messages are about YAML.
    is_json = text.lstrip()[:1] in ("{", "[") if media is Media.AUTO else media is Media.JSON

    source = DocumentSource("", Problems())
    try:
        root = read_json(text, source, LIMITS) if is_json else read_yaml(text, source, LIMITS).root
    except DocumentError as error:
        refuse_node(error.code, line=error.line, column=error.column, given=error.given, detail=error.detail)
    except json.JSONDecodeError as error:
        refuse_node("bad-json", line=error.lineno, column=error.colno, detail=error.msg)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        refuse_node("bad-yaml", line=line, column=column, detail=_join_lines(error.problem or error.context or ""))
    except yaml.reader.ReaderError as error:
        # Its position counts bytes, and it has no line.
        before = text.encode("utf-8", "replace")[: error.position]
        refuse_node("bad-yaml", line=before.count(b"\n") + 1, detail=_join_lines(error.reason))
    if root is None:
        refuse_node("empty")
    return root


def _join_lines(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
