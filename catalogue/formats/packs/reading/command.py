"""`command:` in a pack: who commands a list, and what that lets units count as."""

from catalogue.formats.packs.forms.base import SILENT, Named, RuleText
from catalogue.formats.packs.forms.command import CommandForm, LeaveForm
from catalogue.formats.packs.reading.desk import Desk, named, names
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.reading.rules import read_text


def read_command(item: Item, desk: Desk) -> CommandForm:
    """`{name, of, by, outranked, undecided, contested, leave}`."""
    fields = item.fields("What commands")
    name, leave = fields.need("name"), fields.get("leave")
    undecided, contested = fields.get("undecided"), fields.get("contested")
    form = CommandForm(
        id="commander",
        name=name.text() if name else "",
        where=item.where,
        cite=desk.cite(fields),
        of=_named(fields, "of"),
        by=_named(fields, "by"),
        outranked=_words(fields, "outranked", desk),
        undecided=read_text(undecided, desk) if undecided else SILENT,
        contested=read_text(contested, desk) if contested else SILENT,
        leave=_leave(leave, desk) if leave else None,
    )
    fields.close()
    return form


def _leave(item: Item, desk: Desk) -> LeaveForm:
    fields = item.fields("What the commander gives leave to")
    option = fields.need("option")
    form = LeaveForm(
        ability=_named(fields, "ability"),
        option=option.text() if option else "",
        counts_as=_named(fields, "counts as"),
        of=names(fields.texts("of")),
        without=_words(fields, "without", desk),
        too_many=_words(fields, "too many", desk),
    )
    fields.close()
    return form


def _named(fields: Fields, key: str) -> Named:
    item = fields.need(key)
    return named(item) if item else Named("", fields.where)


def _words(fields: Fields, key: str, desk: Desk) -> RuleText:
    item = fields.need(key)
    return read_text(item, desk) if item else SILENT
