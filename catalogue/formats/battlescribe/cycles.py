"""Cut and report links that are cyclic or nested too deeply."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from catalogue.definitions.cycles import find_components
from catalogue.definitions.entries import Entry
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reference_index import Node, ReferenceIndex
from catalogue.formats.battlescribe.source_file import ReferenceKind

MOST_ROUNDS = 50


class LinkGraph:
    """Definitions of one kind with children and link targets, by object identity, because two files can define one id.

    Definitions without targets are left out: most have none.
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
        targets: dict[int, list[int]] = {}
        for key, (number, node) in self.nodes.items():
            near: list[Node] = [*(node.entries if isinstance(node, Entry) else node.infos)]
            if node.target_id:
                near += (target for _, target in index.resolve(kind, node.target_id, number))
            targets[key] = [id(target) for target in near if not _is_leaf(target)]
        self.targets = {key: [target for target in keys if targets[target]] for key, keys in targets.items() if keys}

    def find_cycle(self, component: list[int]) -> list[int]:
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
        """Report a path at the place of its last link, and return that link."""
        steps = [self.nodes[key] for key in way]
        start = steps[0][1]
        names = [_get_name(node) for _, node in steps if not node.target_id] or [_get_name(start)]
        if kind is FindingKind.LINK_CYCLE:
            names.append(names[0])
        links = [step for step in steps if step[1].target_id]
        number, last = links[-1] if links else steps[-1]
        file = self.index.files[number].file
        # Prefer the line that refers to the target over the line that defines the link.
        places = file.references[self.kind].get(last.target_id)
        line = places[0][0] if places else file.defined.get(last.id, 0)
        file.findings.add(kind, " > ".join(names), line, start.id)
        return last if links else None


class _TooHighError(Exception):
    """Nesting too deep, or a cycle."""


class LinkHeights:
    """Measures nesting up to `most`.

    Nearly all data passes this cheap check, so its link graph is never built.
    """

    def __init__(self, index: ReferenceIndex, kind: ReferenceKind, most: int) -> None:
        self._index = index
        self._kind = kind
        self._most = most
        self._heights: dict[int, int] = {}

    def are_low(self) -> bool:
        try:
            for definitions in self._index.nodes[self._kind].values():
                for number, node in definitions:
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
            highest = 0
            for child in node.entries if isinstance(node, Entry) else node.infos:
                if not _is_leaf(child):
                    highest = max(highest, self._measure(number, child, room - 1))
            if node.target_id:
                for at, target in self._index.resolve(self._kind, node.target_id, number):
                    if not _is_leaf(target):
                        highest = max(highest, self._measure(at, target, room - 1))
            height = self._heights[id(node)] = 1 + highest
        if height > room:
            raise _TooHighError
        return height


def cut_cycles(index: ReferenceIndex, depth: int) -> ReferenceIndex:
    """Cut and report links that are cyclic or nested more than `depth` deep."""
    if all(LinkHeights(index, kind, depth).are_low() for kind in (ReferenceKind.ENTRY, ReferenceKind.INFO)):
        return index
    for _ in range(MOST_ROUNDS):
        bad = [
            link for kind in (ReferenceKind.ENTRY, ReferenceKind.INFO) for link in _find_bad_links(index, kind, depth)
        ]
        if not bad:
            return index
        gone = {id(link) for link in bad}
        index = ReferenceIndex([read._replace(catalogue=_drop_inside(read.catalogue, gone)) for read in index.files])
    raise ReadError(
        "endless-links",
        "The links form more cycles than can be cut.",
        mend="Correct the links in the data.",
        file=index.files[0].file.name,
    )


def _find_bad_links(index: ReferenceIndex, kind: ReferenceKind, depth: int) -> Iterator[Node]:
    graph = LinkGraph(index, kind)
    heights: dict[int, int] = {}
    for component in find_components(graph.targets):
        cycle = graph.find_cycle(component)
        # A target without a height is a leaf.
        height = 1 + max((heights.get(target, 0) for key in component for target in graph.targets[key]), default=1)
        link = None
        if cycle:
            link = graph.report_way(FindingKind.LINK_CYCLE, cycle)
        elif height > depth:
            links = [key for key in component if graph.nodes[key][1].target_id]
            link = graph.report_way(FindingKind.DEEP_LINKS, links[-1:]) if links else None
            # The depth starts again above a link that is cut.
            height = height if link is None else 0
        if link is not None:
            yield link
        heights.update(dict.fromkeys(component, height))


def _drop_inside(node: Any, gone: set[int]) -> Any:
    changed: dict[str, Any] = {}
    for name in ("entries", "shared_entries", "infos", "shared_infos"):
        before = getattr(node, name, ())
        after = tuple(_drop_inside(inner, gone) for inner in before if id(inner) not in gone)
        if any(one is not other for one, other in zip_longest(before, after)):
            changed[name] = after
    return msgspec.structs.replace(node, **changed) if changed else node


def _is_leaf(node: Node) -> bool:
    return not (node.target_id or (node.entries if isinstance(node, Entry) else node.infos))


def _get_name(node: Node) -> str:
    return node.name or node.id
