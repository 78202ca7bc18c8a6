"""The state of a file while it is read."""

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
"""Values by the content of the element they were built from."""


class ReferenceKind(IntEnum):
    """Where to look up a reference, and how to report a dangling one."""

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
"""A line, and the id of the definition around it."""


class _LocalNames(dict[str, str]):
    def __missing__(self, tag: str) -> str:
        name = self[tag] = sys.intern(tag.rpartition("}")[2])
        return name


local_name = _LocalNames().__getitem__


def _is_line(line: int) -> int:
    return line


class SourceFile:
    """Only the `findings` outlive the import."""

    def __init__(self, name: str, limits: ReadLimits, memo: Memo) -> None:
        self.name = name
        self.limits = limits
        self.memo = memo
        """Most costs, conditions and characteristics of a data set repeat, so equal ones are shared."""
        self.findings = Findings(name)
        self.find_line: Callable[[int], int] = _is_line
        """Converts a place to a line. In XML files, places are lines."""
        self.defined: dict[str, int] = {}
        self.other_ids: set[str] = set()
        self.duplicates: list[tuple[str, int]] = []
        """Repeated ids, and the place of the second definition."""
        self.has_long_ids = False
        self.system_id = ""
        self.shared_forces: list[ForceEntry] = []
        self.force_links: dict[str, tuple[str, int]] = {}
        """Target and line of each force link by id."""
        self.references: list[dict[str, list[ReferencePlace]]] = [defaultdict(list) for _ in ReferenceKind]
        self.depth = 0

    def register_definition(self, element: Element, attrs: Attributes, *, firm: bool = True) -> str:
        """Record a definition, and return its id. Links or rules refer to `firm` definitions."""
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
        self.references[ref][target].append((element.sourceline, owner))

    def report_oddity(self, kind: FindingKind, what: str, element: Element, owner: str = "", named: str = "") -> None:
        """Record a finding. `named` is the owner's name for players."""
        self.findings.add(kind, what, element.sourceline, owner, named)

    def enter_element(self, element: Element) -> None:
        """Count a nesting level. The caller decrements `depth`."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise refuse_depth(self.name, element.sourceline)


Reader = Callable[[Element, SourceFile, str], Any]
ContainerReader = Callable[[Element, SourceFile, str], list[Any]]


class ContainerPart(NamedTuple):
    field: str
    read: ContainerReader


ContainerParts = Mapping[str, ContainerPart | None]
"""By the container's tag; None is ignored silently."""


def make_list_reader(tag: str, read: Reader) -> ContainerReader:
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
"""Files before 2.02 always write these."""


def read_parts(element: Element, parts: ContainerParts, file: SourceFile, owner: str) -> dict[str, Any]:
    if not len(element):
        return {}
    # Extended in place: a file may have a hundred thousand containers of one field.
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
    for child in element:
        if local_name(child.tag) != "comment":
            report_unknown_element(child, file, owner)


_FOR_READERS = ("alias",)
"""Only affect how something is found or displayed."""


def report_unknown_element(element: Element, file: SourceFile, owner: str) -> None:
    parent = element.getparent()
    above = local_name(parent.tag) if parent is not None else ""
    if local_name(element.tag) in _FOR_READERS:
        file.report_oddity(FindingKind.DISPLAY_ONLY, f"<{local_name(element.tag)}> in <{above}>", element)
        return
    file.report_oddity(FindingKind.UNKNOWN_ELEMENT, f"<{local_name(element.tag)}> in <{above}>", element, owner)
