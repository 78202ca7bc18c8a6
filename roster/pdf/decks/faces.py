"""What is printed on cards, before anything is known of paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a table on a card: what stands left, and right."""

    name: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a face under a label: paragraphs, then rows. `figure`: a drawing of ours as SVG."""

    label: str = ""
    texts: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    figure: SafeString | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One side of a card. `kicker` says what it is, `corner` is a number in a corner, `icon` names one of icons/."""

    title: str = ""
    kicker: str = ""
    corner: str = ""
    icon: str = ""
    blocks: tuple[Block, ...] = ()
    foot: str = ""
    continued: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintCard:
    """A card. Without a `back` of its own its text may go on there; `key` tells it from others in one print."""

    key: str
    front: Face
    back: Face | None = None
    copies: int = 1


def faces_of(cards: Sequence[PrintCard]) -> list[Face]:
    """Every face of the cards once, fronts before backs."""
    return list(dict.fromkeys([*(card.front for card in cards), *(card.back for card in cards if card.back)]))
