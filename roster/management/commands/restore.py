from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from roster.services.site_backup import BackupError, restore_site_backup


class Command(BaseCommand):
    help = "Restore a folder written by `backup`, and migrate it to this version. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="BACKUP", type=Path, help="the folder that `backup` named")
        parser.add_argument("--replace", action="store_true", help="replace the current accounts and lists")

    def handle(self, *args: Any, folder: Path, replace: bool, **options: Any) -> None:
        try:
            note = restore_site_backup(folder, replace=replace)
        except (BackupError, OSError) as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        if options["verbosity"]:
            self.stdout.write(f"Restored: {note.database}, as it was at {note.created}.")
