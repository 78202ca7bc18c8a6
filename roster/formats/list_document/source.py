"""YAML and JSON as one tree of nodes, read with care: whatever the bytes are, the answer is a tree or an `Unreadable`.

Tags, anchors, aliases and duplicate keys are refused, size and depth are capped, and every scalar stays the text it is:
a unit called `no` is not a falsehood, and 7.10 not 7.1.
"""

import json
import re
from enum import StrEnum

import yaml

from catalogue.documents.json_reader import read_json
from catalogue.documents.limits import DocumentError, DocumentLimits
from catalogue.documents.node import DocumentNode, DocumentSource
from catalogue.documents.problems import Problems
from catalogue.documents.yaml_reader import read_yaml
from roster.formats.list_document.nodes import refuse_node

MAX_BYTES = 500_000
LIMITS = DocumentLimits(values=30_000, depth=40, strict=True)


class Media(StrEnum):
    """How a list is written. `AUTO`: JSON if it begins like JSON, else YAML."""

    AUTO = "auto"
    YAML = "yaml"
    JSON = "json"


def read_source(data: bytes, media: Media = Media.AUTO) -> DocumentNode:
    """Return the tree of a document; raises UnreadableError."""
    if len(data) > MAX_BYTES:
        refuse_node("too-big", given=str(len(data)), detail=str(MAX_BYTES))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse_node("not-utf-8", line=data.count(b"\n", 0, error.start) + 1)
    if media is Media.AUTO:
        media = Media.JSON if text.lstrip()[:1] in ("{", "[") else Media.YAML
    try:
        return _parse_text(text, media)
    except DocumentError as error:
        refuse_node(error.code, line=error.line, column=error.column, given=error.given, detail=error.detail)


def _parse_text(text: str, media: Media) -> DocumentNode:
    source = DocumentSource("", Problems())
    try:
        root = (
            read_json(text, source, LIMITS) if media is Media.JSON else read_yaml(text, source, LIMITS).root
        )
    except json.JSONDecodeError as error:
        refuse_node("bad-json", line=error.lineno, column=error.colno, detail=error.msg)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        detail = _join_lines(error.problem or error.context or "")
        refuse_node("bad-yaml", line=line, column=column, detail=detail)
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "replace")[: error.position]
        refuse_node("bad-yaml", line=before.count(b"\n") + 1, detail=_join_lines(error.reason))
    if root is None:
        refuse_node("empty")
    return root


def _join_lines(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
