"""What is printed on cards and tokens, before anything is known of paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.safestring import SafeString

from catalogue.services.texts import shorten
from roster.pdf.imposition.card_format import CardFormat


class FaceKind(StrEnum):
    """How a face is set: a card; a framed title, for backs; a round token."""

    CARD = "card"
    PLAIN = "plain"
    TOKEN = "token"  # noqa: S105 - a thing that is laid on a table


_SHARES = ((3, 12), (5, 20), (8, 30), (20, 40), (10**6, 62))
"""Up to so many letters, so many hundredths."""
_FIGURES = 20
"""Letters of the longest value that is none of words to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceRow:
    """A line of a table on a card: a text on the left, and one on the right."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureGrid:
    """Figures under heads; the first column holds names. `shares` are the columns' widths in hundredths of all.

    A grid that `goes_on` holds further figures of the line above it, without its name, and stays on the same face.
    """

    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    shares: tuple[int, ...] = ()
    goes_on: bool = False

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Heads with their shares."""
        return list(zip(self.heads, self.shares or (0,) * len(self.heads), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceBlock:
    """A part of a face under a label: a drawing of ours as SVG, a grid of figures, paragraphs, rows.

    `values` is the share of a row that its values get on a card too narrow for the usual one, in hundredths.
    """

    label: str = ""
    texts: tuple[str, ...] = ()
    rows: tuple[FaceRow, ...] = ()
    grid: FigureGrid | None = None
    figure: SafeString | None = None
    values: int = 0
    """How much of a row its values take on a card that is too narrow for the usual, in hundredths."""

    @property
    def share(self) -> int:
        """How much of a row its values take, in hundredths: columns of a fixed width are laid out much faster."""
        longest = max((len(row.value) for row in self.rows), default=0)
        return self.values or next(share for length, share in _SHARES if longest <= length)

    @property
    def long(self) -> bool:
        """Whether values are sentences, and names what they are about."""
        return any(len(row.value) > _FIGURES for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One side of a card. `kicker` says what kind of card it is, `corner` is a number, `icon` names a sign.

    A token that is `inverse` is filled: the second player's. A `tall_foot` has two lines.
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
    tall_foot: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSection:
    """Cards to be read under a heading, in so many columns."""

    title: str
    sub: str = ""
    cards: tuple[PrintCard, ...] = ()
    columns: int = 2


LONGEST_FOOT = 84
"""Letters that are sure to stand on the two lines at the foot of the smallest card."""


def compose_foot(*parts: str) -> str:
    """Return the text at the foot of a card."""
    return shorten(" · ".join(part for part in parts if part), LONGEST_FOOT)


def list_faces(cards: Sequence[PrintCard]) -> list[Face]:
    """Return every face of the cards once, fronts before backs."""
    return list(dict.fromkeys([*(card.front for card in cards), *(card.back for card in cards if card.back)]))
