"""Check the shipped packs, or those at given paths, and say for every mistake where it stands and how to mend it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.formats.packs.load import find_packs
from catalogue.formats.packs.pack import LoadedPack
from catalogue.management.paths import add_paths, or_shipped
from roster.management.pack_findings import read_pack_with_lists


class Command(BaseCommand):
    help = "Check packs: every mistake is named with file, line and mend. Exit status 1 where there is one."
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        readings = [self._check(pack) for path in or_shipped(paths) for pack in _packs(path)]
        broken = sum(bool(reading.errors) for reading in readings)
        if broken:
            mistakes = sum(len(reading.errors) for reading in readings)
            raise CommandError(
                f"{_number(mistakes, 'mistake')} in {broken} of {_number(len(readings), 'pack')}."
            )
        self.stdout.write(self.style.SUCCESS(f"{_number(len(readings), 'pack')} checked, no mistakes."))

    def _check(self, path: Path) -> LoadedPack:
        reading = read_pack_with_lists(path)
        for diagnostic in reading.diagnostics:
            self.stderr.write(self._line(diagnostic))
        self.stdout.write(f"{_near(str(path))}: {_content(reading)}")
        return reading

    def _line(self, diagnostic: Diagnostic) -> str:
        shown = str(msgspec.structs.replace(diagnostic, file=_near(diagnostic.file)))
        if diagnostic.level is Level.WARNING:
            return self.style.WARNING(f"{shown} (a warning)")
        return self.style.ERROR(shown)


def _packs(path: Path) -> tuple[Path, ...]:
    """Return the packs in or below a folder, or itself where there are none: the answer says what is missing."""
    return find_packs(path) or (path,)


def _near(file: str) -> str:
    """Return a path as one would type it here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _content(reading: LoadedPack) -> str:
    if reading.pack is None or reading.data is None:
        return _number(len(reading.errors), "mistake")
    catalogues = reading.data.catalogues
    units = sum(len(c.entries) + len(c.shared_entries) for c in catalogues)
    name = f"{reading.pack.game}, {reading.pack.edition}" if reading.pack.edition else reading.pack.game
    counted = (("faction", len(catalogues) - 1), ("entry", units), ("list", len(reading.pack.lists)))
    return f"{name} {reading.pack.version}: " + ", ".join(_number(count, noun) for noun, count in counted)


def _number(count: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"
