from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from roster.services.site_backup import BackupError, write_site_backup


class Command(BaseCommand):
    help = "Back up the database and stored files into a new folder below DIR, without SECRET_KEY and settings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)
        parser.add_argument("--keep", type=int, default=0, metavar="N", help="keep the newest N and delete older ones")

    def handle(self, *args: Any, folder: Path, keep: int, **options: Any) -> None:
        if keep < 0:
            raise CommandError("--keep: a number from 0 on.")
        try:
            written = write_site_backup(folder, keep)
        except (BackupError, OSError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        if options["verbosity"]:
            self.stdout.write(str(written))
