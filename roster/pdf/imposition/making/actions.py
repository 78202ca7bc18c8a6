"""Cards of a deck that a list holds, as proxies."""

from catalogue.models import Card
from roster.pdf.imposition.card_face import Block, Face, Family, PrintCard, Row, foot
from roster.wording import cards as words


def action_card(card: Card, copies: int = 1) -> PrintCard:
    """A proxy of a card: what it costs, whom it needs, what it does in our own words."""
    rows = tuple(Row(name=name, value=value) for name, value in card.figures if value)
    needs = (words.format_needs(", ".join(card.needs)),) if card.needs else ()
    front = Face(
        title=card.name,
        kicker=" · ".join(filter(None, (card.deck, *card.keywords))),
        blocks=(Block(rows=rows, texts=(*filter(None, (card.text,)), *needs)),),
        foot=foot(card.book, card.section),
    )
    return PrintCard(key=f"card-{card.slug}", front=front, copies=copies, family=Family(card.deck, "layers"))
