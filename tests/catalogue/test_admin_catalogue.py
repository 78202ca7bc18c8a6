"""The admin shows everything and changes nothing."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import GalleryAsk, GalleryGame, GalleryRead, ImportReport, Job, MapMeasures, PackVersion, Source

TABLES = sorted(apps.get_app_config("catalogue").get_models(), key=lambda table: table.__name__)


@pytest.mark.parametrize("table", TABLES)
def test_browsed_searched_and_read(admin_client: Client, tin_meadow: PackVersion, table: type) -> None:
    assert table in admin.site._registry
    name = table._meta.model_name
    listed = reverse(f"admin:catalogue_{name}_changelist")
    assert admin_client.get(listed).status_code == 200
    assert admin_client.get(listed, {"q": "hay"}).status_code == 200
    if table is ImportReport:
        ImportReport.objects.create(version=tin_meadow, source="meadow.zip")
    if table is Job:
        Job.objects.create(user=User.objects.get(), kind="import", name="meadow.zip")
    if table is MapMeasures:
        zones = "- {zone: Mowers, edge: south, depth: 9}"
        MapMeasures.objects.create(game=tin_meadow.game, map_id="ditch", width=60, depth=44, zones=zones)
    if table is Source:
        Source.objects.create(kind="folder", location="/srv/meadow")
    if table in (GalleryAsk, GalleryGame):
        GalleryAsk.objects.create(game=GalleryGame.objects.create(name="hay", title="Hay"), asker="account 1")
    if table is GalleryRead:
        GalleryRead.objects.create(index="https://example.org/index.json", read=timezone.now())
    row = table.objects.first()
    address = reverse(f"admin:catalogue_{name}_change", args=[row.pk])
    assert admin_client.get(address).status_code == 200
    # Staff enter the sizes of maps by hand; everything else comes from data.
    assert admin_client.post(address, {"name": "Changed"}).status_code == (200 if table is MapMeasures else 403)


@pytest.mark.parametrize("table", TABLES)
def test_strangers_are_sent_to_the_door(client: Client, tin_meadow: PackVersion, table: type) -> None:
    answer = client.get(reverse(f"admin:catalogue_{table._meta.model_name}_changelist"))
    assert answer.status_code == 302
    assert "/admin/login/" in answer["Location"]
