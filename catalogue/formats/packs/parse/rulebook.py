"""The inventory of the book's rules."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

from catalogue.definitions.rulebook import RuleKind, RuleStage
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.formats.packs.parse.context import ParseContext, names
from catalogue.formats.packs.syntax.base import ClauseSyntax, InventoryRuleSyntax

Word = TypeVar("Word", bound=StrEnum)
CLAUSE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def read_inventory(item: DocumentNode, desk: ParseContext) -> InventoryRuleSyntax:
    """A rule of the inventory; heading and sentence may be left out where the pack says them of the rule itself."""
    fields = item.fields("The rule of the inventory")
    own = fields.need("rule", "Add `rule:` with the rule's id.")
    form = InventoryRuleSyntax(
        id=own.text() if own else "",
        name=fields.text("name"),
        where=item.where,
        cite=desk.cite(fields),
        cited="cite" in fields,
        text=fields.text("text"),
        kind=_word(fields, "kind", RuleKind.HARD),
        stage=_word(fields, "stage", RuleStage.LIST),
        reading=fields.text("reading"),
        caveat=fields.text("caveat"),
        part_of=names(fields.texts("part of")),
        clauses=tuple(_clauses(fields)),
    )
    fields.close()
    return form


def _clauses(fields: MappingReader) -> Iterator[ClauseSyntax]:
    """Read `clauses: {id: text}`, where a text may be `{text: ..., open: ...}` for what is not carried out yet."""
    clauses = fields.get("clauses")
    for name, value in clauses.pairs() if clauses is not None else ():
        if CLAUSE_ID.fullmatch(name.text()) is None:
            name.wrong(
                "wrong-form",
                f"“{name.text()}” is no id of a clause.",
                "Use small letters, digits and hyphens.",
            )
        if value.is_text:
            yield ClauseSyntax(id=name.text(), text=value.text(), where=name.where)
            continue
        inner = value.fields("The clause")
        text = inner.need("text")
        yield ClauseSyntax(
            id=name.text(),
            text=text.text() if text else "",
            where=name.where,
            open=inner.text("open"),
        )
        inner.close()


def _word(fields: MappingReader, key: str, default: Word) -> Word:
    kind = type(default)

    def read(text: str) -> Word:
        try:
            return kind(text)
        except ValueError:
            mend = suggest_names(text, [word.value for word in kind])
            raise MalformedValueError(f"A rule's {key} is not “{text}”.", mend, "wrong-form") from None

    return fields.read(key, read, default)
