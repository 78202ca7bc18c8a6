"""The places of a document: what stands where, and why it cannot be read."""

from dataclasses import dataclass, field
from typing import NoReturn

from roster.formats.list_text import MAX_PARTS, clean_text

MAX_DEPTH = 40
MAX_NODES = 30_000
MAX_QUOTED = 100


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a document cannot be read, as data; `roster.wording.explain_unreadable` makes the sentence.

    `line` and `column` count from 1, 0 where there is no place to point at. `given` is what stands there, `suggestions`
    what it may have been meant to be, `detail` the parser's own words or the limit that was passed.
    """

    code: str
    line: int = 0
    column: int = 0
    given: str = ""
    suggestions: tuple[str, ...] = ()
    detail: str = ""


class UnreadableError(Exception):
    """Carries an `Unreadable` out of the depths of a reader; never leaves `roster.formats`."""

    def __init__(self, unreadable: Unreadable) -> None:
        super().__init__(unreadable.code)
        self.unreadable = unreadable


def refuse_size(parts: int) -> Unreadable:
    """Return the error of a list with too many parts."""
    return Unreadable("too-large", given=str(parts), detail=str(MAX_PARTS))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, number or word. `quoted` tells a text "12" from the number 12."""

    line: int
    column: int
    text: str
    quoted: bool = False

    @property
    def is_null(self) -> bool:
        return not self.quoted and self.text.lower() in ("", "~", "null")


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values."""

    line: int
    column: int
    items: list["Node"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fields:
    """Keys and their values, each key once."""

    line: int
    column: int
    pairs: dict[str, "Node"] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)


Node = Scalar | Items | Fields


def refuse_node(
    code: str,
    node: Node | None = None,
    *,
    line: int = 0,
    column: int = 0,
    given: str = "",
    suggestions: tuple[str, ...] = (),
    detail: str = "",
) -> NoReturn:
    """Give up reading, at the place of `node` unless another is given."""
    if node is not None and not line:
        line, column = node.line, node.column
    given, detail = clean_text(given[:MAX_QUOTED]), clean_text(detail[:MAX_QUOTED])
    raise UnreadableError(Unreadable(code, line, column, given, suggestions, detail))


def add_pair(fields: Fields, key: str, value: Node, place: tuple[int, int]) -> None:
    """Add a pair; a key that is there already ends the reading."""
    if key in fields.pairs:
        refuse_node("duplicate-key", given=key, line=place[0], column=place[1])
    fields.pairs[key] = value
    fields.places[key] = place
