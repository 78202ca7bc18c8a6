"""Links that lead back to themselves, or so deep that nobody meant it."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.definitions.entries import Entry
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.reference_index import Node, ReferenceIndex
from catalogue.formats.battlescribe.source_file import ReferenceKind

_OPEN = 0
"""The height of a node that is still being looked into: whoever meets it again has gone in a circle."""


@dataclass(slots=True)
class _Step:
    """A node on the way down, the file it is in, what is still to be looked at below it, and how high that piles up."""

    number: int
    node: Node
    below: Iterator[tuple[int, Node]]
    height: int = 0


def check_cycles(index: ReferenceIndex, ref: ReferenceKind, depth: int) -> None:
    """Report the links of one kind (entries or texts) that lead in a circle or are nested more than `depth` deep."""
    heights: dict[int, int] = {}
    for found in index.nodes[ref].values():
        for number, node in found:
            if id(node) not in heights and not _is_leaf(node):
                _walk(number, node, heights, index, ref, depth)


def _walk(
    number: int, start: Node, heights: dict[int, int], index: ReferenceIndex, ref: ReferenceKind, depth: int
) -> None:
    """Look into `start`, depth first and without recursion, for a chain of links may be as long as a file."""
    heights[id(start)] = _OPEN
    way = [_Step(number, start, _below(number, start, index, ref))]
    while way:
        step = way[-1]
        for at, node in step.below:
            height = heights.get(id(node))
            if height is None:
                heights[id(node)] = _OPEN
                way.append(_Step(at, node, _below(at, node, index, ref)))
                break
            if height == _OPEN:
                _report(FindingKind.LINK_CYCLE, way, node, index, ref)
            step.height = max(step.height, height)
        else:
            way.pop()
            height = heights[id(step.node)] = step.height + 1
            if way:
                way[-1].height = max(way[-1].height, height)
            if height == depth + 1:
                _report(FindingKind.DEEP_LINKS, [step], step.node, index, ref)


def _below(number: int, node: Node, index: ReferenceIndex, ref: ReferenceKind) -> Iterator[tuple[int, Node]]:
    """What is nested in a node and what it links to, as far as that leads any further."""
    inside: tuple[Node, ...] = node.entries if isinstance(node, Entry) else node.infos
    for child in inside:
        if not _is_leaf(child):
            yield number, child
    if node.target_id:
        for at, target in index.resolve(ref, node.target_id, number):
            if not _is_leaf(target):
                yield at, target


def _is_leaf(node: Node) -> bool:
    return not (node.target_id or (node.entries if isinstance(node, Entry) else node.infos))


def _report(
    kind: FindingKind, way: list[_Step], node: Node, index: ReferenceIndex, ref: ReferenceKind
) -> None:
    """Say it where the last link of the way stands."""
    start = next((at for at, step in enumerate(way) if step.node is node), 0)
    names = [_name(step.node) for step in way[start:] if not step.node.target_id] or [_name(node)]
    last = next((step for step in reversed(way[start:]) if step.node.target_id), way[-1])
    file = index.files[last.number].file
    places = file.references[ref].get(last.node.target_id)
    line = places[0][0] if places else file.defined.get(last.node.id, 0)
    file.findings.add(
        kind, " > ".join([*names, names[0]] if kind is FindingKind.LINK_CYCLE else names), line, node.id
    )


def _name(node: Node) -> str:
    return node.name or node.id
