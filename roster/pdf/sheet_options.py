from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Choice = TypeVar("Choice", bound=StrEnum)


class PaperSize(StrEnum):
    A4 = "a4"
    LETTER = "letter"


class Style(StrEnum):
    """Everything, a one-page summary, the opponent's copy, that copy without points and options, the army's abilities
    by phase, or a page that is folded twice.
    """

    FULL = "full"
    SUMMARY = "summary"
    OPPONENT = "opponent"
    VEILED = "veiled"
    TURNS = "turns"
    POCKET = "pocket"


class Ink(StrEnum):
    """Print with tints and the game's colour, or black on white."""

    LIGHT = "light"
    SAVER = "saver"


class Photos(StrEnum):
    """No photos on a full sheet, or the owner's photos of the list and of each unit."""

    NONE = "no"
    SHOWN = "yes"


class TypeSize(StrEnum):
    """The type of cards: small enough for all text, or readable at arm's length."""

    USUAL = "usual"
    LARGE = "large"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOptions:
    paper: PaperSize = PaperSize.A4
    style: Style = Style.FULL
    ink: Ink = Ink.LIGHT
    photos: Photos = Photos.NONE

    @property
    def has_summary(self) -> bool:
        """Whether the summary would be shorter."""
        return self.style in (Style.FULL, Style.OPPONENT)


class BadOptionError(ValueError):
    def __init__(self, name: str, given: str, choices: tuple[str, ...]) -> None:
        super().__init__(f"{name} is {given!r}; there are {', '.join(choices)}")
        self.name = name
        self.given = given
        self.choices = choices


def read_options(given: Mapping[str, str]) -> SheetOptions:
    """Read options from URL parameters. Raises BadOptionError.

    >>> read_options({"paper": "letter"}).paper.value
    'letter'
    """
    return SheetOptions(
        paper=_read_choice(given, "paper", PaperSize.A4),
        style=_read_choice(given, "style", Style.FULL),
        ink=_read_choice(given, "ink", Ink.LIGHT),
        photos=_read_choice(given, "photos", Photos.NONE),
    )


def _read_choice(given: Mapping[str, str], name: str, default: Choice) -> Choice:
    text = given.get(name, default.value)
    kind = type(default)
    try:
        return kind(text)
    except ValueError:
        raise BadOptionError(name, text, tuple(one.value for one in kind)) from None
