"""The page of a deck: its cards and what is next to them."""

from pathlib import Path

from tests.catalogue.pack_files import PACK, pond

CARDS = """\
cite: book
decks:
- {deck: Songs, type: deck, cards: 2+, cite: p. 9}
cards:
- {card: Rain, profile: [1, Weather], needs: [Toad], cite: p. 9}
"""
DECKS = (
    PACK.replace("crew: Crew,", "crew: Crew, deck: {name: Deck, beside: [%s]},")
    .replace("slots: [boss, crew]", "slots: [crew, deck]")
    .replace("profiles:\n", "profiles:\n  cards: {for: cards, columns: [Cost, Kind], curve: [Cost], kinds: %s}\n")
)


def test_a_deck_says_what_its_page_draws(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", DECKS % ("boss", "Kind"), **{"cards.yaml": CARDS})
    assert reading.data is not None
    (deck,) = (deck for catalogue in reading.data.catalogues for deck in catalogue.decks)
    assert (deck.entry_id, deck.curves, deck.kinds, deck.beside) == ("songs", ("Cost",), "Kind", ("boss",))
    assert [(card.entry_id, card.needs, card.written) for card in deck.cards] == [("songs/rain", ("toad",), False)]


def test_a_column_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    reading = pond(tmp_path, "", DECKS % ("boss", "Sort"), **{"cards.yaml": CARDS})
    assert [found.code for found in reading.diagnostics] == ["unknown-column"]
