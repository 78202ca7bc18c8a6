"""List missing translations: `python -m tests.house.translations`, exit status 1 if a release needs one of them.

A missing sentence is shown in English.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import django
from django.conf import settings

from tests.catalogues import list_catalogues
from tests.house.measure import ROOT

NEEDED = {"de", "fr"}
"""The languages that lack nothing in a release."""

GATHER = ("makemessages", "--locale", "en", "--keep-pot", "--no-location", "--extension", "html,txt,py,json")


def gather_sentences(folder: Path) -> Path:
    """Gather the sentences of templates and code into one file, as `make messages` does."""
    for name in ("armybuilder", "catalogue", "roster", "templates"):
        ignored = shutil.ignore_patterns("locale", "packs", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    (folder / "locale" / "en").mkdir(parents=True)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "", "PYTHONPATH": ""}
    command = [sys.executable, "-m", "django", *GATHER]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder / "locale" / "django.pot"


def list_missing(catalogue: Path, gathered: Path) -> list[str]:
    """Return the missing and fuzzy entries of a catalogue in its own format."""
    merge = ["msgmerge", "--quiet", "--no-fuzzy-matching", catalogue, gathered]
    merged = subprocess.run(merge, check=True, capture_output=True).stdout
    missing = []
    for kind in ("--untranslated", "--only-fuzzy"):
        chosen = subprocess.run(
            ["msgattrib", "--no-obsolete", kind, "-"], input=merged, check=True, capture_output=True
        )
        missing += [entry for entry in chosen.stdout.decode().split("\n\n")[1:] if "msgid" in entry]
    return missing


def main() -> int:
    django.setup()
    with tempfile.TemporaryDirectory() as folder:
        gathered = gather_sentences(Path(folder))
        missing = {path: list_missing(path, gathered) for path in list_catalogues()}
    names = dict(settings.LANGUAGES)
    for path, entries in missing.items():
        print(f"{names[path.parts[-3]]}: {len(entries) or 'nothing'} to translate: {path.relative_to(ROOT)}")
        print("".join(f"{entry.strip()}\n\n" for entry in entries), end="")
    return 1 if any(entries for path, entries in missing.items() if path.parts[-3] in NEEDED) else 0


if __name__ == "__main__":
    sys.exit(main())
