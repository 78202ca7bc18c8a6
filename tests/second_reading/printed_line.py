"""What printed entries of several games share: amounts in words, names as ids, lines of options."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from tests.second_reading.reading import Document, id_of

Part = Document | str
Entry = dict[str, Any]
"""A unit, squad, model or option in a pack file."""

ANY = 10_000
WORDS = {"one": 1, "two": 2, "three": 3}


def slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def amounts(written: str | int) -> tuple[int, int]:
    """Return the least and the most of an amount: `5-10`, `up to 2`, `one`, `any`."""
    words = str(written).removeprefix("up to ")
    if words == "any":
        return 0, ANY
    least, _, most = words.partition("-")
    first = WORDS.get(least) or int(least)
    last = int(most) if most else first
    return (0 if str(written).startswith("up to") else first), last


def own_id(part: Part) -> str:
    return id_of(part).rpartition("::")[2]


@dataclass
class Line:
    """A model or option of an entry, with the list of choices around it, if any."""

    id: str
    written: Entry
    group: Any = None
    most: int = 1
    """The limit of an option that states none."""

    @property
    def is_model(self) -> bool:
        return "model" in self.written

    @property
    def bounds(self) -> tuple[int, int]:
        """The line's least and most."""
        if "up to" in self.written:
            return 0, int(self.written["up to"])
        if "count" in self.written:
            return amounts(self.written["count"])
        if "one per" in self.written:
            return 0, ANY
        return (1, 1) if self.is_model else (0, self.most)
