"""Check the due sources and indexes of community data, for example by a timer."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.models import Source
from catalogue.services.gallery import are_indexes_due, describe_reading, read_galleries
from catalogue.services.sources import list_due_sources, look_up_source


class Command(BaseCommand):
    help = "Check the sources that are due. Exits with status 1 if one could not be read."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="also check sources that are not due")

    def handle(self, *args: Any, all: bool, **options: Any) -> None:  # noqa: A002 - the name of the option
        troubled = 0
        for source in list(Source.objects.all()) if all else list_due_sources():
            look_up = look_up_source(source, anywhere=True)
            self.stdout.write(look_up.describe())
            troubled += bool(look_up.trouble)
        if all or are_indexes_due():
            for reading in read_galleries():
                self.stdout.write(describe_reading(reading))
                troubled += bool(reading.trouble)
        if troubled:
            raise CommandError(f"{troubled} could not be read; nothing in them was stored.")
