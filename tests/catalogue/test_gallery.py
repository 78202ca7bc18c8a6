"""The gallery: indexes are read, games installed and asked for; indexes and archives are gone, rubbish or hostile."""

import gzip
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.formats.battlescribe.errors import ReadError
from catalogue.formats.battlescribe.gallery_index import MOST_ENTRIES, read_index
from catalogue.models import GalleryAsk, GalleryGame, GalleryRead, GameSystem, Job, PackVersion, Source
from catalogue.models.jobs import JobState
from catalogue.services import downloads, gallery
from catalogue.services.gallery import BUNDLED, count_missing_games, list_gallery, read_galleries, store_bundled
from catalogue.services.jobs import advance_job
from tests.catalogue.battlescribe_files import game_files, packed, unit
from tests.house.test_rate_limits import list_routes

pytestmark = pytest.mark.django_db
Serve = Callable[[str, bytes], str]
PEOPLE = 20


@pytest.fixture
def serve(served: tuple[Path, str], settings: Any) -> Serve:
    """Serve a file, and return its address."""
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "ALLOW_PRIVATE_SOURCES": True}
    folder, address = served

    def write(name: str, content: bytes) -> str:
        (folder / name).write_bytes(content)
        return f"{address}/{name}"

    return write


def index_of(*repositories: Any) -> bytes:
    return json.dumps({"name": "Ponds", "repositories": list(repositories)}).encode()


def repository(name: str = "ducks", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": name.title(), "version": "v1.0", **fields}


def read_from(settings: Any, *addresses: str) -> list[GalleryRead]:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "GALLERIES": list(addresses)}
    return read_galleries()


def allow_installing(settings: Any, who: str, **values: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "INSTALLING": who, **values}


@pytest.fixture
def keeper(client: Client) -> Client:
    user = User.objects.create_user("keeper", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_packversion"))
    client.force_login(user)
    return client


@pytest.fixture
def ducks(serve: Serve) -> GalleryGame:
    archive = serve("ducks.zip", packed(game_files(unit())))
    return GalleryGame.objects.create(name="ducks", title="Ducks", version="v1.0", archive=archive)


def install(client: Client, row: GalleryGame) -> Any:
    return client.post(reverse("catalogue:install", args=[row.pk]), follow=True)


def rows_by_name(asker: str = "") -> dict[str, gallery.GalleryRow]:
    return {line.row.name: line for line in list_gallery(asker)}


# ---- what an index says ------------------------------------------------------------------------------------------


def test_a_published_index_is_read() -> None:
    archive, feed = "https://example.org/ducks.bsr", "https://example.org/releases.atom"
    text = index_of(
        repository(repositoryBsrUrl=archive, feedUrl=feed, lastUpdated="2026-08-18T21:38:11.000+0000", archived=True),
        repository("no-download"),
        {"description": "without a name"},
        "rubbish",
    )
    for data in (text, gzip.compress(text)):
        ducks, bare = read_index(data)
        assert (ducks.name, ducks.title, ducks.version, ducks.archive, ducks.feed) == (
            "ducks",
            "Ducks",
            "v1.0",
            archive,
            feed,
        )
        assert ducks.changed == datetime(2026, 8, 18, 21, 38, 11, tzinfo=UTC)
        assert ducks.is_archived
        assert (bare.name, bare.archive, bare.changed) == ("no-download", "", None)


def test_entries_as_the_index_keeps_them_are_read_and_without_a_package_github_packs_the_release() -> None:
    text = """
location: {github: Ponds/ducks}
cache:
  repo: {properties: {archived: true}}
  latestRelease: {properties: {tag_name: a/b 2, published_at: 2026-05-21T22:18:13.0000000+00:00}}
  catpkg: {apiResponseError: {code: 404}}
---
location: {github: Ponds/geese}
---
location: {github: Ponds/swans}
cache: {catpkg: {properties: {name: swans, description: Swans, repositoryBsrUrl: "https://example.org/swans.bsr"}}}
"""
    ducks, geese, swans = read_index(text.encode())
    assert (ducks.title, ducks.version) == ("ducks", "a/b 2")
    assert ducks.archive == "https://github.com/Ponds/ducks/archive/refs/tags/a/b%202.zip"
    assert ducks.changed == datetime(2026, 5, 21, 22, 18, 13, tzinfo=UTC)
    assert ducks.is_archived
    assert geese.archive == "https://github.com/Ponds/geese/archive/HEAD.zip"
    assert (swans.title, swans.archive) == ("Swans", "https://example.org/swans.bsr")


def test_of_two_states_of_one_name_the_newer_counts() -> None:
    old = repository(version="v1", lastUpdated="2020-01-01T00:00:00Z")
    new = repository("DUCKS", version="v2", lastUpdated="2026-01-01T00:00:00Z")
    for order in ((old, new), (new, old)):
        assert [entry.version for entry in read_index(index_of(*order))] == ["v2"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01",
        b"<html>moved</html>",
        b'{"repositories": 3}',
        b"[" * 100_000,
        b"{" * 100_000,
        b"a: &a [*a]",
        gzip.compress(b" " * 20_000_000),
        gzip.compress(b"{}")[:-9],
        index_of(*(repository(f"pond-{number}") for number in range(MOST_ENTRIES + 1))),
    ],
    ids=["empty", "binary", "page", "number", "deep-list", "deep-map", "circle", "bomb", "cut", "long"],
)
def test_an_index_that_is_rubbish_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(ReadError) as refusal:
        read_index(data)
    assert refusal.value.message


@pytest.mark.parametrize(
    "fields", [{"version": 3}, {"lastUpdated": "soon"}, {"repositoryBsrUrl": "ftp://x"}, {"size": -1}]
)
def test_what_an_entry_says_wrongly_counts_as_not_said(fields: dict[str, Any]) -> None:
    (entry,) = read_index(index_of({"name": "ducks", **fields}))
    assert (entry.changed, entry.archive, entry.size) == (None, "", None)


# ---- reading indexes ---------------------------------------------------------------------------------------------


def test_the_page_is_never_empty_and_knows_the_well_known_games(client: Client) -> None:
    page = client.get(reverse("catalogue:gallery")).content.decode()
    for title in ("Warhammer 40,000, 10th edition", "Age of Sigmar, 4th edition", "Warhammer: The Old World"):
        assert title in page
    assert GalleryGame.objects.count() == len(read_index(BUNDLED.read_bytes())) > 140
    assert not GalleryGame.objects.filter(archive="").exists()


def test_an_index_replaces_what_came_with_the_program_and_what_it_no_longer_lists(serve: Serve, settings: Any) -> None:
    store_bundled()
    address = serve("index.json", index_of(repository("wh40k-10e", description="wh40k-10e"), repository("ducks")))
    (reading,) = read_from(settings, address)
    assert not reading.trouble
    known = GalleryGame.objects.get(name="wh40k-10e")
    # A repository's own name does not replace the game's.
    assert (known.title, known.version, known.index) == ("Warhammer 40,000, 10th edition", "v1.0", address)
    assert GalleryGame.objects.filter(name="AgeOfFantasy").exists()
    serve("index.json", index_of(repository("wh40k-10e")))
    read_from(settings, address)
    assert not GalleryGame.objects.filter(name="ducks").exists()


def test_of_two_indexes_the_newer_state_of_a_game_counts(serve: Serve, settings: Any) -> None:
    newer = serve("b.json", index_of(repository(version="v2", lastUpdated="2026-01-01T00:00:00Z")))
    older = serve("a.json", index_of(repository(version="v1", lastUpdated="2020-01-01T00:00:00Z")))
    for order in ((newer, older), (older, newer)):
        GalleryGame.objects.all().delete()
        read_from(settings, *order)
        assert GalleryGame.objects.get().version == "v2"


def test_an_index_that_is_gone_leaves_the_games_and_says_why(serve: Serve, settings: Any, keeper: Client) -> None:
    address = serve("index.json", index_of(repository()))
    read_from(settings, address)
    (reading,) = read_from(settings, address.replace("index.json", "gone.json"))
    assert "404" in reading.trouble
    assert GalleryGame.objects.filter(name="ducks").exists()
    assert "404" in keeper.get(reverse("catalogue:gallery")).content.decode()


def test_an_enormous_index_is_not_read_to_its_end(serve: Serve, settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(gallery, "MOST_BYTES", 2 * 1024 * 1024)
    (reading,) = read_from(settings, serve("index.json", b" " * 3 * 1024 * 1024))
    assert "larger than 2 MiB" in reading.trouble


def test_an_index_or_archive_in_a_private_network_is_refused(
    serve: Serve, settings: Any, ducks: GalleryGame, caplog: pytest.LogCaptureFixture
) -> None:
    address = serve("index.json", index_of(repository()))
    allow_installing(settings, "everybody", ALLOW_PRIVATE_SOURCES=False)
    (reading,) = read_from(settings, address)
    assert "not an address of the public net" in reading.trouble
    guest = Client()
    for page in (install(guest, ducks), guest.get(reverse("catalogue:gallery"))):
        assert "There is no public server at this address." in page.content.decode()
        assert "public net" not in page.content.decode()
    assert "127.0.0.1, which is not an address of the public net" in caplog.text
    assert not PackVersion.objects.exists()


def test_the_timers_command_reads_indexes_once_a_day(serve: Serve, settings: Any) -> None:
    address = serve("index.json", index_of(repository()))
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "GALLERIES": [address]}
    written = StringIO()
    call_command("look_up_sources", stdout=written)
    assert f"{address} lists 1 games." in written.getvalue()
    call_command("look_up_sources", stdout=(again := StringIO()))
    assert not again.getvalue()
    serve("index.json", b"rubbish")
    with pytest.raises(CommandError):
        call_command("look_up_sources", "--all", stdout=StringIO())


def test_opening_the_page_reads_an_index_that_no_timer_reads(serve: Serve, settings: Any, client: Client) -> None:
    address = serve("index.json", index_of(repository("geese")))
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "GALLERIES": [address]}
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    for _ in range(3):
        assert "Old World" in client.get(reverse("catalogue:gallery")).content.decode()
    job = Job.objects.get()
    while advance_job(job):
        job.refresh_from_db()
    page = client.get(reverse("catalogue:gallery")).content.decode()
    assert "Geese" in page
    assert Job.objects.count() == 1
    GalleryRead.objects.update(read=timezone.now() - gallery.STALE)
    client.get(reverse("catalogue:gallery"))
    assert Job.objects.count() == 2


def test_staff_read_the_index_and_sizes_are_asked_for(serve: Serve, settings: Any, keeper: Client) -> None:
    archive = serve("ducks.zip", b"x" * 1234)
    bad = archive.replace("ducks.zip", "gone.zip")
    index = index_of(repository(repositoryBsrUrl=archive), repository("gone", repositoryBsrUrl=bad))
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "GALLERIES": [serve("index.json", index)]}
    page = keeper.post(reverse("catalogue:gallery-read"), follow=True).content.decode()
    assert "lists 2 games" in page
    sizes = dict(GalleryGame.objects.values_list("name", "size"))
    assert sizes == {"ducks": 1234, "gone": None}
    assert Client().post(reverse("catalogue:gallery-read")).status_code == 404


# ---- installing --------------------------------------------------------------------------------------------------


def test_a_game_is_installed_from_its_archive(ducks: GalleryGame, keeper: Client) -> None:
    GalleryAsk.objects.create(game=ducks, asker="account 9")
    missing = count_missing_games()
    answer = install(keeper, ducks)
    version = PackVersion.objects.get()
    assert answer.redirect_chain[-1][0] == version.game.get_absolute_url()
    assert version.label == "1.0"
    line = rows_by_name()["ducks"]
    assert line.game == version.game
    assert not line.is_behind
    assert line.row.size
    assert line.asks == 0
    assert count_missing_games() == missing - 1
    page = keeper.get(reverse("catalogue:gallery")).content.decode()
    assert f"{reverse('roster:new')}?game={version.game.slug}" in page


def test_a_newer_release_is_an_update(ducks: GalleryGame, keeper: Client, serve: Serve) -> None:
    install(keeper, ducks)
    GalleryGame.objects.update(version="v2.0", archive=serve("new.zip", packed(game_files(unit(ident="drake")))))
    assert rows_by_name()["ducks"].is_behind
    assert "Update" in keeper.get(reverse("catalogue:gallery") + "?show=updates").content.decode()
    install(keeper, GalleryGame.objects.get())
    assert not rows_by_name()["ducks"].is_behind
    assert [version.label for version in PackVersion.objects.order_by("pk")] == ["1.0", "2.0"]


def test_a_game_that_was_imported_otherwise_is_known_by_its_files_name(ducks: GalleryGame, tmp_path: Path) -> None:
    GalleryGame.objects.create(
        name="ducks-light", title="Light ducks", version="v3", archive="https://example.org/x.zip"
    )
    path = tmp_path / "ducks-v0.9.zip"
    path.write_bytes(packed(game_files(unit())))
    call_command("import_battlescribe", str(path), stdout=StringIO())
    lines = rows_by_name()
    assert lines["ducks"].game == GameSystem.objects.get()
    assert lines["ducks"].is_behind
    assert lines["ducks-light"].game is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"rubbish", "Nothing was stored"),
        (None, "does not have this file"),
        (packed({"readme.txt": "hello"}), "Nothing was stored"),
    ],
    ids=["rubbish", "gone", "no-game"],
)
def test_an_archive_that_cannot_be_used_leaves_nothing_but_its_reason(
    content: bytes | None, reason: str, keeper: Client, serve: Serve
) -> None:
    address = serve("data.zip", content or b"")
    archive = address if content else address.replace("data.zip", "gone.zip")
    row = GalleryGame.objects.create(name="ducks", title="Ducks", archive=archive)
    assert reason in install(keeper, row).content.decode()
    assert not GameSystem.objects.exists()
    assert reason in keeper.get(reverse("catalogue:gallery")).content.decode()


def test_an_archive_that_changed_under_its_checksum_is_refused(
    ducks: GalleryGame, keeper: Client, serve: Serve
) -> None:
    good = sha256(packed(game_files(unit()))).hexdigest()
    GalleryGame.objects.update(checksum="0" * 64)
    assert "not the one that the index describes" in install(keeper, ducks).content.decode()
    assert not GameSystem.objects.exists()
    GalleryGame.objects.update(checksum=good)
    install(keeper, ducks)
    assert GameSystem.objects.exists()


def test_a_full_disk_is_said_and_nothing_is_half_installed(
    ducks: GalleryGame, keeper: Client, monkeypatch: Any
) -> None:
    def fill(*args: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("catalogue.services.community_import.install_version", fill)
    answer = install(keeper, ducks)
    assert "no space left" in answer.content.decode()
    assert not GameSystem.objects.exists()
    assert keeper.get(reverse("catalogue:gallery")).status_code == 200


def test_a_full_temporary_folder_is_not_taken_for_a_silent_server(ducks: GalleryGame, monkeypatch: Any) -> None:
    with pytest.raises(downloads.FetchError, match="cannot be stored here: No space left on device"):
        downloads.download(ducks.archive, Path("/dev/full"), 1024)


def test_one_game_is_installed_by_one_job_at_a_time(ducks: GalleryGame, keeper: Client, settings: Any) -> None:
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    for _ in range(3):
        answer = install(keeper, ducks)
    assert Job.objects.filter(kind=gallery.INSTALL_JOB).count() == 1
    assert "already being installed" in answer.content.decode()
    page = keeper.get(reverse("catalogue:gallery")).content.decode()
    assert 'aria-label="Installing Ducks"' in page


@pytest.mark.django_db(transaction=True)
def test_people_who_install_a_game_at_the_same_moment_share_a_job(settings: Any) -> None:
    allow_installing(settings, "everybody")
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    row = GalleryGame.objects.create(name="ducks", title="Ducks", archive="https://example.org/ducks.zip")
    barrier = Barrier(PEOPLE, timeout=60)

    def press(_number: int) -> Job | str:
        barrier.wait()
        try:
            return gallery.start_install(AnonymousUser(), row)
        finally:
            connection.close()

    with ThreadPoolExecutor(PEOPLE) as pool:
        outcomes = list(pool.map(press, range(PEOPLE)))
    assert Job.objects.get(kind=gallery.INSTALL_JOB) in outcomes
    assert outcomes.count("Ducks is already being installed.") == PEOPLE - 1


def test_games_that_were_queued_while_there_was_space_stop_when_it_is_used(
    ducks: GalleryGame, serve: Serve, settings: Any
) -> None:
    allow_installing(settings, "everybody", GALLERY_BYTES=1)
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    other = {name: str(text).replace('"sys"', '"geese"') for name, text in game_files(unit()).items()}
    geese = GalleryGame.objects.create(name="geese", title="Geese", archive=serve("geese.zip", packed(other)))
    guest = Client()
    for row in (ducks, geese):
        install(guest, row)
    jobs = list(Job.objects.order_by("pk"))
    for job in jobs:
        while advance_job(job):
            job.refresh_from_db()
    assert [job.result.get("wrong") for job in jobs] == [None, "This site has no more space for games. Ask its staff."]
    assert GameSystem.objects.count() == 1
    assert "no more space" in guest.get(reverse("catalogue:gallery")).content.decode()


def test_two_revisions_with_one_name_are_two_versions_with_different_names(
    ducks: GalleryGame, keeper: Client, serve: Serve
) -> None:
    install(keeper, ducks)
    serve("ducks.zip", packed(game_files(unit(ident="drake"))))
    install(keeper, ducks)
    game = GameSystem.objects.get()
    versions = list(PackVersion.objects.all())
    assert [version.label for version in versions] == ["1.0", "1.0"]
    page = keeper.get(game.get_absolute_url()).content.decode()
    assert all(version.short_hash in page for version in versions)
    assert game.shown_version.factions.get().units.get().entry_id == "drake"


def test_a_game_without_a_download_cannot_be_installed(keeper: Client) -> None:
    row = GalleryGame.objects.create(name="ducks", title="Ducks")
    assert "No download is listed for Ducks" in install(keeper, row).content.decode()


def test_a_game_that_the_index_dropped_meanwhile_says_so(ducks: GalleryGame, keeper: Client, settings: Any) -> None:
    job = Job.objects.create(
        user=User.objects.get(), kind=gallery.INSTALL_JOB, name="Ducks", arguments={"gallery": 999}
    )
    Job.objects.update(touched=datetime(2026, 1, 1, tzinfo=UTC))
    keeper.post(reverse("catalogue:job", args=[job.public_id]))
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert "no longer lists" in job.result["wrong"]


# ---- who may -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "guest", "account"), [("staff", 404, 404), ("accounts", 404, 303), ("everybody", 303, 303)]
)
def test_the_setting_says_who_may_install(
    who: str, guest: int, account: int, ducks: GalleryGame, settings: Any, client: Client
) -> None:
    allow_installing(settings, who)
    address = reverse("catalogue:install", args=[ducks.pk])
    assert Client().post(address).status_code == guest
    client.force_login(User.objects.create_user("mara"))
    assert client.post(address).status_code == account
    offered = "Install" if account == 303 else "Ask"
    GameSystem.objects.all().delete()
    assert f">{offered}<" in "".join(client.get(reverse("catalogue:gallery")).content.decode().split()) or offered


def test_without_space_only_staff_install(ducks: GalleryGame, settings: Any, keeper: Client) -> None:
    allow_installing(settings, "everybody", GALLERY_BYTES=0)
    assert "no more space" in install(Client(), ducks).content.decode()
    install(keeper, ducks)
    assert GameSystem.objects.exists()


def test_a_guest_watches_the_job(ducks: GalleryGame, settings: Any) -> None:
    allow_installing(settings, "everybody")
    settings.TASKS = {**settings.TASKS, "default": settings.TASKS["nobody"]}
    guest = Client()
    answer = install(guest, ducks)
    assert answer.status_code == 200
    job = Job.objects.get()
    for _ in range(5):
        Job.objects.update(touched=datetime(2026, 1, 1, tzinfo=UTC))
        guest.post(reverse("catalogue:job", args=[job.public_id]))
    assert GameSystem.objects.exists()


def test_installing_is_limited_by_address() -> None:
    from armybuilder.rate_limits import COUNTED

    assert COUNTED["catalogue:install"] == "install"
    assert "catalogue:install" in {name for name, _route in list_routes()}


def test_a_guest_asks_once_and_takes_it_back(ducks: GalleryGame) -> None:
    address = reverse("catalogue:gallery-ask", args=[ducks.pk])
    first, second = Client(), Client()
    for client in (first, first, second):
        page = client.post(address, follow=True).content.decode()
    assert "You asked for Ducks" in page
    assert GalleryAsk.objects.count() == 2
    assert "Me too (2)" in Client().get(reverse("catalogue:gallery")).content.decode()
    first.post(address, {"undo": "1"})
    assert GalleryAsk.objects.count() == 1
    assert Client().post(address, {"undo": "1"}).status_code == 303
    assert GalleryAsk.objects.count() == 1


def test_staff_see_what_is_asked_for(ducks: GalleryGame, keeper: Client) -> None:
    GalleryAsk.objects.create(game=ducks, asker="account 9")
    page = keeper.get(reverse("catalogue:gallery")).content.decode()
    assert "Asked for" in page
    assert "1 asked" in page


def test_keeping_a_game_up_to_date_makes_it_a_source(ducks: GalleryGame, keeper: Client) -> None:
    install(keeper, ducks)
    GalleryGame.objects.update(version="v2.0", feed="https://example.org/releases.atom")
    address = reverse("catalogue:gallery-keep", args=[ducks.pk])
    assert Client().post(address).status_code == 404
    assert "kept up to date" in keeper.post(address, follow=True).content.decode()
    assert Source.objects.get().publishes
    line = rows_by_name()["ducks"]
    assert line.is_kept
    assert not line.is_behind


# ---- the page ----------------------------------------------------------------------------------------------------


def test_games_are_found_by_title_repository_and_publisher(client: Client) -> None:
    store_bundled()

    def find(query: str) -> str:
        return client.get(reverse("catalogue:gallery"), {"q": query}).content.decode()

    assert "Grimdark Future: Firefight" in find("onepagerules fire")
    assert "Nothing found" in find("no such game")
    assert "Age of Fantasy" not in find("grimdark")


def test_letters_lead_to_their_first_game(client: Client) -> None:
    store_bundled()
    page = client.get(reverse("catalogue:gallery")).content.decode()
    first = GalleryGame.objects.get(title="Wild West Exodus"), GalleryGame.objects.get(title="Xenos Rampant")
    assert f'<a href="#game-{first[1].pk}">X</a>' in page
    assert f'<a href="#game-{first[0].pk}">' not in page


def test_rubbish_in_the_address_shows_all_games(client: Client) -> None:
    for query in ({"show": "x", "sort": "y"}, {"q": "\x01" * 500}, {"show": "updates"}):
        assert client.get(reverse("catalogue:gallery"), query).status_code == 200


def test_the_front_page_counts_the_games_that_could_be_installed(client: Client) -> None:
    store_bundled()
    assert f"{count_missing_games()} more games" in client.get("/").content.decode()
