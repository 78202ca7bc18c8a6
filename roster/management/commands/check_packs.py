"""Check the shipped packs, or those at given paths, and say for every mistake where it stands and how to mend it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.packs.load import find_packs
from catalogue.formats.packs.pack import LoadedPack
from catalogue.management.paths import add_paths, get_paths_or_shipped
from roster.management.pack_findings import read_pack_with_lists


class Command(BaseCommand):
    help = "Check packs: every mistake is named with file, line and mend. Exit status 1 where there is one."
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        readings = [
            self._check_pack(pack) for path in get_paths_or_shipped(paths) for pack in _list_packs(path)
        ]
        broken = sum(bool(reading.errors) for reading in readings)
        if broken:
            mistakes = sum(len(reading.errors) for reading in readings)
            raise CommandError(
                f"{_count_noun(mistakes, 'mistake')} in {broken} of {_count_noun(len(readings), 'pack')}."
            )
        self.stdout.write(self.style.SUCCESS(f"{_count_noun(len(readings), 'pack')} checked, no mistakes."))

    def _check_pack(self, path: Path) -> LoadedPack:
        reading = read_pack_with_lists(path)
        for diagnostic in reading.diagnostics:
            self.stderr.write(self._format_diagnostic(diagnostic))
        self.stdout.write(f"{_shorten_path(str(path))}: {_describe_content(reading)}")
        return reading

    def _format_diagnostic(self, diagnostic: Diagnostic) -> str:
        shown = str(msgspec.structs.replace(diagnostic, file=_shorten_path(diagnostic.file)))
        if diagnostic.level is Level.WARNING:
            return self.style.WARNING(f"{shown} (a warning)")
        return self.style.ERROR(shown)


def _list_packs(path: Path) -> tuple[Path, ...]:
    """List the packs in or below a folder. A folder without any is checked itself, which says what is missing."""
    return find_packs(path) or (path,)


def _shorten_path(file: str) -> str:
    """Return a path as one would type it here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _describe_content(reading: LoadedPack) -> str:
    if reading.pack is None or reading.data is None:
        return _count_noun(len(reading.errors), "mistake")
    catalogues = reading.data.catalogues
    units = sum(len(c.entries) + len(c.shared_entries) for c in catalogues)
    name = f"{reading.pack.game}, {reading.pack.edition}" if reading.pack.edition else reading.pack.game
    counted = (("faction", len(catalogues) - 1), ("entry", units), ("list", len(reading.pack.lists)))
    return f"{name} {reading.pack.version}: " + ", ".join(_count_noun(count, noun) for noun, count in counted)


def _count_noun(count: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"
