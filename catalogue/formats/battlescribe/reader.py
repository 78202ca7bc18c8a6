"""The public door: from files to a data set, with a report of everything odd about them."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.battlescribe.catalogues import read_catalogue
from catalogue.formats.battlescribe.cycles import check_cycles
from catalogue.formats.battlescribe.data_files import DataFile, list_files_in_bytes, list_files_in_path
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.force_links import replace_force_links
from catalogue.formats.battlescribe.limits import LIMITS, ReadLimits
from catalogue.formats.battlescribe.reference_index import ReadFile, ReferenceIndex, check_references
from catalogue.formats.battlescribe.source_file import ReferenceKind, SourceFile, ValueCache
from catalogue.formats.battlescribe.xml_parser import parse_xml
from catalogue.formats.battlescribe.zip_archive import refuse_size

Progress = Callable[[int, int], None]
"""Called with the number of bytes read and the number there are, after each file."""


@dataclass(frozen=True)
class ReadResult:
    """The data, or None where a diagnostic is an error: nothing is half-imported."""

    data: DataSet | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_path(path: Path, *, progress: Progress | None = None, limits: ReadLimits = LIMITS) -> ReadResult:
    """Read one game's data from a file, an archive or a folder. Never raises for what is in them."""
    return _read_data(lambda: list_files_in_path(path, limits), progress, limits)


def read_bytes(
    name: str, data: bytes, *, progress: Progress | None = None, limits: ReadLimits = LIMITS
) -> ReadResult:
    """Read one game's data from the bytes of a file or archive called `name`."""
    return _read_data(lambda: list_files_in_bytes(name, data, limits), progress, limits)


def _read_data(
    find: Callable[[], list[DataFile]], progress: Progress | None, limits: ReadLimits
) -> ReadResult:
    with pause_garbage_collection():
        try:
            files, failures = _read_files(find(), progress, limits)
            return _join_files(files, failures, limits)
        except ReadError as error:
            return ReadResult(None, (error.diagnostic,))


def _read_files(
    sources: list[DataFile], progress: Progress | None, limits: ReadLimits
) -> tuple[list[ReadFile], list[Diagnostic]]:
    """Read every file by itself, so that one that cannot be read does not hide what is wrong with the others."""
    files: list[ReadFile] = []
    failures: list[Diagnostic] = []
    memo = ValueCache()
    total, loaded, done = sum(source.size for source in sources), 0, 0
    for source in sources:
        try:
            data = source.load()
            loaded += len(data)
            if loaded > limits.total_bytes:
                return files, [refuse_size(source.name, limits.total_bytes).diagnostic]
            files.append(_read_file(source.name, data, memo, limits))
        except ReadError as error:
            failures.append(error.diagnostic)
        done += source.size
        if progress is not None:
            progress(done, total)
    return files, failures


def _read_file(name: str, data: bytes, memo: ValueCache, limits: ReadLimits) -> ReadFile:
    file = SourceFile(name, limits, memo)
    return ReadFile(file, read_catalogue(parse_xml(name, data, limits), file))


def _join_files(files: list[ReadFile], failures: list[Diagnostic], limits: ReadLimits) -> ReadResult:
    """Return the files as one data set, checked against each other."""
    if not failures:
        failures = list(_find_misfits(files))
    if not failures:
        # Only now: what a file that cannot be read defines would look missing everywhere else.
        files = replace_force_links(files)
        index = ReferenceIndex(files)
        check_references(index)
        check_cycles(index, ReferenceKind.ENTRY, limits.link_depth)
        check_cycles(index, ReferenceKind.INFO, limits.link_depth)
    diagnostics = (*failures, *(finding for read in files for finding in read.file.findings.diagnostics))
    if any(finding.level is Level.ERROR for finding in diagnostics):
        return ReadResult(None, diagnostics)
    return ReadResult(DataSet(catalogues=tuple(_attach_unchecked(read) for read in files)), diagnostics)


def _attach_unchecked(read: ReadFile) -> Catalogue:
    unchecked = read.file.findings.unchecked
    return msgspec.structs.replace(read.catalogue, unchecked=unchecked) if unchecked else read.catalogue


def _find_misfits(files: list[ReadFile]) -> Iterator[Diagnostic]:
    """Yield what keeps the files from being the data of one game."""
    seen: dict[str, ReadFile] = {}
    for read in files:
        first = seen.setdefault(read.catalogue.id, read)
        if first is not read:
            yield _make_misfit(
                "duplicate-catalogue",
                f"{first.file.name} has the same id.",
                "Leave one of the two out.",
                read,
            )
    systems = [read for read in files if read.catalogue.kind is CatalogueKind.GAME_SYSTEM]
    if not systems:
        yield _make_misfit(
            "no-game-system",
            "There is no game system (.gst) with it.",
            "Import all files together.",
            files[0],
        )
    for other in systems[1:]:
        text = f"{systems[0].file.name} is a game system too."
        yield _make_misfit("several-game-systems", text, "Import one game at a time.", other)


def _make_misfit(code: str, message: str, mend: str, read: ReadFile) -> Diagnostic:
    return Diagnostic(code=code, message=message, mend=mend, file=read.file.name)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: a data set is some hundred thousand new values and no garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
