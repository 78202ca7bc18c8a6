"""The reference of list documents: a JSON Schema for editors, and the tables of `docs/lists.md`."""

from typing import Any

from catalogue.documents.json_schema import DRAFT, SchemaWriter
from catalogue.documents.section import Section
from roster.formats.list_document.document import ListDocument, ListedForce, ListedOptionItem


def list_document_sections() -> dict[str, type[Section]]:
    """Return the sections by the names that the tables in `docs/lists.md` have."""
    return _describe_document().sections


def write_list_schema() -> dict[str, Any]:
    """Return the JSON Schema of list documents."""
    writer = _describe_document()
    return {
        "$schema": DRAFT,
        "title": "A list of Armybuilder",
        "description": "docs/lists.md explains it.",
        "allOf": [writer.refer_to(ListDocument)],
        "$defs": dict(sorted(writer.definitions.items())),
    }


def _describe_document() -> SchemaWriter:
    writer = SchemaWriter({})
    # Detachments and options hold others of their kind, so they are referred to by name alone.
    for section in (ListDocument, ListedForce, ListedOptionItem):
        writer.refer_to(section)
    return writer
