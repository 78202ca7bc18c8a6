"""`command:` in a pack: who commands a list, and what that lets units count as."""

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.formats.packs.parse.context import ParseContext, named, names
from catalogue.formats.packs.parse.rules import read_text
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, Reference, RuleText
from catalogue.formats.packs.syntax.command import CommandSyntax, LeaveSyntax


def read_command(item: DocumentNode, desk: ParseContext) -> CommandSyntax:
    """`{name, of, by, outranked, undecided, contested, leave}`."""
    fields = item.fields("What commands")
    name, leave = fields.need("name"), fields.get("leave")
    undecided, contested = fields.get("undecided"), fields.get("contested")
    form = CommandSyntax(
        id="commander",
        name=name.text() if name else "",
        where=item.where,
        cite=desk.cite(fields),
        of=_named(fields, "of"),
        by=_named(fields, "by"),
        outranked=_words(fields, "outranked", desk),
        undecided=read_text(undecided, desk) if undecided else NO_RULE_TEXT,
        contested=read_text(contested, desk) if contested else NO_RULE_TEXT,
        leave=_leave(leave, desk) if leave else None,
    )
    fields.close()
    return form


def _leave(item: DocumentNode, desk: ParseContext) -> LeaveSyntax:
    fields = item.fields("What the commander gives leave to")
    option = fields.need("option")
    form = LeaveSyntax(
        ability=_named(fields, "ability"),
        option=option.text() if option else "",
        counts_as=_named(fields, "counts as"),
        of=names(fields.texts("of")),
        without=_words(fields, "without", desk),
        too_many=_words(fields, "too many", desk),
    )
    fields.close()
    return form


def _named(fields: MappingReader, key: str) -> Reference:
    item = fields.need(key)
    return named(item) if item else Reference("", fields.where)


def _words(fields: MappingReader, key: str, desk: ParseContext) -> RuleText:
    item = fields.need(key)
    return read_text(item, desk) if item else NO_RULE_TEXT
