from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.models.games import SourceKind
from catalogue.services.sources import add_source, look_up_source


class Command(BaseCommand):
    help = (
        "Add a source of community data: the full path of a folder or archive, the address of an archive, of a git "
        "repository or of a feed of releases (.atom). A source that is there already gets the options given here. "
        "A game that is new is published at once. Changed data is held for staff to look at (see /data/ and "
        "judge_impact), unless --publish is given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("location", help="path or address")
        parser.add_argument("--kind", choices=SourceKind.values, default="", help="if the name does not tell")
        parser.add_argument(
            "--publish", action="store_true", help="publish changed data once all lists have been judged with it"
        )
        parser.add_argument("--every", type=int, default=24, metavar="HOURS", help="hours between two checks")
        parser.add_argument("--look-up", action="store_true", help="check it now")

    def handle(
        self, *args: Any, location: str, kind: str, publish: bool, every: int, look_up: bool, **options: Any
    ) -> None:
        source = add_source(location, kind=kind, publishes=publish, every=every, anywhere=True)
        if isinstance(source, str):
            raise CommandError(source)
        self.stdout.write(f"{source}: {source.get_kind_display()}, every {source.every} hours")
        if look_up:
            report = look_up_source(source, anywhere=True)
            if report.trouble:
                raise CommandError(report.describe())
            self.stdout.write(report.describe())
