"""Cards whose names the owner of a list writes."""

from pathlib import Path

import pytest

from catalogue.definitions.entries import NO_LIMIT
from tests.catalogue.pack_files import PACK, entry_of, pond

CARDS = """\
cite: book
decks:
- {deck: Songs, type: deck, cards: 2+, copies: %s, cite: p. 9}
cards:
- {card: Song, %s, cite: p. 9}
"""
DECKS = PACK.replace("crew: Crew,", "crew: Crew, deck: Deck,").replace("slots: [boss, crew]", "slots: [crew, deck]")
COPIES = DECKS.replace("built-in rules:\n", "built-in rules:\n  card copies: p-copies\n")


@pytest.mark.parametrize(
    ("deck_copies", "card", "most"),
    [("3", "written: yes", 3), ("3", "written: yes, copies: 2", 2), ("any", "written: yes", NO_LIMIT)],
)
def test_copies_of_one_name_are_limited(tmp_path: Path, deck_copies: str, card: str, most: int) -> None:
    text = (CARDS % (deck_copies, card)).replace(" copies: any,", "")
    song = entry_of(pond(tmp_path, "", COPIES, **{"cards.yaml": text}), "songs/song")
    assert song.copies is not None
    assert (song.copies.most, song.copies.words.rule) == (most, "p-copies")
    assert song.constraints == ()


def test_a_card_with_a_name_of_its_own_is_limited_by_a_constraint(tmp_path: Path) -> None:
    text = (CARDS % ("3", "text: Loud.")).replace("cards: 2+", "cards: 2")
    song = entry_of(pond(tmp_path, "", COPIES, **{"cards.yaml": text}), "songs/song")
    assert song.copies is None
    assert [(c.rule, c.value) for c in song.constraints] == [("p-copies", 3)]
