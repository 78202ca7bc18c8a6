from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from roster import wording
from roster.services.owners import expire_guests, is_nothing_new


class Command(BaseCommand):
    help = "Delete what guests have not changed for GUEST_DAYS days. Accounts keep everything."

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.ARMYBUILDER["GUEST_DAYS"]
        if is_nothing_new(days):
            raise CommandError(wording.format_nothing_new(max(1, days)))
        number = expire_guests()
        if options["verbosity"]:
            self.stdout.write(wording.format_expired(number, days))
