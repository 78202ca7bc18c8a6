from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from roster import wording
from roster.services.archive import archive_histories, delete_lost_archives, undo_archive


class Command(BaseCommand):
    help = (
        "Move old steps of lists unchanged for ARCHIVE_HISTORIES_AFTER days from the database to one file per list. "
        "Files that no list uses are deleted after a day."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--undo", action="store_true", help="store all archived steps in the database again")

    def handle(self, *args: Any, undo: bool, **options: Any) -> None:
        try:
            delete_lost_archives()
            run = undo_archive() if undo else archive_histories()
        except OSError as error:
            raise CommandError(f"The storage failed; no step is lost. {error}") from error
        if options["verbosity"]:
            say = wording.format_unarchived if undo else wording.format_archived
            self.stdout.write(say(run.lists))
        if run.lost:
            raise CommandError(
                f"The archives of {len(run.lost)} lists are missing or damaged; the lists stayed as they are: "
                f"{', '.join(run.lost[:3])}. A backup may have the files, in the folder `histories`."
            )
