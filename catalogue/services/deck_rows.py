from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint, RuleWords
from catalogue.definitions.entries import CARDS, Deck
from catalogue.definitions.infos import InfoKind
from catalogue.definitions.queries import Bound
from catalogue.graph.compiled_entry import CompiledEntry, CompiledOption
from catalogue.graph.declared import find_copies_allowed
from catalogue.graph.ids import compose_id, get_link_prefix
from catalogue.graph.infos import resolve_infos
from catalogue.graph.ruleset import CompiledCatalogue
from catalogue.models import Card, DeckRule, Faction
from catalogue.services.texts import Slugs, build_citation_columns, fold_text, shorten


class DeckRows(NamedTuple):
    cards: list[Card]
    rules: list[DeckRule]


def build_deck_rows(faction: Faction, catalogue: CompiledCatalogue) -> DeckRows:
    rows = DeckRows([], [])
    described = {deck.entry_id: deck for near in catalogue.closure for deck in near.decks}
    # Data without decks is the largest, and laying out its roots is slow.
    roots = catalogue.distinct_roots if described else ()
    decks = [(described[root.entry.target.id], root) for root in roots if root.entry.target.id in described]
    if not decks:
        return rows
    builder = DeckRowBuilder(faction, catalogue)
    for deck, root in decks:
        rows.cards.extend(builder.build_cards(deck, root, len(rows.cards)))
    # All decks at once: a rule that several decks share is one row.
    seen = set()
    for rule in builder.build_rules([root.entry for _, root in decks]):
        key = (rule.rule, rule.text, rule.deck, rule.detachment, rule.min, rule.max)
        if key not in seen:
            seen.add(key)
            rule.position = len(seen)
            rows.rules.append(rule)
    return rows


class DeckRowBuilder:
    def __init__(self, faction: Faction, catalogue: CompiledCatalogue) -> None:
        self._faction = faction
        self._catalogue = catalogue
        self._binding = catalogue.binding
        self._slugs = Slugs("card")

    # ---- cards ---------------------------------------------------------------------------------------------------

    def build_cards(self, deck: Deck, root: CompiledOption, start: int) -> Iterator[Card]:
        options = {option.entry.target.id: option for option in root.entry.contents.options}
        prefix = get_link_prefix(root.local_id)
        for position, card in enumerate(deck.cards, start):
            option = options.get(card.entry_id)
            if option is None or option.hidden:
                continue
            entry = option.entry
            infos = list(resolve_infos(self._binding, entry.infos))
            units = (self._binding.find_entry(unit_id, self._catalogue.catalogue) for unit_id in card.needs)
            needs = list(dict.fromkeys(homed.entry.name for homed in units if homed))
            categories = (self._binding.categories.get(link.target_id) for link in entry.category_links)
            keywords = [category.name for category in categories if category and not category.hidden]
            characteristics = chain.from_iterable(info.characteristics for info in infos)
            figures = [(figure.name, figure.value) for figure in characteristics]
            text = " ".join(info.description for info in infos if info.kind is InfoKind.RULE)
            words = (entry.name, root.name, *needs, *keywords, *[value for _, value in figures], text)
            yield Card(
                faction=self._faction,
                entry_id=compose_id(prefix, option),
                slug=self._slugs.make_slug(entry.name),
                name=shorten(entry.name),
                deck_id=root.local_id,
                deck=shorten(root.name),
                copies=find_copies_allowed(entry),
                needs=needs,
                keywords=keywords,
                figures=figures,
                text=text,
                written=card.written,
                search_text=fold_text(" ".join(words)),
                position=position,
                **build_citation_columns(self._binding, entry.citation),
            )

    # ---- rules ---------------------------------------------------------------------------------------------------

    def build_rules(self, decks: list[CompiledEntry]) -> Iterator[DeckRule]:
        """Yield rules on decks and cards, except limits on copies, which are in the rows of the cards."""
        for deck in decks:
            for compiled in deck.constraints:
                if compiled.constraint.text:
                    yield self._build_rule(compiled.constraint, deck=deck.name)
            for option in deck.contents.options:
                card = option.entry
                for compiled in card.constraints:
                    bound = compiled.constraint
                    if bound.text:
                        yield self._build_card_rule(bound.rule, bound.name, bound.text, bound.citation, deck)
                copies = card.target.copies
                if copies and copies.words.text:
                    words: RuleWords = copies.words
                    yield self._build_card_rule(words.rule, words.name, words.text, words.citation, deck)
        for catalogue in self._catalogue.closure:
            for constraint in filter(_is_about_cards, catalogue.constraints):
                yield self._build_rule(constraint)
            for force in catalogue.forces:
                for constraint in filter(_is_about_cards, force.constraints):
                    yield self._build_rule(constraint, detachment=force.name)

    def _build_card_rule(self, rule: str, name: str, text: str, citation: Citation, deck: CompiledEntry) -> DeckRule:
        return DeckRule(
            faction=self._faction,
            rule=rule,
            name=shorten(name or rule),
            text=text,
            deck=shorten(deck.name),
            **build_citation_columns(self._binding, citation),
        )

    def _build_rule(self, constraint: Constraint, *, deck: str = "", detachment: str = "") -> DeckRule:
        # A conditional limit has no fixed number.
        value = None
        if not constraint.terms and constraint.value >= 0 and constraint.value == int(constraint.value):
            value = int(constraint.value)
        return DeckRule(
            faction=self._faction,
            rule=constraint.rule,
            name=shorten(constraint.name or constraint.rule),
            text=constraint.text,
            deck=shorten(deck),
            detachment=shorten(detachment),
            min=value if constraint.bound is not Bound.MAX else None,
            max=value if constraint.bound is not Bound.MIN else None,
            **build_citation_columns(self._binding, constraint.citation),
        )


def _is_about_cards(constraint: Constraint) -> bool:
    queries = (constraint.query, *(term.query for term in constraint.terms))
    return bool(constraint.text) and any(query.child_id == CARDS for query in queries)
