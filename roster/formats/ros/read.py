"""Read `.ros` and `.rosz`: the list, the data it was made with, and its stored costs."""

from collections.abc import Iterator
from pathlib import PurePath

from catalogue.definitions.numbers import Number
from catalogue.formats.battlescribe.attributes import parse_exact_number
from catalogue.formats.battlescribe.data_files import unpack_one
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element, parse_xml, refuse_depth
from roster.engine.tree import (
    Attachment,
    CategoryNote,
    Force,
    Limit,
    Origin,
    RosterTree,
    Selection,
    Value,
    prune_attachments,
)
from roster.formats.ros.amounts import CountedSelection, divide_amounts
from roster.formats.ros.markup import PROGRAM

ENDINGS = (".ros", ".rosz")
MOST_IN_FORCE = 10**9
MOST_PARTS = 20_000
"""Uneven amounts can make far more parts than the file has elements."""


class MadeWith(Value):
    id: str
    name: str = ""
    revision: str = ""


class StoredCost(Value):
    type_id: str
    name: str
    value: Number


class RosterFile(Value):
    """`uneven` names the selections that were split because their contents differ."""

    roster: RosterTree
    game_system: MadeWith
    catalogues: tuple[MadeWith, ...] = ()
    costs: tuple[StoredCost, ...] = ()
    uneven: tuple[str, ...] = ()


def read_ros(name: str, data: bytes, limits: ReadLimits = LIMITS) -> RosterFile:
    """Read the roster in a file called `name`. Raises ReadError, with file and line."""
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        raise ReadError(
            "unknown-file-type", f"{name} is not a roster file.", mend=f"Give one of {' '.join(ENDINGS)}.", file=name
        )
    if not data:
        raise ReadError("empty-file", "The file is empty.", mend="Export it again.", file=name)
    # An archive of kilobytes can hold gigabytes.
    text = unpack_one(name, data, limits, (".ros",))
    if len(text) > limits.file_bytes:
        raise ReadError("too-large", "The file is too large for a roster.", file=name)
    return _Reader(name, limits).read_roster(parse_xml(name, text, limits))


class _Reader:
    def __init__(self, name: str, limits: ReadLimits) -> None:
        self._name = name
        self._limits = limits
        self._ids: dict[str, int] = {}
        self._uneven: list[str] = []
        self._catalogues: dict[str, MadeWith] = {}

    def read_roster(self, root: Element) -> RosterFile:
        if local_name(root.tag) != "roster":
            raise self._build_error(
                "wrong-root",
                f"The file starts with <{local_name(root.tag)}>, not with <roster>.",
                root,
                "Import game data as data.",
            )
        costs = tuple(map(self._read_cost, _find_children(root, "costs", "cost")))
        forces = tuple(self._read_force(e, 1) for e in _find_children(root, "forces", "force"))
        limits = tuple(map(self._read_cost, _find_children(root, "costLimits", "costLimit")))
        program = root.get("generatedBy", "")
        # Programs write a negative limit for no limit; others than this app also write 0.
        least = 0 if program == PROGRAM else 1
        roster = RosterTree(
            id=root.get("id", ""),
            name=root.get("name", ""),
            notes=_read_notes(root),
            limits=tuple(Limit(type_id=limit.type_id, value=limit.value) for limit in limits if limit.value >= least),
            cost_types=tuple(cost.type_id for cost in costs),
            # All programs except BattleScribe name themselves.
            origin=Origin.HERE if program else Origin.BATTLESCRIBE,
            forces=forces,
        )
        system = MadeWith(
            id=root.get("gameSystemId", ""),
            name=root.get("gameSystemName", ""),
            revision=root.get("gameSystemRevision", ""),
        )
        return RosterFile(
            roster=prune_attachments(roster),
            game_system=system,
            catalogues=tuple(self._catalogues.values()),
            costs=costs,
            uneven=tuple(self._uneven),
        )

    def _read_force(self, element: Element, depth: int) -> Force:
        self._check_depth(element, depth)
        catalogue = MadeWith(
            id=element.get("catalogueId", ""),
            name=element.get("catalogueName", ""),
            revision=element.get("catalogueRevision", ""),
        )
        self._catalogues.setdefault(catalogue.id, catalogue)
        selections = self._read_selections(element, 1)
        return Force(
            id=self._make_id_unique(element.get("id", "")),
            entry_id=element.get("entryId", ""),
            catalogue_id=catalogue.id,
            name=element.get("name", ""),
            custom_name=element.get("customName", ""),
            notes=_read_notes(element),
            category_notes=tuple(_read_category_notes(element)),
            selections=divide_amounts(selections, lambda selection: self._make_id_unique(selection.id), self._uneven),
            forces=tuple(self._read_force(e, depth + 1) for e in _find_children(element, "forces", "force")),
        )

    def _read_selections(self, element: Element, depth: int) -> list[CountedSelection]:
        counted: list[CountedSelection] = []
        for child in _find_children(element, "selections", "selection"):
            self._check_depth(child, depth)
            # Associations are an extension of this app.
            attachments: list[Attachment] = []
            for association in _find_children(child, "associations", "association"):
                association_id, to_id = association.get("associationId", ""), association.get("to", "")
                if association_id and to_id:
                    attachments.append(Attachment(association_id=association_id, to_id=to_id))
            selection = Selection(
                id=child.get("id", ""),
                entry_id=child.get("entryId", ""),
                group_id=child.get("entryGroupId", ""),
                name=child.get("name", ""),
                custom_name=child.get("customName", ""),
                notes=_read_notes(child),
                attachments=tuple(attachments),
            )
            amount = self._read_number(child, "number", "1")
            if not isinstance(amount, int) or not 0 <= amount <= MOST_IN_FORCE:
                raise self._build_error("bad-number", f"{amount} is no number of selections.", child)
            inside = self._read_selections(child, depth + 1)
            if amount:
                counted.append(CountedSelection(selection, amount, inside))
        return counted

    def _read_cost(self, element: Element) -> StoredCost:
        return StoredCost(
            type_id=element.get("typeId", "") or element.get("costTypeId", ""),
            name=element.get("name", ""),
            value=self._read_number(element, "value", "0"),
        )

    def _read_number(self, element: Element, name: str, default: str) -> Number:
        text = element.get(name, "") or default
        try:
            return parse_exact_number(text)
        except ValueError as error:
            raise self._build_error("bad-number", f"{text[:40]!r} is not a number.", element) from error

    def _make_id_unique(self, selection_id: str) -> str:
        if len(self._ids) >= MOST_PARTS:
            raise ReadError("too-large", f"The roster has more than {MOST_PARTS} parts.", file=self._name)
        ident = selection_id = selection_id or "node"
        # Programs copy units with their ids; here each part needs its own.
        while ident in self._ids:
            self._ids[selection_id] += 1
            ident = f"{selection_id}-{self._ids[selection_id]}"
        self._ids[ident] = 1
        return ident

    def _check_depth(self, element: Element, depth: int) -> None:
        if depth > self._limits.depth:
            raise refuse_depth(self._name, element.sourceline)

    def _build_error(self, code: str, message: str, element: Element, mend: str = "Export it again.") -> ReadError:
        return ReadError(code, message, mend=mend, file=self._name, line=element.sourceline)


def _find_children(element: Element, container: str, tag: str) -> Iterator[Element]:
    for row in _list_tagged(element, container):
        yield from _list_tagged(row, tag)


def _list_tagged(element: Element, tag: str) -> Iterator[Element]:
    return (child for child in element if local_name(child.tag) == tag)


def _read_notes(element: Element) -> str:
    return next((child.text or "" for child in _list_tagged(element, "customNotes")), "")


def _read_category_notes(element: Element) -> Iterator[CategoryNote]:
    for category in _find_children(element, "categories", "category"):
        custom_name, text = category.get("customName", ""), _read_notes(category)
        if custom_name or text:
            yield CategoryNote(category_id=category.get("entryId", ""), custom_name=custom_name, notes=text)
