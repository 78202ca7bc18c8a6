"""What the printed entries of several games share: amounts in words, names as ids, lines that may be chosen."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from tests.second_reading.reading import Document, id_of

Part = Document | str
Entry = dict[str, Any]
"""A unit, squad, model or option as its file writes it."""

ANY = 10_000
WORDS = {"one": 1, "two": 2, "three": 3}


def slug(name: str) -> str:
    """Return a name as ids have it."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def amounts(written: str | int) -> tuple[int, int]:
    """Return the least and the most that an entry says: `5-10`, `up to 2`, `one`, `any`."""
    words = str(written).removeprefix("up to ")
    if words == "any":
        return 0, ANY
    least, _, most = words.partition("-")
    first = WORDS.get(least) or int(least)
    last = int(most) if most else first
    return (0 if str(written).startswith("up to") else first), last


def own_id(part: Part) -> str:
    """Return the id of what is chosen, without the one of the place where it was chosen: `place::chosen`."""
    return id_of(part).rpartition("::")[2]


@dataclass
class Line:
    """A model or option that an entry lists, with the list of choices that it stands in, if any."""

    id: str
    written: Entry
    group: Any = None
    most: int = 1
    """How many there may be of an option that says nothing of it."""

    @property
    def is_model(self) -> bool:
        return "model" in self.written

    @property
    def bounds(self) -> tuple[int, int]:
        """How many there may be by the line alone."""
        if "up to" in self.written:
            return 0, int(self.written["up to"])
        if "count" in self.written:
            return amounts(self.written["count"])
        if "one per" in self.written:
            return 0, ANY
        return (1, 1) if self.is_model else (0, self.most)
