"""The public page of a list, and copying from it."""

import pytest
from django.test import Client

from catalogue.formats.packs.load import SHIPPED
from roster.models import Roster
from roster.services.rosters import load_example
from tests.markup import markup
from tests.roster.deck_owner import REEDS
from tests.roster.views_cast import started
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db


def test_works_for_everybody_and_changes_nothing():
    owner = started()
    owner.unit("warden")
    answer = Client().get(owner.url("link"))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Wärden" in page
    assert "/edits/" not in page
    assert "Copy to my lists" in page


def test_is_neither_found_nor_told():
    owner = started()
    answer = Client().get(owner.url("link"))
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["Referrer-Policy"] == "same-origin"


def test_owner_is_shown_the_way_back():
    owner = started()
    assert f'href="{owner.url()}"' in owner.client.get(owner.url("link")).content.decode()
    assert f'href="{owner.url()}"' not in Client().get(owner.url("link")).content.decode()


def test_wrong_method():
    owner = started()
    assert owner.client.post(owner.url("link")).status_code == 405
    assert owner.client.get(owner.url("copy")).status_code == 405


@pytest.mark.parametrize("public_id", ["x", "a" * 22, "%00"])
def test_bad_id(client, public_id):
    assert client.get(f"/r/{public_id}/").status_code == 404
    assert client.post(f"/r/{public_id}/copy/").status_code == 404


def test_copy_is_a_list_of_ones_own():
    owner = started()
    owner.unit("warden")
    stranger = Client()
    answer = stranger.post(owner.url("copy"))
    assert answer.status_code == 303
    assert stranger.get(answer["Location"]).status_code == 200
    assert owner.client.get(answer["Location"]).status_code == 404
    copied = Roster.objects.exclude(public_id=owner.public_id).get()
    assert copied.tree.forces == owner.roster.tree.forces


@pytest.mark.usefixtures("fresh_answers")
def test_page_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    owner = started()
    owner.unit("warden")
    Client().get(owner.url("link"))
    with django_assert_num_queries(4):
        Client().get(owner.url("link"))
    owner.unit("cutters")
    owner.unit("crew")
    with django_assert_num_queries(4):
        Client().get(owner.url("link"))


def test_empty_list_can_be_read():
    assert Client().get(started(detachment=False).url("link")).status_code == 200


def test_profiles_stand_as_figures_under_their_columns():
    install_shipped(REEDS)
    army = load_example(REEDS / "lists" / "low-water-column.yaml", SHIPPED)
    page = markup(Client().get(army.get_absolute_url()))
    assert "<dt>MV</dt><dd>6</dd>" in page
