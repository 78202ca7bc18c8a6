"""Read files into the data of games, with a report: the public entry point.

Only attacks and sources without a game are refused. Other unusable files and definitions are left out.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from catalogue.definitions.catalogues import DataSet
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
from catalogue.formats.battlescribe.game_files import FindInstalled, group_files
from catalogue.formats.battlescribe.json_parser import ObjectLines, is_json, parse_json
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.odd_ids import separate_duplicates, shorten_ids
from catalogue.formats.battlescribe.reference_index import ReadFile, ReferenceIndex, check_references
from catalogue.formats.battlescribe.source_file import Memo, SourceFile
from catalogue.formats.battlescribe.xml_parser import Element, count_marks, parse_xml
from catalogue.formats.battlescribe.zip_archive import refuse_size

Progress = Callable[[int, int], None]
"""Called after each file with the bytes read and the total."""


@dataclass(frozen=True)
class ReadGame:
    data: DataSet
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class ReadResult:
    """Without games, the errors say why."""

    games: tuple[ReadGame, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def data(self) -> DataSet | None:
        """Return the first game's data, usually the only one."""
        return self.games[0].data if self.games else None


def _find_nothing(system_id: str) -> None:
    """Return None: no data is installed."""


def read_path(
    path: Path,
    *,
    progress: Progress | None = None,
    find_installed: FindInstalled = _find_nothing,
    limits: ReadLimits = LIMITS,
) -> ReadResult:
    """Read a file, archive or folder. Never raises for bad content."""
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
    reading = FileReading(name, find_installed, limits)
    return reading.read(lambda: list_files_in_bytes(name, data, limits), progress)


@dataclass
class FileReading:
    """Reads the files of `source` within common limits.

    `omissions` are files left out before joining. `size` and `marks` count bytes and elements so far.
    """

    source: str
    find_installed: FindInstalled
    limits: ReadLimits
    omissions: list[Diagnostic] = field(default_factory=list)
    size: int = 0
    marks: int = 0

    def read(self, find: Callable[[], list[DataFile]], progress: Progress | None) -> ReadResult:
        with pause_garbage_collection():
            try:
                return self._join_games(self._read_files(find(), progress))
            except ReadError as error:
                return ReadResult((), (*self.omissions, error.diagnostic))

    def _read_files(self, sources: list[DataFile], progress: Progress | None) -> list[ReadFile]:
        # Backups are read only if there is nothing else.
        current = [source for source in sources if not source.is_backup] or sources
        if len(current) < len(sources):
            for source in sources:
                if source.is_backup:
                    finding = Findings(source.name)
                    finding.add(FindingKind.BACKUP, "", 0)
                    self.omissions += finding.list_diagnostics(int)

        files: list[ReadFile] = []
        memo: Memo = {}
        total, done = sum(source.size for source in current), 0
        for source in current:
            try:
                files.append(self._read_file(source, memo))
            except ReadError as error:
                if error.is_attack:
                    raise
                # Data folders also contain unrelated JSON.
                is_json_name = source.name.lower().endswith(JSON)
                if not (is_json_name and error.code in ("wrong-root", "empty-file")):
                    self.omissions.append(error.omission)
            done += source.size
            if progress is not None:
                progress(done, total)
        if not files and not self.omissions:
            raise refuse_nothing(self.source)
        return files

    def _read_file(self, source: DataFile, memo: Memo) -> ReadFile:
        name, data = source.name, source.load()
        has_json = is_json(data) or (name.lower().endswith(JSON) and not data.lstrip().startswith(b"<"))
        marks = data.count(b"{") if has_json else count_marks(data)

        self.size += len(data)
        if self.size > self.limits.total_bytes:
            raise refuse_size(name, self.limits.total_bytes)
        self.marks += marks
        if self.marks > self.limits.total_marks:
            raise ReadError("too-large", "The files have too many elements.", file=name)

        file = SourceFile(name, self.limits, memo)
        root: Element
        if has_json:
            file.find_line = ObjectLines(source.load).find_line
            root = parse_json(name, data, self.limits)
        else:
            root = parse_xml(
                name,
                data,
                self.limits,
                note_control=lambda line: file.findings.add(FindingKind.CONTROL_CHARACTERS, "", line),
                marks=marks,
            )
        catalogue = read_catalogue(root, file)
        if file.duplicates or file.has_long_ids:
            return _read_with_other_ids(root, file)
        return ReadFile(file, catalogue)

    def _join_games(self, files: list[ReadFile]) -> ReadResult:
        groups, left_out = group_files(files, self.source, self.find_installed, self.limits)
        omitted = [*self.omissions, *_list_diagnostics(left_out)]
        if not groups:
            reasons = []
            for finding in omitted:
                if finding.level is not Level.WARNING:
                    message = finding.message.removeprefix("Left out: ")
                    message = f"{message[:1].upper()}{message[1:]}"
                    finding = msgspec.structs.replace(finding, message=message, level=Level.ERROR)
                reasons.append(finding)
            return ReadResult((), tuple(reasons))

        games = []
        for group in groups:
            linked = replace_force_links([*group.installed, *group.files])
            index = cut_cycles(ReferenceIndex(linked), self.limits.link_depth)
            check_references(index)
            catalogues = []
            for read in index.files:
                unchecked = read.file.findings.unchecked
                catalogue = (
                    msgspec.structs.replace(read.catalogue, unchecked=unchecked) if unchecked else read.catalogue
                )
                catalogues.append(catalogue)
            diagnostics = _list_diagnostics(index.files)
            if len(groups) == 1:
                diagnostics = [*omitted, *diagnostics]
            games.append(ReadGame(DataSet(catalogues=tuple(catalogues)), tuple(diagnostics)))
        everything = omitted if len(games) > 1 else []
        return ReadResult(tuple(games), (*everything, *(finding for game in games for finding in game.diagnostics)))


def _read_with_other_ids(root: Element, first: SourceFile) -> ReadFile:
    if first.has_long_ids:
        shorten_ids(root, first.limits.ident)
    ambiguous = separate_duplicates(root, [ident for ident, _ in first.duplicates])
    file = SourceFile(first.name, first.limits, first.memo)
    file.find_line = first.find_line
    file.findings.take_over(first.findings, FindingKind.LONG_ID, FindingKind.CONTROL_CHARACTERS)
    catalogue = read_catalogue(root, file)
    for ident, place in first.duplicates:
        kind = FindingKind.DUPLICATE_DEFINITION if ident in ambiguous else FindingKind.DUPLICATE_ID
        file.findings.add(kind, f"{ident} (first in line {file.find_line(first.defined[ident])})", place, ident)
    return ReadFile(file, catalogue)


def _list_diagnostics(files: list[ReadFile]) -> list[Diagnostic]:
    return [finding for read in files for finding in read.file.findings.list_diagnostics(read.file.find_line)]


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector, because reading makes hundreds of thousands of values and no garbage.

    Afterwards they count as old, so that the collector does not visit them at once.
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
