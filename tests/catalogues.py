"""The catalogues of translations, as the tests need them."""

import subprocess
from pathlib import Path

from django.conf import settings


def list_catalogues() -> list[Path]:
    """Return what is translated, one file for each language."""
    return sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po"))


def compile_catalogues() -> None:
    """Do what `make` does, for tests that are run without it: compile each catalogue that is newer than its result."""
    for path in list_catalogues():
        result = path.with_suffix(".mo")
        if not result.exists() or result.stat().st_mtime < path.stat().st_mtime:
            subprocess.run(["msgfmt", "--check-format", "--output-file", result, path], check=True)
