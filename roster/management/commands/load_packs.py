from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import group_diagnostics
from catalogue.formats.packs.load import find_packs
from catalogue.management.paths import add_paths, get_paths_or_shipped
from catalogue.management.progress import ProgressBar
from catalogue.management.versions import describe_size
from catalogue.services.install_packs import PackInstallation, install_pack
from roster.services.proofs import store_proofs


class Command(BaseCommand):
    help = "Load packs into the database. A pack that is already loaded takes milliseconds; a broken pack is refused."
    requires_system_checks = ()  # quick, because it runs before every start

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        packs: list[Path] = []
        for path in get_paths_or_shipped(paths):
            below = find_packs(path)
            if not below:
                raise CommandError(f"There is no pack.yaml in or below {path}.")
            packs += below

        bar = ProgressBar(self.stderr)
        # Reading time grows with file size.
        sizes = [sum(file.stat().st_size for file in pack.rglob("*.yaml")) for pack in packs]
        refused = 0
        for number, pack in enumerate(packs):
            bar.show("Packs", sum(sizes[:number]), sum(sizes), f"{number + 1} of {len(packs)}")
            installation = install_pack(pack, hold=settings.ARMYBUILDER["HOLD_NEW_DATA"])
            store_proofs(installation)
            bar.clear()
            self._report_pack(installation)
            refused += installation.version is None
        if refused:
            raise CommandError(
                f"{refused} of {len(packs)} packs refused. Correct the files named above, then run this again."
            )

    def _report_pack(self, installation: PackInstallation) -> None:
        for group in group_diagnostics(installation.diagnostics):
            self.stderr.write(str(group))
        version = installation.version
        if version is None:
            self.stdout.write(f"{installation.path}: refused")
        elif installation.unchanged:
            self.stdout.write(f"{version.full_name}: unchanged")
        else:
            held = "" if version.is_current else "; not published yet, see /data/"
            self.stdout.write(f"{version.full_name}: loaded, {describe_size(version)}{held}")
            if version.has_twin:
                self.stderr.write(
                    f"Warning: {version.full_name} was loaded before with other content, and owners cannot tell "
                    "the two apart. Raise `version:` in its pack.yaml."
                )
