from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings


def add_paths(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a folder with a pack.yaml in or below it; without any, the packs that come with Armybuilder",
    )


def get_paths_or_shipped(paths: list[Path]) -> list[Path]:
    return paths or [Path(settings.ARMYBUILDER["PACKS_DIR"])]
