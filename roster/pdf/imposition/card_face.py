"""The content of cards and tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.safestring import SafeString

from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.shapes import Datasheet


class FaceKind(StrEnum):
    """A card, a card in halves, a framed title for backs, or a round token."""

    CARD = "card"
    ACTION = "action"
    PLAIN = "plain"
    TOKEN = "token"  # noqa: S105 - a thing that is laid on a table


_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRow:
    """A name and its value, or with `points` a text and the points for it."""

    name: str
    value: str = ""
    points: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceBlock:
    """A part of a face. `figure` is our own SVG."""

    label: str = ""
    texts: tuple[str, ...] = ()
    rows: tuple[FaceRow, ...] = ()
    figure: SafeString | None = None

    @property
    def figure_ratio(self) -> float:
        """Height divided by width."""
        box = _VIEW_BOX.search(self.figure or "")
        return float(box[2]) / float(box[1]) if box else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHalf:
    """Half of an action card. `icon` is the resource that pays for it."""

    title: str
    cost: str = ""
    icon: str = ""
    note: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One side of a card. `kicker` is the kind of card, `corner` a number, `icon` the name of a symbol.

    An `is_boxed` number is a die roll, or with `is_cost` a cost. Tokens of the second player are `inverse`. Faces with
    `shares_size` have one type size.
    """

    title: str = ""
    kicker: str = ""
    corner: str = ""
    icon: str = ""
    lead: str = ""
    blocks: tuple[FaceBlock, ...] = ()
    foot: str = ""
    kind: FaceKind = FaceKind.CARD
    inverse: bool = False
    is_boxed: bool = False
    is_cost: bool = False
    points: str = ""
    rounds: int = 0
    is_reference: bool = False
    datasheet: Datasheet | None = None
    halves: tuple[CardHalf, ...] = ()
    shares_size: bool = False


@dataclass(frozen=True, slots=True)
class CardFamily:
    name: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintCard:
    """A card. Without a `back`, its front may continue there.

    `key` is unique in one print. Only cards with their own size, such as tokens, have a `card_format`.
    """

    key: str
    front: Face
    back: Face | None = None
    copies: int = 1
    card_format: CardFormat | None = None
    family: CardFamily = CardFamily()


def list_faces(cards: Sequence[PrintCard]) -> list[Face]:
    """List every face once, fronts before backs."""
    return list(dict.fromkeys([*(card.front for card in cards), *(card.back for card in cards if card.back)]))
