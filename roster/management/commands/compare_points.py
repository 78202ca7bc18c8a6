from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue.management.versions import HELP, find_version
from roster.services.official_points import (
    OfficialFaction,
    OfficialFileError,
    PointDifference,
    compare_points,
    group_by_faction,
    read_official_points,
)

DIFFERENT, UNUSABLE = 1, 2


class Command(BaseCommand):
    help = (
        "Compare a version of a game with the points that its publisher prints: prices of every size, steps for "
        "further units, enhancements, and who may lead whom. Exits with 0 if nothing differs, with 1 if something "
        "does, and with 2 if a file cannot be used."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("points", type=Path, help="a .yaml file of official points, or a folder of them")
        parser.add_argument("version", help=HELP)
        parser.add_argument(
            "--faction", action="append", default=[], metavar="NAME", help="only this faction; repeatable"
        )

    def handle(self, *args: Any, points: Path, version: str, faction: list[str], **options: Any) -> None:
        pack_version = find_version(version)
        try:
            factions = _choose_factions(read_official_points(points), faction)
        except OfficialFileError as error:
            raise CommandError(str(error), returncode=UNUSABLE) from error
        comparison = compare_points(pack_version, factions)
        for name, differences in group_by_faction(comparison.differences):
            self.stdout.write(f"{name}:")
            for difference in differences:
                self.stdout.write(f"  {_describe(difference)}")
        for name in comparison.absent:
            self.stdout.write(f"{name}: not in the data, not compared")
        self.stdout.write(
            f"{pack_version.full_name}: {comparison.units} units, {comparison.prices} prices and "
            f"{comparison.leaders} leaders compared, {len(comparison.differences)} differences"
        )
        if comparison.differences:
            raise CommandError("The data differs from the official points.", returncode=DIFFERENT)


def _choose_factions(factions: list[OfficialFaction], names: list[str]) -> list[OfficialFaction]:
    factions_by_name = {faction.name.casefold(): faction for faction in factions}
    missing = [name for name in names if name.casefold() not in factions_by_name]
    if missing:
        raise OfficialFileError(
            f"No file has the faction {missing[0]!r}. There are: {', '.join(f.name for f in factions)}"
        )
    return [factions_by_name[name.casefold()] for name in names] or factions


def _describe(difference: PointDifference) -> str:
    if difference.what == "unit":
        return f"{difference.subject}: only {'official' if difference.data is None else 'in the data'}"
    data = "not in the data" if difference.data is None else f"data {difference.data}"
    return f"{difference.subject}, {difference.what}: official {difference.official}, {data}"
