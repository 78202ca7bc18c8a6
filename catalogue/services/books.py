"""The book of a faction, kept while it is read."""

from catalogue.definitions.link_index import Binding
from catalogue.models import Faction
from catalogue.services.book import Book, Library
from catalogue.services.documents import dataset_for
from catalogue.services.lru import Lru

BOOKS_KEPT = 32

_books: Lru[tuple[str, str], Book] = Lru(BOOKS_KEPT)


def book_of(faction: Faction) -> Book:
    """What `faction` offers, read once per process and content."""
    key = (faction.version.content_hash, faction.faction_id)
    return _books.get(key, lambda: _open(faction))


def _open(faction: Faction) -> Book:
    binding = Binding(dataset_for(faction.version, faction.faction_id))
    return Book(Library(binding), binding.by_id[faction.faction_id])


def forget_books() -> None:
    """Close all books, for measurements and tests."""
    _books.clear()
