"""Compile the copy limit of named cards."""

from catalogue.definitions.constraints import CopyLimit
from catalogue.definitions.entries import NO_LIMIT
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.syntax.decks import CardSyntax, DeckSyntax


def build_copies(card: CardSyntax, deck: DeckSyntax, context: CompileContext) -> CopyLimit | None:
    """Return the maximum per name, None for a card of the pack."""
    if not card.written:
        return None
    maximum = card.copies if card.copies is not None else deck.copies
    words = build_rule_words(RuleCode.TOO_MANY_COPIES, context.get_rule_text("card copies"))
    return CopyLimit(most=NO_LIMIT if maximum is None else maximum, words=words)
