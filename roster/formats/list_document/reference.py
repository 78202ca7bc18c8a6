"""The reference of list documents: a JSON Schema for editors, and the tables of `docs/lists.md`."""

from typing import Any

from catalogue.documents.json_schema import DRAFT, SchemaWriter
from catalogue.documents.section import Section
from roster.formats.list_document.document import (
    ListDocument,
    ListedCategory,
    ListedForce,
    ListedOptionItem,
    ListedPlan,
    ListedUnitItem,
)

SECTIONS: dict[str, type[Section]] = {
    "list": ListDocument,
    "detachment": ListedForce,
    "category": ListedCategory,
    "unit": ListedUnitItem,
    "option": ListedOptionItem,
    "plan": ListedPlan,
}
"""The sections by the name that the tables in `docs/lists.md` have."""


def write_list_schema() -> dict[str, Any]:
    """Return the JSON Schema of list documents."""
    writer = SchemaWriter({})
    document = writer.refer_to(ListDocument)
    for cls in SECTIONS.values():
        writer.refer_to(cls)
    return {
        "$schema": DRAFT,
        "title": "A list of Armybuilder",
        "description": "docs/lists.md explains it.",
        "allOf": [document],
        "$defs": dict(sorted(writer.definitions.items())),
    }
