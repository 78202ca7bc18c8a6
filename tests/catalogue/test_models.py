"""Versions and their documents are immutable."""

import pytest
from django.db.models import RestrictedError

from catalogue.models import CatalogueDocument, Faction, GameSystem, PackVersion, UnitEntry
from catalogue.models.base import ImmutableError
from catalogue.services.install_version import install_version
from tests.catalogue.games import ABOUT, with_units

pytestmark = pytest.mark.postgres


def test_a_version_is_never_changed(tin_meadow: PackVersion) -> None:
    version = PackVersion.objects.get()
    version.label = "2.0"
    with pytest.raises(ImmutableError):
        version.save()
    with pytest.raises(ImmutableError):
        version.save(update_fields=["label"])
    assert PackVersion.objects.get().label == "1.0"


def test_a_document_is_never_changed(tin_meadow: PackVersion) -> None:
    document = tin_meadow.documents.all()[0]
    document.name = "Other"
    with pytest.raises(ImmutableError):
        document.save()
    assert CatalogueDocument.objects.get(pk=document.pk).decode().id == document.catalogue_id


@pytest.mark.parametrize("table", [PackVersion, CatalogueDocument])
def test_nor_are_many_at_once(tin_meadow: PackVersion, table: type) -> None:
    with pytest.raises(ImmutableError):
        table.objects.update(content_hash="0")
    with pytest.raises(ImmutableError):
        table.objects.bulk_update(table.objects.all(), ["content_hash"])


def test_the_current_version_stays_while_its_game_does(tin_meadow: PackVersion) -> None:
    with pytest.raises(RestrictedError):
        tin_meadow.delete()
    install_version(ABOUT, with_units(1))
    PackVersion.objects.get(pk=tin_meadow.pk).delete()
    GameSystem.objects.get().delete()
    assert not PackVersion.objects.exists()


def test_everything_says_what_it_is(tin_meadow: PackVersion) -> None:
    assert str(tin_meadow.game) == "Tin Meadow, 1st edition"
    assert str(tin_meadow) == "Tin Meadow, 1st edition 1.0"
    assert [str(faction) for faction in Faction.objects.all()] == ["The Mowers", "The Moles"]
    assert UnitEntry.objects.get(slug="hay-hands").get_absolute_url() == "/games/tin-meadow/the-mowers/hay-hands/"
