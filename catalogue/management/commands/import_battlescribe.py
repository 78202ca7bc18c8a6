"""Bring community data, as BattleScribe and New Recruit read it, into the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.management.progress import ProgressBar
from catalogue.models import PackVersion
from catalogue.services.community_import import ImportOutcome, Progress, import_path


class Command(BaseCommand):
    help = (
        "Import the data of a game: .gst .cat .gstz .catz .zip .bsr, a folder, or an archive of a repository. "
        "Everything unknown, ambiguous or dangling is reported. Exit status 1 where something was refused."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the data of one game each")
        parser.add_argument(
            "--hold", action="store_true", help="store a new version without publishing it; see /data/"
        )

    def handle(self, *args: Any, paths: list[Path], hold: bool, **options: Any) -> None:
        done = [self._import_path(path, hold) for path in paths]
        refused = sum(imported.version is None for imported in done)
        if refused:
            raise CommandError(
                f"{refused} of {len(done)} refused, nothing of it is stored. The reasons stand above."
            )

    def _import_path(self, path: Path, hold: bool) -> ImportOutcome:
        bar = ProgressBar(self.stderr)
        if not bar.watched:
            self.stdout.write(f"{path.name}: reading")
        imported = import_path(path, _make_progress(bar, path.name), hold=hold)
        bar.clear()
        for diagnostic in imported.diagnostics:
            self.stderr.write(self._format_diagnostic(diagnostic))
        self.stdout.write(f"{path.name}: {_describe_outcome(imported)}")
        return imported

    def _format_diagnostic(self, diagnostic: Diagnostic) -> str:
        if diagnostic.level is Level.WARNING:
            return self.style.WARNING(f"warning: {diagnostic}")
        return self.style.ERROR(f"error: {diagnostic}")


def _make_progress(bar: ProgressBar, name: str) -> Progress | None:
    """Show how much of a file is read, where somebody watches."""

    def show(done: int, total: int) -> None:
        bar.show(name, done, total, "reading" if done < total else "checking and storing")

    return show if bar.watched else None


def _describe_outcome(imported: ImportOutcome) -> str:
    if imported.version is None:
        return "refused"
    if imported.unchanged:
        return f"{imported.version}, unchanged"
    if not imported.version.is_current:
        return f"{imported.version} stored, not published yet; {len(imported.diagnostics)} findings"
    return f"{imported.version} imported, {_describe_size(imported.version)}; {len(imported.diagnostics)} findings"


def _describe_size(version: PackVersion) -> str:
    units = list(version.factions.values_list("unit_count", flat=True))
    return f"{len(units)} factions with {sum(units)} units"
