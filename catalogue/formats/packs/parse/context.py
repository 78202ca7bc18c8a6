"""What the readers of a pack's constructs share: what is declared so far, and what encloses the construct."""

from dataclasses import dataclass, field, replace
from typing import Any

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.documents.node import MappingReader
from catalogue.formats.packs.parse.citations import HINT_CITE, CitationReader


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What encloses a construct: the citation that it inherits, the names and ids that its own are made of.

    `faction`, `file` and `provisional` are of the file; `name` is that of the construct itself; ids of options begin
    with `path`, ids of rules with `rule_path`; a rule that says nothing else holds in `scope`. `declared` is the
    `PackSyntax` so far, which is made of constructs that are read in a context.
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
        """Return the context inside a construct of that name, which cites something or inherits the citation."""
        return replace(self, cite=cite or self.cite, name=name)

    def read_citation(self, mapping: MappingReader, required: bool = False) -> Citation:
        """Return the citation of a construct; `required` reports one that leads nowhere."""
        node = mapping.get("cite")
        cite = self.citations.read(node, self.cite) if node is not None else self.cite
        if required and not mapping.is_lone and not self.citations.is_exact(cite):
            mapping.node.report(
                "missing-citation", f"{mapping.title} does not say where it is printed.", HINT_CITE
            )
        return cite
