"""A `.ros` text as a roster, as much of it as the suite's payloads need."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from catalogue.definitions.numbers import parse_number
from roster.engine.tree import Force, Limit, Roster, Selection

SPACE = "{http://www.battlescribe.net/schema/rosterSchema}"


def read_roster(text: str) -> Roster:
    """The roster in a `.ros` text. Its numbers count in the whole force; ours count per one of the parent."""
    root = ElementTree.fromstring(text.strip().encode())
    limits = root.iterfind(f"{SPACE}costLimits/{SPACE}costLimit")
    return Roster(
        id=root.get("id", ""),
        name=root.get("name", ""),
        limits=tuple(
            Limit(type_id=e.get("typeId", ""), value=parse_number(e.get("value", "0"))) for e in limits
        ),
        forces=_forces(root),
    )


def _forces(element: Element) -> tuple[Force, ...]:
    return tuple(
        Force(
            id=e.get("id", ""),
            entry_id=e.get("entryId", ""),
            catalogue_id=e.get("catalogueId", ""),
            name=e.get("name", ""),
            custom_name=e.get("customName", ""),
            selections=_selections(e, 1),
            forces=_forces(e),
        )
        for e in element.iterfind(f"{SPACE}forces/{SPACE}force")
    )


def _selections(element: Element, above: int) -> tuple[Selection, ...]:
    return tuple(
        Selection(
            id=e.get("id", ""),
            entry_id=e.get("entryId", ""),
            group_id=e.get("entryGroupId", ""),
            number=max(1, int(e.get("number", "1")) // above),
            name=e.get("name", ""),
            custom_name=e.get("customName", ""),
            selections=_selections(e, int(e.get("number", "1"))),
        )
        for e in element.iterfind(f"{SPACE}selections/{SPACE}selection")
    )
