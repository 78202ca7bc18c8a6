"""Where a figure is printed: `rules, Columns, p. 14`, or just `p. 14` where the file names the book."""

import re

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.documents.node import DocumentNode
from catalogue.documents.problems import suggest_names

_PAGE = re.compile(r"pp?(?:\.\s*|\s+)(\S.*)", re.IGNORECASE)
MEND = "Add `cite: <book>, <section>, p. <page>`; section or page may be left out."


class CitationReader:
    """The publications that a pack may cite. `whole` are those that need no page: data files of a community."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.whole: set[str] = set()

    def read(self, item: DocumentNode, around: Citation = NOWHERE) -> Citation:
        """The citation in `item`; what it leaves out comes from the one around it."""
        return self._mapping(item, around) if item.is_map else self._line(item, around)

    def is_exact(self, citation: Citation) -> bool:
        """Whether a reader can find the place: a section or a page, or a source without pages."""
        placed = citation.section or citation.page or citation.publication_id in self.whole
        return bool(citation.publication_id and placed)

    def _mapping(self, item: DocumentNode, around: Citation) -> Citation:
        fields = item.fields("The citation")
        book = fields.get("book")
        publication = self._book(book) if book else around.publication_id
        section, page = fields.text("section"), fields.text("page")
        fields.close()
        return Citation(publication_id=publication, section=section, page=page)

    def _line(self, item: DocumentNode, around: Citation) -> Citation:
        publication, section, page = around.publication_id, "", ""
        parts = [part.strip() for part in re.split(r",|(?=\bpp?\.\s*\d)", item.text()) if part.strip()]
        for number, part in enumerate(parts):
            found = _PAGE.fullmatch(part)
            if found:
                page = found[1]
            elif number == 0 and (part in self.names or not publication):
                publication = self._book(item.replaced(part))
            elif not section:
                section = part.strip("“”\"'")
            else:
                item.wrong("wrong-form", f"“{part}” is too much for a citation.", MEND)
        return Citation(publication_id=publication, section=section, page=page)

    def _book(self, item: DocumentNode) -> str:
        name = item.text()
        if name not in self.names:
            mend = suggest_names(name, self.names) or "Name the book under `books:` in pack.yaml."
            item.wrong("unknown-book", f"The pack has no book “{name}”.", mend)
        return name
