from typing import Any

from django.core.management.base import BaseCommand

from roster.services.list_dump import find_dump, write_dump


class Command(BaseCommand):
    help = "Write the public lists of everyone who agreed into one file, which the API serves."

    def handle(self, *args: Any, **options: Any) -> None:
        count = write_dump()
        if options["verbosity"]:
            self.stdout.write(f"{count}: {find_dump()}")
