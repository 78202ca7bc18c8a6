"""Tokens to cut out, round, at their own size."""

from collections.abc import Iterator

from catalogue.definitions.missions import Token
from roster.pdf.imposition.card_face import Face, Kind, PrintCard
from roster.pdf.imposition.card_format import Stock

SIDES = ("I", "II")
"""How the tokens of two players are told apart."""


def token_cards(token: Token) -> Iterator[PrintCard]:
    """All of a token: each of its faces as often as it takes, once more for the other player."""
    faces = token.faces or ("",)
    copies = max(1, token.count // len(faces))
    for side in SIDES if token.per_player else ("",):
        for number in faces:
            front = Face(
                title=token.name,
                corner=number,
                icon=token.icon,
                lead=" · ".join(filter(None, (token.text, side))),
                kind=Kind.TOKEN,
                inverse=side == SIDES[1],
            )
            yield PrintCard(
                key=f"token-{token.id}-{number}-{side}",
                front=front,
                copies=copies,
                stock=Stock(float(token.diameter), float(token.diameter), round=True),
            )
