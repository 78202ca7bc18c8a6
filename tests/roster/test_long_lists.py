"""Long lists: more rows load when scrolled to, or by links without script."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from roster.views.builder import page as builder_page
from tests.markup import markup
from tests.roster.small_game import installed
from tests.roster.views_cast import HTMX, Owner, have, parts_of

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: Any) -> None:
    """Four rows at first, or six if that is all."""
    monkeypatch.setattr(builder_page, "ROWS_AT_ONCE", 4)


def bring_in(*detachments: list[str]) -> Owner:
    installed()
    listed = "".join(f"  - detachment: column\n    units: [{', '.join(units)}]\n" for units in detachments)
    text = f"list: 1\ngame: fenland\nfaction: marsh\ndetachments:\n{listed}"
    client = Client()
    answer = client.post(reverse("roster:import"), {"file": SimpleUploadedFile("x.yaml", text.encode())})
    return Owner(client, answer["Location"].split("?")[0].strip("/").split("/")[-1])


def rows_of(answer: Any) -> list[str]:
    return re.findall(r'<li\s+class="unit[^"]*"\s+id="u-([^"]+)"', markup(answer))


def later_of(answer: Any) -> list[str]:
    return re.findall(r'<li\s+class="later"\s+id="([^"]+)"', markup(answer))


def units_of(owner: Owner) -> list[str]:
    return [unit.id for force in owner.roster.tree.forces for unit in force.selections]


def scroll(owner: Owner, had: int, rows: int) -> Any:
    query = {"rows": str(rows), "had": str(had), "revision": str(owner.roster.head)}
    return owner.client.get(owner.url(), query, headers=HTMX)


def test_a_list_that_is_little_longer_is_shown_whole():
    owner = bring_in(["cutters"] * 6)
    page = owner.page()
    assert rows_of(page) == units_of(owner)
    assert not later_of(page)


def test_a_long_list_begins_with_some_rows_and_a_link_to_more():
    owner = bring_in(["cutters"] * 20)
    units = units_of(owner)
    page = owner.page()
    assert rows_of(page) == units[:4]
    assert later_of(page) == [f"u-later-{units[4]}"]
    assert "16 more units" in markup(page)
    link = re.search(r'href="([^"]+\?rows=8[^"]*)"', markup(page)).group(1).replace("&amp;", "&")
    assert link.endswith(f"#u-{units[4]}")
    assert rows_of(owner.client.get(link)) == units[:8]
    assert rows_of(owner.page(rows="99999")) == units


def test_rows_come_as_they_are_scrolled_to():
    owner = bring_in(["cutters"] * 13)
    units = units_of(owner)
    answer = scroll(owner, 4, 8)
    assert rows_of(answer) == units[4:8]
    assert f'hx-swap-oob="afterend:#u-{units[3]}"' in markup(answer)
    assert f'<div id="u-later-{units[4]}" hx-swap-oob="delete">' in markup(answer)
    assert later_of(answer) == [f"u-later-{units[8]}"]
    last = scroll(owner, 8, 12)
    assert rows_of(last) == units[8:]
    assert not later_of(last)
    assert rows_of(scroll(owner, 13, 12)) == []


def test_detachments_further_down_wait_for_theirs():
    owner = bring_in(["cutters"] * 6, ["cutters"] * 9)
    units = units_of(owner)
    page = owner.page()
    assert later_of(page) == [f"u-later-{units[4]}", f"u-later-{units[6]}"]
    answer = scroll(owner, 4, 10)
    assert rows_of(answer) == units[4:10]
    assert later_of(answer) == [f"u-later-{units[10]}"]


def test_an_edit_answers_with_no_row_that_is_not_there_yet():
    owner = bring_in(["cutters"] * 20)
    units = units_of(owner)
    page = parts_of(owner.page(rows="8"))
    answer = owner.edit(HTMX, do="remove", node=units[0], have=have(page))
    # Only rows that the page has.
    assert set(rows_of(answer)) <= set(units[1:8])
    assert f'<div id="u-{units[0]}" hx-swap-oob="delete">' in markup(answer)
    # A row pushed beyond the last one on the page only changes the number of later rows.
    page = parts_of(owner.page(rows="8"))
    answer = owner.edit(HTMX, do="duplicate-unit", node=units[1], have=have(page))
    assert not set(rows_of(answer)) - set(units[1:9])
    assert "12 more units" in markup(answer)
    assert later_of(answer) == later_of(owner.page(rows="8"))


def test_a_unit_further_down_is_opened_with_all_above_it():
    owner = bring_in(["cutters"] * 20)
    units = units_of(owner)
    assert rows_of(owner.page(open=units[9])) == units[:10]
    query = {"open": units[9], "was": units[12], "from": "", "revision": str(owner.roster.head)}
    answer = owner.client.get(owner.url(), query, headers=HTMX)
    assert rows_of(answer) == [units[12], units[9]]


def test_without_script_a_change_leads_to_its_row():
    owner = bring_in(["cutters"] * 20)
    units = units_of(owner)
    assert 'name="rows" value="4"' in markup(owner.page())
    answer = owner.edit(do="duplicate-unit", node=units[15], rows="4")
    assert answer.status_code == 303
    [copy] = set(units_of(owner)) - set(units)
    assert copy in rows_of(owner.client.get(answer["Location"]))


def test_what_is_wrong_further_down_links_to_a_page_that_has_it():
    owner = bring_in(["cutters"] * 9 + ["giants"] * 12)
    page = markup(owner.page())
    links = re.findall(r'href="\?at=([^"#]+)#u-([^"]+)"', page)
    assert links
    at, anchor = links[0]
    assert at == anchor
    assert at in units_of(owner)[4:]
    assert at in rows_of(owner.page(at=at))


@pytest.mark.parametrize("rows", ["-1", "x", "1e9", "9" * 400, ""])
def test_a_number_that_is_none_shows_the_beginning(rows: str):
    owner = bring_in(["cutters"] * 20)
    assert len(rows_of(owner.page(rows=rows))) in (4, 20)
    answer = scroll(owner, 4, 8)
    assert answer.status_code == 200
    query = {"rows": rows, "had": rows, "revision": str(owner.roster.head)}
    assert owner.client.get(owner.url(), query, headers=HTMX).status_code == 200
