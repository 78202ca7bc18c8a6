"""Dice that come from a seed: an act done again shows the same, and anybody can work them out after the game."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable

from roster.play.objective_hand import Roll

MOST_VALUE = 2**32


def new_seed() -> str:
    """Return the seed of the dice of a game: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def seal_seed(seed: str) -> str:
    """Return what is shown of a seed before its dice are known: its SHA-256 digest.

    >>> seal_seed("00")[:12]
    'f1534392279b'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def order_cards(seed: str, place: int, key: str, cards: Iterable[int], number: int) -> list[int]:
    """Return the cards of a pile as the shuffle of this number leaves them: the same whenever it is done.

    >>> order_cards("00", 0, "d0", range(5), 1) == order_cards("00", 0, "d0", [4, 2, 0, 1, 3], 1)
    True
    """
    roll = derive_dice(seed, place, number)
    return sorted(cards, key=lambda card: (roll(MOST_VALUE, f"shuffle {key} {card}"), card))


def derive_dice(seed: str, place: int, number: int) -> Roll:
    """Return the dice of a side in a round. Each die is named, and always shows the same.

    >>> roll = derive_dice("00", 0, 1)
    >>> [roll(3, "category 1"), roll(6, "objective 1 1"), roll(3, "category 1")]
    [1, 1, 1]
    """

    def roll(sides: int, name: str) -> int:
        digest = hmac.digest(seed.encode(), f"side {place} round {number} {name}".encode(), "sha256")
        # Of 2 to the 64 values no result of a die has more than one more than another.
        return int.from_bytes(digest[:8], "big") % sides + 1

    return roll
