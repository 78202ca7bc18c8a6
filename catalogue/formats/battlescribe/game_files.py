"""Group files by game: one game for each game system, and the files that belong to none."""

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.formats.battlescribe.findings import FindingKind
from catalogue.formats.battlescribe.limits import ReadLimits
from catalogue.formats.battlescribe.reference_index import ReadFile
from catalogue.formats.battlescribe.source_file import SourceFile

FindInstalled = Callable[[str], DataSet | None]
"""Returns the data of the installed game that has this game system."""

_ID = re.compile(rb'"id":"((?:[^"\\]|\\.)*)"')


@dataclass
class GameFiles:
    """The files of one game. `installed` are catalogues that are there already, which others join."""

    files: list[ReadFile] = field(default_factory=list)
    installed: list[ReadFile] = field(default_factory=list)


def group_files(
    files: list[ReadFile], source: str, find_installed: FindInstalled, limits: ReadLimits
) -> tuple[list[GameFiles], list[ReadFile]]:
    """Return the files by game, in the order of their game systems, and the files that are left out.

    Catalogues whose game system is not here belong to the only game that is; without one they join the installed game
    that has their game system.
    """
    chosen, left_out = _choose_revisions(files)
    games = {read.catalogue.id: GameFiles() for read in chosen if read.catalogue.kind is CatalogueKind.GAME_SYSTEM}
    only = next(iter(games)) if len(games) == 1 else ""
    for read in chosen:
        system = _choose_system(read, games, only)
        game = games.get(system) or _open_installed(system, find_installed, limits)
        if game is None:
            read.file.findings.add(FindingKind.NO_GAME_SYSTEM, system or "of no name", 1)
            left_out.append(read)
        else:
            games[system] = game
            game.files.append(read)
    for game in games.values():
        _drop_replaced(game, source)
    return list(games.values()), left_out


def _choose_system(read: ReadFile, games: Container[str], only: str) -> str:
    """Return the game system that a file belongs to; `only` is the one that is here, blank where there are several."""
    system = read.file.system_id or only
    if system in games or not only:
        return system
    # A folder with one game system is one game, whatever a file was copied from.
    read.file.findings.add(FindingKind.OTHER_GAME_SYSTEM, system, 1)
    return only


def _open_installed(system: str, find_installed: FindInstalled, limits: ReadLimits) -> GameFiles | None:
    """Return the installed game that has a game system."""
    installed = find_installed(system)
    if installed is None:
        return None
    return GameFiles([], [wrap_catalogue(c, limits) for c in installed.catalogues])


def _choose_revisions(files: list[ReadFile]) -> tuple[list[ReadFile], list[ReadFile]]:
    """Return the files with one of each id, the one of the highest revision, and the others."""
    best: dict[str, ReadFile] = {}
    for read in files:
        known = best.get(read.catalogue.id)
        if known is None or _rank(read) > _rank(known):
            best[read.catalogue.id] = read
    newest, left_out = [], []
    for read in files:
        chosen = best[read.catalogue.id]
        if chosen is read:
            newest.append(read)
        else:
            read.file.findings.add(FindingKind.DUPLICATE_CATALOGUE, chosen.file.name, 1)
            left_out.append(read)
    return newest, left_out


def _rank(read: ReadFile) -> tuple[bool, float]:
    """Return what decides between two files of one id: a game system before a catalogue, then the revision."""
    revision = read.catalogue.revision
    number = float(revision) if re.fullmatch(r"\d{1,15}(\.\d{1,9})?", revision) else 0
    return read.catalogue.kind is CatalogueKind.GAME_SYSTEM, number


def _mark_joined(read: ReadFile, source: str) -> ReadFile:
    return read._replace(catalogue=msgspec.structs.replace(read.catalogue, joined=source))


def _drop_replaced(game: GameFiles, source: str) -> None:
    """Let what joins an installed game take the place of what it is a newer state of."""
    if not game.installed:
        return
    game.files = [_mark_joined(read, source) for read in game.files]
    ids = {read.catalogue.id for read in game.files}
    game.installed = [read for read in game.installed if read.catalogue.id not in ids]


def wrap_catalogue(catalogue: Catalogue, limits: ReadLimits) -> ReadFile:
    """Return a catalogue that was read before as if it had been read now, with all ids that others may refer to."""
    file = SourceFile(catalogue.name, limits, {})
    file.known.update(_list_ids(_ID.findall(msgspec.json.encode(catalogue))))
    return ReadFile(file, catalogue)


def _list_ids(written: Iterable[bytes]) -> Iterable[str]:
    return (msgspec.json.decode(b'"%s"' % ident) for ident in written)
