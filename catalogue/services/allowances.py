"""What a unit lets its detachment take, which packs carry as hidden costs."""

from catalogue.definitions.numbers import Number
from catalogue.services.book import Book
from catalogue.services.card import Allowance

ALLOWED = "allowed/"
DEMANDED = "demanded/"
NARROWED = "-for-"


def allowances(book: Book, costs: dict[str, Number]) -> list[Allowance]:
    """The allowances among `costs`: `allowed/core` is how many at most, `demanded/core` how many at least."""
    places = [key.removeprefix(ALLOWED) for key in costs if key.startswith(ALLOWED)]
    return [
        Allowance(_name(book, place), int(costs.get(DEMANDED + place, 0)), int(costs[ALLOWED + place]))
        for place in places
    ]


def _name(book: Book, place: str) -> str:
    """The type or unit that `place` means; `core-for-some-unit` is core as that unit narrows it."""
    own = place.partition(NARROWED)[0]
    if category := book.binding.categories.get(own):
        return category.name
    found = book.binding.find_entry(place, book.catalogue)
    return found.entry.name if found else own
