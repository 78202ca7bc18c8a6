"""Citations in short: a book with a long name is named once, and its number stands wherever it is cited."""

from catalogue.definitions.citations import Citation, Publication
from roster.services.rulesets import Books
from roster.wording import citation

LONGEST = 20


class Sources:
    """Makes the citations of one sheet, and keeps the numbers that it gave to books."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._numbered: dict[str, Publication] = {}

    def cite(self, place: Citation) -> str:
        """Reeds and Rust, p. 9; or, of a book whose name is longer: [1], p. 9."""
        book = self._books.get(place.publication_id)
        if book is None or len(book.name) <= LONGEST:
            return citation(place, self._books)
        if book.id not in self._numbered:
            number = len(self._numbered) + 1
            self._numbered[book.id] = Publication(id=book.id, name=f"[{number}]")
        return citation(place, self._numbered)

    @property
    def lines(self) -> tuple[str, ...]:
        """The books by number: "[1] Maelstrom's Edge, rulebook"."""
        return tuple(f"{book.name} {self._books[key].name}" for key, book in self._numbered.items())
