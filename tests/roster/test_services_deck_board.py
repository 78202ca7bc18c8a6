"""The model of the deck page."""

from dataclasses import replace

import pytest
from lxml import html

from catalogue.formats.packs.load import SHIPPED
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.deck_shapes import CardRow
from roster.services.rosters import load_example
from tests.roster.deck_owner import DAWNFALL, Decker, decker, weir

pytestmark = pytest.mark.django_db

SQUADS = ("angel-of-death", "holy-knight", "holy-knight")


def test_before_there_is_a_deck_it_can_be_begun() -> None:
    board = decker().board
    assert board.sheet is None
    assert [(choice.entry_id, choice.name) for choice in board.starts] == [("chapter-deck", "Chapter action deck")]
    assert board.decks == ()


def test_a_list_without_a_detachment_has_no_place_for_one() -> None:
    owner = decker()
    owner.client.post(
        owner.url("edits"), {"revision": str(owner.roster.head), "do": "remove-detachment", "node": owner.force}
    )
    assert (owner.board.knows_decks, owner.board.starts, owner.board.sheet) == (True, (), None)


def test_cards_stand_with_the_units_they_need() -> None:
    sheet = decker(*SQUADS, "chapter-deck").board.sheet
    assert sheet
    groups = [(group.needs, group.units) for group in sheet.groups]
    assert groups[:3] == [((), 0), (("Angel of Death",), 1), (("Holy Knight",), 2)]
    assert all(group.absent for group in sheet.groups[3:])
    assert {taker.name for group in sheet.groups for taker in group.takers} == {
        "Pilgrim",
        "Ranger",
        "Purge Doctor",
        "Holy Riders",
    }


def test_what_is_left_of_a_card() -> None:
    owner = decker(*SQUADS, "chapter-deck")
    assert (owner.card("Charging / Trap").left, owner.card("Charging / Trap").off) == (3, False)
    owner.put("charging-trap", 3)
    trap = owner.card("Charging / Trap")
    assert (trap.number, trap.left, trap.off) == (3, 0, True)
    shoot = owner.card("Dodge / Shoot")
    assert (shoot.absent, shoot.off, shoot.most, shoot.needs) == (True, True, 8, ("Ranger",))
    assert dict(shoot.figures) == {"Upper": "2", "Lower": "0", "Paid in": "crystal"}


def test_size_room_and_dead_ends() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    sheet = owner.board.sheet
    assert sheet
    assert (sheet.least, sheet.most, sheet.missing, sheet.room) == (25, 25, 25, 24)
    assert sheet.dead_end
    owner.take("holy-knight")
    sheet = owner.board.sheet
    assert sheet
    assert (sheet.room, sheet.dead_end) == (43, False)


def test_a_full_deck_takes_no_more() -> None:
    owner = decker(*SQUADS, "ranger", "chapter-deck")
    for card, number in (
        ("dodge-shoot", 8),
        ("dodge-leap", 5),
        ("move-bash", 4),
        ("move-formation", 4),
        ("combat-storm-of-blades", 4),
    ):
        owner.put(card, number)
    sheet = owner.board.sheet
    assert sheet
    assert (sheet.count, sheet.full, sheet.over) == (25, True, 0)
    assert owner.card("Charging / Trap").off
    owner.put("charging-trap", 2)
    sheet = owner.board.sheet
    assert sheet
    assert sheet.over == 2
    assert owner.board.verdict is Verdict.ILLEGAL


def test_curves() -> None:
    owner = decker(*SQUADS, "chapter-deck")
    owner.put("charging-trap", 3)
    owner.put("dodge-leap", 2)
    owner.put("combat-judgment", 1)
    sheet = owner.board.sheet
    assert sheet
    curves = {curve.name: [(bar.name, bar.count) for bar in curve.bars] for curve in sheet.curves}
    assert curves == {"Upper": [("1", 4), ("2", 2)], "Lower": [("1", 5), ("3", 1)], "": [("", 5), ("Enhancement", 1)]}
    assert [bar.share for bar in sheet.curves[0].bars] == [100, 50]


def test_banner_shrine_and_deployment_lie_beside_it() -> None:
    owner = decker(*SQUADS, "chapter-deck", "sanctuary")
    sheet = owner.board.sheet
    assert sheet
    beside = {group.name: group for group in sheet.beside}
    assert list(beside) == ["Banner", "Shrine", "Deployment card"]
    assert beside["Banner"].one
    assert beside["Shrine"].chosen
    assert not beside["Deployment card"].one
    owner.done(do="add-unit", node=owner.force, entry="frontline-chapel", instead=beside["Shrine"].chosen)
    names = [unit.name for unit in owner.roster.tree.forces[0].selections]
    assert "Frontline Chapel" in names
    assert "Sanctuary" not in names


def test_what_is_wrong_with_a_deck() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    owner.client.post(
        owner.url("edits"),
        {
            "revision": str(owner.roster.head),
            "do": "set-number",
            "node": owner.deck,
            "entry": "chapter-deck/dodge-shoot",
            "number": 2,
        },
    )
    assert {violation.rule for violation in owner.board.violations} == {"ed-deck-size", "ed-deck-lower-action-squad"}


def test_named_cards_are_counted_by_their_names() -> None:
    owner = weir("weir-mistress", "order-book")
    order = {"do": "write-card", "node": owner.deck, "entry": "order-book/standing-order"}
    owner.done(**order, text="Bank the fires", number=1)
    owner.done(**order, text="BANK  the fires", number=1)
    owner.done(**order, text="Shut the gate", number=1)
    sheet = owner.board.sheet
    assert sheet
    orders = sheet.groups[0]
    assert (orders.written, orders.name) == (True, "Standing order")
    assert [(card.name, card.number, card.left) for card in orders.cards] == [
        ("Bank the fires", 2, 0),
        ("Shut the gate", 1, 1),
    ]
    assert (sheet.count, sheet.least, sheet.most, sheet.room) == (3, 6, None, None)
    assert {curve.name: [(bar.name, bar.count) for bar in curve.bars] for curve in sheet.curves} == {"Cost": [("1", 3)]}


def test_a_deck_that_is_right_is_so_whatever_the_list_lacks() -> None:
    owner = weir("weir-mistress", "order-book")
    assert owner.board.verdict is Verdict.INCOMPLETE
    for name in ("Shut the gate", "Bank the fires", "Eels"):
        order(owner, "standing-order", name, 2)
    board = owner.board
    assert (board.verdict, board.violations) == (Verdict.LEGAL, ())
    assert board.evaluated_list.verdict is Verdict.INCOMPLETE
    shown = html.fromstring(owner.page()).get_element_by_id("deck-verdict").find("h2")
    assert shown is not None
    assert shown.text_content().strip() == "Legal"


def order(owner: Decker, kind: str, text: str, number: int) -> int:
    form = {"do": "write-card", "node": owner.deck, "entry": f"order-book/{kind}", "text": text, "number": number}
    return owner.send(**form).status_code


def test_a_deck_takes_no_more_copies_than_it_may() -> None:
    owner = weir("weir-mistress", "order-book")
    assert order(owner, "standing-order", "Shut the gate", 99) == 422
    assert order(owner, "standing-order", "Shut the gate", 2) == 303
    assert order(owner, "debt", "shut  the Gate", 1) == 422, "of one name, whatever their kind"
    card = owner.card("Shut the gate")
    assert owner.send(do="set-number", node=card.node_id, number=3).status_code == 422
    assert owner.send(do="set-number", node=card.node_id, number=1).status_code == 303
    assert order(owner, "debt", "shut  the Gate", 1) == 303
    assert [(row.number, row.left) for row in (owner.card("Shut the gate"), owner.card("shut the Gate"))] == [
        (1, 0)
    ] * 2


def test_a_card_of_which_no_copies_are_left_is_off() -> None:
    row = CardRow(entry_id="eels", name="Eels", number=1, most=2)
    assert not row.off
    assert replace(row, number=2).off
    assert replace(row, alike=1).off


def test_cards_without_a_name_are_not_copies_of_each_other() -> None:
    owner = weir("weir-mistress", "order-book")
    order(owner, "debt", "Eels", 1)
    order(owner, "debt", "Ropes", 1)
    roster = owner.roster
    document = roster.document.replace("Eels", "").replace("Ropes", "")
    Roster.objects.filter(pk=roster.pk).update(document=document)
    assert owner.board.sheet
    cards = [card for group in owner.board.sheet.groups for card in group.cards if card.node_id]
    assert [(card.name, card.number, card.left) for card in cards] == [("Debt", 1, None)] * 2


def test_a_printed_card_has_its_copies() -> None:
    owner = decker("angel-of-death", "chapter-deck")
    form = {"do": "set-number", "node": owner.deck, "entry": "chapter-deck/charging-trap"}
    assert owner.send(**form, number=4).status_code == 422
    assert owner.send(**form, number=3).status_code == 303
    assert owner.card("Charging / Trap").left == 0


def overfull() -> Decker:
    """An imported list with four copies of a name, of two kinds; two are allowed."""
    owner = weir("weir-mistress", "order-book")
    order(owner, "standing-order", "Shut the gate", 2)
    order(owner, "debt", "Eels", 2)
    roster = owner.roster
    document = roster.document.replace("Eels", "shut THE gate")
    Roster.objects.filter(pk=roster.pk).update(document=document)
    return owner


def test_a_deck_with_too_many_says_so_and_may_be_brought_down() -> None:
    owner = overfull()
    assert {violation.rule for violation in owner.board.violations} == {"rr-copies", "rr-deck-size"}
    first, second = owner.card("Shut the gate"), owner.card("shut THE gate")
    assert [(row.number, row.left, row.over, row.highest) for row in (first, second)] == [(2, 0, 2, 2)] * 2
    assert owner.send(do="set-number", node=first.node_id, number=3).status_code == 422
    assert owner.send(do="set-number", node=first.node_id, number=1).status_code == 303
    assert owner.card("shut THE gate").over == 1


def test_a_deck_is_filled_from_a_ready_army() -> None:
    owner = decker("angel-of-death")
    load_example(DAWNFALL / "lists" / "chapter-first-deck.yaml", SHIPPED)
    (fill,) = owner.board.fills
    assert (fill.name, fill.cards_added, fill.units_added) == ("First deck of the Chapter", 25, 6)
    owner.done(do="fill-deck", node=fill.force_id, entry=fill.entry_id, **fill.fields)
    assert owner.roster.verdict == Verdict.LEGAL.value
    assert owner.board.fills == ()


def test_a_deck_is_filled_with_what_the_units_allow() -> None:
    owner = decker("holy-riders", "chapter-deck")
    load_example(DAWNFALL / "lists" / "chapter-first-deck.yaml", SHIPPED)
    owner.put("charging-trap", 3)
    (fill,) = owner.board.fills
    assert fill.units == {}, "with the Holy Riders they could be too many"
    assert 0 < fill.cards_added < 22
    owner.done(do="fill-deck", node=fill.force_id, entry=fill.entry_id, **fill.fields)
    sheet = owner.board.sheet
    assert sheet
    assert (sheet.count, owner.card("Charging / Trap").number) == (3 + fill.cards_added, 3)


@pytest.mark.parametrize(
    "fields",
    [
        {"card:chapter-deck/charging-trap": "99"},
        {"card:chapter-deck/charging-trap": "-1"},
        {"card:chapter-deck/charging-trap": "two"},
        {"card:nothing": "1"},
        {"unit:nothing": "1"},
    ],
)
def test_filling_a_deck_with_what_cannot_be_changes_nothing(fields: dict[str, str]) -> None:
    owner = decker("angel-of-death", "chapter-deck")
    head = owner.roster.head
    assert owner.send(do="fill-deck", node=owner.force, entry="chapter-deck", **fields).status_code in {400, 422}
    assert owner.roster.head == head
