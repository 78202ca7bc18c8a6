"""Which kinds of detachment a list has room for, and changing the kind of a detachment."""

import re

import pytest
from msgspec.structs import replace

from roster.services.board import Board, build_board
from roster.services.evaluation import evaluate_roster
from roster.templatetags.builder import choose_detachment_title, classify_slot
from tests.markup import markup
from tests.roster.deck_owner import Decker, decker, weir

pytestmark = pytest.mark.django_db


def edit(owner: Decker, headers: dict[str, str] | None = None, **fields: str):
    form = {"revision": str(owner.roster.head), "node": owner.force} | fields
    return owner.client.post(owner.url("edits"), form, headers=headers or {})


def board(owner: Decker) -> Board:
    return build_board(owner.roster)


def builder(owner: Decker) -> str:
    return markup(owner.client.get(owner.url("builder")))


def test_a_list_with_the_one_detachment_it_may_have_has_room_for_no_other() -> None:
    owner = decker()
    barred = {force.entry_id: force.blocked for force in board(owner).forces}
    assert set(barred) == {"two-player", "two-player-20", "multiplayer"}
    for blocked in barred.values():
        assert blocked
        assert (blocked.rule, blocked.measured, blocked.allowed) == ("ed-match-modes", 2, 1)


def test_without_a_detachment_or_a_limit_there_is_room() -> None:
    owner = decker()
    edit(owner, do="remove-detachment")
    assert [force.blocked for force in board(owner).forces] == [None] * 3
    assert not any(force.blocked for force in board(weir()).forces)


def test_what_the_data_says_of_a_kind_stands_on_the_page() -> None:
    owner = decker()
    assert all(force.text for force in board(owner).forces)
    text = builder(owner)
    assert "Change to: Three or four players" in text
    assert "Change to: Two players<" not in text
    assert 'value="add-detachment"' not in text
    edit(owner, do="remove-detachment")
    assert 'value="add-detachment"' in builder(owner)
    assert "Change to:" not in builder(owner)


def test_a_detachment_is_called_by_its_kind_alone_unless_its_owner_named_it() -> None:
    owner = decker()
    row = board(owner).detachments[0]
    second = replace(row.force, name="Battalion Detachment", ordinal=2)
    assert choose_detachment_title(replace(row, force=second)) == "Battalion 2"
    edit(owner, do="describe", name="Iron Detachment")
    assert choose_detachment_title(board(owner).detachments[0]) == "Iron Detachment"
    assert '-h">Iron Detachment</h2>' in builder(owner)


def test_a_detachment_becomes_another_with_all_that_is_in_it() -> None:
    owner = decker("angel-of-death", "ranger", "chapter-banner", "chapter-deck")
    owner.put("charging-trap", 3)
    before = owner.roster.tree.forces[0]
    assert edit(owner, do="change-detachment", entry="multiplayer").status_code == 303
    after = owner.roster.tree.forces[0]
    assert (after.id, after.entry_id, after.name) == (before.id, "multiplayer", "Three or four players")
    assert after.selections == before.selections
    rules = {(v.rule, v.allowed) for v in evaluate_roster(owner.roster).report.violations}
    assert ("ed-deck-size-multiplayer", 15) in rules, "it is judged as the other kind"
    owner.client.post(owner.url("edits"), {"revision": str(owner.roster.head), "do": "undo"})
    assert owner.roster.tree.forces[0] == before


def test_the_answer_to_a_script_has_the_kinds_anew() -> None:
    owner = decker()
    answer = edit(owner, {"HX-Request": "true"}, do="change-detachment", entry="multiplayer")
    text = markup(answer)
    assert 'id="kinds"' in text
    assert "Change to: Two players, 20 cards" in text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"entry": "nothing"}, 422),
        ({"entry": ""}, 422),
        ({"node": "nobody", "entry": "multiplayer"}, 422),
        ({"entry": "x" * 5000}, 400),
    ],
)
def test_what_is_no_kind_or_no_detachment_is_refused(fields: dict[str, str], status: int) -> None:
    owner = decker("ranger")
    tree = owner.roster.tree
    assert edit(owner, do="change-detachment", **fields).status_code == status
    unit = tree.forces[0].selections[0].id
    assert edit(owner, do="change-detachment", node=unit, entry="multiplayer").status_code == 422
    assert owner.roster.tree == tree


def test_advice_bounds_no_slot_and_is_marked_as_such() -> None:
    owner = decker("ranger")
    slots = {slot.id: (slot.min, slot.max) for slot in board(owner).detachments[0].slots}
    assert slots["squad"] == (None, 5)
    text = builder(owner)
    assert re.search(r'class="fix (remark|warning)"', text)


def test_what_the_cards_lack_leads_to_the_deck() -> None:
    owner = decker("ranger", "chapter-deck")
    assert builder(owner).count(f'href="{owner.url()}">Open deck</a>') == 1


def test_a_place_that_a_unit_demands_names_the_type_and_offers_it() -> None:
    owner = weir()
    edit(owner, do="add-unit", entry="weir-mistress")
    verdict = builder(owner).partition('id="verdict"')[2]
    place = verdict.partition("Needs 1 Core<")[2].partition("</section>")[0]
    assert "type=core" in place


def test_too_many_that_more_would_mend_are_no_error() -> None:
    owner = weir()
    edit(owner, do="add-unit", entry="weir-mistress")
    (before,) = (slot for slot in board(owner).detachments[0].slots if slot.id == "command")
    assert (before.state, classify_slot(before)) == ("over", "short")
