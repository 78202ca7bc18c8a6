from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from roster import wording
from roster.services.organize import purge_bins
from roster.services.owners import is_nothing_new


class Command(BaseCommand):
    help = "Permanently delete lists that have been in the bin for more than BIN_DAYS days."

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.ARMYBUILDER["BIN_DAYS"]
        if is_nothing_new(days):
            raise CommandError(wording.format_nothing_new(max(1, days)))
        number = purge_bins()
        if options["verbosity"]:
            self.stdout.write(wording.format_purged(number, days))
