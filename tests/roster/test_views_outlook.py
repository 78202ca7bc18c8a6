"""The page of a list, once it stands still: what leads nowhere is grey, and a list that is lost says so."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.engine.completion import solver
from roster.templatetags.builder import make_dom_token
from tests.markup import markup
from tests.roster.views_cast import HTMX, Owner, started, swapped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("flat_fenland")]

DEAD = 'class="no dead"'


def begin(*units: str) -> Owner:
    """A list in which four units have room, one of which has to be a warden."""
    owner = started()
    for entry in units:
        owner.unit(entry)
    return owner


def ask(owner: Owner, **query: str) -> HttpResponse:
    query = {"revision": str(owner.roster.head), "into": owner.detachment()} | query
    return owner.client.get(owner.url("outlook"), query, headers=HTMX)


def name_why(entry: str) -> str:
    """The part of the page that says why a unit cannot be taken."""
    return f"y-{make_dom_token(entry)}"


def test_the_last_place_is_kept_for_what_is_still_needed() -> None:
    answer = ask(begin("cutters", "cutters", "crew"))
    assert answer.status_code == 200
    assert {"ways", *map(name_why, ("cutters", "crew", "giants"))} == swapped(answer)
    assert markup(answer).count(DEAD) == 3


def test_where_everything_leads_somewhere_nothing_is_grey() -> None:
    answer = ask(begin("cutters"))
    assert swapped(answer) == {"ways"}


def test_what_was_grey_and_leads_somewhere_now_is_sent_again() -> None:
    answer = ask(begin("cutters"), grey=name_why("crew") + ",y-nothing")
    assert swapped(answer) == {name_why("crew"), "ways"}
    assert DEAD not in markup(answer)


def test_a_list_that_is_lost_is_illegal_and_says_which_rules_collide() -> None:
    owner = begin("cutters", "cutters", "crew", "crew")
    answer = ask(owner)
    assert {"verdict", "dock", "strip", "ways"} <= swapped(answer)
    assert 'class="panel verdict no"' in markup(answer)
    assert "Four choices" in markup(answer)
    assert DEAD not in markup(answer)


def test_without_script_a_link_leads_to_the_same_page() -> None:
    owner = begin("cutters", "cutters", "crew")
    answer = owner.client.get(owner.url("outlook"))
    assert answer.status_code == 302
    page = owner.page(outlook="1", into=owner.detachment())
    assert markup(page).count(DEAD) == 3
    assert "dead=1" in markup(page)
    assert DEAD not in markup(owner.page())


def test_the_datasheet_of_a_grey_line_says_why() -> None:
    owner = begin("cutters", "cutters", "crew")
    address = reverse("roster:datasheet", args=[owner.public_id, "crew"])
    assert "With this, no further pick" in markup(owner.client.get(address, {"dead": "1"}))
    assert "With this, no further pick" not in markup(owner.client.get(address))


def test_an_answer_for_a_page_that_has_moved_on_is_none() -> None:
    assert ask(begin("cutters"), revision="1").status_code == 204
    assert ask(begin("cutters"), revision="soon").status_code == 204


def test_only_the_owner_asks() -> None:
    owner = begin()
    assert Client().get(owner.url("outlook"), headers=HTMX).status_code == 404
    assert owner.client.get(reverse("roster:outlook", args=["nothing"]), headers=HTMX).status_code == 404
    assert owner.client.post(owner.url("outlook")).status_code == 405


@pytest.mark.usefixtures("without_solver")
def test_without_a_solver_nobody_asks_and_nothing_is_grey() -> None:
    owner = begin("cutters", "cutters", "crew")
    page = markup(owner.page(outlook="1"))
    assert 'id="ways"' not in page
    assert "data-outlook" not in page
    assert DEAD not in page
    assert swapped(ask(owner)) == set()


def test_edits_and_pages_ask_nothing_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Any:
        raise AssertionError

    monkeypatch.setattr(solver, "load_solver", fail)
    owner = begin("cutters", "cutters", "crew", "crew")
    owner.done(do="undo")
    assert owner.page().status_code == 200
    with pytest.raises(AssertionError):
        ask(owner)
