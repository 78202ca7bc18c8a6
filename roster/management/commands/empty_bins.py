"""Delete what has been in the bin for too long. For a timer, once a day."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from roster import wording
from roster.services.organize import purge_bins


class Command(BaseCommand):
    help = "Delete lists that were thrown away more than BIN_DAYS days ago. There is no way back for them."

    def handle(self, *args: Any, **options: Any) -> None:
        number = purge_bins()
        if options["verbosity"]:
            self.stdout.write(wording.format_purged(number, settings.ARMYBUILDER["BIN_DAYS"]))
