"""What is printed on cards and tokens, before anything is known of paper."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.safestring import SafeString

from roster.pdf.imposition.card_format import CardFormat
from roster.pdf.shapes import Datasheet


class FaceKind(StrEnum):
    """How a face is set: a card; one in halves; a framed title, for backs; a round token."""

    CARD = "card"
    ACTION = "action"
    PLAIN = "plain"
    TOKEN = "token"  # noqa: S105 - a thing that is laid on a table


_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRow:
    """A line of a block: a name and what is said of it, or with `points` a text and the points that it scores."""

    name: str
    value: str = ""
    points: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceBlock:
    """A part of a face under a label: a drawing of ours as SVG, paragraphs, rows."""

    label: str = ""
    texts: tuple[str, ...] = ()
    rows: tuple[FaceRow, ...] = ()
    figure: SafeString | None = None

    @property
    def figure_ratio(self) -> float:
        """How high the drawing is for its width."""
        box = _VIEW_BOX.search(self.figure or "")
        return float(box[2]) / float(box[1]) if box else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHalf:
    """A half of an action card: its name, its cost and the sign of what pays it, its effect or room to write it."""

    title: str
    cost: str = ""
    icon: str = ""
    note: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One side of a card. `kicker` says what kind of card it is, `corner` is a number, `icon` names a sign.

    A number that `is_boxed` is a die roll or, if it `is_cost`, what is paid. A unit has a `datasheet`, an objective its
    `points` and a box for each of the `rounds`, an action card its `halves`. A token that is `inverse` is filled: the
    second player's.
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
    datasheet: Datasheet | None = None
    halves: tuple[CardHalf, ...] = ()


@dataclass(frozen=True, slots=True)
class CardFamily:
    """The kind of cards that lie in one pile, and its sign. Backs show it, and are alike in a pile."""

    name: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintCard:
    """A card. Without a `back` of its own its text may continue there.

    `key` tells it from others in one print, `family` is the pile that it belongs to, `card_format` a size of its own,
    as tokens have.
    """

    key: str
    front: Face
    back: Face | None = None
    copies: int = 1
    card_format: CardFormat | None = None
    family: CardFamily = CardFamily()


def list_faces(cards: Sequence[PrintCard]) -> list[Face]:
    """Return every face of the cards once, fronts before backs."""
    return list(dict.fromkeys([*(card.front for card in cards), *(card.back for card in cards if card.back)]))
