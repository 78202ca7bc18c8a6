"""Example lists of packs: stored once, updated, readable by all users and editable by none."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.formats.packs.load import find_packs
from roster.formats.list_document import ListDocument, read_list
from roster.models import Roster
from roster.services.owners import NOBODY, Visitor
from roster.services.rosters import copy_roster, find_owned_roster, list_examples, list_starters
from tests.roster.small_game import installed
from tests.shipped_packs import read_shipped

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

LIST = "list: 1\ngame: fenland\nfaction: marsh\nname: Low water\ndetachments: [{detachment: column, units: [warden]}]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    installed()
    monkeypatch.setitem(settings.ARMYBUILDER, "PACKS_DIR", tmp_path)
    lists = tmp_path / "fenland" / "first" / "lists"
    lists.mkdir(parents=True)
    (lists / "low-water.yaml").write_text(LIST)
    return lists


def load() -> None:
    call_command("load_examples", verbosity=0)


def test_examples_are_stored_with_their_verdict(folder: Path) -> None:
    load()
    (example,) = list_examples()
    assert (example.name, example.verdict, example.points, example.owner_key) == ("Low water", "legal", "20", "")


def test_armies_to_start_from_are_told_from_lists_that_show_a_rule(folder: Path) -> None:
    (folder / "high-water.yaml").write_text(LIST.replace("Low", "High") + "starter: yes\n")
    load()
    assert [roster.name for roster in list_examples()] == ["High water", "Low water"]
    assert [roster.name for roster in list_starters()] == ["High water"]
    (folder / "low-water.yaml").write_text(LIST + "starter: yes\n")
    (folder / "high-water.yaml").write_text(LIST.replace("Low", "High"))
    load()
    assert [roster.name for roster in list_starters()] == ["Low water"]


@pytest.mark.parametrize("pack", find_packs(), ids=lambda pack: pack.parent.name)
def test_each_faction_of_each_pack_has_an_army_to_start_from(pack: Path) -> None:
    data = read_shipped(pack).data
    assert data
    factions = {book.id for book in data.catalogues if book.kind is CatalogueKind.FACTION}
    starters = [
        document
        for path in sorted((pack / "lists").glob("*.yaml"))
        if isinstance(document := read_list(path.read_bytes()), ListDocument) and document.expected.starter
    ]
    assert {document.faction.value for document in starters} == factions
    assert len({document.name for document in starters}) == len(starters)
    for document in starters:
        assert document.expected.verdict == "legal"
        assert ":" not in document.name, "a player would not name it so"
        assert sum(len(force.units) for force in document.detachments) > 3


def test_loading_again_changes_nothing(folder: Path) -> None:
    load()
    before = Roster.objects.values().get()
    load()
    assert Roster.objects.values().get() == before


def test_a_changed_file_is_stored_anew_at_its_address(folder: Path) -> None:
    load()
    address = list_examples().get().public_id
    (folder / "low-water.yaml").write_text(LIST.replace("Low water", "High water"))
    load()
    example = list_examples().get()
    assert (example.name, example.public_id) == ("High water", address)


def test_an_example_goes_with_its_file(folder: Path) -> None:
    load()
    (folder / "low-water.yaml").unlink()
    load()
    assert not list_examples().exists()


def test_lists_of_mistakes_are_for_tests_only(folder: Path) -> None:
    (folder / "low-water.yaml").write_text(LIST + "expect: illegal\nbreaks: [fen-four]\n")
    load()
    assert not list_examples().exists()


def test_a_broken_file_is_named_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.yaml").write_text(LIST.replace("warden", "wardn"))
    with pytest.raises(CommandError):
        load()
    assert f"{folder / 'broken.yaml'}:5" in capsys.readouterr().err
    assert list_examples().count() == 1, "the others are there all the same"


def test_lists_of_games_that_are_not_installed_wait(folder: Path) -> None:
    (folder / "elsewhere.yaml").write_text(LIST.replace("fenland", "elsewhere"))
    load()
    assert list_examples().count() == 1


def test_nobody_owns_an_example_and_everybody_may_copy_it(folder: Path) -> None:
    load()
    example = Roster.objects.get()
    for owner in (NOBODY, Visitor(key="somebody")):
        with pytest.raises(Roster.DoesNotExist):
            find_owned_roster(example.public_id, owner)
    copy = copy_roster(example, Visitor(key="somebody"))
    assert isinstance(copy, Roster)
    assert find_owned_roster(copy.public_id, Visitor(key="somebody")) == copy
