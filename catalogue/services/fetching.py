"""Fetch a source's data: read local files in place, copy the rest into a temporary folder.

This module limits the size of fetched data; the reader checks the content.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from catalogue.formats.battlescribe.data_files import PACKED, PLAIN
from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.limits import LIMITS, MIB
from catalogue.formats.battlescribe.source_file import local_name
from catalogue.formats.battlescribe.xml_parser import Element, parse_xml
from catalogue.models.games import Source, SourceKind
from catalogue.services.downloads import CHUNK, FetchError, download, is_web_address, resolve_host, split_address

GIT_SECONDS = 60
FEED_BYTES = 2 * MIB
CLONE_BYTES = 1024 * MIB
"""The largest size of a repository on disk."""
_LONGEST_SAID = 65_536
_RELEASE = re.compile(r"(?P<repository>https?://[^/]+/[^/]+/[^/]+)/releases/tag/(?P<tag>[^/?#]+)$")


class Fetched(NamedTuple):
    """`path` is None if nothing changed; `mark` changes with the data."""

    path: Path | None
    mark: str


@contextmanager
def fetch_source(source: Source, *, anywhere: bool = False) -> Iterator[Fetched]:
    """Provide a source's data until the context ends; `anywhere` allows any folder. Raises FetchError."""
    check_location(SourceKind(source.kind), source.location, anywhere=anywhere)
    with TemporaryDirectory(prefix="armybuilder-source-") as folder:
        yield _FETCHERS[SourceKind(source.kind)](source.location, source.mark, Path(folder))


def check_location(kind: SourceKind, location: str, *, anywhere: bool = False) -> None:
    """Check a location before reading it. Raises FetchError.

    Remote git repositories need HTTPS. Local paths must be below one of SOURCE_FOLDERS, unless `anywhere`.
    """
    if is_web_address(location) and kind != SourceKind.FOLDER:
        scheme, _, _ = split_address(location)
        if kind == SourceKind.GIT and scheme != "https" and not settings.ARMYBUILDER["ALLOW_PRIVATE_SOURCES"]:
            raise FetchError("A git repository is copied over https only.")
        return
    path = Path(location.removeprefix("file://") if kind == SourceKind.GIT else location)
    is_local = location.startswith("file://") if kind == SourceKind.GIT else kind != SourceKind.FEED
    if not is_local or not path.is_absolute():
        raise FetchError("This is neither a full path nor an address that such a source can have.")
    if not anywhere:
        check_folder(path)


def check_folder(path: Path) -> None:
    """Check that staff may read a path through pages. Raises FetchError."""
    # Resolve links first: a link within a folder may point outside.
    if not any(path.resolve().is_relative_to(root) for root in settings.ARMYBUILDER["SOURCE_FOLDERS"]):
        raise FetchError(
            "Only folders that the administrator named in SOURCE_FOLDERS are read from pages. "
            "The commands add_source and look_up_sources read any folder."
        )


def _fetch_folder(location: str, mark: str, folder: Path) -> Fetched:
    path = Path(location)
    if not path.is_dir():
        raise FetchError("There is no such folder.")
    now = sha256()
    for file in sorted(path.rglob("*")):
        if file.name.lower().endswith(PLAIN + PACKED) and file.is_file():
            # By size and time, not content: a folder may hold hundreds of megabytes and is checked often.
            state = file.stat()
            now.update(f"{file.relative_to(path)} {state.st_size} {state.st_mtime_ns}\n".encode())
    return _compare(path, now.hexdigest(), mark)


def _fetch_archive(location: str, mark: str, folder: Path) -> Fetched:
    if not is_web_address(location):
        path = Path(location)
        if not path.is_file():
            raise FetchError("There is no such file.")
        return _compare(path, _hash_file(path), mark)
    name = Path(urlsplit(location).path).name or "data.zip"
    path = folder / name
    download(location, path, LIMITS.archive_bytes)
    return _compare(path, _hash_file(path), mark)


def _fetch_repository(location: str, mark: str, folder: Path) -> Fetched:
    listed = _run_git(folder, location, "ls-remote", "--", location, "HEAD").split()
    if not listed:
        raise FetchError("The repository has no commit.")
    # Usually nothing has changed.
    commit = listed[0][:40]
    if commit == mark:
        return Fetched(None, mark)
    # The label of the version comes from this name.
    name = Path(urlsplit(location).path).stem or "data"
    path = folder / f"{name}-{commit[:10]}"
    clone = ("clone", "--quiet", "--depth=1", "--no-tags", "--single-branch")
    _run_git(folder, location, *clone, "--", location, str(path))
    return Fetched(path, commit)


def _fetch_release(location: str, mark: str, folder: Path) -> Fetched:
    feed = folder / "feed.xml"
    download(location, feed, FEED_BYTES)
    try:
        root = parse_xml("feed", feed.read_bytes(), LIMITS)
    except ReadError as error:
        raise FetchError(f"The feed cannot be read: {error.message}") from error
    address = find_newest_archive(root)
    # By address: releases do not change, and this needs only the feed.
    now = sha256(address.encode()).hexdigest()
    if now == mark:
        return Fetched(None, mark)
    split_address(address)
    path = folder / (Path(urlsplit(address).path).name or "data.zip")
    download(address, path, LIMITS.archive_bytes)
    return Fetched(path, now)


def find_newest_archive(feed: Element) -> str:
    """Return the newest release's archive in an Atom feed. Raises FetchError."""
    try:
        for entry in feed:
            if local_name(entry.tag) != "entry":
                continue
            enclosed, pages = _list_links(entry, "enclosure"), _list_links(entry, "alternate")
            # Some feeds link the archive instead of a page.
            archives = [page for page in pages if urlsplit(page).path.lower().endswith(".zip")]
            tags = [
                f"{match['repository']}/archive/refs/tags/{match['tag']}.zip"
                for match in map(_RELEASE.match, pages)
                if match
            ]
            for address in (*enclosed, *archives, *tags):
                return address
    except ValueError as error:
        raise FetchError("The feed names something that is not an address.") from error
    raise FetchError("The feed lists no release with an archive.")


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


def _run_git(folder: Path, location: str, *arguments: str) -> str:
    """Run git without password prompts or redirects, and with limited disk use."""
    scheme = location.partition("://")[0].lower()
    options = ["-c", "http.followRedirects=false"]
    if scheme != "file":
        _, host, port = split_address(location)
        # Git must connect to the checked addresses, even if DNS changes its answer.
        addresses = ",".join(f"[{one}]" if ":" in one else one for one in resolve_host(host, port))
        options += ["-c", f"http.curloptResolve={host}:{port}:{addresses}"]
    environment = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_NOSYSTEM": "1",
        # `ext::` would run a command from the address.
        "GIT_ALLOW_PROTOCOL": scheme,
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        # Ignore the server account's settings: they may rewrite addresses or hold passwords.
        "HOME": "/nonexistent",
    }
    # Git's output can be as large as the remote wants, so it counts towards the folder's size.
    with (folder / "said").open("w+b") as output, (folder / "wrong").open("w+b") as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 - a list of arguments, and addresses stand after --
                ["git", *options, *arguments],  # noqa: S607 - found in the folders above
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            raise FetchError("git is not installed here.") from error
        try:
            _watch_git(process, folder)
        finally:
            if process.returncode is None:
                # Git starts helper programs in its session.
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(0)
        errors.seek(0)
        answer = output.read(_LONGEST_SAID).decode(errors="replace")
        wrong = errors.read(_LONGEST_SAID).decode(errors="replace").strip().splitlines()
    if process.returncode:
        if any("requested URL returned error: 30" in line for line in wrong):
            raise FetchError("The repository has moved. Add it under its new address.")
        raise FetchError(f"git says: {wrong[-1] if wrong else 'nothing'}.")
    return answer


def _watch_git(process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + GIT_SECONDS
    is_over = False
    while not is_over:
        # Measured once more after the end, because much can arrive between two checks.
        is_over = process.poll() is not None
        size = 0
        for place, _, names in os.walk(folder):
            for name in names:
                # Files come and go while git works.
                with suppress(OSError):
                    size += Path(place, name).lstat().st_size
        if size > CLONE_BYTES:
            raise FetchError(f"The repository is larger than {CLONE_BYTES // MIB} MiB.")
        if time.monotonic() > deadline:
            raise FetchError("The repository takes too long to answer.")
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)


_FETCHERS = {
    SourceKind.FOLDER: _fetch_folder,
    SourceKind.ARCHIVE: _fetch_archive,
    SourceKind.GIT: _fetch_repository,
    SourceKind.FEED: _fetch_release,
}
