"""What the same picks would fix is one thing to do: one card, counted once."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from catalogue.formats.packs.load import SHIPPED
from roster.engine.report import Lacking, Location, PlaceKind, Violation, group_needs
from roster.engine.tree import copy_with
from tests.markup import markup
from tests.roster.deck_owner import Decker
from tests.shipped_packs import install_shipped

TITLE = re.compile(r"class=\"fix incomplete\".*?<h3[^>]*>(.*?)</h3>", re.DOTALL)
COMMAND, HAMMER, CORE = "kaddar-nova", "angel-hellblasters", "karist-troopers"


def begin(*units: str) -> Decker:
    install_shipped(SHIPPED / "maelstroms_edge" / "second")
    client = Client()
    form = {"game": "maelstroms-edge-2e", "faction": "karist-enclave", "limit": "120", "name": "First"}
    owner = Decker(client, client.post(reverse("roster:new"), form)["Location"].strip("/").split("/")[-1])
    if not owner.roster.tree.forces:
        owner.done(do="add-detachment", entry="standard")
    owner.take(*units)
    return owner


def read_verdict(owner: Decker) -> str:
    page = markup(owner.client.get(owner.url("builder")))
    return page.partition('id="verdict"')[2].partition('id="ways"')[0]


@pytest.mark.django_db
@pytest.mark.parametrize("units", [(COMMAND,), (COMMAND, HAMMER)])
def test_picks_without_the_core_they_need_are_one_thing_to_do(units: tuple[str, ...]) -> None:
    owner = begin(*units)
    verdict = read_verdict(owner)
    assert [strip_tags(title).strip() for title in TITLE.findall(verdict)] == ["Needs 1 Core"]
    assert "No Core yet" not in verdict
    assert "Not more than core" in verdict
    assert "1 to do" in verdict
    assert owner.roster.violations == 1
    owner.take(CORE)
    assert "Needs" not in read_verdict(owner)


def violation(**more: object) -> Violation:
    return Violation(code="minimum", on=Location(kind=PlaceKind.FORCE, id="f"), mendable=True, **more)


MISSING = violation(measured=0, allowed=1, counted="Core")
EXCESS = violation(measured=1, allowed=0, counted="Command", lacking=Lacking(name="Core", number=1))


def test_an_excess_leads_the_group_of_its_needs() -> None:
    assert group_needs([MISSING, EXCESS]) == [(EXCESS, MISSING)]


@pytest.mark.parametrize(
    "other",
    [
        copy_with(EXCESS, lacking=None),
        copy_with(EXCESS, crowded=True),
        copy_with(EXCESS, lacking=Lacking(name="Hammer", number=1)),
        copy_with(EXCESS, on=Location(kind=PlaceKind.FORCE, id="g")),
        copy_with(EXCESS, mendable=False),
    ],
)
def test_what_other_acts_fix_is_another_thing_to_do(other: Violation) -> None:
    assert group_needs([MISSING, other]) == []
