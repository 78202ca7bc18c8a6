from typing import Any

from django.core.management.base import BaseCommand

from roster import wording
from roster.services.photos import delete_lost_files


class Command(BaseCommand):
    help = "Delete files of photos that no list has any more, as an interrupted upload leaves them."

    def handle(self, *args: Any, **options: Any) -> None:
        number = delete_lost_files()
        if options["verbosity"]:
            self.stdout.write(wording.format_lost_photos(number))
