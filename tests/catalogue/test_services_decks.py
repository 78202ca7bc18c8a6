"""Rows of cards, and of the rules of decks."""

import pytest

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import Card, DeckRule, Faction, PackVersion
from catalogue.services.search import count_decks, find_cards
from catalogue.services.version_rows import rebuild_rows
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db


def test_cards_of_a_faction(tin_meadow: PackVersion) -> None:
    moon, saying = Card.objects.all()
    assert (moon.name, moon.deck, moon.copies, moon.needs) == ("New Moon", "Almanac", 3, ["Diggers"])
    assert (moon.text, moon.page, moon.written) == ("Hay dries by itself.", "61", False)
    assert (saying.copies, saying.needs, saying.written) == (2, [], True)
    assert [faction.card_count for faction in tin_meadow.factions.order_by("position")] == [0, 2]


def test_rules_of_decks(tin_meadow: PackVersion) -> None:
    size, twice = DeckRule.objects.all()
    assert (size.rule, size.deck, size.min, size.max, size.page) == ("tm-almanac", "Almanac", None, 12, "60")
    assert (twice.rule, twice.name, twice.max) == ("tm-twice", "Twice", None)


def test_they_are_written_anew_with_the_other_rows(tin_meadow: PackVersion) -> None:
    before = list(Card.objects.values_list("slug", flat=True))
    rebuild_rows(tin_meadow)
    assert list(Card.objects.values_list("slug", flat=True)) == before
    assert DeckRule.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "found"), [("moon", 1), ("MOON diggers", 1), ("almanac", 2), ("dries", 1), ("moon king", 0), ("", 2)]
)
def test_cards_are_found_by_what_stands_on_them(tin_meadow: PackVersion, text: str, found: int) -> None:
    assert find_cards(tin_meadow.factions.all(), text).count() == found


def test_cards_of_one_deck(tin_meadow: PackVersion) -> None:
    moles = Faction.objects.get(slug="the-moles")
    assert [(deck.id, deck.name, deck.cards) for deck in count_decks(moles)] == [("almanac", "Almanac", 2)]
    assert find_cards([moles], "", "another").count() == 0


def test_dawnfall_has_its_cards_and_rules() -> None:
    demons = install_shipped(SHIPPED / "edge_dawnfall" / "dawnfall").factions.get(slug="demons")
    assert demons.card_count == demons.cards.count() == 23
    fireball = demons.cards.get(name="Dark Power / Fireball")
    assert (fireball.copies, fireball.needs) == (4, ["Master of Elements"])
    assert ["Lower", "2"] in [list(pair) for pair in fireball.figures]
    rules = {(rule.rule, rule.detachment): (rule.min, rule.max) for rule in demons.deck_rules.all()}
    assert rules["ed-deck-size", "Two players"] == (25, 25)
    assert rules["ed-deck-size-multiplayer", "Three or four players"] == (15, 15)
    assert {"ed-deck-physical-copies", "ed-deck-lower-action-squad"} <= {rule for rule, _ in rules}
