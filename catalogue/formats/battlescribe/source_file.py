"""The state of one file while it is read: its definitions, references and findings."""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from enum import IntEnum, auto
from typing import Any, NamedTuple

from catalogue.definitions.entries import ForceEntry
from catalogue.formats.battlescribe.findings import FindingKind, Findings
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.xml_parser import Element, refuse_depth

Attributes = dict[str, str]
Memo = dict[object, Any]
"""Values built from elements, keyed by the content of the element."""


class ReferenceKind(IntEnum):
    """What a reference is for. The kind decides where the target is looked up and how a dangling one is reported."""

    ENTRY = 0
    CATEGORY = auto()
    INFO = auto()
    CATALOGUE = auto()
    SCOPE = auto()
    CHILD = auto()
    FIELD = auto()
    COST = auto()
    DEFAULT = auto()
    PROFILE_TYPE = auto()
    PUBLICATION = auto()


ReferencePlace = tuple[int, str]
"""A line of the file and the id of the definition around it."""


class _LocalNames(dict[str, str]):
    """A cache of tags without their namespaces."""

    def __missing__(self, tag: str) -> str:
        name = self[tag] = sys.intern(tag.rpartition("}")[2])
        return name


local_name = _LocalNames().__getitem__


def _is_line(line: int) -> int:
    return line


class SourceFile:
    """The state of reading one file. Only its `findings` outlive the import."""

    def __init__(self, name: str, limits: ReadLimits, memo: Memo) -> None:
        self.name = name
        self.limits = limits
        self.memo = memo
        """Equal parts, built once and shared: most costs, conditions and characteristics of a data set repeat."""
        self.findings = Findings(name)
        self.find_line: Callable[[int], int] = _is_line
        """Turns a recorded place into a line. XML places already are lines."""
        self.defined: dict[str, int] = {}
        self.known: set[str] = set()
        self.duplicates: list[tuple[str, int]] = []
        """Ids of repeated definitions, and the place of the second definition."""
        self.has_long_ids = False
        self.system_id = ""
        self.shared_forces: list[ForceEntry] = []
        self.force_links: dict[str, tuple[str, int]] = {}
        """For each force link by id, the id of its target and the line."""
        self.references: list[dict[str, list[ReferencePlace]]] = [defaultdict(list) for _ in ReferenceKind]
        self.depth = 0

    def register_definition(self, element: Element, attrs: Attributes, *, firm: bool = True) -> str:
        """Register a definition and return its id. Links and rules can refer to a `firm` definition."""
        ident = attrs.get("id", "")
        if not ident:
            what = f"<{local_name(element.tag)}>"
            self.report_oddity(FindingKind.MISSING_ID if firm else FindingKind.MISSING_TEXT_ID, what, element)
            ident = f"{local_name(element.tag)}~{len(self.defined) + 1}" if firm else ""
        if ident in self.defined:
            self.duplicates.append((ident, element.sourceline))
        else:
            self.defined[ident] = element.sourceline
        return ident

    def register_reference(self, ref: ReferenceKind, target: str, element: Element, owner: str) -> None:
        """Record that `element` refers to the id `target`."""
        self.references[ref][target].append((element.sourceline, owner))

    def report_oddity(self, kind: FindingKind, what: str, element: Element, owner: str = "", named: str = "") -> None:
        """Record a finding about `element`. `named` is the name of its owner that players know."""
        self.findings.add(kind, what, element.sourceline, owner, named)

    def enter_element(self, element: Element) -> None:
        """Count one level of nesting. The caller decrements `depth` when it leaves."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise refuse_depth(self.name, element.sourceline)


Reader = Callable[[Element, SourceFile, str], Any]
ContainerReader = Callable[[Element, SourceFile, str], list[Any]]


class ContainerPart(NamedTuple):
    """The field of the definition that the container's children belong to, and their reader."""

    field: str
    read: ContainerReader


ContainerParts = Mapping[str, ContainerPart | None]
"""Parts by the container's tag; None for containers that are ignored silently."""


def make_list_reader(tag: str, read: Reader) -> ContainerReader:
    """Return a reader for a container whose children all have this tag."""

    def read_all(container: Element, file: SourceFile, owner: str) -> list[Any]:
        values = []
        for child in container:
            if local_name(child.tag) == tag:
                values.append(read(child, file, owner))
            else:
                report_unknown_element(child, file, owner)
        return values

    return read_all


_OFTEN_EMPTY = frozenset(
    ("profiles", "rules", "infoLinks", "modifiers", "constraints", "selectionEntries", "entryLinks")
)
"""Containers that files before 2.02 always write, even if empty."""


def read_parts(element: Element, parts: ContainerParts, file: SourceFile, owner: str) -> dict[str, Any]:
    """Return the contents of `element` by field. Containers of the same field are joined in file order."""
    if not len(element):
        return {}
    # Extend lists in place: a file may hold a hundred thousand containers of one field.
    values_by_field: dict[str, list[Any]] = {}
    file.enter_element(element)
    for container in element:
        name = local_name(container.tag)
        part = parts.get(name)
        if part is not None:
            values = part.read(container, file, owner)
            if part.field in values_by_field:
                values_by_field[part.field] += values
            else:
                values_by_field[part.field] = values
        elif name not in parts and (len(container) or name not in _OFTEN_EMPTY):
            report_unknown_element(container, file, owner)
    file.depth -= 1
    return {field: tuple(values) for field, values in values_by_field.items()}


def check_leaf(element: Element, file: SourceFile, owner: str) -> None:
    """Report the children of an element that may only contain a comment."""
    for child in element:
        if local_name(child.tag) != "comment":
            report_unknown_element(child, file, owner)


_FOR_READERS = ("alias",)
"""Elements that only affect how something is found or displayed."""


def report_unknown_element(element: Element, file: SourceFile, owner: str) -> None:
    """Report an element that is not expected inside its parent."""
    parent = element.getparent()
    above = local_name(parent.tag) if parent is not None else ""
    if local_name(element.tag) in _FOR_READERS:
        file.report_oddity(FindingKind.DISPLAY_ONLY, f"<{local_name(element.tag)}> in <{above}>", element)
        return
    file.report_oddity(FindingKind.UNKNOWN_ELEMENT, f"<{local_name(element.tag)}> in <{above}>", element, owner)
