from typing import Any

from django.core.management.base import BaseCommand

from roster import wording
from roster.services.photos import delete_lost_files


class Command(BaseCommand):
    help = "Delete photo files that belong to no list, for example after an interrupted upload."

    def handle(self, *args: Any, **options: Any) -> None:
        number = delete_lost_files()
        if options["verbosity"]:
            self.stdout.write(wording.format_lost_photos(number))
