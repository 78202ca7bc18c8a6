"""The public door: from files to a data set, with a report of everything odd about them."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from catalogue.definitions.catalogues import Catalogue, CatalogueKind, DataSet
from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.battlescribe.archives import Source, sources_in_bytes, sources_in_path
from catalogue.formats.battlescribe.catalogues import catalogue
from catalogue.formats.battlescribe.cycles import check_cycles
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.force_links import with_linked_forces
from catalogue.formats.battlescribe.limits import LIMITS, Limits
from catalogue.formats.battlescribe.markup import parse
from catalogue.formats.battlescribe.references import Index, ReadFile, check_references
from catalogue.formats.battlescribe.source import Memo, Ref, SourceFile
from catalogue.formats.battlescribe.zips import too_large

Progress = Callable[[int, int], None]
"""Called with the number of bytes read and the number there are, after each file."""


@dataclass(frozen=True)
class ReadResult:
    """The data, or None where a diagnostic is an error: nothing is half-imported."""

    data: DataSet | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read_path(path: Path, *, progress: Progress | None = None, limits: Limits = LIMITS) -> ReadResult:
    """Read one game's data from a file, an archive or a folder. Never raises for what is in them."""
    return _read(lambda: sources_in_path(path, limits), progress, limits)


def read_bytes(
    name: str, data: bytes, *, progress: Progress | None = None, limits: Limits = LIMITS
) -> ReadResult:
    """Read one game's data from the bytes of a file or archive called `name`."""
    return _read(lambda: sources_in_bytes(name, data, limits), progress, limits)


def _read(find: Callable[[], list[Source]], progress: Progress | None, limits: Limits) -> ReadResult:
    with no_collection():
        try:
            files, failures = _read_files(find(), progress, limits)
            return _joined(files, failures, limits)
        except ReadError as error:
            return ReadResult(None, (error.diagnostic,))


def _read_files(
    sources: list[Source], progress: Progress | None, limits: Limits
) -> tuple[list[ReadFile], list[Diagnostic]]:
    """Every file by itself; one that cannot be read does not hide what is wrong with the others."""
    files: list[ReadFile] = []
    failures: list[Diagnostic] = []
    memo = Memo()
    total, loaded, done = sum(source.size for source in sources), 0, 0
    for source in sources:
        try:
            data = source.load()
            loaded += len(data)
            if loaded > limits.total_bytes:
                return files, [too_large(source.name, limits.total_bytes).diagnostic]
            files.append(_read_file(source.name, data, memo, limits))
        except ReadError as error:
            failures.append(error.diagnostic)
        done += source.size
        if progress is not None:
            progress(done, total)
    return files, failures


def _read_file(name: str, data: bytes, memo: Memo, limits: Limits) -> ReadFile:
    file = SourceFile(name, limits, memo)
    return ReadFile(file, catalogue(parse(name, data, limits), file))


def _joined(files: list[ReadFile], failures: list[Diagnostic], limits: Limits) -> ReadResult:
    """The files as one data set, checked against each other."""
    if not failures:
        failures = list(_misfits(files))
    if not failures:
        files = with_linked_forces(files)
        index = Index(files)
        check_references(index)
        check_cycles(index, Ref.ENTRY, limits.link_depth)
        check_cycles(index, Ref.INFO, limits.link_depth)
    diagnostics = (*failures, *(found for read in files for found in read.file.findings.diagnostics))
    if any(found.level is Level.ERROR for found in diagnostics):
        return ReadResult(None, diagnostics)
    return ReadResult(DataSet(catalogues=tuple(_finished(read) for read in files)), diagnostics)


def _finished(read: ReadFile) -> Catalogue:
    unchecked = read.file.findings.unchecked
    return msgspec.structs.replace(read.catalogue, unchecked=unchecked) if unchecked else read.catalogue


def _misfits(files: list[ReadFile]) -> Iterator[Diagnostic]:
    """What keeps the files from being the data of one game."""
    seen: dict[str, ReadFile] = {}
    for read in files:
        first = seen.setdefault(read.catalogue.id, read)
        if first is not read:
            yield _misfit(
                "duplicate-catalogue",
                f"{first.file.name} has the same id.",
                "Leave one of the two out.",
                read,
            )
    systems = [read for read in files if read.catalogue.kind is CatalogueKind.GAME_SYSTEM]
    if not systems:
        yield _misfit(
            "no-game-system",
            "There is no game system (.gst) with it.",
            "Import all files together.",
            files[0],
        )
    for other in systems[1:]:
        text = f"{systems[0].file.name} is a game system too."
        yield _misfit("several-game-systems", text, "Import one game at a time.", other)


def _misfit(code: str, message: str, mend: str, read: ReadFile) -> Diagnostic:
    return Diagnostic(code=code, message=message, mend=mend, file=read.file.name)


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the garbage collector: a data set is some hundred thousand new values and no garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
