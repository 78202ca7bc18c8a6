"""One file while it is read: where its elements are, what it defines and refers to, and what is unusual about it."""

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
"""What was made of parts, by all that they say."""


class ReferenceKind(IntEnum):
    """What a reference is for; decides where it is looked up and what it means when it leads nowhere."""

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
"""A line of the file and the id of the definition it is in."""


class _LocalNames(dict[str, str]):
    """Tag with namespace -> tag without, each worked out once."""

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
        """Equal parts made once and shared: most costs, conditions and characteristics of a data set repeat."""
        self.findings = Findings(name)
        self.find_line: Callable[[int], int] = _is_line
        """What line a place of this file is on; places are lines already where the parser knows them."""
        self.defined: dict[str, int] = {}
        self.known: set[str] = set()
        self.duplicates: list[tuple[str, int]] = []
        """Ids given twice, and where the second is."""
        self.has_long_ids = False
        self.system_id = ""
        self.shared_forces: list[ForceEntry] = []
        self.force_links: dict[str, tuple[str, int]] = {}
        """By the id of a link to a force: the id of its target, and the line."""
        self.references: list[dict[str, list[ReferencePlace]]] = [defaultdict(list) for _ in ReferenceKind]
        self.depth = 0

    def register_definition(self, element: Element, attrs: Attributes, *, firm: bool = True) -> str:
        """Register a definition and return its id. A `firm` one is linked to or counted."""
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
        """Note that `element` refers to the id `target`."""
        self.references[ref][target].append((element.sourceline, owner))

    def report_oddity(self, kind: FindingKind, what: str, element: Element, owner: str = "", named: str = "") -> None:
        """Note something odd about `element`, which belongs to what players know as `named`."""
        self.findings.add(kind, what, element.sourceline, owner, named)

    def enter_element(self, element: Element) -> None:
        """Go one level deeper; the caller goes back up."""
        self.depth += 1
        if self.depth > self.limits.depth:
            raise refuse_depth(self.name, element.sourceline)


Reader = Callable[[Element, SourceFile, str], Any]
ContainerReader = Callable[[Element, SourceFile, str], list[Any]]


class ContainerPart(NamedTuple):
    """Where the children of a container go: the field of the definition, and how they are read."""

    field: str
    read: ContainerReader


ContainerParts = Mapping[str, ContainerPart | None]
"""By the container's tag; None for what is passed over without a word."""


def make_list_reader(tag: str, read: Reader) -> ContainerReader:
    """Return a reader of a container whose children all are `tag`."""

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
"""What files before 2.02 write everywhere, filled or not."""


def read_parts(element: Element, parts: ContainerParts, file: SourceFile, owner: str) -> dict[str, Any]:
    """Return what is inside `element`, by field; containers of one field are joined in the order of the file."""
    if not len(element):
        return {}
    # Lists that grow: a file may hold a hundred thousand containers of one field.
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
    """Report what is inside an element that should hold nothing but a comment."""
    for child in element:
        if local_name(child.tag) != "comment":
            report_unknown_element(child, file, owner)


_FOR_READERS = ("alias",)
"""Elements that only say how something else may be found or called."""


def report_unknown_element(element: Element, file: SourceFile, owner: str) -> None:
    """Report an element that should not stand where it does."""
    parent = element.getparent()
    above = local_name(parent.tag) if parent is not None else ""
    if local_name(element.tag) in _FOR_READERS:
        file.report_oddity(FindingKind.DISPLAY_ONLY, f"<{local_name(element.tag)}> in <{above}>", element)
        return
    file.report_oddity(FindingKind.UNKNOWN_ELEMENT, f"<{local_name(element.tag)}> in <{above}>", element, owner)
