"""Installing: all or nothing, equal data once, old versions stay."""

from dataclasses import replace

import msgspec
import pytest
from django.forms.models import model_to_dict
from pytest_django import DjangoAssertNumQueries

from catalogue.definitions.catalogues import DataSet
from catalogue.models import (
    CatalogueDocument,
    Detachment,
    Faction,
    GameSystem,
    Mission,
    Option,
    OrganisationChart,
    PackVersion,
    Slot,
    UnitEntry,
)
from catalogue.services import install_version as installing
from catalogue.services.documents import forget_documents, load_data_set
from catalogue.services.install_version import install_version
from catalogue.services.version_rows import rebuild_rows
from tests.catalogue.games import ABOUT, MOLES, SYSTEM, TIN_MEADOW, installed, with_units

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

ROWS = (Faction, UnitEntry, Option, OrganisationChart, Detachment, Slot, Mission)
OWN_IDS = {"id", "version", "faction", "unit", "texts", "chart", "detachment", "parent"}


def changed() -> DataSet:
    return DataSet(catalogues=(SYSTEM, msgspec.structs.replace(MOLES, name="The Old Moles")))


def all_rows() -> list[tuple[str, list[dict[str, object]]]]:
    return [
        (
            table.__name__,
            [
                {name: value for name, value in model_to_dict(row).items() if name not in OWN_IDS}
                | {"parent": str(getattr(row, "parent", ""))}
                for row in table.objects.all()
            ],
        )
        for table in ROWS
    ]


def test_installs_a_game_with_its_documents_and_rows() -> None:
    version = installed()
    game = GameSystem.objects.get()
    assert (game.slug, game.current, version.points_id) == ("tin-meadow", version, "points")
    assert [document.catalogue_id for document in version.documents.all()] == ["tin-meadow", "tools", "mowers", "moles"]
    assert [faction.slug for faction in version.factions.all()] == ["the-mowers", "the-moles"]
    assert all(table.objects.exists() for table in ROWS)


def test_equal_data_makes_no_new_version() -> None:
    first = installed()
    before = all_rows()
    assert installed() == first
    assert PackVersion.objects.count() == 1
    assert all_rows() == before


def test_changed_data_makes_a_new_current_version_and_the_old_one_stays() -> None:
    old = installed()
    new = install_version(ABOUT, changed())
    assert new != old
    assert list(PackVersion.objects.filter_current()) == [new]
    assert load_data_set(old) == TIN_MEADOW
    assert old.factions.count() == 2


def test_data_that_comes_back_is_current_again() -> None:
    old = installed()
    install_version(ABOUT, changed())
    assert installed() == old
    assert PackVersion.objects.get(pk=old.pk).is_current
    assert PackVersion.objects.count() == 2


def test_a_new_cover_changes_the_game_only() -> None:
    first = installed()
    assert install_version(replace(ABOUT, publisher="Somebody"), TIN_MEADOW) == first
    assert GameSystem.objects.get().publisher == "Somebody"


@pytest.mark.parametrize("step", ["write_rows", "publish_version"])
def test_a_failure_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*_: object, **options: object) -> None:
        raise RuntimeError(step)

    monkeypatch.setattr(installing, step, fail)
    with pytest.raises(RuntimeError):
        installed()
    assert not GameSystem.objects.exists()
    assert not PackVersion.objects.exists()
    assert not CatalogueDocument.objects.exists()


def test_a_failed_update_leaves_the_old_version_current(monkeypatch: pytest.MonkeyPatch) -> None:
    old = installed()
    before = all_rows()
    monkeypatch.setattr(installing, "write_rows", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        install_version(ABOUT, changed())
    assert list(PackVersion.objects.all()) == [old]
    assert PackVersion.objects.get().is_current
    assert all_rows() == before


def test_rebuilding_gives_the_same_rows() -> None:
    version = installed()
    before = all_rows()
    rebuild_rows(version)
    assert all_rows() == before


def test_rebuilding_leaves_other_versions_alone() -> None:
    old = installed()
    kept = set(old.factions.values_list("pk", flat=True))
    rebuild_rows(install_version(ABOUT, changed()))
    assert set(old.factions.values_list("pk", flat=True)) == kept


@pytest.mark.parametrize("count", [1, 3, 30])
def test_queries_do_not_grow_with_rows(count: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    data = with_units(count)
    with django_assert_num_queries(30):
        install_version(ABOUT, data)


def test_documents_come_back_as_they_went_in() -> None:
    version = installed()
    forget_documents()
    assert load_data_set(version) == TIN_MEADOW


def test_a_faction_comes_with_what_it_builds_on() -> None:
    version = installed()
    forget_documents()
    assert [c.id for c in load_data_set(version, "mowers").catalogues] == ["tin-meadow", "tools", "mowers"]
    assert [c.id for c in load_data_set(version, "moles").catalogues] == ["tin-meadow", "moles"]


def test_an_unknown_faction_gives_the_game_system_alone() -> None:
    assert [c.id for c in load_data_set(installed(), "nobody").catalogues] == ["tin-meadow"]


def test_known_data_costs_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    version = installed()
    forget_documents()
    with django_assert_num_queries(2):
        load_data_set(version, "mowers")
    with django_assert_num_queries(0):
        load_data_set(version, "mowers")
    with django_assert_num_queries(2):
        load_data_set(version, "moles")
