"""Cut and report links that lead back to themselves or are nested too deep."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from catalogue.definitions.cycles import find_components
from catalogue.definitions.entries import Entry
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reference_index import Node, ReadFile, ReferenceIndex
from catalogue.formats.battlescribe.source_file import ReferenceKind

MOST_ROUNDS = 50
"""How often circles are looked for again once one was cut."""


class LinkGraph:
    """The definitions of one kind (entries or texts), each with what is nested in it and what it links to.

    Nodes are known by their identity, because two files may have a definition of the same id. Definitions that lead
    nowhere are left out, and of `targets` those that lead to nothing else: most of a data set is neither in a circle
    nor deep.
    """

    def __init__(self, index: ReferenceIndex, kind: ReferenceKind) -> None:
        self.index = index
        self.kind = kind
        self.nodes = {
            id(node): (number, node)
            for definitions in index.nodes[kind].values()
            for number, node in definitions
            if not _is_leaf(node)
        }
        targets = {
            key: [id(target) for target in self._list_targets(number, node)]
            for key, (number, node) in self.nodes.items()
        }
        self.targets = {key: [target for target in near if targets[target]] for key, near in targets.items() if near}

    def _list_targets(self, number: int, node: Node) -> Iterator[Node]:
        nested: tuple[Node, ...] = node.entries if isinstance(node, Entry) else node.infos
        yield from (child for child in nested if not _is_leaf(child))
        if node.target_id:
            for _, target in self.index.resolve(self.kind, node.target_id, number):
                if not _is_leaf(target):
                    yield target

    def find_cycle(self, component: list[int]) -> list[int]:
        """Return a way around in a component, from its first node; an empty one where it has no cycle."""
        members = set(component)
        positions: dict[int, int] = {}
        key = component[-1]
        while key not in positions:
            positions[key] = len(positions)
            inside = [target for target in self.targets[key] if target in members]
            if not inside:
                return []
            key = inside[0]
        return list(positions)[positions[key] :]

    def report_way(self, kind: FindingKind, way: list[int]) -> Node | None:
        """Report a way through the links where its last link is written, and return that link."""
        steps = [self.nodes[key] for key in way]
        start = steps[0][1]
        names = [_get_name(node) for _, node in steps if not node.target_id] or [_get_name(start)]
        if kind is FindingKind.LINK_CYCLE:
            names.append(names[0])
        links = [step for step in steps if step[1].target_id]
        number, last = links[-1] if links else steps[-1]
        findings = self.index.files[number].file.findings
        findings.add(kind, " > ".join(names), self._find_line(number, last), start.id)
        return last if links else None

    def _find_line(self, number: int, node: Node) -> int:
        """Return the line that refers to what `node` leads to, or else the one that defines it."""
        file = self.index.files[number].file
        places = file.references[self.kind].get(node.target_id)
        return places[0][0] if places else file.defined.get(node.id, 0)


class _TooHighError(Exception):
    """More definitions are above each other than allowed, or they form a circle."""


class LinkHeights:
    """How many definitions of one kind are above each other, as far as that is at most `most`.

    Nearly all data has neither circles nor depths, and this is told without laying out its links.
    """

    def __init__(self, index: ReferenceIndex, kind: ReferenceKind, most: int) -> None:
        self._index = index
        self._kind = kind
        self._most = most
        self._heights: dict[int, int] = {}

    def are_low(self) -> bool:
        """Return whether all of them are; a circle has no end, and so is not."""
        try:
            for definitions in self._index.nodes[self._kind].values():
                for number, node in definitions:
                    # What is inside another was mostly measured with that.
                    if id(node) not in self._heights and not _is_leaf(node):
                        self._measure(number, node, self._most)
        except _TooHighError:
            return False
        return True

    def _measure(self, number: int, node: Node, room: int) -> int:
        height = self._heights.get(id(node), 0)
        if not height:
            if not room:
                raise _TooHighError
            height = self._heights[id(node)] = 1 + self._measure_targets(number, node, room - 1)
        if height > room:
            raise _TooHighError
        return height

    def _measure_targets(self, number: int, node: Node, room: int) -> int:
        highest = 0
        for child in node.entries if isinstance(node, Entry) else node.infos:
            if not _is_leaf(child):
                highest = max(highest, self._measure(number, child, room))
        if node.target_id:
            for at, target in self._index.resolve(self._kind, node.target_id, number):
                if not _is_leaf(target):
                    highest = max(highest, self._measure(at, target, room))
        return highest


def cut_cycles(index: ReferenceIndex, depth: int) -> ReferenceIndex:
    """Return an index without the links that lead in a circle or are nested more than `depth` deep; report each."""
    if all(LinkHeights(index, kind, depth).are_low() for kind in (ReferenceKind.ENTRY, ReferenceKind.INFO)):
        return index
    for _ in range(MOST_ROUNDS):
        bad = [
            link for kind in (ReferenceKind.ENTRY, ReferenceKind.INFO) for link in _find_bad_links(index, kind, depth)
        ]
        if not bad:
            return index
        gone = {id(link) for link in bad}
        index = ReferenceIndex([_drop_links(read, gone) for read in index.files])
    raise ReadError(
        "endless-links",
        "Links lead in more circles than can be cut.",
        mend="Correct the links in the data.",
        file=index.files[0].file.name,
    )


def _find_bad_links(index: ReferenceIndex, kind: ReferenceKind, depth: int) -> Iterator[Node]:
    graph = LinkGraph(index, kind)
    heights: dict[int, int] = {}
    for component in find_components(graph.targets):
        cycle = graph.find_cycle(component)
        height = 1 + _find_highest_target(graph, component, heights)
        link = None
        if cycle:
            link = graph.report_way(FindingKind.LINK_CYCLE, cycle)
        elif height > depth:
            link = _report_depth(graph, component)
            # Where a way is cut, what is above starts anew.
            height = height if link is None else 0
        if link is not None:
            yield link
        heights.update(dict.fromkeys(component, height))


def _find_highest_target(graph: LinkGraph, component: list[int], heights: dict[int, int]) -> int:
    targets = [target for key in component for target in graph.targets[key]]
    # What leads to nothing that leads further is one deep itself.
    return max((heights.get(target, 0) for target in targets), default=1)


def _report_depth(graph: LinkGraph, component: list[int]) -> Node | None:
    """Report the last link of a component that stands too deep, and return it."""
    links = [key for key in component if graph.nodes[key][1].target_id]
    return graph.report_way(FindingKind.DEEP_LINKS, links[-1:]) if links else None


def _drop_links(read: ReadFile, gone: set[int]) -> ReadFile:
    """Return a file without the links whose identities are `gone`; what holds none of them stays the same value."""
    catalogue = read.catalogue
    changed: dict[str, Any] = {}
    for name in ("entries", "shared_entries", "infos", "shared_infos"):
        before = getattr(catalogue, name)
        after = tuple(_drop_inside(node, gone) for node in before if id(node) not in gone)
        if any(one is not other for one, other in zip_longest(before, after)):
            changed[name] = after
    return read._replace(catalogue=msgspec.structs.replace(catalogue, **changed)) if changed else read


def _drop_inside(node: Any, gone: set[int]) -> Any:
    """Return an entry or a text without the links inside it that are `gone`."""
    changed: dict[str, Any] = {}
    for name in ("entries", "infos"):
        before = getattr(node, name, ())
        after = tuple(_drop_inside(inner, gone) for inner in before if id(inner) not in gone)
        if any(one is not other for one, other in zip_longest(before, after)):
            changed[name] = after
    return msgspec.structs.replace(node, **changed) if changed else node


def _is_leaf(node: Node) -> bool:
    return not (node.target_id or (node.entries if isinstance(node, Entry) else node.infos))


def _get_name(node: Node) -> str:
    return node.name or node.id
