"""Compile decks and cards."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CARDS, CategoryLink, Entry
from catalogue.definitions.queries import Bound, Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.name_index import (
    list_keyword_ids,
    list_names,
    make_faction_category,
    make_ids,
    make_keyword_id,
)
from catalogue.formats.packs.compile.option_constraints import make_mendable
from catalogue.formats.packs.compile.rules import build_rule
from catalogue.formats.packs.compile.shared_infos import build_text_info
from catalogue.formats.packs.features.named_cards.compile import build_copies
from catalogue.formats.packs.syntax.decks import CardSyntax, DeckSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def build_deck(deck: DeckSyntax, context: CompileContext) -> Entry:
    # A deck without cards would leave lists incomplete, with no way to mend them.
    cards = list_cards(deck, context)
    if not cards:
        context.problems.add(deck.where, "empty-deck", f"The deck “{deck.name}” has no cards.", "Add `cards:`.")

    links = []
    type_id = context.index.find_id(deck.type, "type")
    if type_id:
        links.append(CategoryLink(id=f"{deck.id}@{type_id}", target_id=type_id, primary=True))
    if deck.faction:
        category_id = make_faction_category(deck.faction)
        links.append(CategoryLink(id=f"{deck.id}@{category_id}", target_id=category_id, hidden=True))

    cards_in_deck = Query(scope=Scope.SELF, child_id=CARDS, deep=True)
    decks_in_list = Query(scope=Scope.ROSTER, child_id=deck.id, deep=True)
    size, count = context.get_rule_text("deck size"), context.get_rule_text("deck limit")
    return Entry(
        id=deck.id,
        name=deck.name,
        constraints=(
            *context.build_range_constraints(f"{deck.id}#cards-", deck.cards, size, deck.cite, cards_in_deck),
            context.build_constraint(f"{deck.id}#max", Bound.MAX, deck.most, count, deck.cite, decks_in_list),
        ),
        categories=tuple(links),
        entries=tuple(_build_card(card, number, deck, context) for number, card in enumerate(cards, 1)),
        citation=deck.cite,
    )


def list_cards(deck: DeckSyntax, context: CompileContext) -> list[CardSyntax]:
    return [card for card in context.pack.cards if _is_in(card, deck, context)]


def check_cards(context: CompileContext) -> None:
    for card in context.pack.cards:
        if not any(_is_in(card, deck, context) for deck in context.pack.decks):
            word, names = card.deck.text if card.deck else "", [deck.name for deck in context.pack.decks]
            message = f"The card “{card.name}” is in no deck."
            context.problems.add_unknown(card.where, word, names, message, "Add a deck under `decks:`.")


def _is_in(card: CardSyntax, deck: DeckSyntax, context: CompileContext) -> bool:
    if card.deck is not None:
        return make_id(card.deck.text) in list_names(deck)
    # Without `deck:`, a card is in the only deck of its faction.
    decks = [other.id for other in context.pack.decks if other.faction == card.faction]
    return decks == [deck.id]


def _build_card(card: CardSyntax, number: int, deck: DeckSyntax, context: CompileContext) -> Entry:
    entry_id = f"{deck.id}/{card.id}"
    context.index.claim_id(entry_id, card.where, f"“{card.name}”")
    costs, modifiers = context.build_costs(card.prices, QueryOrigin(context.index, scope="roster", owner="card"))

    constraints = list(_limit_card(card, entry_id, deck, context))
    asking = QueryOrigin(context.index, scope="roster", owner=entry_id)
    for rule in context.pack.rules:
        if rule.scope == "card" and (not rule.of or list_keyword_ids(card) & make_ids(rule.of)):
            constraints += build_rule(rule, context, asking)

    category_ids = [CARDS, *(make_keyword_id(make_id(word.text)) for word in card.keywords)]
    category_ids += [make_faction_category(deck.faction)] if deck.faction else []
    infos = [context.infos.build_profile(card.row, f"{entry_id}~profile", card.cite)] if card.row else []
    return Entry(
        id=entry_id,
        name=card.name,
        collective=True,
        sort_index=number,
        costs=tuple(costs),
        constraints=tuple(constraints),
        modifiers=tuple(modifiers),
        categories=tuple(
            CategoryLink(id=f"{entry_id}@{category_id}", target_id=category_id, hidden=category_id == CARDS)
            for category_id in category_ids
        ),
        infos=(*infos, *build_text_info(entry_id, card.name, card.text, card.cite)),
        copies=build_copies(card, deck, context),
        citation=card.cite,
    )


def count_copies(card: CardSyntax, deck: DeckSyntax) -> int | None:
    """Return None if unlimited."""
    if card.written:
        return None
    return deck.copies if card.copies is None else card.copies


def _limit_card(card: CardSyntax, entry_id: str, deck: DeckSyntax, context: CompileContext) -> Iterator[Constraint]:
    copies = count_copies(card, deck)
    if copies is not None:
        words = context.get_rule_text("card copies")
        yield context.build_constraint(f"{entry_id}#copies", Bound.MAX, copies, words, card.cite)
    # Forbid the card while all of these units are missing.
    missing = []
    for unit_id in context.index.find_ids(card.bound_to, "unit"):
        query = Query(scope=Scope.ROSTER, child_id=unit_id, deep=True)
        missing.append(Condition(operator=Operator.LESS_THAN, query=query, value=1))
    if missing:
        words = make_mendable(context.get_rule_text("card needs"))
        when = Guard(conditions=tuple(missing))
        yield context.build_constraint(f"{entry_id}#needs", Bound.MAX, 0, words, card.cite, when=when)
