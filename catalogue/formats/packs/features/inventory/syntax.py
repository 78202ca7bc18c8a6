"""Read `inventory:` of packs."""

import re
from typing import Any

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.documents.node import MappingReader
from catalogue.documents.section import TEXT, KeySpec, Section, expect_named_sections, expect_sections, key, need
from catalogue.formats.packs.syntax.base import (
    CITATION,
    NAMES,
    CommonValues,
    KeyNode,
    NamedSyntax,
    Reference,
    expect_word,
)
from catalogue.formats.packs.syntax.context import ParseContext

CLAUSE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class ClauseSyntax(Section):
    """`open` says why the clause is not implemented."""

    title = "The clause"
    short = "text"

    id: str
    text: str = need("text", TEXT, "what a list can break")
    open: str = key("open", TEXT, "why it is not implemented yet")

    @classmethod
    def read_common_keys(cls, mapping: MappingReader, context: ParseContext, under: KeyNode) -> CommonValues:
        assert under is not None  # noqa: S101 - clauses are read from a mapping
        if CLAUSE_ID.fullmatch(under.read_text()) is None:
            under.report(
                "wrong-form",
                f"“{under.read_text()}” is not the id of a clause.",
                "Use small letters, digits and hyphens.",
            )
        return {"id": under.read_text()}, context


class InventoryRuleSyntax(NamedSyntax):
    """A rule of the inventory. Its wording may be elsewhere in the pack."""

    title = "The rule of the inventory"
    identity_keys = ("cite",)

    text: str = key("text", TEXT, "one sentence in our own words; not needed if the pack has it elsewhere")
    kind: RuleKind = key(
        "kind",
        expect_word(RuleKind.HARD, "A rule's kind"),
        "`hard`: a list must keep it; `soft`: advice; `show`: information",
    )
    stage: RuleStage = key("stage", expect_word(RuleStage.LIST, "A rule's stage"), "when it can be checked")
    reading: str = key("reading", TEXT, "your interpretation of an unclear rule")
    caveat: str = key("caveat", TEXT, "what is not implemented")
    part_of: tuple[Reference, ...] = key("part of", NAMES, "the rules that implement it")
    clauses: tuple[ClauseSyntax, ...] = key(
        "clauses", expect_named_sections(ClauseSyntax, "`id: clause`"), "everything that a list can break separately"
    )
    cited: bool = False

    @classmethod
    def read_identity(cls, mapping: MappingReader, under: KeyNode) -> tuple[str, str]:
        node = mapping.need("rule", "Add `rule:` with the rule's id.")
        return mapping.read_text("name"), node.read_text() if node is not None else ""

    @classmethod
    def complete_values(cls, values: dict[str, Any], mapping: MappingReader, context: ParseContext) -> None:
        values["cited"] = "cite" in mapping

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (
            KeySpec("rule", TEXT, "its id", required=True),
            KeySpec("name", TEXT, "a heading; not needed if the pack has it elsewhere"),
            KeySpec("cite", CITATION, "where it is printed"),
        )


class InventorySyntax(Section):
    page = "inventory"

    inventory: tuple[InventoryRuleSyntax, ...] = key(
        "inventory", expect_sections(InventoryRuleSyntax, "list of rules"), "the rules of the book"
    )
