"""Cards before layout: largest possible type, names on one line, cards in halves."""

import io
import re
from dataclasses import replace

import pytest
from pypdf import PdfReader

from roster.pdf.imposition.card_face import Face, FaceBlock, FaceKind, PrintCard
from roster.pdf.imposition.card_format import CardSize, get_format
from roster.pdf.imposition.list_cards import build_deck_cards, build_unit_cards
from roster.pdf.imposition.print_cards import CardOptions, print_cards
from roster.pdf.imposition.set_face import READ_SIZES, CardLook, grow_type, set_faces
from roster.pdf.shapes import Ability, Datasheet, ProfileRow, ProfileTable
from roster.pdf.sheet_options import Ink
from tests.roster.paper_fixture import IDENTITY
from tests.roster.test_pdf_deck_lists import FIRST_DECK, sheet_of

pytestmark = pytest.mark.slow

_SIZE = re.compile(r"font-size:([0-9.]+)pt")


def look(size: CardSize = CardSize.POKER) -> CardLook:
    return CardLook(card_format=get_format(size))


def said(words: int) -> Face:
    return Face(title="A title", blocks=(FaceBlock(texts=(" ".join(["water"] * words),)),))


def type_of(face: Face) -> float:
    side = set_faces([face], look())[face][0]
    start = side.index("water")
    return float(_SIZE.findall(side[:start])[-1])


def unit_face(words: int) -> Face:
    profile = ProfileTable("", ("M", "T", "W"), (ProfileRow("", ('6"', "4", "1")),))
    text = Ability("Tide", " ".join(["water"] * words))
    return Face(title="Pikes", datasheet=Datasheet(name="Pikes", models=5, profile=profile, abilities=(text,)))


def test_the_type_of_a_half_empty_card_grows_until_it_is_full() -> None:
    stock = look().stock
    assert grow_type(unit_face(4), look(), stock.texts[0]).growth == 1.4
    assert grow_type(unit_face(145), look(), stock.texts[0]).growth == 1.0
    grown = [grow_type(unit_face(words), look(), stock.texts[0]).growth for words in range(4, 150, 10)]
    assert grown == sorted(grown, reverse=True)
    assert len(set(grown)) > 2
    side = set_faces([unit_face(4)], look())[unit_face(4)][0]
    assert f"font-size:{stock.figures * 1.4:g}pt" in side
    assert f"font-size:{stock.texts[0] * 1.4:g}pt" in side


@pytest.mark.parametrize("size", CardSize)
def test_large_type_is_never_small(size: CardSize) -> None:
    large = replace(look(size), is_large=True)
    for words in (4, 120, 400):
        for sides in set_faces([unit_face(words), said(words)], large).values():
            paragraphs = re.findall(r"<p[^>]*>(?:<b>|water)", " ".join(sides))
            assert min(float(size) for size in _SIZE.findall(" ".join(paragraphs))) >= 9.0
    assert min(large.stock.texts) == (12.0 if size in (CardSize.A6, CardSize.A5) else 9.0)


def test_few_words_are_set_larger_than_many() -> None:
    few, some, many = type_of(said(5)), type_of(said(90)), type_of(said(150))
    assert few == READ_SIZES[0]
    assert few > some > many


def test_what_goes_on_on_its_back_is_not_set_smaller_than_it_has_to_be() -> None:
    face = said(330)
    sides = set_faces([face], look())[face]
    assert len(sides) == 2
    assert type_of(face) > look().stock.texts[-1]


def test_a_side_that_goes_on_says_so_and_the_last_one_that_it_is() -> None:
    for words, marks in ((20, [""]), (330, ["over » 1/2", "2/2"]), (650, ["over » 1/3", "next card » 2/3", "3/3"])):
        sides = set_faces([said(words)], look())[said(words)]
        assert [re.findall(r"<span style[^>]*>(.*?)</span>", side) for side in sides] == [
            [mark] if mark else [] for mark in marks
        ]


def test_a_long_name_is_made_smaller_then_broken_and_never_cut() -> None:
    for title in ("Canoptek Reanimator", "SecDef Rapid Intervention Team", "Phaeron Anathrakis " * 6, "W" * 60):
        face = Face(title=title, corner="180", icon="shield")
        side = set_faces([face], look(CardSize.MINI))[face][0]
        assert side.count('class="n"') <= 2
        assert "…" not in side


def test_what_has_but_a_name_has_no_card() -> None:
    titles = [card.front.title for card in build_unit_cards(sheet_of(FIRST_DECK))]
    assert "Ranger" in titles
    assert "Sanctuary" not in titles


def test_one_card_per_unit_on_request() -> None:
    shared = {card.front.title: card.copies for card in build_unit_cards(sheet_of(FIRST_DECK))}
    each = {card.front.title: card.copies for card in build_unit_cards(sheet_of(FIRST_DECK), one_per_unit=True)}
    assert shared["2 × Holy Knight"] == 1
    assert each["Holy Knight"] == 2


def test_the_cards_of_a_deck_as_often_as_it_holds_them() -> None:
    cards = {card.front.title: card for card in build_deck_cards(sheet_of(FIRST_DECK))}
    shoot = cards["Dodge / Shoot"]
    assert shoot.copies == 4
    assert shoot.front.kind is FaceKind.ACTION
    assert [(half.title, half.cost) for half in shoot.front.halves] == [("Dodge", "2"), ("Shoot", "0")]
    assert "Ranger" in shoot.front.halves[1].note
    assert sum(card.copies for card in cards.values()) == 25


def test_a_half_without_words_has_room_to_write() -> None:
    cards = list(build_deck_cards(sheet_of(FIRST_DECK)))
    side = set_faces([cards[0].front], look())[cards[0].front][0]
    assert side.count('class="ln"') == 6


@pytest.mark.parametrize(("ink", "filled"), [(Ink.LIGHT, True), (Ink.SAVER, False)])
def test_tokens_of_the_second_player_are_filled_unless_ink_is_saved(ink: Ink, filled: bool) -> None:
    def colours(inverse: bool) -> set[tuple[str, ...]]:
        token = Face(title="Flag", kind=FaceKind.TOKEN, inverse=inverse)
        card = PrintCard(key="t", front=token, card_format=get_format(CardSize.MINI))
        options = CardOptions(ink=ink, marks=False)
        pdf = print_cards([card], options, title="T", identity=IDENTITY, plain=None)
        data = PdfReader(io.BytesIO(pdf)).pages[0].get_contents()
        assert data is not None
        return {
            tuple(str(value) for value in operands)
            for operands, operator in data.operations
            if operator in (b"rg", b"scn")
        }

    assert (colours(True) != colours(False)) is filled
