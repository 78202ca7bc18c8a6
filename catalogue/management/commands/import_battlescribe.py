"""Import the community data of BattleScribe and New Recruit."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import Level, group_diagnostics
from catalogue.management.progress import ProgressBar
from catalogue.management.versions import describe_size
from catalogue.services.community_import import explain_age, import_path


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
        refused = 0
        for path in paths:
            name = path.name
            bar = ProgressBar(self.stderr)
            if not bar.watched:
                self.stdout.write(f"{name}: reading")
            imported = import_path(path, partial(_show_progress, bar, name) if bar.watched else None, hold=hold)
            bar.clear()

            for group in group_diagnostics(imported.diagnostics):
                if group.first.level is Level.ERROR:
                    self.stderr.write(self.style.ERROR(f"error: {group}"))
                else:
                    self.stderr.write(self.style.WARNING(f"{group.first.level}: {group}"))
            for game in imported.games:
                version, count = game.version, len(game.diagnostics)
                if game.unchanged:
                    outcome = ", unchanged"
                elif version.is_current:
                    outcome = f" imported, {describe_size(version)}; {count} findings"
                else:
                    outcome = f" stored, not published yet; {count} findings"
                self.stdout.write(f"{name}: {version.full_name}{outcome}")
                if older := explain_age(game):
                    self.stderr.write(self.style.WARNING(f"{name}: {older}"))
            if not imported.games:
                self.stdout.write(f"{name}: refused")
                refused += 1
        if refused:
            raise CommandError(f"{refused} of {len(paths)} refused; nothing in them was stored. The reasons are above.")


def _show_progress(bar: ProgressBar, name: str, done: int, total: int) -> None:
    bar.show(name, done, total, "reading" if done < total else "checking and storing")
