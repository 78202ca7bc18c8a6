"""YAML as a tree of places: one document, no tags, no anchors, no aliases."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

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

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> Node:
    """Return the tree of a YAML document; raises UnreadableError."""
    try:
        return _EventReader().build_tree(yaml.parse(text, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        refuse_node(
            "bad-yaml", line=line, column=column, detail=_join_lines(error.problem or error.context or "")
        )
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "replace")[: error.position]
        refuse_node("bad-yaml", line=before.count(b"\n") + 1, detail=_join_lines(error.reason))


def _join_lines(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


class _EventReader:
    """Builds the tree from parser events with a stack of its own, so that no depth of nesting overflows Python's."""

    def __init__(self) -> None:
        self.open: list[Items | Fields] = []
        self.keys: list[Scalar | None] = []
        self.root: Node | None = None
        self.count = 0

    def build_tree(self, events: Iterator[Any]) -> Node:
        for event in events:
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            if isinstance(event, yaml.AliasEvent):
                refuse_node("alias", given=event.anchor or "", line=line, column=column)
            elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                refuse_node("two-documents", line=line, column=column)
            elif isinstance(event, yaml.NodeEvent):
                self._open_node(event, line, column)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.open.pop()
                self.keys.pop()
        if self.root is None:
            refuse_node("empty")
        return self.root

    def _open_node(self, event: Any, line: int, column: int) -> None:
        if event.anchor is not None:
            refuse_node("alias", given=event.anchor, line=line, column=column)
        if event.tag is not None:
            refuse_node("tag", given=event.tag, line=line, column=column)
        if isinstance(event, yaml.ScalarEvent):
            self._add_node(Scalar(line, column, event.value, quoted=bool(event.style)))
            return
        node = Items(line, column) if isinstance(event, yaml.SequenceStartEvent) else Fields(line, column)
        self._add_node(node)
        self.open.append(node)
        self.keys.append(None)
        if len(self.open) > MAX_DEPTH:
            refuse_node("too-deep", node, detail=str(MAX_DEPTH))

    def _add_node(self, node: Node) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            refuse_node("too-big", node, detail=str(MAX_NODES))
        if not self.open:
            self.root = node
        elif isinstance(parent := self.open[-1], Items):
            parent.items.append(node)
        elif (key := self.keys[-1]) is None:
            if not isinstance(node, Scalar):
                refuse_node("bad-key", node)
            self.keys[-1] = node
        else:
            add_pair(parent, key.text, node, (key.line, key.column))
            self.keys[-1] = None
