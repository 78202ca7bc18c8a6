"""The rows of cards, and of what decks have to keep to."""

from collections.abc import Iterator
from typing import NamedTuple

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint, RuleWords
from catalogue.definitions.decks import CARDS, Deck, DeckCard
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.queries import Bound as Side
from catalogue.models import Card, DeckRule, Faction
from catalogue.services.book import Book, Bound
from catalogue.services.limits import INSIDE_UNIT, limits
from catalogue.services.texts import Slugs, cited, folded, shortened


class DeckRows(NamedTuple):
    """Unsaved rows of one faction."""

    cards: list[Card]
    rules: list[DeckRule]


def deck_rows(faction: Faction, book: Book) -> DeckRows:
    """The rows for all decks that lists of a faction may have."""
    described = {deck.entry_id: deck for c in book.binding.list_visible(book.catalogue) for deck in c.decks}
    found = (
        [(described[bound.entry.id], bound) for bound in book.roots() if bound.entry.id in described]
        if described
        else []
    )
    maker = _Maker(faction, book)
    rows = DeckRows([], [])
    for deck, bound in found:
        rows.cards.extend(maker.cards(deck, bound, len(rows.cards)))
    rules = maker.rules([bound for _, bound in found]) if found else ()
    rows.rules.extend(_numbered(rules))
    return rows


def _numbered(rules: Iterator[DeckRule] | tuple[()]) -> Iterator[DeckRule]:
    """Each rule once."""
    seen = set()
    for rule in rules:
        said = (rule.rule, rule.text, rule.deck, rule.detachment, rule.min, rule.max)
        if said not in seen:
            seen.add(said)
            rule.position = len(seen)
            yield rule


class _Maker:
    def __init__(self, faction: Faction, book: Book) -> None:
        self._faction = faction
        self._book = book
        self._slugs = Slugs("card")

    # ---- cards ---------------------------------------------------------------------------------------------------

    def cards(self, deck: Deck, bound: Bound, start: int) -> Iterator[Card]:
        children = {child.entry.id: child for child in self._book.library.children(bound)}
        for position, card in enumerate(deck.cards, start):
            child = children.get(card.entry_id)
            if child is not None and not child.hidden:
                yield self._card(card, child, bound, position)

    def _card(self, card: DeckCard, bound: Bound, deck: Bound, position: int) -> Card:
        infos = list(self._book.library.flat_infos(bound.infos, bound.home))
        needs, keywords = self._names(card.needs), self._keywords(bound)
        figures = [(c.name, c.value) for info in infos for c in info.characteristics]
        text = " ".join(info.description for info in infos if info.kind is InfoKind.RULE)
        words = (bound.name, deck.name, *needs, *keywords, *[value for _, value in figures], text)
        return Card(
            faction=self._faction,
            entry_id=bound.id,
            slug=self._slugs.of(bound.name),
            name=shortened(bound.name),
            deck_id=deck.id,
            deck=shortened(deck.name),
            copies=self._copies(bound),
            needs=needs,
            keywords=keywords,
            figures=figures,
            text=text,
            written=card.written,
            search_text=folded(" ".join(words)),
            position=position,
            **cited(self._book.binding, bound.citation),
        )

    def _copies(self, bound: Bound) -> int | None:
        if bound.entry.copies is not None:
            return bound.entry.copies.most if bound.entry.copies.most >= 0 else None
        return limits(bound.constraints, INSIDE_UNIT, bound.ids).max

    def _names(self, ids: tuple[str, ...]) -> list[str]:
        found = (self._book.binding.find_entry(own, self._book.catalogue) for own in ids)
        return list(dict.fromkeys(one.entry.name for one in found if one))

    def _keywords(self, bound: Bound) -> list[str]:
        known = self._book.binding.categories
        named = (known[link.target_id] for link in bound.categories if link.target_id in known)
        return [category.name for category in named if not category.hidden]

    # ---- rules ---------------------------------------------------------------------------------------------------

    def rules(self, decks: list[Bound]) -> Iterator[DeckRule]:
        for deck in decks:
            for constraint in deck.constraints:
                if constraint.text:
                    yield self._rule(constraint, deck=deck.name)
            for card in self._book.library.children(deck):
                yield from self._of_card(card, deck)
        for catalogue in self._book.binding.list_visible(self._book.catalogue):
            for constraint in catalogue.constraints:
                if _counts_cards(constraint):
                    yield self._rule(constraint)
            for force in catalogue.forces:
                for constraint in force.constraints:
                    if _counts_cards(constraint):
                        yield self._rule(constraint, detachment=force.name)

    def _of_card(self, card: Bound, deck: Bound) -> Iterator[DeckRule]:
        """What binds each card; how many copies there are of it says its row."""
        for constraint in card.constraints:
            if constraint.text:
                yield self._said(constraint.rule, constraint.name, constraint.text, constraint.citation, deck)
        if card.entry.copies and card.entry.copies.words.text:
            words: RuleWords = card.entry.copies.words
            yield self._said(words.rule, words.name, words.text, words.citation, deck)

    def _said(self, rule: str, name: str, text: str, place: Citation, deck: Bound) -> DeckRule:
        return DeckRule(
            faction=self._faction,
            rule=rule,
            name=shortened(name or rule),
            text=text,
            deck=shortened(deck.name),
            **cited(self._book.binding, place),
        )

    def _rule(self, constraint: Constraint, *, deck: str = "", detachment: str = "") -> DeckRule:
        plain = not constraint.terms and constraint.value >= 0 and constraint.value == int(constraint.value)
        value = int(constraint.value) if plain else None
        return DeckRule(
            faction=self._faction,
            rule=constraint.rule,
            name=shortened(constraint.name or constraint.rule),
            text=constraint.text,
            deck=shortened(deck),
            detachment=shortened(detachment),
            min=value if constraint.bound is not Side.MAX else None,
            max=value if constraint.bound is not Side.MIN else None,
            **cited(self._book.binding, constraint.citation),
        )


def _counts_cards(constraint: Constraint) -> bool:
    queries = (constraint.query, *(term.query for term in constraint.terms))
    return bool(constraint.text) and any(query.child_id == CARDS for query in queries)
