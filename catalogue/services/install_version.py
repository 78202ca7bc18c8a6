"""Install a version of a game's data, all or nothing."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec
from django.db import transaction

from catalogue.definitions.catalogues import DataSet
from catalogue.graph.ruleset import find_points_type
from catalogue.models import CatalogueDocument, DocumentBody, GameSystem, PackVersion
from catalogue.services.game_info import GameInfo
from catalogue.services.releases import publish_version
from catalogue.services.texts import shorten
from catalogue.services.version_rows import rebuild_rows, write_rows

BATCH = 500

_COVER = (
    "family",
    "name",
    "title",
    "edition",
    "publisher",
    "summary",
    "notice",
    "unofficial",
    "example",
    "emblem",
    "accent",
    "accent_dark",
    "source_hash",
)


@transaction.atomic
def install_version(about: GameInfo, data: DataSet, *, hold: bool = False, owner: int | None = None) -> PackVersion:
    """Make `data` the current version of the game `about.slug`. Rolls back on any error.

    Known data becomes current again; rows are rebuilt if files or the code that reads them changed. With `hold`, new
    data of an existing game is not published. With `owner`, an account's key, the game is private.
    """
    before = GameSystem.objects.filter(slug=about.slug).first()
    if hold and before and before.current_id:
        return _store_version(before, about, data, hold=True).version
    cover = {field: getattr(about, field) for field in _COVER} | {"owner_id": owner}
    game, _ = GameSystem.objects.update_or_create(slug=about.slug, defaults=cover)
    stored = _store_version(game, about, data)
    if not stored.is_new and (before is None or before.source_hash != about.source_hash):
        rebuild_rows(stored.version)
    publish_version(stored.version)
    return stored.version


class StoredVersion(NamedTuple):
    version: PackVersion
    is_new: bool


def _store_version(game: GameSystem, about: GameInfo, data: DataSet, *, hold: bool = False) -> StoredVersion:
    bodies = [msgspec.json.encode(catalogue) for catalogue in data.catalogues]
    hashes = [sha256(body).hexdigest() for body in bodies]
    content_hash = hash_content(about, hashes)
    version = PackVersion.objects.filter(content_hash=content_hash).first()
    if version is not None:
        version.game = game
        return StoredVersion(version, is_new=False)
    points = find_points_type(data)
    version = PackVersion.objects.create(
        game=game,
        edition=about.edition,
        label=about.label,
        source=about.source,
        content_hash=content_hash,
        points_id=points.id if points else "",
        points_name=shorten(points.name) if points else "",
        presets=msgspec.to_builtins(about.presets),
        rulesets=msgspec.to_builtins(about.rulesets),
    )
    new_bodies = dict(zip(hashes, bodies, strict=True))
    for stored in DocumentBody.objects.filter(pk__in=hashes).values_list("pk", flat=True):
        del new_bodies[stored]
    DocumentBody.objects.bulk_create(
        [DocumentBody(content_hash=key, body=DocumentBody.pack(body)) for key, body in new_bodies.items()],
        batch_size=BATCH,
    )
    del bodies, new_bodies  # as large as all files, and writing rows takes as much
    CatalogueDocument.objects.bulk_create(
        [
            CatalogueDocument(
                version=version,
                catalogue_id=catalogue.id,
                kind=catalogue.kind.value,
                name=shorten(catalogue.name),
                revision=shorten(catalogue.revision),
                position=position,
                links=[link.target_id for link in catalogue.links],
                joined=bool(catalogue.joined),
                content_hash=catalogue_hash,
            )
            for position, (catalogue, catalogue_hash) in enumerate(zip(data.catalogues, hashes, strict=True))
        ],
        batch_size=BATCH,
    )
    write_rows(version, data, with_units=not (hold and version.is_community))
    return StoredVersion(version, is_new=True)


def hash_content(about: GameInfo, hashes: Iterable[str]) -> str:
    """Return the SHA-256, in hex, of everything that makes a version, without the label of community data."""
    label = about.label if about.source == PackVersion.Source.PACK else ""
    cover = msgspec.json.encode([about.slug, about.edition, label, about.source, about.presets, about.rulesets])
    whole = sha256(cover)
    for content_hash in hashes:
        whole.update(bytes.fromhex(content_hash))
    return whole.hexdigest()
