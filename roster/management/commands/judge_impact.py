"""Judge all lists of a game by a version of its data, before it is published."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue.models import PackVersion
from roster.services.impacts import evaluate_impacts, summarize_impact


class Command(BaseCommand):
    help = "Work out what a version would do to every list of its game. No list is changed; /data/ shows the sums."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("version", help="the hash of the version, as /data/ shows it")

    def handle(self, *args: Any, version: str, **options: Any) -> None:
        matches = PackVersion.objects.select_related("game").filter(content_hash__startswith=version)
        if len(matches) != 1:
            raise CommandError(f"{len(matches)} versions begin with {version!r}; give the hash that /data/ shows.")
        done = evaluate_impacts(matches[0])
        summed = summarize_impact(matches[0])
        self.stdout.write(f"{matches[0]}: {done} lists judged now, {summed.judged} of {summed.lists} in all")
        for shift in summed.moved:
            self.stdout.write(f"  {shift.before} -> {shift.after}: {shift.lists}")
