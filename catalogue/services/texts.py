"""Prepare texts of the data for columns, addresses and searches."""

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
"""Printed for repeated words, because a dash would mean no value."""


def shorten(text: str, length: int = NAME_LENGTH) -> str:
    """Cut a text with an ellipsis.

    >>> shorten("Sluice Giants", 7)
    'Sluice…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


@lru_cache(maxsize=16_384)
def fold_text(text: str) -> str:
    """Remove case, accents and typographic quotes for searches.

    >>> fold_text("Prétorian’s  GATE")
    "pretorian's gate"
    """
    # Plain ASCII needs no decomposition.
    if text.isascii():
        return " ".join(text.casefold().split())
    plain = unicodedata.normalize("NFKD", text.translate(_TYPOGRAPHIC))
    return " ".join(plain.translate(_unaccented).casefold().split())


_TYPOGRAPHIC = str.maketrans("’‑", "'-")


class _Unaccented(dict[int, int | None]):
    """Drops combining accents in `str.translate`."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_unaccented = _Unaccented()


def build_citation_columns(binding: Binding, citation: Citation) -> dict[str, str]:
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
    """Return a book's name; community data is named by its owner instead of its commit.

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
    """Make unique slugs from names, avoiding `taken` ones.

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
    # Leaves room for a number.
    return slugify(name)[: ID_LENGTH - 10]


def blank_repeated(figures: Iterable[str]) -> tuple[str, ...]:
    """Blank out words that repeat in a table row, such as a second "Melee".

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
