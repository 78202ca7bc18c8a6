"""Export published versions whole, and compare two versions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from catalogue.definitions.catalogues import Catalogue
from catalogue.models import CatalogueDocument, DocumentBody, PackVersion


class ChangeKind(StrEnum):
    ADDED = "added"
    GONE = "gone"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueChange:
    """`before` or `after` is None if the catalogue is missing there."""

    catalogue_id: str
    name: str
    kind: ChangeKind
    before: CatalogueDocument | None
    after: CatalogueDocument | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    entry_id: str
    name: str
    kind: ChangeKind


def write_version(version: PackVersion) -> Iterator[bytes]:
    """Yield a version's file, with one catalogue in memory at a time."""
    head = {
        "game": version.game.slug,
        "name": version.game.heading,
        "version": version.label,
        "edition": version.edition,
        "source": version.source,
        "hash": version.content_hash,
    }
    yield json.dumps(head, ensure_ascii=False).encode()[:-1] + b', "catalogues": ['
    for number, content_hash in enumerate(version.documents.values_list("content_hash", flat=True)):
        yield b",\n" if number else b"\n"
        yield DocumentBody.objects.get(pk=content_hash).read_json()
    yield b"\n]}\n"


def list_changes(before: PackVersion, after: PackVersion) -> list[CatalogueChange]:
    old = {document.catalogue_id: document for document in before.documents.all()}
    changes = []
    for document in after.documents.all():
        earlier = old.pop(document.catalogue_id, None)
        if earlier is not None and earlier.content_hash == document.content_hash:
            continue
        kind = ChangeKind.CHANGED if earlier else ChangeKind.ADDED
        changes.append(_describe_change(document, kind, earlier, document))
    return [*changes, *(_describe_change(document, ChangeKind.GONE, document, None) for document in old.values())]


def _describe_change(
    document: CatalogueDocument, kind: ChangeKind, before: CatalogueDocument | None, after: CatalogueDocument | None
) -> CatalogueChange:
    return CatalogueChange(
        catalogue_id=document.catalogue_id, name=document.name, kind=kind, before=before, after=after
    )


def compare_entries(change: CatalogueChange) -> list[EntryChange]:
    """Find entries that are new, gone or different, with all inside them."""
    names: dict[str, str] = {}
    contents: list[dict[str, bytes]] = []
    for document in (change.before, change.after):
        catalogue = document.decode() if document else None
        entries = _list_entries(catalogue) if catalogue else {}
        names |= {entry_id: name for entry_id, (name, _content) in entries.items()}
        contents.append({entry_id: content for entry_id, (_name, content) in entries.items()})
    before, after = contents
    changes = []
    for entry_id, name in names.items():
        if before.get(entry_id) == after.get(entry_id):
            continue
        kind = ChangeKind.CHANGED
        if entry_id not in before:
            kind = ChangeKind.ADDED
        elif entry_id not in after:
            kind = ChangeKind.GONE
        changes.append(EntryChange(entry_id=entry_id, name=name, kind=kind))
    return changes


def _list_entries(catalogue: Catalogue) -> dict[str, tuple[str, bytes]]:
    entries = (*catalogue.entries, *catalogue.shared_entries)
    return {entry.id: (entry.name, msgspec.json.encode(entry)) for entry in entries}
