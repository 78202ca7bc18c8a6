"""YAML as a tree of places: one document, no tags, no anchors, no aliases."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from roster.formats.list_document.nodes import MAX_DEPTH, MAX_NODES, Fields, Items, Node, Scalar, fail, put

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> Node:
    """The tree of a YAML document; raises UnreadableError."""
    try:
        return _Builder().build(yaml.parse(text, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        fail("bad-yaml", line=line, column=column, detail=_one_line(error.problem or error.context or ""))
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "replace")[: error.position]
        fail("bad-yaml", line=before.count(b"\n") + 1, detail=_one_line(error.reason))


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


class _Builder:
    """Builds the tree from parser events with a stack of its own, so that no depth of nesting overflows Python's."""

    def __init__(self) -> None:
        self.open: list[Items | Fields] = []
        self.keys: list[Scalar | None] = []
        self.root: Node | None = None
        self.count = 0

    def build(self, events: Iterator[Any]) -> Node:
        for event in events:
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            if isinstance(event, yaml.AliasEvent):
                fail("alias", given=event.anchor or "", line=line, column=column)
            elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                fail("two-documents", line=line, column=column)
            elif isinstance(event, yaml.NodeEvent):
                self._node(event, line, column)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.open.pop()
                self.keys.pop()
        if self.root is None:
            fail("empty")
        return self.root

    def _node(self, event: Any, line: int, column: int) -> None:
        if event.anchor is not None:
            fail("alias", given=event.anchor, line=line, column=column)
        if event.tag is not None:
            fail("tag", given=event.tag, line=line, column=column)
        if isinstance(event, yaml.ScalarEvent):
            self._add(Scalar(line, column, event.value, quoted=bool(event.style)))
            return
        node = Items(line, column) if isinstance(event, yaml.SequenceStartEvent) else Fields(line, column)
        self._add(node)
        self.open.append(node)
        self.keys.append(None)
        if len(self.open) > MAX_DEPTH:
            fail("too-deep", node, detail=str(MAX_DEPTH))

    def _add(self, node: Node) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            fail("too-big", node, detail=str(MAX_NODES))
        if not self.open:
            self.root = node
        elif isinstance(parent := self.open[-1], Items):
            parent.items.append(node)
        elif (key := self.keys[-1]) is None:
            if not isinstance(node, Scalar):
                fail("bad-key", node)
            self.keys[-1] = node
        else:
            put(parent, key.text, node, (key.line, key.column))
            self.keys[-1] = None
