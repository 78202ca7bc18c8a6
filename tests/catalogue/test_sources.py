"""Sources of community data: add, look up, hold, publish; missing, slow, full or corrupt ones."""

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.test import Client

from catalogue.models import GameSystem, Job, PackVersion, Source
from catalogue.models.games import SourceKind
from catalogue.services import downloads, fetching
from catalogue.services.releases import publish_version
from catalogue.services.sources import add_source, do_look_up_step, guess_kind, list_due_sources, look_up_source
from roster.models import Impact, Roster
from roster.services.owners import Visitor
from roster.services.rosters import start_roster
from tests.catalogue.battlescribe_files import game_files, packed, unit

pytestmark = pytest.mark.django_db

FEED = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>
<entry><title>v2</title><link rel="alternate" href="http://example.invalid/a/b/releases/tag/v2"/>%s</entry>
<entry><title>v1</title><link rel="enclosure" href="http://example.invalid/never.zip"/></entry></feed>"""


@pytest.fixture(autouse=True)
def _own_network(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ALLOW_PRIVATE_SOURCES": True}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "ducks"
    path.mkdir()
    write_game(path, unit())
    return path


def write_game(path: Path, pond: str) -> None:
    for name, text in game_files(pond).items():
        (path / name).write_text(str(text))


def added(location: Path | str, **options: bool) -> Source:
    source = add_source(str(location), **options)
    assert isinstance(source, Source)
    return source


def test_a_folder_is_looked_up_and_what_changed_is_held(folder: Path) -> None:
    source = added(folder)
    assert source.kind == SourceKind.FOLDER
    first = look_up_source(source)
    assert first.imported is not None
    assert GameSystem.objects.get().current == first.imported.version
    assert look_up_source(source).imported is None
    write_game(folder, unit(ident="drake"))
    changed = look_up_source(source)
    assert [version.is_current for version in changed.held] == [False]
    assert GameSystem.objects.get().current == first.imported.version


def test_the_progress_of_a_job_goes_on_from_one_source_to_the_next(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    job = Job(arguments={"sources": [added(folder).pk, added(copy).pk], "address": "/data/"})
    shares: list[list[float]] = []
    monkeypatch.setattr(
        "catalogue.services.sources.report_progress", lambda job, done, total: shares[-1].append(done / total)
    )
    steps = []
    for _ in range(2):
        shares.append([])
        steps.append(do_look_up_step(job, 1.0))
    assert [(step.done, step.total, step.is_last) for step in steps] == [(1, 2, False), (2, 2, True)]
    first, second = shares
    assert first == sorted(first)
    assert second == sorted(second)
    assert 0 < first[0] <= first[-1] == 0.5 < second[0] <= second[-1] == 1


def test_a_source_may_publish_by_itself(folder: Path) -> None:
    source = added(folder, publishes=True)
    look_up_source(source)
    write_game(folder, unit(ident="drake"))
    changed = look_up_source(source)
    assert changed.held == []
    assert changed.imported is not None
    assert GameSystem.objects.get().current == changed.imported.version


def test_lists_are_judged_before_new_data_is_published(folder: Path) -> None:
    """By staff or automatically, as each source says; a scheduled command has no later job for it."""
    for publishes in (False, True):
        source = added(folder, publishes=publishes)
        look_up_source(source)
        version = GameSystem.objects.get().current
        assert version is not None
        roster = start_roster(Visitor(key=f"ada {publishes}"), version, "pond", "Dawn")
        assert isinstance(roster, Roster)
        write_game(folder, unit(ident=f"drake-{publishes}"))
        call_command("look_up_sources", "--all", stdout=StringIO())
        newest = PackVersion.objects.order_by("pk").last()
        assert newest is not None
        assert Impact.objects.filter(version=newest, roster=roster).count() == 1
        assert newest.is_current is publishes


def test_what_there_is_no_time_to_judge_is_published_by_a_later_look_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = added(folder, publishes=True)
    look_up_source(source)
    before = GameSystem.objects.get().current
    assert before is not None
    assert isinstance(start_roster(Visitor(key="ada"), before, "pond", "Dawn"), Roster)
    write_game(folder, unit(ident="drake"))
    with monkeypatch.context() as patch:
        patch.setattr("roster.services.impacts.LONGEST", 0)
        waiting = look_up_source(source)
    assert (waiting.is_waiting, GameSystem.objects.get().current) == (True, before)
    assert waiting.describe().endswith("the next check continues.")

    published = look_up_source(source)
    newest = GameSystem.objects.get().current
    assert newest not in (before, None)
    assert (published.is_waiting, Impact.objects.filter(version=newest).count()) == (False, 1)
    assert look_up_source(source).imported is None


def test_what_breaks_off_while_lists_are_judged_is_not_published(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = added(folder, publishes=True)
    look_up_source(source)
    before = GameSystem.objects.get().current
    write_game(folder, unit(ident="drake"))

    def break_off(*args: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("catalogue.services.sources.judges", [break_off])
    with pytest.raises(RuntimeError):
        look_up_source(source)
    assert GameSystem.objects.get().current == before


def test_a_game_that_is_called_otherwise_is_renamed_once_that_is_published(folder: Path) -> None:
    source = added(folder)
    look_up_source(source)
    for name, text in game_files(unit()).items():
        (folder / name).write_text(str(text).replace("Ducks and Drakes", "Drakes and Ducks"))
    held = look_up_source(source).held
    assert GameSystem.objects.get().name == "Ducks and Drakes"
    publish_version(held[0])
    assert GameSystem.objects.get().name == "Drakes and Ducks"


def test_an_archive_on_the_web(served: tuple[Path, str]) -> None:
    path, address = served
    (path / "ducks.zip").write_bytes(packed(game_files(unit())))
    source = added(f"{address}/ducks.zip")
    assert look_up_source(source).trouble == ""
    assert look_up_source(source).imported is None
    (path / "ducks.zip").unlink()
    assert "404" in look_up_source(source).trouble
    assert PackVersion.objects.count() == 1


def test_a_feed_of_releases(served: tuple[Path, str]) -> None:
    path, address = served
    (path / "ducks-v2.zip").write_bytes(packed(game_files(unit())))
    link = f'<link rel="enclosure" href="{address}/ducks-v2.zip"/>'
    (path / "releases.atom").write_text(FEED % link)
    source = added(f"{address}/releases.atom")
    assert source.kind == SourceKind.FEED
    found = look_up_source(source)
    assert found.trouble == ""
    assert found.imported is not None
    assert found.imported.version is not None
    assert look_up_source(source).imported is None


def test_a_release_without_an_archive_of_its_own_is_that_of_its_tag() -> None:
    root = fetching.parse_xml("feed", (FEED % "").encode(), fetching.LIMITS)
    assert fetching.find_newest_archive(root) == "http://example.invalid/a/b/archive/refs/tags/v2.zip"


ENTRY = '<feed xmlns="http://www.w3.org/2005/Atom"><entry>%s</entry></feed>'
LINKED_ARCHIVES = {
    "alternate": '<link rel="alternate" href="http://example.invalid/v2/ducks.zip"/>',
    "no-relation": '<link href="http://example.invalid/v2/ducks.zip"/>',
    "beside-a-page": '<link href="http://example.invalid/v2/ducks.zip"/><link href="http://example.invalid/v2"/>',
}


@pytest.mark.parametrize("links", LINKED_ARCHIVES.values(), ids=LINKED_ARCHIVES)
def test_a_release_may_link_straight_to_its_archive(links: str) -> None:
    root = fetching.parse_xml("feed", (ENTRY % links).encode(), fetching.LIMITS)
    assert fetching.find_newest_archive(root) == "http://example.invalid/v2/ducks.zip"


def test_an_address_with_a_query_is_an_archive_and_an_enclosure_goes_first() -> None:
    link = '<link href="http://example.invalid/Ducks.ZIP?v=2"/>'
    root = fetching.parse_xml("feed", (ENTRY % link).encode(), fetching.LIMITS)
    assert fetching.find_newest_archive(root) == "http://example.invalid/Ducks.ZIP?v=2"
    link += '<link rel="enclosure" href="http://example.invalid/data.zip"/>'
    root = fetching.parse_xml("feed", (ENTRY % link).encode(), fetching.LIMITS)
    assert fetching.find_newest_archive(root) == "http://example.invalid/data.zip"


@pytest.mark.parametrize(
    "link",
    [
        '<link rel="self" href="http://a.invalid/b.zip"/>',
        '<link href="http://a.invalid/b"/>',
        '<link href="http://[a/b.zip"/>',
    ],
)
def test_a_release_without_an_archive_is_refused(link: str) -> None:
    root = fetching.parse_xml("feed", (ENTRY % link).encode(), fetching.LIMITS)
    with pytest.raises(fetching.FetchError):
        fetching.find_newest_archive(root)


def test_a_git_repository(folder: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments], cwd=folder, check=True
        )

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Ducks")
    source = added(f"file://{folder}")
    assert source.kind == SourceKind.GIT
    assert look_up_source(source).trouble == ""
    assert look_up_source(source).imported is None
    write_game(folder, unit(ident="drake"))
    git("commit", "-qam", "Drakes")
    assert len(look_up_source(source).held) == 1


BAD = {
    "no-archive": b"quack",
    "a-web-page": b"<html></html>",
    "a-bomb": packed({"ducks.gst": b" " * 20 * 1024 * 1024}),
    "half": packed(game_files(unit()))[:-30],
    "nothing": b"",
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_rubbish_is_told_and_leaves_what_is_there(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ducks.zip"
    path.write_bytes(packed(game_files(unit())))
    source = added(path)
    look_up_source(source)
    path.write_bytes(data)
    found = look_up_source(source)
    assert found.trouble
    assert Source.objects.get().trouble == found.trouble
    assert PackVersion.objects.count() == 1
    path.write_bytes(packed(game_files(unit())))
    assert look_up_source(source).trouble == ""
    assert Source.objects.get().trouble == ""


def test_a_source_that_vanished(folder: Path, tmp_path: Path) -> None:
    sources = [added(folder), added(f"file://{folder}")]
    for name in list(folder.iterdir()):
        name.unlink()
    folder.rmdir()
    troubles = [look_up_source(source).trouble for source in sources]
    assert troubles[0] == "There is no such folder."
    assert troubles[1].startswith("git says: ")


SPOILED = {
    "not-http": b"quack\r\n\r\n",
    "a-part-that-breaks-off": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nquack",
    "less-than-it-says": b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nquack",
    "elsewhere": b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
    "nothing": b"",
}


@contextmanager
def answering(sends: Callable[[socket.socket], object]) -> Iterator[str]:
    """The address of a server that reads one request, and its answer."""

    def answer(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.recv(4096)
            sends(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, args=[listening], daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(10)


@pytest.mark.parametrize("name", ["ducks.zip", "releases.atom"])
@pytest.mark.parametrize("sent", SPOILED.values(), ids=SPOILED)
def test_an_answer_that_is_none_is_told(sent: bytes, name: str) -> None:
    with answering(lambda connection: connection.sendall(sent)) as address:
        assert look_up_source(added(f"{address}/{name}")).trouble
    assert not PackVersion.objects.exists()


def test_an_address_where_nobody_answers_is_told() -> None:
    assert look_up_source(added("http://127.0.0.1:1/ducks.zip")).trouble


def test_a_download_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "DOWNLOAD_SECONDS", 0.2)

    def trickle(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        # Send until the client closes the connection.
        while True:
            connection.sendall(b"q")

    with answering(trickle) as address:
        assert "seconds" in look_up_source(added(f"{address}/ducks.zip")).trouble


def test_more_than_is_taken_is_not_fetched(served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    path, address = served
    (path / "ducks.zip").write_bytes(packed(game_files(unit())))
    monkeypatch.setattr(downloads, "CHUNK", 100)
    monkeypatch.setattr(fetching, "LIMITS", fetching.LIMITS.__class__(archive_bytes=200))
    assert "larger than" in look_up_source(added(f"{address}/ducks.zip")).trouble


NO_SOURCES = [
    *("", "ducks", "-x", "/no/such/folder", "ftp://example.org/a.zip", "ext::sh -c true", "a\0b", "x" * 501),
    *("https://", "https:///a.zip", "https://exa mple.org/a.zip", "https://example.org\\@127.0.0.1/a.zip"),
    *(
        "https://a@b@example.org/a.zip",
        "https://example.org:x/a.zip",
        "https://[::1/a.zip",
        "https://example.org./a.zip",
    ),
    *("file://ducks", "file://[ducks", "file://localhost/tmp"),
]


@pytest.mark.parametrize("location", NO_SOURCES)
def test_what_is_no_source(location: str) -> None:
    assert isinstance(add_source(location), str)
    assert not Source.objects.exists()


def test_kinds_are_told_by_the_name(tmp_path: Path) -> None:
    assert guess_kind("https://example.org/a/b") == SourceKind.GIT
    assert guess_kind("https://example.org/a/b/releases.atom") == SourceKind.FEED
    assert guess_kind("https://example.org/a.zip") == SourceKind.ARCHIVE
    assert guess_kind(str(tmp_path)) == SourceKind.FOLDER


def test_commands(folder: Path) -> None:
    out = StringIO()
    call_command("add_source", str(folder), "--publish", "--every=2", "--look-up", stdout=out)
    assert f"Ducks and Drakes revision 3 ({PackVersion.objects.get().short_hash}) is imported" in out.getvalue()
    assert list_due_sources() == []
    call_command("look_up_sources", stdout=out)
    call_command("look_up_sources", "--all", stdout=out)
    assert "nothing has changed" in out.getvalue()
    with pytest.raises(CommandError):
        call_command("add_source", "/no/such/folder")
    with pytest.raises(CommandError):
        call_command("add_source", str(folder), "--every=0")
    for file in list(folder.iterdir()):
        file.unlink()
    with pytest.raises(CommandError):
        call_command("look_up_sources", "--all", stdout=out)


@pytest.fixture
def staff(client: Client) -> Client:
    user = User.objects.create_user("ada", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    client.force_login(user)
    return client


PAGE = "/games/sources/"


def test_the_page_adds_looks_up_and_removes(staff: Client, folder: Path) -> None:
    fields = {"do": "add", "location": str(folder), "kind": "", "every": "24"}
    assert staff.post(PAGE, fields).status_code == 303
    source = Source.objects.get()
    assert str(folder) in staff.get(PAGE).content.decode()
    staff.post(PAGE, {"do": "look-up", "source": source.pk}, follow=True)
    assert GameSystem.objects.get().name == "Ducks and Drakes"
    write_game(folder, unit(ident="drake"))
    page = staff.post(PAGE, {"do": "look-up"}, follow=True).content.decode()
    assert "not published" in page
    assert staff.post(PAGE, {"do": "remove", "source": source.pk}).status_code == 303
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 422),
        ({"location": "/no/such", "every": "24"}, 422),
        ({"location": "/tmp", "every": "many"}, 422),
        ({"location": "/tmp", "every": "24", "kind": "letter"}, 422),
        ({"do": "remove"}, 404),
        ({"do": "remove", "source": "x"}, 404),
        ({"do": "remove", "source": "9" * 30}, 404),
        ({"do": "look-up", "source": "7"}, 404),
    ],
)
def test_the_page_with_bad_input(staff: Client, fields: dict[str, str], status: int) -> None:
    assert staff.post(PAGE, fields).status_code == status
    assert not Source.objects.exists()


def test_the_page_is_for_staff(client: Client) -> None:
    assert client.get(PAGE).status_code == 302
    client.force_login(User.objects.create_user("bob"))
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"do": "look-up"}).status_code == 404
