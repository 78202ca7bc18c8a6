"""Import community data, as BattleScribe and New Recruit read it, into the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import DiagnosticGroup, Level, group_diagnostics
from catalogue.management.progress import ProgressBar
from catalogue.models import PackVersion
from catalogue.services.community_import import ImportedGame, ImportOutcome, Progress, import_path


class Command(BaseCommand):
    help = (
        "Import the data of games: .gst .cat .json, the same packed, .zip .bsr, a folder, or an archive of a "
        "repository. Everything unknown, ambiguous, dangling or left out is reported. A game that is new is published "
        "at once, and so is changed data without --hold. Exit status 1 if a path was refused."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the data of one game or of several")
        parser.add_argument(
            "--hold", action="store_true", help="store changed data without publishing it, see /data/ and judge_impact"
        )

    def handle(self, *args: Any, paths: list[Path], hold: bool, **options: Any) -> None:
        done = [self._import_path(path, hold) for path in paths]
        refused = sum(not imported.games for imported in done)
        if refused:
            raise CommandError(f"{refused} of {len(done)} refused, nothing of it is stored. The reasons stand above.")

    def _import_path(self, path: Path, hold: bool) -> ImportOutcome:
        bar = ProgressBar(self.stderr)
        if not bar.watched:
            self.stdout.write(f"{path.name}: reading")
        imported = import_path(path, _make_progress(bar, path.name), hold=hold)
        bar.clear()
        for group in group_diagnostics(imported.diagnostics):
            self.stderr.write(self._format_finding(group))
        for game in imported.games:
            self.stdout.write(f"{path.name}: {_describe_outcome(game)}")
        if not imported.games:
            self.stdout.write(f"{path.name}: refused")
        return imported

    def _format_finding(self, group: DiagnosticGroup) -> str:
        if group.first.level is Level.ERROR:
            return self.style.ERROR(f"error: {group}")
        return self.style.WARNING(f"{group.first.level}: {group}")


def _make_progress(bar: ProgressBar, name: str) -> Progress | None:
    """Show how much of a file is read, where somebody watches."""

    def show(done: int, total: int) -> None:
        bar.show(name, done, total, "reading" if done < total else "checking and storing")

    return show if bar.watched else None


def _describe_outcome(imported: ImportedGame) -> str:
    version, count = imported.version, len(imported.diagnostics)
    if imported.unchanged:
        return f"{version.full_name}, unchanged"
    if not version.is_current:
        return f"{version.full_name} stored, not published yet; {count} findings"
    return f"{version.full_name} imported, {_describe_size(version)}; {count} findings"


def _describe_size(version: PackVersion) -> str:
    units = list(version.factions.values_list("unit_count", flat=True))
    return f"{len(units)} factions with {sum(units)} units"
