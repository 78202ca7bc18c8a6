"""The packs that a command works on."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings


def add_paths(parser: ArgumentParser) -> None:
    """Let a command be told folders of packs, as `paths`."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a folder with a pack.yaml in or below it; without any, the packs that come with Armybuilder",
    )


def get_paths_or_shipped(paths: list[Path]) -> list[Path]:
    """Return the folders that were given; without any, that of the packs that come along."""
    return paths or [Path(settings.ARMYBUILDER["PACKS_DIR"])]
