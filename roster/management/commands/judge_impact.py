from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from catalogue.definitions.numbers import format_number
from catalogue.management.versions import HELP, find_version
from roster.services.impacts import evaluate_impacts, preview_changed_lists, summarize_impact


class Command(BaseCommand):
    help = (
        "Work out what a version would do to every list of its game: verdicts, costs and the prices of units. No list "
        "is changed, and no list is named. A game that is new is published at once; changed data of a source is held "
        "until staff publish it at /data/, which shows the sums as well."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("version", help=HELP)
        parser.add_argument("--lists", type=int, default=20, metavar="N", help="show at most N changed lists")

    def handle(self, *args: Any, version: str, lists: int, **options: Any) -> None:
        pack_version = find_version(version)
        done = evaluate_impacts(pack_version)
        summed = summarize_impact(pack_version)
        self.stdout.write(
            f"{pack_version.full_name}: {done} lists judged now, {summed.impacts} of {summed.lists} in all"
        )
        for shift in summed.moved:
            self.stdout.write(f"  {shift.before} -> {shift.after}: {shift.lists}")
        self.stdout.write(f"  lists whose costs change: {summed.repriced}")
        for number, preview in enumerate(preview_changed_lists(pack_version, max(lists, 0)), 1):
            comparison = preview.comparison
            before, after = comparison.verdicts
            changes = [f"{before} -> {after}" if before is not after else str(after)]
            for cost in comparison.costs:
                if cost.more:
                    changes.append(f"{format_number(cost.before)} -> {format_number(cost.after)} {cost.name}")
            for price in preview.repriced:
                changes.append(f"{price.name} {format_number(price.before)} -> {format_number(price.after)}")
            if comparison.missing:
                changes.append(f"missing: {', '.join(comparison.missing)}")
            self.stdout.write(f"list {number}: {'; '.join(changes)}")
