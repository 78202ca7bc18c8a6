"""Group files by game system."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.reference_index import ReadFile
from catalogue.formats.battlescribe.source_file import SourceFile

FindInstalled = Callable[[str], DataSet | None]
"""Returns the installed data of a game system, or None."""

_ID = re.compile(rb'"id":"((?:[^"\\]|\\.)*)"')


@dataclass
class GameFiles:
    files: list[ReadFile] = field(default_factory=list)
    installed: list[ReadFile] = field(default_factory=list)


def group_files(
    files: list[ReadFile], source: str, find_installed: FindInstalled, limits: ReadLimits
) -> tuple[list[GameFiles], list[ReadFile]]:
    """Group files by game; also return the files left out.

    A single game system takes all files. Otherwise a catalogue without its game system joins the installed game.
    """
    best: dict[str, ReadFile] = {}
    for read in files:
        earlier = best.get(read.catalogue.id)
        if earlier is None or _rank(read) > _rank(earlier):
            best[read.catalogue.id] = read
    chosen, left_out = [], []
    for read in files:
        newest = best[read.catalogue.id]
        if newest is read:
            chosen.append(read)
        else:
            read.file.findings.add(FindingKind.DUPLICATE_CATALOGUE, newest.file.name, 1)
            left_out.append(read)

    games = {read.catalogue.id: GameFiles() for read in chosen if read.catalogue.kind is CatalogueKind.GAME_SYSTEM}
    only = next(iter(games)) if len(games) == 1 else ""
    for read in chosen:
        system = read.file.system_id or only
        if only and system not in games:
            # A folder with one game system is one game, even if a file was copied from elsewhere.
            read.file.findings.add(FindingKind.OTHER_GAME_SYSTEM, system, 1)
            system = only
        if system not in games:
            installed = find_installed(system)
            if installed is None:
                read.file.findings.add(FindingKind.NO_GAME_SYSTEM, system or "of no name", 1)
                left_out.append(read)
                continue
            games[system] = GameFiles([], [wrap_catalogue(catalogue, limits) for catalogue in installed.catalogues])
        games[system].files.append(read)

    # Files that join a game replace their older versions.
    for game in games.values():
        if game.installed:
            game.files = [
                read._replace(catalogue=msgspec.structs.replace(read.catalogue, joined=source)) for read in game.files
            ]
            ids = {read.catalogue.id for read in game.files}
            game.installed = [read for read in game.installed if read.catalogue.id not in ids]
    return list(games.values()), left_out


def _rank(read: ReadFile) -> tuple[bool, float]:
    revision = read.catalogue.revision
    number = float(revision) if re.fullmatch(r"\d{1,15}(\.\d{1,9})?", revision) else 0
    return read.catalogue.kind is CatalogueKind.GAME_SYSTEM, number


def wrap_catalogue(catalogue: Catalogue, limits: ReadLimits) -> ReadFile:
    """Return an installed catalogue as if just read, with all ids that files may refer to."""
    file = SourceFile(catalogue.name, limits, {})
    written = _ID.findall(msgspec.json.encode(catalogue))
    file.other_ids.update(msgspec.json.decode(b'"%s"' % ident) for ident in written)
    return ReadFile(file, catalogue)
