"""Write the public lists of all who agreed into one file (CC0)."""

import gzip
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage

from roster.formats.list_document import build_document
from roster.models import Roster
from roster.services.list_search import select_public_lists
from roster.services.rulesets import load_list_ruleset
from roster.services.shared_files import find_shared_storage

LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"
FILE_NAME = "lists.jsonl.gz"
SHARED_NAME = f"dumps/{FILE_NAME}"
ROWS_AT_ONCE = 100
log = logging.getLogger(__name__)
PERSONAL = ("player", "event")
"""Fields of a list that may name others, who did not agree."""


def find_dump() -> Path | None:
    path = Path(settings.ARMYBUILDER["DUMP_DIR"]) / FILE_NAME
    shared = find_shared_storage()
    if shared is not None:
        try:
            _fetch_newer(shared, path)
        # The shared storage has no dump or does not answer. This machine may have an older one.
        except OSError as error:
            log.info("The dump of other machines was not read: %s", error)
    return path if path.is_file() else None


def _fetch_newer(shared: Storage, path: Path) -> None:
    """Copy another machine's dump if it is newer. All machines give it the same time, and so the same tag."""
    written = int(shared.get_modified_time(SHARED_NAME).timestamp())
    if path.is_file() and int(path.stat().st_mtime) == written:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with shared.open(SHARED_NAME) as source, tempfile.TemporaryDirectory(dir=path.parent) as folder:
        # Two requests may copy at once.
        copy = Path(folder, FILE_NAME)
        with copy.open("wb") as stream:
            shutil.copyfileobj(source, stream)
        os.utime(copy, (written, written))
        copy.replace(path)


def write_dump() -> int:
    """Write the dump and return its number of lists. Memory use does not grow with it."""
    folder = Path(settings.ARMYBUILDER["DUMP_DIR"])
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{FILE_NAME}.new"
    count = 0
    try:
        # Without a time in its header, the same lists give the same bytes.
        with unfinished.open("wb") as stream, gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as file:
            for row in _describe_lists():
                file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
                count += 1
        shared = find_shared_storage()
        if shared is not None:
            with unfinished.open("rb") as finished:
                shared.save(SHARED_NAME, File(finished))
            written = int(shared.get_modified_time(SHARED_NAME).timestamp())
            os.utime(unfinished, (written, written))
        unfinished.replace(folder / FILE_NAME)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def _describe_lists() -> Iterator[dict[str, Any]]:
    # A private game cannot have public lists; the filter keeps that so if a list changes hands.
    lists = select_public_lists().filter(
        owner__public_domain_consent__isnull=False, is_secret=False, version__game__owner=None
    )
    # Lists of the same data together, because compiling it takes longest.
    ordered = lists.select_related("version__game").order_by("version", "faction_id", "pk")
    for roster in ordered.iterator(chunk_size=ROWS_AT_ONCE):
        yield _describe_list(roster)


def _describe_list(roster: Roster) -> dict[str, Any]:
    version, tree = roster.version, roster.tree
    document = build_document(
        load_list_ruleset(version, roster.faction_id, tree),
        tree,
        game=version.game.slug,
        faction_id=roster.faction_id,
        version=version.short_hash,
    )
    return {
        "game": version.game.slug,
        "version": version.label,
        "faction": roster.faction_id,
        "points": roster.points,
        "verdict": roster.verdict,
        "house_rules": roster.homebrew,
        "updated": roster.updated.isoformat(),
        "list": {name: value for name, value in document.items() if name not in PERSONAL},
    }
