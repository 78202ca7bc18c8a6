"""Community data in the database: versions, labels, addresses, reports; imported completely or not at all."""

import zlib
from pathlib import Path

import msgspec
import pytest
from django.test import Client

from catalogue.definitions.diagnostics import Level
from catalogue.models import CatalogueDocument, DocumentBody, Faction, GameSystem, ImportReport, PackVersion, UnitEntry
from catalogue.models.base import NAME_LENGTH
from catalogue.services import community_import
from catalogue.services.community_import import describe_import, import_path
from catalogue.services.game_info import GameInfo
from catalogue.services.install_version import install_version
from catalogue.services.releases import publish_version
from catalogue.services.search import find_units
from tests.catalogue.bad_files import BAD, Bad
from tests.catalogue.battlescribe_files import POND, game_files, packed, unit
from tests.catalogue.games import MOWERS, TIN_MEADOW
from tests.catalogue.import_bytes import import_bytes

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

DUCK = unit('<selectionEntries><selectionEntry id="bill" name="Bill" type="upgrade"/></selectionEntries>')
DRAKE = unit(ident="drake")
ODD = unit('<costs><cost name="c" typeId="gone" value="1"/></costs>')
TABLES = (GameSystem, PackVersion, CatalogueDocument, Faction, UnitEntry, ImportReport)


def ducks(name: str = "ducks.zip", pond: str = DUCK) -> community_import.ImportOutcome:
    return import_bytes(name, packed(game_files(pond)))


def counts() -> list[int]:
    return [table.objects.count() for table in TABLES]


def test_data_becomes_a_game_with_rows() -> None:
    version = ducks().version
    assert version is not None
    assert (version.game.slug, version.source, version.label) == ("ducks-and-drakes", "battlescribe", "revision 3")
    assert version.is_current
    assert [found.name for found in find_units(version.factions.all(), "bill")] == ["Duck"]


def test_older_data_says_that_lists_start_with_it_now() -> None:
    def import_revision(number: int, *, hold: bool = False) -> community_import.ImportedGame:
        files = game_files(unit(ident=f"duck-{number}"))
        dated = {name: text.replace('revision="3"', f'revision="{number}"') for name, text in files.items()}
        (game,) = import_bytes("ducks.zip", packed(dated), hold=hold).games
        return game

    newest = import_revision(9)
    assert newest.replaced is None
    held = import_revision(2, hold=True)
    assert held.replaced is None
    older = import_revision(3)
    assert older.version.is_current
    assert older.replaced == newest.version
    assert f"It is older than {newest.version.full_name}: new lists start with it" in describe_import(older)
    assert "older" not in describe_import(import_revision(10))


def test_identical_data_makes_no_version() -> None:
    first = ducks()
    before = counts()
    again = ducks("renamed-v1.2.zip")
    assert (again.unchanged, again.version, counts()) == (True, first.version, before)


def test_changed_data_makes_a_new_version_of_the_same_game() -> None:
    first, second = ducks().version, ducks(pond=DRAKE).version
    assert first is not None
    assert second is not None
    assert first.pk != second.pk
    assert first.game_id == second.game_id
    assert GameSystem.objects.get().current == second


def test_a_renamed_game_stays_the_same_game() -> None:
    ducks()
    files = game_files(DUCK)
    files["ducks.gst"] = str(files["ducks.gst"]).replace("Ducks and Drakes", "Drakes and Ducks")
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    assert (version.game.slug, version.game.name) == ("ducks-and-drakes", "Drakes and Ducks")


def test_a_pack_at_the_address_is_never_written_over() -> None:
    pack = install_version(GameInfo(slug="ducks-and-drakes", name="The pack"), TIN_MEADOW)
    version = ducks().version
    assert version is not None
    assert version.game.slug == "ducks-and-drakes-2"
    assert GameSystem.objects.get(slug="ducks-and-drakes").current == pack


def test_a_folder_and_an_archive_of_the_same_files_are_the_same_data(tmp_path: Path) -> None:
    for name, text in game_files(DUCK).items():
        (tmp_path / name).write_text(str(text))
    seen: list[tuple[int, int]] = []
    imported = import_path(tmp_path, lambda done, total: seen.append((done, total)))
    assert imported.version is not None
    assert seen[-1][0] == seen[-1][1]
    assert ducks().version == imported.version


@pytest.mark.parametrize(
    ("name", "revision", "label"),
    [
        ("wh40k-10e-v10.6.0.zip", "7", "10.6.0"),
        ("game-1.4.bsr", "7", "1.4"),
        ("BSData-game-0a1b2c3d4e5f60718293a4b5c6d7e8f901234567.zip", "7", "0a1b2c3d4e"),
        ("wh40k-9e", "250", "revision 250"),
        ("game-main.zip", "", ""),
    ],
)
def test_labels(name: str, revision: str, label: str) -> None:
    assert community_import.choose_label(name, revision) == label


def test_the_report_is_kept_with_the_version_and_follows_into_the_data() -> None:
    imported = ducks(pond=ODD)
    assert imported.version is not None
    report = imported.version.import_report
    assert report.diagnostics == imported.diagnostics
    assert report.by_code == {"dangling-cost": 1}
    document = imported.version.documents.get(catalogue_id="pond")
    assert [mark.code for mark in document.decode().unchecked] == ["dangling-cost"]


def test_names_longer_than_a_column_are_shortened() -> None:
    long = "Duck" * 100
    files = {
        name: text.replace('name="', f'name="{long}').replace('revision="', f'revision="{long}')
        for name, text in game_files(DUCK).items()
    }
    version = import_bytes("ducks.zip", packed(files)).version
    assert version is not None
    documents = list(version.documents.values_list("name", "revision"))
    assert {len(text) for pair in [*documents, (version.game.name, version.points_name)] for text in pair} <= {
        0,
        NAME_LENGTH,
    }


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_bad_input_names_the_file_and_stores_nothing(bad: Bad) -> None:
    imported = import_bytes(bad.name, bad.data)
    assert imported.version is None
    errors = [found for found in imported.diagnostics if found.level is Level.ERROR]
    assert {(found.code, found.file) for found in errors} == {(bad.code, bad.place)}
    assert counts() == [0] * len(TABLES)


def test_bad_input_leaves_what_is_there() -> None:
    ducks()
    before = counts()
    import_bytes(*BAD["zip-bomb"][:2])
    assert counts() == before


def test_what_fails_half_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(community_import.ImportReport.objects, "create", fail)
    with pytest.raises(RuntimeError):
        ducks()
    assert counts() == [0] * len(TABLES)


BARN = (POND % unit(ident="goose")).replace('id="pond"', 'id="barn"')


def test_a_catalogue_joins_the_installed_game_that_it_names() -> None:
    first = ducks().version
    joined = import_bytes("barn.cat", BARN.encode())
    version = joined.version
    assert version is not None
    assert first is not None
    assert (version.game_id, version.is_current, joined.diagnostics) == (first.game_id, True, ())
    assert {document.catalogue_id: document.joined for document in version.documents.all()} == {
        "sys": False,
        "pond": False,
        "barn": True,
    }
    assert import_bytes("barn.cat", BARN.encode()).unchanged


def test_what_joined_a_game_stays_when_its_data_changes() -> None:
    ducks()
    import_bytes("barn.cat", BARN.encode())
    version = ducks(pond=DRAKE).version
    assert version is not None
    assert {document.catalogue_id for document in version.documents.all()} == {"sys", "pond", "barn"}


def test_the_page_of_the_game_says_what_was_left_out(client: Client) -> None:
    version = ducks(pond=unit() + "<broken").version
    assert version is not None
    page = client.get(version.game.get_absolute_url()).content.decode()
    assert "Left out" in page
    assert "ducks.zip/pond.cat" in page


def test_several_games_in_one_archive() -> None:
    files = game_files(DUCK)
    files["geese.gst"] = str(files["ducks.gst"]).replace('id="sys"', 'id="other"').replace("Ducks", "Geese")
    imported = import_bytes("birds.zip", packed(files))
    assert [str(game.version.game) for game in imported.games] == ["Ducks and Drakes", "Geese and Drakes"]
    assert import_bytes("birds.zip", packed(files)).unchanged


def test_only_the_current_version_has_rows_of_units_and_equal_files_are_stored_once() -> None:
    old, new = ducks().version, ducks(pond=DRAKE).version
    assert old is not None
    assert new is not None
    assert [UnitEntry.objects.filter(faction__version=version).count() for version in (old, new)] == [0, 1]
    # The game system is the same in both.
    assert DocumentBody.objects.count() == 3
    publish_version(PackVersion.objects.select_related("game").get(pk=old.pk))
    assert [UnitEntry.objects.filter(faction__version=version).count() for version in (old, new)] == [1, 0]
    assert [found.name for found in find_units(old.factions.all(), "bill")] == ["Duck"]


def test_documents_of_old_are_read_as_they_were_packed() -> None:
    content = msgspec.json.encode(MOWERS)
    assert DocumentBody(content_hash="new", body=DocumentBody.pack(content)).decode() == MOWERS
    assert DocumentBody(content_hash="old", body=zlib.compress(content)).decode() == MOWERS
