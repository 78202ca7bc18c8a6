"""Importing a list file and exporting one."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.services.exchange import link_roster
from tests.roster.bad_rosters import BAD
from tests.roster.small_game import installed
from tests.roster.views_cast import SCRIPT, Owner, started

pytestmark = pytest.mark.django_db

BRING = reverse("roster:import")
TYPES = {"rosz": "application/zip", "ros": "application/xml", "yaml": "application/yaml", "json": "application/json"}


def send(client: Client, data: bytes, name: str = "mine.ros"):
    return client.post(BRING, {"file": SimpleUploadedFile(name, data)})


def file_of(owner: Owner, ending: str) -> bytes:
    return Client().get(owner.url("link") + f"roster.{ending}").content


def bare(node):
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items() if key not in ("id", "cost_types")}
    return [bare(item) for item in node] if isinstance(node, list) else node


def test_works(client):
    page = client.get(BRING)
    assert page.status_code == 200
    assert b'enctype="multipart/form-data"' in page.content


@pytest.mark.parametrize("ending", TYPES)
def test_what_is_handed_out_comes_back_the_same(client, ending):
    owner = started(client)
    owner.unit("cutters")
    owner.done(do="rename", node=owner.units()[0], text="The \u201cFirst\u201d & last")
    owner.done(do="notes", node=owner.units()[0], text="two\nlines")
    other = Client()
    answer = send(other, file_of(owner, ending), f"x.{ending}")
    assert answer.status_code == 303, answer.content.decode()
    brought = Roster.objects.exclude(public_id=owner.public_id).get()
    assert answer["Location"] == reverse("roster:builder", args=[brought.public_id])
    page = other.get(answer["Location"])
    assert page.status_code == 200
    assert (brought.version, brought.faction_id, brought.points, brought.verdict) == (
        owner.roster.version,
        owner.roster.faction_id,
        owner.roster.points,
        owner.roster.verdict,
    )
    assert bare(json.loads(brought.document)) == bare(json.loads(owner.roster.document))
    if ending.startswith("ros"):
        assert brought.document == owner.roster.document
        assert b"Linked to the data it was made with" in page.content


@pytest.mark.parametrize(("ending", "media_type"), TYPES.items())
def test_headers_of_what_is_handed_out(client, ending, media_type):
    answer = client.get(started(client, name="Low water").url("link") + f"roster.{ending}")
    assert answer["Content-Type"] == media_type
    assert answer["Content-Disposition"] == f'attachment; filename="low-water.{ending}"'
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert answer["Cache-Control"] == "private, no-cache"


def test_links_stand_on_builder_and_reading_page(client):
    owner = started(client)
    assert owner.url("link") + "roster.rosz" in owner.page().content.decode()
    assert 'href="roster.rosz"' in client.get(owner.url("link")).content.decode()


def test_bad_id_and_unknown_form(client):
    owner = started(client)
    assert client.get(owner.url("link") + "roster.exe").status_code == 404
    assert client.get(f"/r/{'x' * 22}/roster.ros").status_code == 404


def test_wrong_method(client):
    owner = started(client)
    assert client.put(BRING).status_code == 405
    assert client.post(owner.url("link") + "roster.ros").status_code == 405


def test_handing_out_asks_the_same_at_one_and_three_units(client, django_assert_num_queries):
    owner = started(client)
    for units in (1, 2):
        for _ in range(units):
            owner.unit("cutters")
        # Session and list.
        with django_assert_num_queries(2):
            client.get(owner.url("link") + "roster.ros")


@pytest.mark.parametrize("data", [*(data for data, _ in BAD.values()), b"", b"[1, 2", b"list: 1\ngame: no-such-game"])
def test_bad_file_is_said_beside_the_field_and_makes_no_list(client, data):
    installed()
    answer = send(client, data)
    assert answer.status_code == 400
    assert b'role="alert"' in answer.content
    assert not Roster.objects.exists()


def test_no_file(client):
    assert client.post(BRING).status_code == 422


def test_unknown_data_says_what_to_install(client):
    data = b'<roster gameSystemId="gone" gameSystemName="Gone Game" gameSystemRevision="4"/>'
    page = send(client, data).content.decode()
    assert "Gone Game" in page
    assert "import_battlescribe" in page


def test_what_is_missing_is_named(client):
    owner = started(client)
    owner.unit("cutters")
    data = file_of(owner, "ros").replace(b'entryId="cutters"', b'entryId="gone"')
    answer = send(client, data)
    page = client.get(answer["Location"]).content.decode()
    assert "stays in the list as a placeholder" in page
    read = link_roster("x.ros", data)
    assert read.missing


def test_too_large_an_upload(client):
    assert send(client, b"x" * 3_000_000).status_code == 413


def test_a_list_that_takes_too_long_is_not_taken_in(client, settings):
    data = file_of(started(client), "yaml")
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "JUDGING_SECONDS": {"guest": 0, "account": 0}}
    before = Roster.objects.count()
    answer = send(client, data)
    assert (answer.status_code, Roster.objects.count()) == (400, before)


def test_csrf():
    client = Client(enforce_csrf_checks=True)
    assert send(client, b"<roster/>").status_code == 403


def test_text_of_files_is_never_markup(client):
    owner = started(client, name=SCRIPT)
    answer = send(client, file_of(owner, "ros"), SCRIPT + ".ros")
    assert SCRIPT not in client.get(answer["Location"]).content.decode()
    assert SCRIPT not in send(client, b"<html/>", SCRIPT + ".ros").content.decode()
