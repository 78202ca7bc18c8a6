"""The builder's page."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from catalogue.formats.packs.pack import Preset
from catalogue.models import PackVersion
from roster.templatetags.pieces import pieces
from tests.markup import markup
from tests.roster.views_cast import HTMX, SCRIPT, parts_of, started, swapped

pytestmark = pytest.mark.django_db


def test_works():
    owner = started()
    unit = owner.unit("cutters")
    page = owner.page()
    assert page.status_code == 200
    assert {"titles", "undo", "offers", "verdict", "dock", f"u-{unit}"} <= set(parts_of(page))
    assert "noindex" in markup(page)


def test_works_without_a_detachment():
    page = started(detachment=False).page()
    assert page.status_code == 200
    assert b"Choose a detachment" in page.content


def test_stranger_gets_404():
    owner = started()
    for stranger in (Client(), started().client):
        assert stranger.get(owner.url()).status_code == 404


def test_wrong_method():
    owner = started()
    answer = owner.client.post(owner.url())
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("public_id", ["x", "a" * 22, "a" * 23, "%00", "é" * 22, "../../etc/passwd"])
def test_bad_id(client, public_id):
    started(client)
    assert client.get(f"/rosters/{public_id}/").status_code == 404


@pytest.mark.parametrize(
    "query", ["open=nothing", "into=nothing", "open=%00&into=%FF", "q=x&type=y", "open=" + "x" * 5000]
)
def test_tampered_query(query):
    owner = started()
    owner.unit("cutters")
    assert owner.client.get(f"{owner.url()}?{query}").status_code == 200


def test_a_row_that_was_rendered_before_bears_the_marks_of_now():
    owner = started()
    owner.unit("warden")
    marks = f"marks-{owner.unit('giants')}"
    wrong = parts_of(owner.page())
    owner.unit("cutters")  # giants need as many
    mended = parts_of(owner.page())
    assert mended[marks] != wrong[marks]
    pieces.clear()
    assert parts_of(owner.page()) == mended


def test_what_a_unit_lacks_is_called_by_its_name():
    owner = started()
    owner.unit("cutters")
    inside = owner.roster.tree.forces[0].selections[0].selections[0]
    owner.done(do="set-number", node=inside.id, number="3")
    assert ">2 Cutter</span>" in markup(owner.page())


def test_all_paper_can_be_reached():
    owner = started()
    page = markup(owner.page())
    assert 'action="' + reverse("roster:sheet", args=[owner.roster.link_id]) in page
    pack = reverse("roster:pack-form", args=[owner.roster.link_id])
    assert f'href="{pack}"' in page
    assert f'href="{pack}#cards"' in page


def test_opened_unit_shows_its_choices_in_place():
    owner = started()
    unit = owner.unit("warden")
    page = markup(owner.page(open=unit))
    assert 'class="opts"' in page
    assert 'aria-expanded="true"' in page
    assert 'class="opts"' not in markup(owner.page())


def test_opening_answers_with_the_rows_that_change():
    owner = started()
    first, second = owner.unit("warden"), owner.unit("cutters")
    into = owner.detachment()
    query = {"open": second, "was": first, "from": into, "into": into, "revision": owner.roster.head}
    answer = owner.client.get(owner.url(), query, headers=HTMX)
    assert answer.status_code == 200
    assert {f"u-{first}", f"u-{second}"} <= swapped(answer)
    assert not {"offers", "verdict", "dock"} & swapped(answer)
    assert b"<html" not in answer.content
    assert "HX-Request" in answer["Vary"]


def test_turning_to_another_detachment_answers_with_its_offer():
    owner = started()
    owner.done(do="add-detachment", entry="column")
    first, second = (force.id for force in owner.roster.tree.forces)
    query = {"into": second, "from": first, "revision": owner.roster.head}
    answer = owner.client.get(owner.url(), query, headers=HTMX)
    assert {"offers", "shelf"} <= swapped(answer)
    assert f'data-into="{second}"' in markup(answer)


def test_stale_page_is_told_to_load_the_newer_state():
    owner = started()
    answer = owner.client.get(owner.url(), {"revision": "1", "open": "x"}, headers=HTMX)
    assert answer["HX-Refresh"] == "true"


def test_page_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    owner = started()
    owner.unit("warden")
    owner.page()
    with django_assert_num_queries(5):  # session, list, favourites, last lists, collections
        owner.page()
    owner.unit("cutters")
    owner.unit("crew")
    with django_assert_num_queries(5):
        owner.page()


def test_every_part_of_the_page_has_its_own_id():
    owner = started()
    for entry in ("warden", "cutters", "cutters", "crew"):
        owner.unit(entry)
    page = markup(owner.page(open=owner.units()[0]))
    ids = [piece.split('"', 1)[0] for piece in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_delete_asks_first_and_goes_back_to_the_lists():
    owner = started()
    assert owner.client.get(owner.url("delete")).status_code == 200
    answer = owner.client.post(owner.url("delete"))
    assert (answer.status_code, answer["Location"]) == (303, reverse("roster:rosters"))
    assert owner.client.get(owner.url()).status_code == 404


def test_delete_is_the_owners_alone():
    owner = started()
    stranger = Client()
    assert stranger.get(owner.url("delete")).status_code == 404
    assert stranger.post(owner.url("delete")).status_code == 404
    assert owner.page().status_code == 200


def test_delete_wrong_method():
    owner = started()
    assert owner.client.put(owner.url("delete")).status_code == 405


@pytest.mark.parametrize(("limit", "size"), [("100", "Evening 100"), ("130", "130 points")])
def test_the_head_says_what_size_of_game_it_is(monkeypatch, limit, size):
    owner = started(limit=limit)
    evening = Preset(id="evening", name="Evening", limits={owner.roster.version.points_id: 100})
    monkeypatch.setattr(PackVersion, "read_presets", lambda self: (evening,))
    assert size in markup(owner.page()).partition('id="titles"')[2].partition("</div>")[0]


def test_what_is_too_dear_is_left_out():
    owner = started()
    cheap = markup(owner.page(most="5"))
    assert "Giants" in markup(owner.page())
    assert "Giants" not in cheap.partition('id="offers"')[2].partition("</section>")[0]
    for odd in ("-1", "many", "1e9", "٣"):
        assert owner.page(most=odd).status_code == 200


def test_what_is_over_the_limit_of_the_list_says_only_by_how_much():
    page = markup(started(limit="20").page())
    line = page.partition(">1 over<")[0].rpartition("<span")[2]
    assert 'class="cause' in line
    assert "title" not in line


def test_a_search_without_a_find_says_so_without_script():
    owner = started()
    assert 'id="nomatch" hidden' in markup(owner.page())
    assert 'id="nomatch" hidden' not in markup(owner.page(q="zeppelin"))


def test_a_mistyped_search_shows_what_was_meant_without_script():
    page = markup(started().page(q="giantss"))
    assert "No exact match. Showing: giants" in page
    offers = page.partition('id="offers"')[2].partition("</section>")[0]
    assert "Giants" in offers
    assert "Cutters" not in offers


def test_an_edit_says_what_it_did_and_what_the_list_is_now():
    owner = started()
    said = [
        markup(owner.edit(headers=HTMX, **fields)).partition('id="said"')[2].partition("</p>")[0]
        for fields in ({"do": "add-unit", "node": owner.detachment(), "entry": "crew"}, {"do": "undo"}, {"do": "redo"})
    ]
    assert "Added Crew." in said[0]
    assert "Undone: Added Crew." in said[1]
    assert "Redone: Added Crew." in said[2]


def test_two_detachments_of_a_kind_are_told_apart():
    owner = started()
    owner.done(do="add-detachment", entry="column")
    page = markup(owner.page())
    assert "Column 1" in page
    assert "Column 2" in page
    owner.done(do="rename", node=owner.detachment(), text="Vanguard of the fen")
    assert "Column 1" not in markup(owner.page())


def test_player_and_event_are_asked_for():
    owner = started()
    owner.done(do="occasion", player=SCRIPT, event="Cup")
    page = markup(owner.page())
    assert SCRIPT not in page
    assert 'value="Cup"' in page


def test_a_datasheet_is_looked_at_before_the_unit_is_taken():
    owner = started()
    for options, is_page in (({}, True), ({"headers": HTMX}, False)):
        answer = owner.client.get(f"{owner.url()}units/cutters/", **options)
        assert answer.status_code == 200
        assert (b"<html" in answer.content) is is_page
        assert "Add Cutters" in markup(answer)
        assert 'name="do" value="add-unit"' in markup(answer)


@pytest.mark.parametrize("unit", ["nobody", "x" * 300])
def test_no_datasheet_of_what_the_faction_does_not_have(unit):
    owner = started()
    assert owner.client.get(f"{owner.url()}units/{unit}/").status_code == 404
    assert owner.client.get(f"{owner.url()}units/cutters/", {"into": SCRIPT}).status_code == 200
    assert started().client.get(f"{owner.url()}units/cutters/").status_code == 404


def test_what_is_broken_comes_with_buttons_that_mend_it():
    owner = started()
    owner.unit("cutters")
    address = f"{owner.url()}deeds/"
    answer = owner.client.get(address, {"revision": owner.roster.head}, headers=HTMX)
    assert {"strip"} < swapped(answer)
    assert 'name="do" value="add-unit"' in markup(answer)
    assert owner.client.get(address, {"revision": "x"}, headers=HTMX).status_code == 204
    assert owner.client.get(address).status_code == 302
    assert 'value="add-unit"' in markup(owner.page(deeds="1")).partition('id="verdict"')[2]
    assert started().client.get(address).status_code == 404


def test_of_too_much_what_it_grows_with_is_shown():
    owner = started()
    for entry in ("warden", "giants", "giants"):
        owner.unit(entry)
    verdict = markup(owner.page()).partition('id="verdict"')[2]
    assert 'data-show="core"' in verdict
    assert 'data-show="hammer"' not in verdict


def test_room_is_kept_for_what_comes_when_the_page_is_there():
    owner = started()
    owner.unit("cutters")

    def read_deeds(text):
        block = text.partition('id="verdict"')[2].partition('class="do')[2].partition("</section>")[0]
        return block.count('class="deeds"'), block.count("<button"), block.startswith(" due")

    assert read_deeds(markup(owner.page())) == (1, 0, True), "a line for the first deed"
    lines, deeds, is_still_due = read_deeds(markup(owner.page(deeds="1")))
    assert (lines, deeds > 0, is_still_due) == (1, True, False)


def test_rows_that_were_rendered_before_have_forms_for_the_list_as_it_is_now():
    owner = started()
    owner.unit("warden")
    before = markup(owner.page())
    owner.unit("cutters")
    page = markup(owner.page())
    revisions = set(re.findall(r'name="revision" value="(\d+)"', page))
    assert revisions == {str(owner.roster.head)}
    assert revisions != set(re.findall(r'name="revision" value="(\d+)"', before))
    proofs = [set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text)) for text in (before, page)]
    assert proofs[1]
    assert proofs[0].isdisjoint(proofs[1])
    assert "<!--" not in page


def test_rows_are_shown_in_the_language_of_who_asks():
    owner = started()
    owner.unit("warden")
    english, german = (markup(owner.client.get(owner.url(), headers={"Accept-Language": tag})) for tag in ("en", "de"))
    assert ("Remove" in english, "Entfernen" in german, "Remove" in german) == (True, True, False)
