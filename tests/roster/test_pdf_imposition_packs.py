"""Every card of every pack, laid out: no overflow, no lost text, no type below the smallest size."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from weasyprint.document import Page

from catalogue.formats.packs.load import find_packs
from catalogue.services.play import Play
from roster.pdf.imposition.card_face import Face, FaceKind, PrintCard, list_faces
from roster.pdf.imposition.card_format import CardFormat, CardSize, get_format
from roster.pdf.imposition.layout import lay_faces
from roster.pdf.imposition.select_cards import CardKind, read_selection, select_cards
from roster.pdf.imposition.set_face import CardLook, count_foot_lines, move_long_kicker, set_faces
from roster.pdf.type.signs import find_sign
from roster.pdf.weasyprint_hooks import limit_time
from tests.extent import sample
from tests.shipped_packs import read_shipped

pytestmark = pytest.mark.slow

SMALLEST_TYPE = 5.5
POINT = 96 / 72
"""CSS pixels in a point."""
SLACK = 0.6
PACKS = find_packs()


def play_in(path: Any) -> Play:
    data = read_shipped(path).data
    assert data is not None
    return Play(data.game_system)


def cards_in(play: Play) -> list[PrintCard]:
    return select_cards(play, read_selection(play, [kind.value for kind in CardKind], [], ""), [])


def by_stock(cards: list[PrintCard], stock: CardFormat) -> Iterator[tuple[CardFormat, list[Face]]]:
    for own in {card.card_format or stock: None for card in cards}:
        yield own, list_faces([card for card in cards if (card.card_format or stock) == own])


def words_of(face: Face) -> list[str]:
    blocks = [
        word
        for block in face.blocks
        for text in (block.label, *block.texts, *(part for row in block.rows for part in (row.name, row.value)))
        for word in text.split()
    ]
    halves = [word for half in face.halves for word in f"{half.title} {half.note} {half.cost} {half.text}".split()]
    band = f"{face.title} {face.kicker} {face.corner} {face.lead}"
    return [*band.split(), *blocks, *halves]


def name_case(value: Any) -> str:
    """Name packs by folder, and paper and card sizes by value."""
    return value.parent.name + "/" + value.name if isinstance(value, Path) else str(value)


def boxes(box: Any) -> Iterator[Any]:
    yield box
    for child in getattr(box, "children", ()):
        yield from boxes(getattr(child, "_box", child))


def texts(pages: list[Page], *, margins: bool = True) -> Iterator[tuple[Page, Any]]:
    for page in pages:
        for box in boxes(page._page_box if margins else page._page_box.children[0]):
            if getattr(box, "text", "").strip():
                yield page, box


@pytest.mark.parametrize(("path", "size"), sample(product(PACKS, CardSize), 2), ids=name_case)
def test_text_never_overflows(path: Any, size: CardSize) -> None:
    cards = cards_in(play_in(path))
    assert cards
    for stock, faces in by_stock(cards, get_format(size)):
        bare = CardLook(card_format=stock)
        faces = [move_long_kicker(face, bare) for face in faces]
        with limit_time(time.monotonic() + 300):
            laid = lay_faces(faces, replace(bare, foot_lines=count_foot_lines(faces, bare)), title="")
        for face in faces:
            pages = laid.pages[face]
            # A token cannot continue on a back; a card can, and then on further cards.
            assert len(pages) == 1 or face.kind is FaceKind.CARD, face.title
            for page, box in texts(pages):
                where = (face.title, box.text)
                assert box.position_x >= -SLACK, where
                assert box.position_x + box.width <= page.width + SLACK, where
                assert box.position_y >= -SLACK, where
                assert box.position_y + box.height <= page.height + SLACK, where
                # Letters in a drawing scale with it.
                if box.style["font_size"] > 0 and not any(block.figure for block in face.blocks):
                    assert box.style["font_size"] >= SMALLEST_TYPE * POINT - 0.01, where
            joined = "".join("".join(box.text for _, box in texts(pages, margins=False)).split())
            words = [word.replace("″", '"') for word in (*words_of(face), *face.foot.split())]
            assert [word for word in words if word not in joined] == [], face.title


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name + "/" + path.name)
def test_tokens_stay_inside_their_ring(path: Any) -> None:
    play, seen = play_in(path), 0
    for stock, faces in by_stock(cards_in(play), get_format(CardSize.POKER)):
        if not stock.round:
            continue
        laid = lay_faces(faces, CardLook(card_format=stock), title="")
        for face in faces:
            for page, box in texts(laid.pages[face]):
                seen += 1
                radius = page.width / 2
                for x in (box.position_x, box.position_x + box.width):
                    for y in (box.position_y + 0.2 * box.height, box.position_y + 0.8 * box.height):
                        away = ((x - radius) ** 2 + (y - radius) ** 2) ** 0.5
                        assert away <= radius, (face.title, box.text)
    assert bool(seen) == bool(play.tokens)


@pytest.mark.parametrize("path", PACKS, ids=lambda path: path.parent.name + "/" + path.name)
def test_every_sign_is_there(path: Any) -> None:
    named = {face.icon for face in list_faces(cards_in(play_in(path))) if face.icon}
    assert [name for name in named if not find_sign(name)] == []


def read_shipped_play(pack: str) -> Play:
    return play_in(next(path for path in PACKS if path.as_posix().endswith(pack)))


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: f"{pack.parent.name}/{pack.name}")
def test_an_objective_says_its_time_once(pack: Path) -> None:
    fronts = [card.front for card in cards_in(play_in(pack)) if card.front.points]
    repeated = [
        (front.title, label)
        for front in fronts
        for label in {block.label for block in front.blocks if block.label and not block.texts}
        if sum(text.count(f"{label}:") for block in front.blocks for text in block.texts)
    ]
    assert repeated == []


def test_steps_of_the_quick_reference_are_numbered_and_other_sentences_are_not() -> None:
    fronts = {card.front.title: card.front for card in cards_in(read_shipped_play("edge_dawnfall/dawnfall"))}
    assert fronts["Setup"].blocks[0].texts[17] == "18. First turn: the countering player."
    large = next(
        card.front for card in cards_in(read_shipped_play("wh40k/ninth")) if card.front.title.startswith("Models too")
    )
    assert large.blocks[0].texts[0].startswith("They are set up")


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: f"{pack.parent.name}/{pack.name}")
def test_quick_references_of_a_print_have_one_size_of_type(pack: Path) -> None:
    look = CardLook(card_format=get_format(CardSize.POKER))
    play = play_in(pack)
    fronts = [card.front for card in select_cards(play, read_selection(play, ["reference"], [], ""), [])]
    sides = [side for face in set_faces(fronts, look).values() for side in face]
    sizes = {size for side in sides for size in re.findall(r'<p style="margin-bottom:[^"]*font-size:([0-9.]+)pt', side)}
    assert len(sizes) == 1
