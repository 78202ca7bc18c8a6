"""Select the files that a roster was made with from data that is refused as a whole."""

import io
import zipfile
from pathlib import Path
from typing import NamedTuple

from catalogue.formats.battlescribe.data_files import list_files_in_path
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS
from catalogue.formats.battlescribe.reader import ReadResult, read_bytes
from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element, parse_xml
from roster.formats.ros import RosterFile


class DataFile(NamedTuple):
    """A file: its text, its ids, and the catalogues it links to."""

    text: bytes
    id: str
    revision: str
    is_system: bool
    links: tuple[str, ...]


def read_needed(path: Path, roster: RosterFile) -> ReadResult:
    """Return the game system and the catalogues that `roster` names, with everything they link to.

    Other games, duplicates and unreadable files are ignored.
    """
    files: dict[str, list[DataFile]] = {}
    for source in list_files_in_path(path, LIMITS):
        try:
            found = data_file(source.name, source.load())
        except ReadError:
            continue
        files.setdefault(found.id, []).append(found)
    revisions = {made.id: made.revision for made in (roster.game_system, *roster.catalogues)}
    buffer = io.BytesIO()
    seen: set[str] = set()
    waiting = list(revisions)
    with zipfile.ZipFile(buffer, "w") as packed:
        while waiting:
            wanted = waiting.pop()
            if wanted in seen or wanted not in files:
                continue
            seen.add(wanted)
            best = max(files[wanted], key=lambda file: file.revision == revisions.get(file.id))
            packed.writestr(f"{len(seen)}.{'gst' if best.is_system else 'cat'}", best.text)
            waiting += best.links
    return read_bytes(path.name, buffer.getvalue())


def data_file(name: str, text: bytes) -> DataFile:
    """Return what a data file says about itself; raises ReadError if it cannot be read."""
    root = parse_xml(name, text, LIMITS)
    return DataFile(
        text=text,
        id=root.get("id", ""),
        revision=root.get("revision", ""),
        is_system=local_name(root.tag) == "gameSystem",
        links=tuple(_links(root)),
    )


def _links(root: Element) -> list[str]:
    return [link.get("targetId", "") for part in root if local_name(part.tag) == "catalogueLinks" for link in part]
