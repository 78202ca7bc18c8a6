"""Where a rule stands, in words: Reeds and Rust, “Columns”, p. 14."""

from django.utils.translation import gettext as _

from catalogue.definitions.citations import Citation
from roster.services.rulesets import Publications


def format_citation(place: Citation, books: Publications) -> str:
    """Format a citation as people write it; blank for none. A book the data does not name is left out."""
    book = books.get(place.publication_id)
    parts = [
        book.name if book else "",
        _("“%(section)s”") % {"section": place.section} if place.section else "",
        _format_page(place.page) if place.page else "",
    ]
    return ", ".join(part for part in parts if part)


def _format_page(page: str) -> str:
    """Format one page or several: "14", "14-15", "14, 18"."""
    many = any(sign in page for sign in "-–,")
    return (_("pp. %(page)s") if many else _("p. %(page)s")) % {"page": page}
