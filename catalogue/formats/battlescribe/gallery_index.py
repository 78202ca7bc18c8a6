"""Read an index of community data, such as BSData's: its repositories and their data's addresses.

An index is JSON as published (`{"repositories": [...]}`), also compressed by gzip, or YAML as in the index's
repository: one document per repository, with its newest release and package. Any value of an entry may be missing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any
from urllib.parse import quote

import msgspec
import yaml

from catalogue.formats.battlescribe.data_files import unpack_one
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS, MIB

MOST_BYTES = 8 * MIB
MOST_ENTRIES = 2_000
LONGEST_NAME = 200
LONGEST_ADDRESS = 500
_GITHUB = "https://github.com/"
_IN_GITHUB = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A repository of a game's data. Missing values are "" or None.

    `name` is the repository's, `title` the game's. `archive` is the address of the newest release's data, `feed` of the
    list of releases, `repository` of the repository's page. `size` is the archive's in bytes, `checksum` its SHA-256.
    """

    name: str
    title: str
    version: str = ""
    changed: datetime | None = None
    archive: str = ""
    feed: str = ""
    repository: str = ""
    size: int | None = None
    checksum: str = ""
    is_archived: bool = False


def read_index(data: bytes) -> list[IndexEntry]:
    """Read an index, keeping the newest entry of each name. Raises ReadError."""
    text = unpack_one("index", data, replace(LIMITS, file_bytes=MOST_BYTES), (".json", ".yaml", ".yml"))
    try:
        documents = _list_documents(text)
    except (msgspec.DecodeError, yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise _refuse("This is neither JSON nor YAML.") from error
    entries: dict[str, IndexEntry] = {}
    for document in documents:
        entry = _read_entry(document) if isinstance(document, Mapping) else None
        if entry is None:
            continue
        earlier = entries.get(entry.name.casefold())
        if earlier is None or _date(earlier) < _date(entry):
            entries[entry.name.casefold()] = entry
        if len(entries) > MOST_ENTRIES:
            raise _refuse(f"It lists more than {MOST_ENTRIES} repositories.")
    if not entries:
        raise _refuse("It lists no repositories.")
    return sorted(entries.values(), key=lambda entry: entry.title.casefold())


def _refuse(message: str) -> ReadError:
    return ReadError("bad-index", message, mend="Check the address of the index.", file="index")


def _date(entry: IndexEntry) -> datetime:
    return entry.changed or datetime.min.replace(tzinfo=UTC)


def _list_documents(text: bytes) -> list[Any]:
    if text.lstrip()[:1] in (b"{", b"["):
        whole = msgspec.json.decode(text)
        listed = whole.get("repositories") if isinstance(whole, Mapping) else whole
        return listed if isinstance(listed, list) else []
    return list(yaml.load_all(text.decode(), Loader=yaml.CSafeLoader))


def _read_entry(document: Mapping[str, Any]) -> IndexEntry | None:
    """Return None if a repository has no name."""
    cache = _get_mapping(document, "cache")
    package = _get_mapping(cache, "catpkg", "properties") or document
    release = _get_mapping(cache, "latestRelease", "properties")
    place = _get_text(_get_mapping(document, "location"), "github")
    name = _get_text(package, "name") or place.rpartition("/")[2]
    if not name:
        return None
    version = _get_text(package, "version") or _get_text(release, "tag_name")
    repository = _get_address(package, "githubUrl") or (_GITHUB + place if place else "")
    archive = _get_address(package, "repositoryBsrUrl")
    if not archive and _IN_GITHUB.fullmatch(repository):
        # Many releases carry no package. GitHub packs every tag, and the newest state, itself.
        archive = f"{repository}/archive/{f'refs/tags/{quote(version)}' if version else 'HEAD'}.zip"
    return IndexEntry(
        name=name,
        title=_get_text(package, "description") or name,
        version=version,
        changed=_get_time(package, "lastUpdated") or _get_time(release, "published_at"),
        archive=archive,
        feed=_get_address(package, "feedUrl"),
        repository=repository,
        size=_get_number(package, "size"),
        checksum=_get_text(package, "sha256").lower(),
        is_archived=bool(package.get("archived") or _get_mapping(cache, "repo", "properties").get("archived")),
    )


def _get_mapping(mapping: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        value = mapping.get(key)
        mapping = value if isinstance(value, Mapping) else {}
    return mapping


def _get_text(mapping: Mapping[str, Any], key: str, most: int = LONGEST_NAME) -> str:
    value = mapping.get(key)
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:most]


def _get_address(mapping: Mapping[str, Any], key: str) -> str:
    address = _get_text(mapping, key, LONGEST_ADDRESS + 1)
    return address if address.startswith(("https://", "http://")) and len(address) <= LONGEST_ADDRESS else ""


def _get_number(mapping: Mapping[str, Any], key: str) -> int | None:
    value = mapping.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def _get_time(mapping: Mapping[str, Any], key: str) -> datetime | None:
    value = mapping.get(key)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.combine(value, time.min, UTC) if isinstance(value, date) else None
