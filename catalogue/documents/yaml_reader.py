"""Read YAML as nodes with places, of limited size and depth."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from catalogue.documents.node import DocumentNode, DocumentSource
from catalogue.documents.problems import DocumentError, DocumentLimits

FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlDocument(NamedTuple):
    """The first document, None if empty, and the line of a second, 0 if none."""

    root: DocumentNode | None
    second_line: int = 0


class Anchored(NamedTuple):
    """A node that aliases may repeat."""

    node: DocumentNode
    values: int
    height: int


def read_yaml(text: str, source: DocumentSource, limits: DocumentLimits, loader: Any = FAST) -> YamlDocument:
    """Raise DocumentError, or yaml.YAMLError if it is not YAML."""
    return _TreeBuilder(source, limits).build(yaml.parse(text, Loader=loader))


@dataclass(slots=True)
class _OpenNode:
    """An unfinished list or mapping. `key` waits for its value."""

    node: DocumentNode
    anchor: str | None
    values_before: int
    height: int = 0
    key: DocumentNode | None = None
    known_keys: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _TreeBuilder:
    """Builds the tree from events with its own stack, so that deep nesting cannot overflow Python's."""

    source: DocumentSource
    limits: DocumentLimits
    open: list[_OpenNode] = field(default_factory=list)
    anchors: dict[str, Anchored | None] = field(default_factory=dict)
    root: DocumentNode | None = None
    values: int = 0
    has_second: bool = False
    second_line: int = 0

    def build(self, events: Iterator[Any]) -> YamlDocument:
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                if self.limits.strict:
                    raise _make_error("two-documents", event)
                self.has_second = True
            # Only the first line of a second document is reported.
            elif self.has_second:
                if not self.second_line and isinstance(event, yaml.NodeEvent) and event.start_mark:
                    self.second_line = event.start_mark.line + 1
            elif isinstance(event, yaml.AliasEvent):
                self._repeat_anchored(event)
            elif isinstance(event, yaml.NodeEvent):
                self._add_node(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                closed = self.open.pop()
                if self.open:
                    self.open[-1].height = max(self.open[-1].height, closed.height + 1)
                if closed.anchor is not None:
                    values = self.values - closed.values_before
                    self.anchors[closed.anchor] = Anchored(closed.node, values, closed.height)
        return YamlDocument(self.root, self.second_line)

    def _add_node(self, event: Any) -> None:
        if event.anchor is not None:
            if self.limits.strict:
                raise _make_error("alias", event, event.anchor)
            if event.anchor in self.anchors:
                raise _make_error("bad-anchor", event, event.anchor, f"found duplicate anchor {event.anchor!r}")
            # Until its node ends, an alias to it is a cycle.
            self.anchors[event.anchor] = None
        if event.tag is not None and self.limits.strict:
            raise _make_error("tag", event, event.tag)
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        if isinstance(event, yaml.ScalarEvent):
            node = DocumentNode(event.value, self.source, line, column, bool(event.style))
            self._place_node(node, 1, 0)
            if event.anchor is not None:
                self.anchors[event.anchor] = Anchored(node, 1, 0)
            return
        is_map = isinstance(event, yaml.MappingStartEvent)
        node = DocumentNode([], self.source, line, column, is_map=is_map)
        before = self.values
        self._place_node(node, 1, 0)
        self.open.append(_OpenNode(node, event.anchor, before))
        if len(self.open) > self.limits.depth:
            raise _make_error("too-deep", event, detail=str(self.limits.depth))

    def _repeat_anchored(self, event: Any) -> None:
        if self.limits.strict:
            raise _make_error("alias", event, event.anchor or "")
        if event.anchor not in self.anchors:
            raise _make_error("bad-anchor", event, event.anchor, f"found undefined alias {event.anchor!r}")
        anchored = self.anchors[event.anchor]
        if anchored is None:
            raise _make_error("cyclic-reference", event, event.anchor)
        # Nine aliases of nine aliases make a small file with a billion values.
        self._place_node(anchored.node, anchored.values, anchored.height)

    def _place_node(self, node: DocumentNode, values: int, height: int) -> None:
        self.values += values
        if self.values > self.limits.values:
            raise DocumentError("too-big", node.line, node.column, detail=str(self.limits.values))
        if not self.open:
            self.root = node
            return
        top = self.open[-1]
        top.height = max(top.height, height + 1)
        # Aliases add depth without opening a node.
        if len(self.open) + height > self.limits.depth:
            raise DocumentError("too-deep", node.line, node.column, detail=str(self.limits.depth))
        if not top.node.is_map:
            top.node.items.append(node)
        elif top.key is None:
            # YAML allows lists as keys, which list documents do not.
            if self.limits.strict and not node.is_text:
                raise DocumentError("bad-key", node.line, node.column)
            top.key = node
        else:
            if self.limits.strict:
                name = str(top.key.content)
                if name in top.known_keys:
                    raise DocumentError("duplicate-key", top.key.line, top.key.column, name)
                top.known_keys.add(name)
            top.node.members.append((top.key, node))
            top.key = None


def _make_error(code: str, event: Any, given: str = "", detail: str = "") -> DocumentError:
    mark = event.start_mark
    return DocumentError(code, mark.line + 1, mark.column + 1, given, detail)
