"""The public entry point: from files to the data of games, with a report of everything unusual in them.

Nothing is refused as a whole but what means harm or holds no game: a file or a definition that cannot be used is left
out, and the report says so.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from catalogue.definitions.catalogues import Catalogue, DataSet
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.battlescribe.catalogues import read_catalogue
from catalogue.formats.battlescribe.cycles import cut_cycles
from catalogue.formats.battlescribe.data_files import (
    JSON,
    DataFile,
    list_files_in_bytes,
    list_files_in_path,
    refuse_nothing,
)
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.findings import FindingKind, Findings
from catalogue.formats.battlescribe.force_links import replace_force_links
from catalogue.formats.battlescribe.game_files import FindInstalled, GameFiles, group_files
from catalogue.formats.battlescribe.json_parser import ObjectLines, is_json, parse_json
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.odd_ids import separate_duplicates, shorten_ids
from catalogue.formats.battlescribe.reference_index import ReadFile, ReferenceIndex, check_references
from catalogue.formats.battlescribe.source_file import Memo, SourceFile
from catalogue.formats.battlescribe.xml_parser import Element, count_marks, parse_xml
from catalogue.formats.battlescribe.zip_archive import refuse_size

Progress = Callable[[int, int], None]
"""Called with the number of bytes read and the number there are, after each file."""


@dataclass(frozen=True)
class ReadGame:
    """The data of one game, and the diagnostics of its files."""

    data: DataSet
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class ReadResult:
    """The games that were read, and all diagnostics. Without a game, the errors among them say why."""

    games: tuple[ReadGame, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def data(self) -> DataSet | None:
        """Return the first game's data, which is the only one nearly always."""
        return self.games[0].data if self.games else None


def _find_nothing(system_id: str) -> None:
    """Find no installed game: reading by itself knows of none."""


def read_path(
    path: Path,
    *,
    progress: Progress | None = None,
    find_installed: FindInstalled = _find_nothing,
    limits: ReadLimits = LIMITS,
) -> ReadResult:
    """Read the games in a file, an archive or a folder. Never raises for what is in them."""
    reading = FileReading(path.resolve().name, find_installed, limits)
    return reading.read(lambda: list_files_in_path(path, limits), progress)


def read_bytes(
    name: str,
    data: bytes,
    *,
    progress: Progress | None = None,
    find_installed: FindInstalled = _find_nothing,
    limits: ReadLimits = LIMITS,
) -> ReadResult:
    """Read the games in the bytes of a file or archive called `name`."""
    reading = FileReading(name, find_installed, limits)
    return reading.read(lambda: list_files_in_bytes(name, data, limits), progress)


@dataclass
class FileReading:
    """One reading of `source`; `omissions` are the files that were left out before they were read.

    `size` and `marks` are how many bytes and elements the files so far have.
    """

    source: str
    find_installed: FindInstalled
    limits: ReadLimits
    omissions: list[Diagnostic] = field(default_factory=list)
    size: int = 0
    marks: int = 0

    def read(self, find: Callable[[], list[DataFile]], progress: Progress | None) -> ReadResult:
        """Read the files that `find` lists, and join them."""
        with pause_garbage_collection():
            try:
                return self._join_games(self._read_files(self._pass_over_backups(find()), progress))
            except ReadError as error:
                return ReadResult((), (*self.omissions, error.diagnostic))

    def _pass_over_backups(self, sources: list[DataFile]) -> list[DataFile]:
        current = [source for source in sources if not source.is_backup]
        if not current:
            return sources
        for source in sources:
            if source.is_backup:
                finding = Findings(source.name)
                finding.add(FindingKind.BACKUP, "", 0)
                self.omissions += finding.list_diagnostics(int)
        return current

    def _read_files(self, sources: list[DataFile], progress: Progress | None) -> list[ReadFile]:
        """Read every file by itself, so that one that cannot be read does not hide what is wrong with the others."""
        files: list[ReadFile] = []
        memo: Memo = {}
        total, done = sum(source.size for source in sources), 0
        for source in sources:
            try:
                files.append(self._read_source(source, memo))
            except ReadError as error:
                self._omit_file(error, source.name)
            done += source.size
            if progress is not None:
                progress(done, total)
        if not files and not self.omissions:
            raise refuse_nothing(self.source)
        return files

    def _read_source(self, source: DataFile, memo: Memo) -> ReadFile:
        data = source.load()
        marks = data.count(b"{") if _is_json(source, data) else count_marks(data)
        self._count_towards_limits(source.name, len(data), marks)
        return self._read_file(source, data, marks, memo)

    def _count_towards_limits(self, name: str, size: int, marks: int) -> None:
        """Refuse the file called `name` where all files so far are more than may be read at once."""
        self.size += size
        if self.size > self.limits.total_bytes:
            raise refuse_size(name, self.limits.total_bytes)
        self.marks += marks
        if self.marks > self.limits.total_marks:
            raise ReadError("too-large", "The files have too many elements.", file=name)

    def _omit_file(self, error: ReadError, name: str) -> None:
        """Go on without a file that cannot be read; an attack ends it all."""
        if error.is_attack:
            raise error
        if not _is_something_else(error, name):
            self.omissions.append(error.omission)

    def _read_file(self, source: DataFile, data: bytes, marks: int, memo: Memo) -> ReadFile:
        file = SourceFile(source.name, self.limits, memo)
        root = _parse_file(source, data, marks, file)
        catalogue = read_catalogue(root, file)
        if file.duplicates or file.has_long_ids:
            return self._read_again(root, file, memo)
        return ReadFile(file, catalogue)

    def _read_again(self, root: Element, first: SourceFile, memo: Memo) -> ReadFile:
        """Read a file anew whose ids cannot stay as they are."""
        if first.has_long_ids:
            shorten_ids(root, self.limits.ident)
        ambiguous = separate_duplicates(root, [ident for ident, _ in first.duplicates])
        file = SourceFile(first.name, self.limits, memo)
        file.find_line = first.find_line
        file.findings.take_over(first.findings, FindingKind.LONG_ID, FindingKind.CONTROL_CHARACTERS)
        catalogue = read_catalogue(root, file)
        for ident, place in first.duplicates:
            kind = FindingKind.DUPLICATE_DEFINITION if ident in ambiguous else FindingKind.DUPLICATE_ID
            file.findings.add(kind, f"{ident} (first in line {file.find_line(first.defined[ident])})", place, ident)
        return ReadFile(file, catalogue)

    def _join_games(self, files: list[ReadFile]) -> ReadResult:
        games, left_out = group_files(files, self.source, self.find_installed, self.limits)
        aside = [*self.omissions, *_list_diagnostics(left_out)]
        read = [self._join_game(game) for game in games]
        if len(read) == 1:
            # Of the only game here, what was left out is part of the report.
            read = [ReadGame(read[0].data, (*aside, *read[0].diagnostics))]
        if not read:
            return ReadResult((), tuple(map(_refuse, aside)))
        everything = aside if len(read) > 1 else []
        return ReadResult(tuple(read), (*everything, *(finding for game in read for finding in game.diagnostics)))

    def _join_game(self, game: GameFiles) -> ReadGame:
        """Return the files of a game as one data set, checked against each other."""
        files = replace_force_links([*game.installed, *game.files])
        index = cut_cycles(ReferenceIndex(files), self.limits.link_depth)
        check_references(index)
        data = DataSet(catalogues=tuple(_attach_unchecked(read) for read in index.files))
        return ReadGame(data, tuple(_list_diagnostics(index.files)))


def _is_json(source: DataFile, data: bytes) -> bool:
    return is_json(data) or (source.name.lower().endswith(JSON) and not data.lstrip().startswith(b"<"))


def _parse_file(source: DataFile, data: bytes, marks: int, file: SourceFile) -> Element:
    if _is_json(source, data):
        file.find_line = ObjectLines(source.load).find_line
        return parse_json(source.name, data, file.limits)
    return parse_xml(
        source.name,
        data,
        file.limits,
        note_control=lambda line: file.findings.add(FindingKind.CONTROL_CHARACTERS, "", line),
        marks=marks,
    )


def _is_something_else(error: ReadError, name: str) -> bool:
    """Return whether a file that cannot be read is not data at all: folders of data hold other JSON, too."""
    if not name.lower().endswith(JSON):
        return False
    return error.code in ("wrong-root", "empty-file")


def _list_diagnostics(files: list[ReadFile]) -> list[Diagnostic]:
    return [finding for read in files for finding in read.file.findings.list_diagnostics(read.file.find_line)]


def _refuse(finding: Diagnostic) -> Diagnostic:
    """Return why a file was left out as the reason why nothing was read."""
    if finding.level is Level.WARNING:
        return finding
    message = finding.message.removeprefix("Left out: ")
    return msgspec.structs.replace(finding, message=f"{message[:1].upper()}{message[1:]}", level=Level.ERROR)


def _attach_unchecked(read: ReadFile) -> Catalogue:
    unchecked = read.file.findings.unchecked
    return msgspec.structs.replace(read.catalogue, unchecked=unchecked) if unchecked else read.catalogue


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: a data set is some hundred thousand new values and no garbage.

    What was made meanwhile counts as old afterwards, or the collector would look at each of it at once.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.freeze()
            gc.unfreeze()
            gc.enable()
