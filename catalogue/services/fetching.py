"""Fetch the data of a source to this machine: files as they are, archives and repositories into a temporary folder.

Whatever a source sends is as untrusted as an upload: it is bounded here, and read by the reader of community data.
"""

import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from catalogue.formats.battlescribe.data_files import PACKED, PLAIN
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS, MIB
from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element, parse_xml
from catalogue.models.games import Source, SourceKind

SECONDS = 60
"""So long a source may take to answer, and git to copy a repository."""
DOWNLOAD_SECONDS = 600
"""So long all of a download may take: a byte now and then must not hold up the other sources."""
FEED_BYTES = 2 * MIB
CHUNK = MIB
WEB = ("https", "http")
_RELEASE = re.compile(r"(?P<repository>https?://[^/]+/[^/]+/[^/]+)/releases/tag/(?P<tag>[^/?#]+)$")


class FetchError(Exception):
    """A source that cannot be read now: it is gone, does not answer, or sends something else. The text is for staff."""


class Fetched(NamedTuple):
    """What a source holds: where it is now, and a mark that changes when it does. No path: it is as it was."""

    path: Path | None
    mark: str


@contextmanager
def fetch_source(source: Source) -> Iterator[Fetched]:
    """Have the data of a source at a path as long as the context lasts. Raises FetchError."""
    with TemporaryDirectory(prefix="armybuilder-source-") as folder:
        yield _FETCHERS[SourceKind(source.kind)](source.location, source.mark, Path(folder))


def _fetch_folder(location: str, mark: str, folder: Path) -> Fetched:
    path = Path(location)
    if not path.is_dir():
        raise FetchError("There is no such folder.")
    now = sha256()
    for file in sorted(path.rglob("*")):
        if file.name.lower().endswith(PLAIN + PACKED) and file.is_file():
            # By size and time, not by content: a folder may hold hundreds of megabytes, and is asked again and again.
            state = file.stat()
            now.update(f"{file.relative_to(path)} {state.st_size} {state.st_mtime_ns}\n".encode())
    return _compare(path, now.hexdigest(), mark)


def _fetch_archive(location: str, mark: str, folder: Path) -> Fetched:
    if not _is_address(location):
        path = Path(location)
        if not path.is_file():
            raise FetchError("There is no such file.")
        return _compare(path, _hash_file(path), mark)
    name = Path(urlsplit(location).path).name or "data.zip"
    path = folder / name
    _download(location, path, LIMITS.archive_bytes)
    return _compare(path, _hash_file(path), mark)


def _fetch_repository(location: str, mark: str, folder: Path) -> Fetched:
    listed = _run_git("ls-remote", "--", location, "HEAD").split()
    if not listed:
        raise FetchError("The repository has no commit.")
    # Asked without fetching anything: nearly always nothing has changed.
    commit = listed[0][:40]
    if commit == mark:
        return Fetched(None, mark)
    # The label of the version is read from this name.
    name = Path(urlsplit(location).path).stem or "data"
    path = folder / f"{name}-{commit[:10]}"
    _run_git("clone", "--quiet", "--depth=1", "--no-tags", "--single-branch", "--", location, str(path))
    return Fetched(path, commit)


def _fetch_release(location: str, mark: str, folder: Path) -> Fetched:
    feed = folder / "feed.xml"
    _download(location, feed, FEED_BYTES)
    try:
        root = parse_xml("feed", feed.read_bytes(), LIMITS)
    except ReadError as error:
        raise FetchError(f"The feed cannot be read: {error.message}") from error
    address = find_newest_archive(root)
    # By its address: a release is not changed once it is out, and the feed is all that is read for it.
    now = sha256(address.encode()).hexdigest()
    if now == mark:
        return Fetched(None, mark)
    path = folder / Path(urlsplit(address).path).name
    _download(address, path, LIMITS.archive_bytes)
    return Fetched(path, now)


def find_newest_archive(feed: Element) -> str:
    """Return the address of the archive of the newest release in an Atom feed. Raises FetchError where it has none."""
    for entry in feed:
        if local_name(entry.tag) == "entry" and (address := _find_archive(entry)):
            return address
    raise FetchError("The feed names no release with an archive.")


def _find_archive(entry: Element) -> str:
    """Return the address of a release's archive: enclosed, linked, or that of its tag; empty where it has none."""
    enclosed, pages = _list_links(entry, "enclosure"), _list_links(entry, "alternate")
    # Some feeds give no page of the release, but the archive itself.
    archives = [page for page in pages if urlsplit(page).path.lower().endswith(".zip")]
    tags = [
        f"{match['repository']}/archive/refs/tags/{match['tag']}.zip" for match in map(_RELEASE.match, pages) if match
    ]
    return next(iter([*enclosed, *archives, *tags]), "")


def _list_links(entry: Element, relation: str) -> list[str]:
    links = [link for link in entry if local_name(link.tag) == "link"]
    addresses = [link.get("href", "") for link in links if link.get("rel", "alternate") == relation]
    return list(filter(None, addresses))


def _compare(path: Path, now: str, mark: str) -> Fetched:
    return Fetched(None if now == mark else path, now)


def _hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        whole = sha256()
        while part := stream.read(CHUNK):
            whole.update(part)
    return whole.hexdigest()


def _is_address(location: str) -> bool:
    return urlsplit(location).scheme in WEB


def _download(address: str, path: Path, most: int) -> None:
    """Write what is at an address to a file, as long as it is not more than `most` bytes."""
    if not _is_address(address):
        raise FetchError(f"{address} is no address of the web.")
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer, path.open("wb") as stream:  # noqa: S310 - only http and https, see above
            for part in _receive_parts(answer, most):
                stream.write(part)
    except (OSError, ValueError, urllib.error.URLError) as error:
        raise FetchError(f"It does not answer: {getattr(error, 'reason', error)}.") from error
    except HTTPException as error:
        raise FetchError("What it sends is not HTTP, or breaks off.") from error


def _receive_parts(answer: HTTPResponse, most: int) -> Iterator[bytes]:
    """Yield an answer as it comes. Raise FetchError for one that is too large, or does not end."""
    deadline = time.monotonic() + DOWNLOAD_SECONDS
    size = 0
    # In parts: what a server says of the length of its answer need not be true. And as they come (`read1`): each byte
    # of a whole part may take as long as an answer.
    while part := answer.read1(CHUNK):
        size += len(part)
        if size > most:
            raise FetchError(f"It sends more than {most // MIB} MiB.")
        if time.monotonic() > deadline:
            raise FetchError(f"It sends for more than {DOWNLOAD_SECONDS} seconds.")
        yield part


def _run_git(*arguments: str) -> str:
    """Run git without any way to ask for a password, or to run what an address says."""
    environment = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        # `ext::` would run a command of the address.
        "GIT_ALLOW_PROTOCOL": "https:http:file",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        # No settings of the account that serves the site: they may rewrite addresses or hold passwords.
        "HOME": "/nonexistent",
    }
    try:
        done = subprocess.run(  # noqa: S603 - a list of arguments, and addresses stand after --
            ["git", *arguments],  # noqa: S607 - found in the folders above
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    except FileNotFoundError as error:
        raise FetchError("git is not installed here.") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError("The repository takes too long to answer.") from error
    except subprocess.CalledProcessError as error:
        output = error.stderr.strip().splitlines()
        raise FetchError(f"git says: {output[-1] if output else 'nothing'}.") from error
    return done.stdout


_FETCHERS = {
    SourceKind.FOLDER: _fetch_folder,
    SourceKind.ARCHIVE: _fetch_archive,
    SourceKind.GIT: _fetch_repository,
    SourceKind.FEED: _fetch_release,
}
