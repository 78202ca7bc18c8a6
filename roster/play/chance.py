"""Derive dice from a seed, so that repeated actions roll the same and players can check them later."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from roster.play.objective_hand import Roll

MOST_VALUE = 2**32


def new_seed() -> str:
    """Return 64 random hexadecimal digits."""
    return secrets.token_hex(32)


def seal_seed(seed: str) -> str:
    """Return a seed's digest, which can be shown before the game.

    >>> seal_seed("00")[:12]
    'f1534392279b'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def order_cards(seed: str, place: int, key: str, cards: Iterable[int], number: int) -> list[int]:
    """Return the cards in the order of shuffle `number`, whatever their order was.

    >>> order_cards("00", 0, "d0", range(5), 1) == order_cards("00", 0, "d0", [4, 2, 0, 1, 3], 1)
    True
    """
    roll = derive_dice(seed, place, number)
    return sorted(cards, key=lambda card: (roll(MOST_VALUE, f"shuffle {key} {card}"), card))


def derive_dice(seed: str, place: int, number: int) -> Roll:
    """Return a side's dice in a round. Dice with the same name always show the same result.

    >>> roll = derive_dice("00", 0, 1)
    >>> [roll(3, "category 1"), roll(6, "objective 1 1"), roll(3, "category 1")]
    [1, 1, 1]
    """

    def roll(sides: int, name: str) -> int:
        digest = hmac.digest(seed.encode(), f"side {place} round {number} {name}".encode(), "sha256")
        # The modulo's bias is negligible.
        return int.from_bytes(digest[:8], "big") % sides + 1

    return roll
