"""Edits by form: with and without script, refused, in conflict, tampered with."""

import re

import pytest
from django.test import Client

from roster.engine.tree import Selection, append_selection, find_path
from roster.models import Roster
from roster.services.evaluation import encode_tree
from tests.markup import markup
from tests.roster.views_cast import HTMX, SCRIPT, Owner, have, parts_of, started, swapped

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_works_without_script():
    owner = started()
    answer = owner.edit(do="add-unit", node=owner.detachment(), entry="cutters")
    [unit] = owner.units()
    assert answer.status_code == 303
    assert answer["Location"].endswith(f"#u-{unit}")
    assert owner.client.get(answer["Location"]).status_code == 200


def test_answers_with_the_parts_that_changed():
    owner = started()
    warden, cutters = owner.unit("warden"), owner.unit("cutters")
    page = parts_of(owner.page())
    answer = owner.edit(HTMX, do="rename", node=warden, text="Old Ferryman", have=have(page))
    assert answer.status_code == 200
    assert f"u-{warden}" in swapped(answer)
    assert not {f"u-{cutters}", "offers", "verdict"} & swapped(answer)
    assert b"<html" not in answer.content
    assert "HX-Request" in answer["Vary"]


def test_a_page_of_another_version_is_loaded_anew_after_its_edit():
    owner = started()
    version = find_version(owner.page())
    own, other = HTMX | {"Page-Version": version}, HTMX | {"Page-Version": "another"}
    assert "HX-Refresh" not in owner.edit(own, do="rename", node="", text="High water")
    assert owner.edit(other, do="rename", node="", text="Spring tide")["HX-Refresh"] == "true"
    assert owner.roster.name == "Spring tide"
    # A refused edit says why, and nothing reloads by itself.
    refused = owner.edit(other, do="rename", node="", text="Late", revision="1")
    assert refused.status_code == 409
    assert "HX-Refresh" not in refused


def find_version(page) -> str:
    return re.search(r'data-version="(\w+)"', markup(page))[1]


def test_new_row_goes_to_its_place():
    owner = started()
    warden = owner.unit("warden")
    page = parts_of(owner.page())
    answer = owner.edit(HTMX, do="add-unit", node=owner.detachment(), entry="cutters", have=have(page))
    assert f'hx-swap-oob="afterend:#u-{warden}"' in markup(answer)
    assert {"verdict", "dock"} <= swapped(answer)


def test_removed_row_goes():
    owner = started()
    warden, cutters = owner.unit("warden"), owner.unit("cutters")
    page = parts_of(owner.page())
    answer = markup(owner.edit(HTMX, do="remove", node=cutters, have=have(page)))
    assert f'<div id="u-{cutters}" hx-swap-oob="delete">' in answer
    assert f'id="u-{warden}"' not in answer or f'data-key="{page[f"u-{warden}"]}"' not in answer


def test_page_that_says_nothing_gets_everything():
    owner = started()
    owner.unit("warden")
    answer = owner.edit(HTMX, do="rename", node="", text="High water", have="no such.page .x")
    assert {"titles", "undo", "shelf", "offers", "detachments", "verdict", "dock"} <= swapped(answer)


def test_answer_and_page_say_the_same():
    """After any edit, sent and kept parts together equal the page as it would load."""
    owner = started()
    for entry in ("warden", "cutters", "giants"):
        page = parts_of(owner.page())
        answer = owner.edit(HTMX, do="add-unit", node=owner.detachment(), entry=entry, have=have(page))
        assert page | parts_of(answer) == parts_of(owner.page())


def test_the_cost_type_of_a_limit_is_no_type_of_unit():
    owner = started()
    page = parts_of(owner.page())
    answer = owner.edit(HTMX, do="set-limit", type="points", value="20", have=have(page))
    assert page | parts_of(answer) == parts_of(owner.page())


def test_words_of_a_refused_form_stay_in_it():
    owner = started()
    words = {"name": "High water", "player": "Anna", "event": "Cup", "notes": "for Sunday", "limit:points": "many"}
    answer = owner.edit(do="describe", node="", **words)
    assert answer.status_code == 422
    page = markup(answer)
    assert all(word in page for word in words.values())
    assert owner.roster.name == "Low water"


def test_a_new_detachment_is_what_units_go_into():
    owner = started()
    answer = owner.edit(HTMX, do="add-detachment", entry="column", have=have(parts_of(owner.page())))
    new = owner.roster.tree.forces[1].id
    assert f'data-into="{new}"' in markup(answer)
    plain = owner.edit(do="duplicate-detachment", node=owner.detachment())
    assert f"into={owner.roster.tree.forces[-1].id}" in plain["Location"]


def order_of(owner: Owner) -> list[str]:
    return [part.removeprefix("u-") for part in parts_of(owner.page()) if part.startswith("u-")]


def test_move_is_seen_on_the_page():
    owner = started()
    first, second, leader = owner.unit("cutters"), owner.unit("crew"), owner.unit("warden")
    assert order_of(owner) == [leader, first, second]
    owner.done(do="move", node=second, position="0")
    assert order_of(owner) == [leader, second, first]
    page = markup(owner.page())
    assert f'value="1" id="down-{second}"' in page
    assert f'value="" id="up-{second}" disabled' in page


def test_where_only_the_moves_of_a_unit_change_its_row_stays():
    owner = started()
    crew = owner.unit("crew")
    page = owner.page()
    assert f'id="down-{crew}" disabled' in markup(page)
    answer = owner.edit(HTMX, do="add-unit", node=owner.detachment(), entry="crew", have=have(parts_of(page)))
    assert f"moves-{crew}" in swapped(answer)
    assert f"u-{crew}" not in swapped(answer)
    assert f'id="down-{crew}" disabled' not in markup(answer)
    assert parts_of(page) | parts_of(answer) == parts_of(owner.page())


def test_undo_and_redo():
    owner = started()
    owner.unit("cutters")
    owner.done(do="undo")
    assert owner.units() == []
    owner.done(do="redo")
    assert len(owner.units()) == 1


def test_stranger_gets_404():
    owner = started()
    form = {"revision": "2", "do": "undo"}
    assert Client().post(owner.url("edits"), form).status_code == 404
    assert owner.roster.head == 2


def test_wrong_method():
    owner = started()
    answer = owner.client.get(owner.url("edits"))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_bad_id(client):
    started(client)
    assert client.post(f"/rosters/{'a' * 22}/edits/", {"do": "undo", "revision": "1"}).status_code == 404


TAMPERED = [
    ({"do": ""}, 400),
    ({"do": "explode"}, 400),
    ({"do": "add-unit"}, 400),
    ({"do": "set-number", "node": "x", "number": "many"}, 400),
    ({"do": "set-number", "node": "x", "number": "9" * 400}, 422),
    ({"do": "rename", "node": "", "text": "x", "revision": ""}, 400),
    ({"do": "rename", "node": "", "text": "x", "revision": "-1"}, 400),
    ({"do": "rename", "node": "", "text": "x", "revision": "²"}, 400),
    ({"do": "rename", "node": "", "text": "x", "revision": "9" * 50}, 400),
    ({"do": "rename", "node": "", "text": "x" * 5000}, 422),
    ({"do": "remove", "node": "nothing"}, 422),
    ({"do": "add-unit", "node": "nothing", "entry": "cutters"}, 422),
    ({"do": "set-limit", "type": "points", "value": "∞"}, 422),
    ({"do": "redo"}, 422),
]


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("fields", "status"), TAMPERED)
def test_tampered_form(fields, status, headers):
    owner = started()
    before = owner.roster.document, owner.roster.head
    answer = owner.edit(headers, **fields)
    assert answer.status_code == status
    assert b'class="message error"' in answer.content
    assert (owner.roster.document, owner.roster.head) == before


def test_refused_unit_is_sent_again_so_that_the_page_shows_what_is():
    owner = started()
    unit = owner.unit("warden")
    page = parts_of(owner.page(open=unit))
    answer = owner.edit(HTMX, do="choose", node=unit, group="nothing", entry="", open=unit, have=have(page))
    assert answer.status_code == 422
    assert f"u-{unit}" in swapped(answer)


def test_choice_in_an_opened_unit_sends_the_option_and_not_the_unit():
    owner = started()
    cutters = owner.unit("cutters")
    page = parts_of(owner.page(open=cutters))
    options = {part for part in page if part.startswith("item-")}
    assert len(options) == 2
    form = {"node": cutters, "open": cutters, "have": have(page)}
    answer = owner.edit(HTMX, do="set-number", entry="cutter", number="6", **form)
    assert answer.status_code == 200
    assert f"line-{cutters}" in swapped(answer)
    assert f"u-{cutters}" not in swapped(answer)
    assert len(options & swapped(answer)) == 1
    assert page | parts_of(answer) == parts_of(owner.page(open=cutters))


def test_choice_that_changes_nothing_is_sent_again_as_the_browser_may_show_it_otherwise():
    owner = started()
    cutters = owner.unit("cutters")
    page = parts_of(owner.page(open=cutters))
    form = {"node": cutters, "open": cutters, "have": have(page)}
    answer = owner.edit(HTMX, do="set-number", entry="cutter", number="5", **form)
    assert [part for part in swapped(answer) if part in page and part.startswith("item-")] != []
    assert f"u-{cutters}" not in swapped(answer)


def test_change_of_a_stale_page_is_kept_aside_and_can_be_made_on_the_list_too():
    owner = started()
    form = {"do": "add-unit", "node": owner.detachment(), "entry": "cutters"}
    head = owner.roster.head
    owner.unit("warden")
    before = owner.roster.document
    answer = owner.edit(**form, revision=str(head))
    page = markup(answer)
    assert answer.status_code == 409
    roster = owner.roster
    assert (roster.document, roster.head, roster.aside) == (before, head + 1, head + 2)
    assert owner.url("choose") in page
    assert '<input type="hidden" name="entry" value="cutters">' in page
    assert f'name="revision" value="{roster.head}"' in page
    owner.done(**form, revision=str(roster.head), aside=str(roster.aside))
    assert (len(owner.units()), owner.roster.aside) == (2, 0)


def test_stale_page_of_a_state_that_never_was():
    owner = started()
    answer = owner.edit(do="rename", node="", text="x", revision="77")
    assert answer.status_code == 409
    assert owner.url("choose") not in markup(answer)
    assert owner.roster.aside == 0


def test_stale_revision_with_script_is_a_banner():
    owner = started()
    head = owner.roster.head
    owner.unit("warden")
    answer = owner.edit(HTMX, do="add-unit", node=owner.detachment(), entry="cutters", revision=str(head))
    assert answer.status_code == 409
    assert swapped(answer) == {"messages"}
    assert b"<html" not in answer.content


@pytest.mark.parametrize("act", ["undo", "redo", "move"])
def test_stale_step_that_would_mean_something_else_is_not_offered_again(act):
    owner = started()
    owner.unit("cutters")
    unit = owner.unit("crew")
    head = owner.roster.head
    owner.unit("warden")
    answer = owner.edit(do=act, node=unit, position="0", revision=str(head))
    assert answer.status_code == 409
    assert b'name="revision"' not in answer.content


def test_form_without_proof_of_origin():
    owner = started()
    owner.client.handler.enforce_csrf_checks = True
    answer = owner.edit(do="undo")
    assert answer.status_code == 403
    assert b"<h1>" in answer.content


def test_oversized_body():
    owner = started()
    answer = owner.edit(do="notes", node="", text="x" * 3_000_000)
    assert answer.status_code == 413
    assert b"<h1>" in answer.content


def test_too_many_fields():
    owner = started()
    answer = owner.client.post(owner.url("edits"), {f"f{n}": "x" for n in range(2000)})
    assert answer.status_code == 400


def test_text_of_users_is_never_markup():
    owner = started()
    unit = owner.unit("warden")
    for do, node in (("rename", unit), ("notes", unit), ("rename", owner.detachment()), ("notes", "")):
        answer = owner.edit(HTMX, do=do, node=node, text=SCRIPT)
        assert "<script>" not in markup(answer)
    assert "<script>" not in markup(owner.page(open=unit))
    assert "<script>" not in markup(owner.client.get(owner.url("link")))


def test_edit_asks_the_same_at_one_and_three_units(django_assert_num_queries):
    owner = started()
    warden = owner.unit("warden")
    into = owner.detachment()
    owner.edit(HTMX, do="rename", node=warden, into=into, text="A")
    with django_assert_num_queries(7):
        owner.edit(HTMX, do="rename", node=warden, into=into, text="B", revision="4")
    owner.unit("cutters")
    owner.unit("crew")
    with django_assert_num_queries(7):
        owner.edit(HTMX, do="rename", node=warden, into=into, text="C", revision="7")


@pytest.mark.parametrize("headers", [None, HTMX], ids=["plain", "htmx"])
def test_what_the_data_does_not_have_is_taken_out_of_an_opened_unit(headers: dict[str, str] | None):
    owner = started()
    cutters = owner.unit("cutters")
    stray = Selection(id="stray", entry_id="lost-pike", name=SCRIPT)
    tree = append_selection(find_path(owner.roster.tree, cutters), stray)
    Roster.objects.filter(public_id=owner.public_id).update(document=encode_tree(tree))
    page = markup(owner.page(open=cutters))
    assert 'id="out-stray"' in page
    assert SCRIPT not in page
    before = parts_of(owner.page(open=cutters))
    answer = owner.edit(headers, do="remove", node="stray", open=cutters, have=have(before))
    assert answer.status_code == (200 if headers else 303)
    assert find_path(owner.roster.tree, "stray") == ()
    if headers:
        assert before | parts_of(answer) == parts_of(owner.page(open=cutters))
    else:
        assert f"open={cutters}" in answer["Location"]


def test_where_only_the_mark_of_a_unit_changes_its_row_stays(client):
    owner = started(client)
    giants = owner.unit("giants")
    page = owner.page()
    assert 'href="#v-' in markup(page).partition(f'id="marks-{giants}"')[2].partition("</p>")[0]
    answer = owner.edit(
        do="add-unit", node=owner.detachment(), entry="cutters", have=have(parts_of(page)), headers=HTMX
    )
    assert f"marks-{giants}" in swapped(answer)
    assert f"u-{giants}" not in swapped(answer)
    assert "#v-" not in markup(answer).partition(f'id="marks-{giants}"')[2].partition("</p>")[0]
