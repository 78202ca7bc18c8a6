"""Decode and cache a version's stored documents."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import QuerySet, Sum
from django.db.models.functions import Length

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.models import CatalogueDocument, DocumentBody, PackVersion
from catalogue.services.lru import Lru

CATALOGUES_KEPT = 96
DATA_SETS_KEPT = 32
OUTLINES_KEPT = 8
BODIES_AT_ONCE = 8

_catalogues: Lru[str, Catalogue] = Lru(CATALOGUES_KEPT)
_systems: Lru[str, Catalogue] = Lru(CATALOGUES_KEPT)
_data_sets: Lru[tuple[str, str | None], DataSet] = Lru(DATA_SETS_KEPT)
_outlines: Lru[str, tuple[Catalogue, ...]] = Lru(OUTLINES_KEPT)


def load_data_set(version: PackVersion, faction_id: str | None = None) -> DataSet:
    """Return all data, or with `faction_id` only that catalogue, its links and the game system.

    An unknown id gives only the game system, so that lists of a removed faction can be evaluated. Cached by content
    hash.
    """
    return _data_sets.get((version.content_hash, faction_id), lambda: _load_closure(version, faction_id))


def load_game_system(version: PackVersion) -> Catalogue:
    documents = version.documents.filter(kind=CatalogueKind.GAME_SYSTEM)
    return _systems.get(version.content_hash, lambda: _decode_documents(list(documents))[0])


def load_outlines(version: PackVersion) -> tuple[Catalogue, ...]:
    """Return all catalogues without entries. Cached by content hash."""
    return _outlines.get(version.content_hash, lambda: _read_outlines(version))


def _read_outlines(version: PackVersion) -> tuple[Catalogue, ...]:
    hashes = list(version.documents.values_list("content_hash", flat=True))
    # All bodies of a large game take a hundred megabytes.
    bodies = DocumentBody.objects.filter(pk__in=hashes).iterator(chunk_size=BODIES_AT_ONCE)
    outlines = {body.content_hash: body.decode_outline().build_catalogue() for body in bodies}
    return tuple(outlines[content_hash] for content_hash in hashes)


def forget_documents() -> None:
    _outlines.clear()
    _systems.clear()
    _catalogues.clear()
    _data_sets.clear()


def _load_closure(version: PackVersion, faction_id: str | None) -> DataSet:
    documents = list(version.documents.all())
    if faction_id is not None:
        links = {document.catalogue_id: document.links for document in documents}
        always = [document.catalogue_id for document in documents if document.kind == CatalogueKind.GAME_SYSTEM]
        closure = find_closure([faction_id, *always], links)
        documents = [document for document in documents if document.catalogue_id in closure]
    return DataSet(catalogues=tuple(_decode_documents(documents)))


def _decode_documents(documents: list[CatalogueDocument]) -> list[Catalogue]:
    cold = {d.content_hash for d in documents if d.content_hash not in _catalogues}
    bodies = DocumentBody.objects.in_bulk(cold) if cold else {}
    return [
        _catalogues.get(d.content_hash, bodies[d.content_hash].decode if d.content_hash in bodies else d.decode)
        for d in documents
    ]


def find_closure(start: Iterable[str], links: Mapping[str, Sequence[str]]) -> set[str]:
    """Return all ids reachable from `start` in `links`, including `start`.

    >>> sorted(find_closure(["a"], {"a": ["b"], "b": ["a", "c"], "d": ["a"]}))
    ['a', 'b']
    """
    closure: set[str] = set()
    ahead = list(start)
    while ahead:
        here = ahead.pop()
        if here in links and here not in closure:
            closure.add(here)
            ahead.extend(links[here])
    return closure


def measure_documents(documents: QuerySet[CatalogueDocument]) -> int:
    """Return the compressed size of documents' contents in bytes."""
    bodies = DocumentBody.objects.filter(pk__in=documents.values("content_hash"))
    used: int | None = bodies.annotate(length=Length("body")).aggregate(Sum("length"))["length__sum"]
    return used or 0
