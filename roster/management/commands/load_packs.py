"""Load the shipped packs, or those at given paths, into the database, and judge their worked lists."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import group_diagnostics
from catalogue.formats.packs.load import find_packs
from catalogue.management.paths import add_paths, get_paths_or_shipped
from catalogue.management.progress import ProgressBar
from catalogue.models import PackVersion
from catalogue.services.install_packs import PackInstallation, install_pack
from roster.services.proofs import store_proofs


class Command(BaseCommand):
    help = "Load packs into the database. A pack that is there already costs milliseconds; a broken one is refused."
    requires_system_checks = ()  # quick, for it is before every start

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        packs = [pack for path in get_paths_or_shipped(paths) for pack in _list_packs(path)]
        done = list(self._load_all(packs))
        refused = sum(shelved.version is None for shelved in done)
        if refused:
            raise CommandError(
                f"{refused} of {len(done)} packs refused. Mend the files named above and run this again."
            )

    def _load_all(self, packs: list[Path]) -> Iterator[PackInstallation]:
        """Load each pack in turn, with a bar that grows by their sizes."""
        bar, sizes = ProgressBar(self.stderr), [_measure_pack(pack) for pack in packs]
        for number, pack in enumerate(packs):
            bar.show("Packs", sum(sizes[:number]), sum(sizes), f"{number + 1} of {len(packs)}")
            shelved = install_pack(pack, hold=settings.ARMYBUILDER["HOLD_NEW_DATA"])
            store_proofs(shelved)
            bar.clear()
            self._report_pack(shelved)
            yield shelved

    def _report_pack(self, shelved: PackInstallation) -> None:
        for group in group_diagnostics(shelved.diagnostics):
            self.stderr.write(str(group))
        self.stdout.write(f"{_get_name(shelved)}: {_describe_outcome(shelved)}")
        if shelved.version and not shelved.unchanged and shelved.version.has_twin:
            self.stderr.write(
                f"Warning: {shelved.version.full_name} was loaded before with other content, and owners cannot tell "
                "the two apart. Raise `version:` in its pack.yaml."
            )


def _list_packs(path: Path) -> tuple[Path, ...]:
    packs = find_packs(path)
    if not packs:
        raise CommandError(f"There is no pack.yaml in or below {path}.")
    return packs


def _measure_pack(pack: Path) -> int:
    """Return how large the files of a pack are: reading it takes as long."""
    return sum(file.stat().st_size for file in pack.rglob("*.yaml"))


def _get_name(shelved: PackInstallation) -> str:
    return shelved.version.full_name if shelved.version else str(shelved.path)


def _describe_outcome(shelved: PackInstallation) -> str:
    if shelved.version is None:
        return "refused"
    if shelved.unchanged:
        return "unchanged"
    held = "" if shelved.version.is_current else "; not published yet, see /data/"
    return f"loaded, {_describe_size(shelved.version)}{held}"


def _describe_size(version: PackVersion) -> str:
    units = list(version.factions.values_list("unit_count", flat=True))
    return f"{len(units)} factions with {sum(units)} units"
