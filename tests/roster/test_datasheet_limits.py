"""The side sheet of a unit shows the limit for the size of the list, and how many may be taken."""

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.load import SHIPPED
from tests.markup import markup
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db


def read_sheet(limit: str, *, taken: int) -> str:
    """Return the side sheet of the Overlord in a list with a `limit` of points and a number of Overlords."""
    client = Client()
    fields = {"game": "maelstrom-of-war-9e", "faction": "necrons", "limit": limit}
    address = client.post(reverse("roster:new"), fields)["Location"]
    force = client.get(address).context["board"].forces[0]
    edit = {"do": "add-detachment", "entry": force.entry_id, "catalogue": force.catalogue_id, "revision": "1"}
    assert client.post(f"{address}edits/", edit).status_code == 303
    into = client.get(address).context["board"].into
    for number in range(taken):
        edit = {"do": "add-unit", "node": into, "entry": "overlord", "revision": str(2 + number)}
        assert client.post(f"{address}edits/", edit).status_code == 303
    return markup(client.get(f"{address}units/overlord/", {"into": into}))


@pytest.fixture(autouse=True)
def ninth(db: None) -> None:
    install_shipped(SHIPPED / "wh40k" / "ninth")


@pytest.mark.parametrize(("limit", "most"), [("1000", 2), ("2000", 3)])
def test_the_limit_of_this_size_stands_alone(limit: str, most: int) -> None:
    sheet = read_sheet(limit, taken=1)
    assert f"1 taken, {most} allowed" in sheet
    assert ("more than twice" in sheet, "more than three times" in sheet) == (most == 2, most == 3)


def test_nothing_is_counted_before_one_is_taken() -> None:
    assert " allowed" not in read_sheet("1000", taken=0)
