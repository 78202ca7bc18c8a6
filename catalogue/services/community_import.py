"""Community data from files into the database: read, checked and stored, all of it or nothing."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path, PurePath

import msgspec
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.diagnostics import Diagnostic
from catalogue.formats.battlescribe import ReadResult, read_bytes, read_path
from catalogue.formats.battlescribe.reader import pause_garbage_collection
from catalogue.models import CatalogueDocument, GameSystem, ImportReport, Job, PackVersion
from catalogue.models.base import ID_LENGTH
from catalogue.services.game_info import GameInfo
from catalogue.services.install_packs import hash_of_code
from catalogue.services.install_version import install_version
from catalogue.services.jobs import Step, report_progress
from catalogue.services.texts import shorten

READERS = ("definitions", "graph", "formats/battlescribe", "models", "services")
"""The code that decides what becomes of the files: when it changes, the rows of data that is there are written anew."""

IMPORT_JOB = "import"
"""The job of an upload: `name` of the file, `hold` to publish it later; its bytes are the payload."""

RESERVED = {"import"}
"""Addresses below /games/ that are no games."""

Progress = Callable[[int, int], None]

_ENDINGS = (".zip", ".bsr", ".gst", ".gstz", ".cat", ".catz")
_TAG = re.compile(r"(?:^|[-_ ])v?(\d+(?:\.\d+)+)$")
_COMMIT = re.compile(r"[-_]g?([0-9a-f]{7,40})$")
_COMMIT_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of an import: `version` None means it was refused for the errors among `diagnostics`."""

    source: str
    version: PackVersion | None
    unchanged: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()


def import_path(path: Path, progress: Progress | None = None, *, hold: bool = False) -> ImportOutcome:
    """Import one game's data from a file, an archive or a folder; with `hold`, publish it later."""
    return _store_import(path.resolve().name, read_path(path, progress=progress), hold)


def do_import_step(job: Job, seconds: float) -> Step:
    """Read the files of an import or, in the step after that, store what was read. Neither can be cut shorter."""
    name, hold = job.arguments["name"], job.arguments["hold"]
    if "findings" not in job.arguments:
        read = read_bytes(
            name, bytes(job.payload), progress=lambda done, total: report_progress(job, done, 2 * total)
        )
        findings = msgspec.to_builtins(read.diagnostics)
        if read.data is None:
            wrong = {"wrong": gettext("Nothing of it was stored."), "findings": findings}
            return Step(1, 1, wrong, is_last=True)
        job.arguments["findings"], job.payload = findings, msgspec.msgpack.encode(read.data)
        return Step(1, 2)
    data = msgspec.msgpack.decode(job.payload, type=DataSet)
    diagnostics = msgspec.convert(job.arguments["findings"], tuple[Diagnostic, ...])
    imported = _store_import(name, ReadResult(data, diagnostics), hold)
    version = imported.version
    assert version is not None  # noqa: S101 - there is data, so something was stored or is there
    result = {
        "address": version.game.get_absolute_url() + "#imported",
        "message": describe_import(imported, version),
    }
    return Step(2, 2, result, is_last=True)


def describe_import(imported: ImportOutcome, version: PackVersion) -> str:
    """Say what became of an import that was not refused."""
    if imported.unchanged:
        return gettext("%(version)s is here already; nothing has changed.") % {"version": version}
    if not version.is_current:
        return gettext("%(version)s is stored, but not published: lists start with the version before.") % {
            "version": version
        }
    count = len(imported.diagnostics)
    return ngettext(
        "%(version)s is imported, with %(count)d finding.",
        "%(version)s is imported, with %(count)d findings.",
        count,
    ) % {"version": version, "count": count}


def choose_label(name: str, revision: str) -> str:
    """Return what to call a version: the tag or commit that its file is named after, else the game system's revision.

    >>> choose_label("wh40k-10e-v10.6.0.zip", "7"), choose_label("wh40k-9e.zip", "7")
    ('10.6.0', 'revision 7')
    >>> choose_label("wh40k-9e-3f2ab1c.zip", "7")
    '3f2ab1c'
    """
    stem = name[: -len(PurePath(name).suffix)] if name.lower().endswith(_ENDINGS) else name
    if tag := _TAG.search(stem):
        return tag[1]
    if commit := _COMMIT.search(stem):
        return commit[1][:_COMMIT_SHOWN]
    return f"revision {revision}" if revision else ""


def _store_import(source: str, read: ReadResult, hold: bool) -> ImportOutcome:
    if read.data is None:
        return ImportOutcome(source, None, diagnostics=read.diagnostics)
    with pause_garbage_collection(), transaction.atomic():
        known = set(PackVersion.objects.values_list("pk", flat=True))
        version = install_version(_describe_game(source, read.data), read.data, hold=hold)
        if version.pk in known:
            return ImportOutcome(source, version, unchanged=True, diagnostics=read.diagnostics)
        findings = msgspec.to_builtins(read.diagnostics)
        ImportReport.objects.create(version=version, source=shorten(source), findings=findings)
    return ImportOutcome(source, version, diagnostics=read.diagnostics)


def _describe_game(source: str, data: DataSet) -> GameInfo:
    system = data.game_system
    return GameInfo(
        slug=_choose_slug(system),
        name=shorten(system.name),
        label=shorten(choose_label(source, system.revision)),
        source=PackVersion.Source.BATTLESCRIBE.value,
        source_hash=hash_of_code(READERS).hex(),
    )


def _choose_slug(system: Catalogue) -> str:
    """Return the address of the game: the one it has, else a free one like its name. A pack is never written over."""
    documents = CatalogueDocument.objects.filter(
        kind=CatalogueKind.GAME_SYSTEM.value,
        catalogue_id=system.id,
        version__source=PackVersion.Source.BATTLESCRIBE,
    )
    if known := documents.values_list("version__game__slug", flat=True).order_by("pk").first():
        return str(known)
    base = slugify(system.name)[: ID_LENGTH - 10] or "game"
    taken = set(GameSystem.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain((base,), numbered) if slug not in taken | RESERVED)
