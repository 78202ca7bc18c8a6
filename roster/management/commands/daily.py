import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

logger = logging.getLogger(__name__)

STEPS = (
    "expire_guests",
    "empty_bins",
    "delete_lost_photos",
    "archive_histories",
    "clearsessions",
    "cleartokens",
    "prune_db_task_results",
    "dump_lists",
    "count_statistics",
)


class Command(BaseCommand):
    help = f"Back up, then run {', '.join(STEPS)}. A failing step is logged and does not stop the others."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--backup", metavar="DIR", type=Path, help="write a backup below this folder")
        parser.add_argument("--keep", type=int, default=14, metavar="N", help="keep the newest N backups (14)")

    def handle(self, *args: Any, backup: Path | None, keep: int, verbosity: int, **options: Any) -> None:
        steps: list[tuple[str, ...]] = [(name,) for name in STEPS]
        if backup:
            steps.insert(0, ("backup", str(backup), f"--keep={keep}"))
        failed: list[str] = []
        for name, *arguments in steps:
            try:
                call_command(name, *arguments, verbosity=verbosity, stdout=self.stdout, stderr=self.stderr)
            except CommandError as error:
                failed.append(name)
                logger.error("%s: %s", name, error)
            except Exception:
                # A full disk must not stop the tasks that free space.
                failed.append(name)
                logger.exception("%s failed", name)
        if failed:
            raise CommandError(f"{len(failed)} of {len(steps)} steps failed: {', '.join(failed)}.")
