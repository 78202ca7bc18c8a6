"""Import all games of an archive of community data, or none."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain, count
from pathlib import Path, PurePath

import msgspec
from django.db import transaction
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.diagnostics import Diagnostic
from catalogue.formats.battlescribe.reader import ReadGame, ReadResult, pause_garbage_collection, read_bytes, read_path
from catalogue.models import CatalogueDocument, GameSystem, ImportReport, Job, PackVersion
from catalogue.models.base import ID_LENGTH
from catalogue.services.documents import load_data_set
from catalogue.services.game_info import GameInfo
from catalogue.services.install_packs import hash_of_code
from catalogue.services.install_version import install_version
from catalogue.services.jobs import Step, report_progress
from catalogue.services.texts import shorten

READERS = ("definitions", "graph", "formats/battlescribe", "models", "services")
"""The code that decides what is stored. If it changes, the rows of existing data are rebuilt."""

IMPORT_JOB = "import"
"""The job of an upload. Arguments: the file's `name`, and `hold` to publish it later. The payload is the file.

With `private`, the games are the user's own.
"""

RESERVED = {"gallery", "import", "own", "sources", "words"}
"""Paths below /games/ that are not slugs of games."""

Progress = Callable[[int, int], None]

_ENDINGS = (".zip", ".bsr", ".gst", ".gstz", ".cat", ".catz", ".json", ".jsonz")
_TAG = re.compile(r"(?:^|[-_ ])v?(\d+(?:\.\d+)+)$")
_COMMIT = re.compile(r"[-_]g?([0-9a-f]{7,40})$")
_COMMIT_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """`replaced` is a newer version that was current until this import."""

    version: PackVersion
    unchanged: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    replaced: PackVersion | None = None


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """Without games, errors among `diagnostics` made the import fail."""

    source: str
    games: tuple[ImportedGame, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def version(self) -> PackVersion | None:
        return self.games[0].version if self.games else None

    @property
    def unchanged(self) -> bool:
        return bool(self.games) and all(game.unchanged for game in self.games)


def import_path(path: Path, progress: Progress | None = None, *, hold: bool = False) -> ImportOutcome:
    """Import a file, an archive or a folder. With `hold`, publish the games later."""
    read = read_path(path, progress=progress, find_installed=find_installed_data)
    return store_import(path.resolve().name, read, hold=hold)


def do_import_step(job: Job, seconds: float) -> Step:
    """Read the files, or in the second step store the games. Ignores `seconds`.

    The result has the `address` of the stored data and a `message`, or the reason `wrong`.
    """
    name, hold = job.arguments["name"], job.arguments["hold"]
    owner = job.user_id if job.arguments.get("private") else None
    if "findings" not in job.arguments:
        read = read_bytes(
            name,
            bytes(job.payload),
            progress=lambda done, total: report_progress(job, done, 2 * total),
            find_installed=partial(find_installed_data, owner=owner),
        )
        findings = msgspec.to_builtins(read.diagnostics)
        if not read.games:
            wrong = {"wrong": gettext("Nothing was stored."), "findings": findings}
            return Step(1, 1, wrong, is_last=True)
        # The parsed data replaces the upload, to avoid parsing it again.
        job.arguments["findings"], job.payload = findings, msgspec.msgpack.encode(read.games)
        return Step(1, 2)
    games = msgspec.msgpack.decode(job.payload, type=tuple[ReadGame, ...])
    diagnostics = msgspec.convert(job.arguments["findings"], tuple[Diagnostic, ...])
    imported = store_import(name, ReadResult(games, diagnostics), hold=hold, owner=owner)
    message = " ".join(describe_import(game) for game in imported.games)
    address = imported.games[0].version.game.get_absolute_url() + "#imported"
    if len(imported.games) > 1:
        address = reverse("catalogue:games")
    return Step(2, 2, {"address": address, "message": message}, is_last=True)


def describe_import(imported: ImportedGame) -> str:
    version, name = imported.version, imported.version.full_name
    if imported.unchanged:
        return gettext("%(version)s is already here; nothing has changed.") % {"version": name}
    if not version.is_current:
        return gettext("%(version)s is stored but not published: new lists still start with the previous version.") % {
            "version": name
        }
    count = len(imported.diagnostics)
    text = ngettext(
        "%(version)s is imported, with %(count)d finding.", "%(version)s is imported, with %(count)d findings.", count
    ) % {"version": name, "count": count}
    return f"{text} {explain_age(imported)}".rstrip()


def explain_age(imported: ImportedGame) -> str:
    """Explain that new lists now start with older data, else return ""."""
    if imported.replaced is None:
        return ""
    return gettext(
        "It is older than %(replaced)s: new lists start with it until you publish the newer version again."
    ) % {"replaced": imported.replaced.full_name}


def choose_label(name: str, revision: str) -> str:
    """Return the tag or commit in a file's name, else the game system's revision.

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


@transaction.atomic
def store_import(source: str, read: ReadResult, *, hold: bool, owner: int | None = None) -> ImportOutcome:
    # Reading creates millions of lasting objects; collecting garbage takes as long as the work.
    with pause_garbage_collection():
        games = tuple(_store_game(source, game, hold, owner) for game in read.games)
    return ImportOutcome(source, games, read.diagnostics)


def _store_game(source: str, read: ReadGame, hold: bool, owner: int | None) -> ImportedGame:
    # Unchanged files give an existing version.
    existing = set(PackVersion.objects.values_list("pk", flat=True))
    data, system = read.data, read.data.game_system
    current = _find_current_version(system.id, owner)
    if current:
        # A new state of the game keeps the catalogues that were added on their own.
        here = {catalogue.id for catalogue in data.catalogues}
        joined = current.documents.filter(joined=True).exclude(catalogue_id__in=here)
        data = DataSet(catalogues=(*data.catalogues, *(document.decode() for document in joined)))
    about = GameInfo(
        slug=_choose_slug(system, owner),
        name=shorten(system.name),
        label=shorten(choose_label(source, system.revision)),
        source=PackVersion.Source.BATTLESCRIBE.value,
        source_hash=hash_of_code(READERS).hex(),
    )
    version = install_version(about, data, hold=hold, owner=owner)
    if version.pk in existing:
        return ImportedGame(version, unchanged=True, diagnostics=read.diagnostics)
    findings = msgspec.to_builtins(read.diagnostics)
    ImportReport.objects.create(version=version, source=shorten(source), findings=findings)
    was_published = current if owner is None and version.is_current else None
    replaced = was_published if was_published and _is_older(system, was_published) else None
    return ImportedGame(version, diagnostics=read.diagnostics, replaced=replaced)


def _is_older(system: Catalogue, current: PackVersion) -> bool:
    """Compare revisions. Those that are not numbers never count as older."""
    document = current.documents.get(catalogue_id=system.id, kind=CatalogueKind.GAME_SYSTEM.value)
    numbers = (system.revision, document.revision)
    return all(number.isdecimal() for number in numbers) and int(numbers[0]) < int(numbers[1])


def find_installed_data(system_id: str, owner: int | None = None) -> DataSet | None:
    """Return the data that a catalogue joins: the owner's private game, else the published game."""
    version = _find_current_version(system_id, owner) or _find_current_version(system_id, None)
    return load_data_set(version) if version else None


def _find_current_version(system_id: str, owner: int | None) -> PackVersion | None:
    versions = PackVersion.objects.select_related("game")
    visible = versions.filter_current() if owner is None else versions.filter(private_of__owner=owner)
    return visible.filter(
        source=PackVersion.Source.BATTLESCRIBE,
        documents__kind=CatalogueKind.GAME_SYSTEM.value,
        documents__catalogue_id=system_id,
    ).first()


def _choose_slug(system: Catalogue, owner: int | None) -> str:
    """Return the game's slug, else an unused slug from its name, never a pack's.

    A private game gets a random slug, which reveals nothing and does not occupy a published game's name.
    """
    documents = CatalogueDocument.objects.filter(
        kind=CatalogueKind.GAME_SYSTEM.value, catalogue_id=system.id, version__source=PackVersion.Source.BATTLESCRIBE
    ).filter(version__game__owner=owner)
    # By the id of the game system: names change, addresses must not.
    if existing := documents.values_list("version__game__slug", flat=True).order_by("pk").first():
        return str(existing)
    if owner is not None:
        return f"own-{secrets.token_hex(8)}"
    base = slugify(system.name)[: ID_LENGTH - 10] or "game"
    taken = set(GameSystem.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in count(2))
    return next(slug for slug in chain((base,), numbered) if slug not in taken | RESERVED)
