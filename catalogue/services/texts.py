"""Small helpers that turn texts of the data into columns, addresses and search words."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from catalogue.definitions.link_index import Binding
from catalogue.models.base import ID_LENGTH, NAME_LENGTH

PAGE_LENGTH = 40
SAID_BEFORE = " "
"""Printed for a word that its row has said before: a dash would say that there is nothing."""


def shorten(text: str, length: int = NAME_LENGTH) -> str:
    """`text`, cut with an ellipsis where a column has no room for all of it.

    >>> shorten("Sluice Giants", 7)
    'Sluice…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


@lru_cache(maxsize=16_384)
def fold_text(text: str) -> str:
    """`text` without case, accents and typographic quotes, so that people find what they type.

    >>> fold_text("Prétorian’s  GATE")
    "pretorian's gate"
    """
    # Without accents and such quotes there is nothing to take apart.
    if text.isascii():
        return " ".join(text.casefold().split())
    plain = unicodedata.normalize("NFKD", text.translate(_TYPOGRAPHIC))
    return " ".join(plain.translate(_unaccented).casefold().split())


_TYPOGRAPHIC = str.maketrans("’‑", "'-")


class _Unaccented(dict[int, int | None]):
    """For `str.translate`: each letter as it is, accents that stand by themselves as nothing."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_unaccented = _Unaccented()


def build_citation_columns(binding: Binding, citation: Citation) -> dict[str, str]:
    """Return the columns of a `Cited` row."""
    publication = binding.publications.get(citation.publication_id)
    return {
        "book": shorten(publication.name if publication else citation.publication_id),
        "section": shorten(citation.section),
        "page": shorten(citation.page, PAGE_LENGTH),
    }


_COMMUNITY_BOOK = re.compile(
    r"(?P<owner>[\w.-]+)/[\w.-]+@[0-9a-f]{7,40}(?: (?P<part>.+?))?(?:, revision (?P<revision>\S+))?"
)


def name_book(name: str) -> str:
    """Name a book as people do: community data by whose it is, not by its commit.

    >>> name_book("BSData/field-book@e768bff Marsh Folk, revision 8"), name_book("Field Book")
    ('Community data (BSData), Marsh Folk, rev. 8', 'Field Book')
    """
    source = _COMMUNITY_BOOK.fullmatch(name)
    if source is None:
        return name
    revision = _("rev. %(revision)s") % {"revision": source["revision"]} if source["revision"] else ""
    owner = _("Community data (%(owner)s)") % {"owner": source["owner"]}
    return ", ".join(part for part in (owner, source["part"], revision) if part)


class Slugs:
    """Names as they are in addresses, each once; those that are `taken` never.

    >>> slugs = Slugs("unit")
    >>> slugs.make_slug("Reed Cutters"), slugs.make_slug("Reed cutters!"), slugs.make_slug("…")
    ('reed-cutters', 'reed-cutters-2', 'unit')
    """

    def __init__(self, fallback: str, *taken: str) -> None:
        self._fallback = fallback
        self._taken: set[str] = set(taken)

    def make_slug(self, name: str) -> str:
        base = _write_slug(name) or self._fallback
        slug, number = base, 1
        while slug in self._taken:
            number += 1
            slug = f"{base}-{number}"
        self._taken.add(slug)
        return slug


@lru_cache(maxsize=16_384)
def _write_slug(name: str) -> str:
    """Return a name as it is in addresses: of many factions' units, most names come again and again."""
    # Room is left for the number of one that is taken already.
    return slugify(name)[: ID_LENGTH - 10]


def blank_repeated(figures: Iterable[str]) -> tuple[str, ...]:
    """Say a word once in a row of a table: where the range is Melee, the type need not be.

    >>> blank_repeated(["Melee", "Melee", "User", "4", "4"])
    ('Melee', ' ', 'User', '4', '4')
    """
    words: set[str] = set()
    row = []
    for text in figures:
        row.append(SAID_BEFORE if text in words else text)
        if text.isalpha():
            words.add(text)
    return tuple(row)
