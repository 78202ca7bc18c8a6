"""The context of constructs: names declared so far, and the enclosing construct."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import suggest_names

_PAGE = re.compile(r"pp?(?:\.\s*|\s+)(\S.*)", re.IGNORECASE)
HINT_CITE = "Add `cite: <book>, <section>, p. <page>`; section or page may be left out."
BOOK, SECTION, PAGE = "book", "section", "page"


class CitationReader:
    """Reads citations. `whole` are publications without pages."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.whole: set[str] = set()

    def read(self, node: DocumentNode, around: Citation = NOWHERE) -> Citation:
        """Complete a citation from the citation `around` it."""
        if node.is_map:
            mapping = MappingReader(node, "The citation")
            book = mapping.get(BOOK)
            publication = self._read_book(book) if book else around.publication_id
            section, page = mapping.read_text(SECTION), mapping.read_text(PAGE)
            mapping.close()
            return Citation(publication_id=publication, section=section, page=page)
        return self._read_line(node, around)

    def is_exact(self, citation: Citation) -> bool:
        """Return whether the citation gives a place, or needs none."""
        placed = citation.section or citation.page or citation.publication_id in self.whole
        return bool(citation.publication_id and placed)

    def _read_line(self, node: DocumentNode, around: Citation) -> Citation:
        publication, section, page = around.publication_id, "", ""
        # Split at commas, and before a page without a comma: `Book p. 4`.
        parts = [part.strip() for part in re.split(r",|(?=\bpp?\.\s*\d)", node.read_text())]
        for number, part in enumerate(filter(None, parts)):
            page_match = _PAGE.fullmatch(part)
            # With an enclosing book, the first part may be a section.
            is_book = number == 0 and (part in self.names or not publication)
            if page_match:
                page = page_match[1]
            elif is_book:
                publication = self._read_book(node.replace_text(part))
            elif not section:
                section = part.strip("“”\"'")
            else:
                node.report("wrong-form", f"“{part}” is too much for a citation.", HINT_CITE)
        return Citation(publication_id=publication, section=section, page=page)

    def _read_book(self, node: DocumentNode) -> str:
        name = node.read_text()
        if name not in self.names:
            hint = suggest_names(name, self.names) or "Name the book under `books:` in pack.yaml."
            node.report("unknown-book", f"The pack has no book “{name}”.", hint)
        return name


@dataclass(frozen=True, slots=True)
class ParseContext:
    """The surroundings of a construct, for its citation, names and ids.

    `faction`, `file` and `provisional` belong to the file. Ids of options begin with `path`, ids of rules with
    `rule_path`. `scope` is the default scope of rules. `declared` is the `PackSyntax` so far, which cannot be imported
    here.
    """

    declared: Any
    citations: CitationReader = field(default_factory=CitationReader)
    cite: Citation = NOWHERE
    faction: str = ""
    provisional: str = ""
    file: str = ""
    name: str = ""
    path: str = ""
    rule_path: str = ""
    scope: str = "detachment"

    def enter(self, cite: Citation, name: str = "") -> "ParseContext":
        return replace(self, cite=cite or self.cite, name=name)

    def read_citation(self, mapping: MappingReader, required: bool = False) -> Citation:
        """Report a citation without a place if it is `required`."""
        node = mapping.get("cite")
        cite = self.citations.read(node, self.cite) if node is not None else self.cite
        # A lone name has no room for a citation.
        if required and not mapping.is_lone and not self.citations.is_exact(cite):
            mapping.node.report("missing-citation", f"{mapping.title} does not say where it is printed.", HINT_CITE)
        return cite
