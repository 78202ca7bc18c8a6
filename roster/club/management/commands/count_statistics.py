from typing import Any

from django.core.management.base import BaseCommand

from roster.club.services.statistics import count_all_games


class Command(BaseCommand):
    help = "Count the public lists and events of all games, for the statistics pages."

    def handle(self, *args: Any, **options: Any) -> None:
        count = count_all_games()
        if options["verbosity"]:
            self.stdout.write(f"{count}")
