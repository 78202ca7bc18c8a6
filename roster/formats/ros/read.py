"""Reading `.ros` and `.rosz`."""

from collections.abc import Iterator
from pathlib import PurePath

from catalogue.definitions.numbers import Number
from catalogue.formats.battlescribe.attributes import parse_exact_number
from catalogue.formats.battlescribe.data_files import unpack_one
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element, parse_xml, refuse_depth
from roster.engine.tree import CategoryNote, Force, Limit, Roster, Selection
from roster.formats.ros.amounts import Counted, per_parent
from roster.formats.ros.contents import MadeWith, RosterFile, StoredCost

ENDINGS = (".ros", ".rosz")
MOST_IN_FORCE = 10**9
MOST_PARTS = 20_000
"""How many forces and selections are read; uneven amounts can make far more of them than the file has elements."""


def read_ros(name: str, data: bytes, limits: ReadLimits = LIMITS) -> RosterFile:
    """The roster in a file called `name`.

    Raises ReadError, with file and line, for what is no roster or means harm. Whether the data it was made with is
    here, and still has everything in it, is for the engine to say.
    """
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        raise ReadError(
            "unknown-file-type",
            f"{name} is no roster file.",
            mend=f"Give one of {' '.join(ENDINGS)}.",
            file=name,
        )
    if not data:
        raise ReadError("empty-file", "The file is empty.", mend="Export it again.", file=name)
    text = unpack_one(name, data, limits, (".ros",))
    if len(text) > limits.file_bytes:
        raise ReadError("too-large", "The file is too large for a roster.", file=name)
    return _Reader(name, limits).roster(parse_xml(name, text, limits))


class _Reader:
    """One roster file while it is read."""

    def __init__(self, name: str, limits: ReadLimits) -> None:
        self._name = name
        self._limits = limits
        self._ids: dict[str, int] = {}
        self._uneven: list[str] = []
        self._catalogues: dict[str, MadeWith] = {}

    def roster(self, root: Element) -> RosterFile:
        if local_name(root.tag) != "roster":
            raise self._error(
                "wrong-root",
                f"The file starts with <{local_name(root.tag)}>, not with <roster>.",
                root,
                "Import game data as data.",
            )
        costs = tuple(self._cost(e) for e in inside(root, "costs", "cost"))
        forces = tuple(self._force(e, 1) for e in inside(root, "forces", "force"))
        limits = [self._cost(e) for e in inside(root, "costLimits", "costLimit")]
        roster = Roster(
            id=root.get("id", ""),
            name=root.get("name", ""),
            notes=notes(root),
            limits=tuple(Limit(type_id=c.type_id, value=c.value) for c in limits if c.value >= 0),
            cost_types=tuple(cost.type_id for cost in costs),
            forces=forces,
        )
        system = MadeWith(
            id=root.get("gameSystemId", ""),
            name=root.get("gameSystemName", ""),
            revision=root.get("gameSystemRevision", ""),
        )
        return RosterFile(
            roster=roster,
            game_system=system,
            catalogues=tuple(self._catalogues.values()),
            costs=costs,
            uneven=tuple(self._uneven),
        )

    def _force(self, element: Element, depth: int) -> Force:
        self._check_depth(element, depth)
        catalogue = MadeWith(
            id=element.get("catalogueId", ""),
            name=element.get("catalogueName", ""),
            revision=element.get("catalogueRevision", ""),
        )
        self._catalogues.setdefault(catalogue.id, catalogue)
        selections = self._selections(element, 1)
        return Force(
            id=self._fresh(element.get("id", "")),
            entry_id=element.get("entryId", ""),
            catalogue_id=catalogue.id,
            name=element.get("name", ""),
            custom_name=element.get("customName", ""),
            notes=notes(element),
            category_notes=tuple(category_notes(element)),
            selections=per_parent(selections, lambda made: self._fresh(made.id), self._uneven),
            forces=tuple(self._force(e, depth + 1) for e in inside(element, "forces", "force")),
        )

    def _selections(self, element: Element, depth: int) -> list[Counted]:
        """What is selected in `element`; of what is chosen zero times nothing is kept."""
        read = [self._selection(e, depth) for e in inside(element, "selections", "selection")]
        return [counted for counted in read if counted.number]

    def _selection(self, element: Element, depth: int) -> Counted:
        self._check_depth(element, depth)
        made = Selection(
            id=element.get("id", ""),
            entry_id=element.get("entryId", ""),
            group_id=element.get("entryGroupId", ""),
            name=element.get("name", ""),
            custom_name=element.get("customName", ""),
            notes=notes(element),
        )
        return Counted(made, self._amount(element), self._selections(element, depth + 1))

    def _amount(self, element: Element) -> int:
        amount = self._number(element, "number", "1")
        if not isinstance(amount, int) or not 0 <= amount <= MOST_IN_FORCE:
            raise self._error("bad-number", f"{amount} is no number of selections.", element)
        return amount

    def _cost(self, element: Element) -> StoredCost:
        return StoredCost(
            type_id=element.get("typeId", "") or element.get("costTypeId", ""),
            name=element.get("name", ""),
            value=self._number(element, "value", "0"),
        )

    def _number(self, element: Element, name: str, default: str) -> Number:
        text = element.get(name, "") or default
        try:
            return parse_exact_number(text)
        except ValueError as error:
            raise self._error("bad-number", f"{text[:40]!r} is not a number.", element) from error

    def _fresh(self, wanted: str) -> str:
        """`wanted`, or something like it where that is taken."""
        if len(self._ids) >= MOST_PARTS:
            raise ReadError("too-large", f"The roster has more than {MOST_PARTS} parts.", file=self._name)
        ident = wanted = wanted or "node"
        while ident in self._ids:
            self._ids[wanted] += 1
            ident = f"{wanted}-{self._ids[wanted]}"
        self._ids[ident] = 1
        return ident

    def _check_depth(self, element: Element, depth: int) -> None:
        if depth > self._limits.depth:
            raise refuse_depth(self._name, element.sourceline)

    def _error(self, code: str, message: str, element: Element, mend: str = "Export it again.") -> ReadError:
        return ReadError(code, message, mend=mend, file=self._name, line=element.sourceline)


def inside(element: Element, container: str, tag: str) -> Iterator[Element]:
    """The children called `tag` of the containers called `container`."""
    for child in element:
        if local_name(child.tag) == container:
            yield from (grandchild for grandchild in child if local_name(grandchild.tag) == tag)


def notes(element: Element) -> str:
    """What the player noted down about it."""
    return next((child.text or "" for child in element if local_name(child.tag) == "customNotes"), "")


def category_notes(element: Element) -> Iterator[CategoryNote]:
    """The names and notes that the player gave to the categories of a force."""
    for category in inside(element, "categories", "category"):
        custom_name, text = category.get("customName", ""), notes(category)
        if custom_name or text:
            yield CategoryNote(category_id=category.get("entryId", ""), custom_name=custom_name, notes=text)
