"""The keys that options, models and choices share: how many, tied to what, changing what."""

from dataclasses import replace

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError
from catalogue.formats.packs.parse.context import ParseContext, named, names
from catalogue.formats.packs.parse.expressions import read_when
from catalogue.formats.packs.syntax.base import Reference
from catalogue.formats.packs.syntax.scalars import (
    EXACTLY_ONE,
    ONCE_AT_MOST,
    CountRange,
    read_range,
)
from catalogue.formats.packs.syntax.units import LimitSyntax, PartSyntax, ProfileChangeSyntax


def counted(part: PartSyntax, fields: MappingReader, kind: str) -> PartSyntax:
    """`count`, `up to` or `one per`: how many of an option or model there may be."""
    default = EXACTLY_ONE if kind == "model" else ONCE_AT_MOST
    up_to = fields.get("up to")
    count = fields.get("count")
    per = fields.get("one per")
    if up_to is not None:
        high = up_to.read(read_range, default).high
        return replace(part, range=CountRange(0, high), explicit=True)
    if per is not None:
        amount, noun = per.read(_read_per, (1, ""))
        return replace(part, range=CountRange(0, 0), explicit=True, per=(amount, Reference(noun, per.where)))
    if count is not None:
        return replace(part, range=count.read(read_range, default), explicit=True)
    return replace(part, range=default)


def conditions(part: PartSyntax, fields: MappingReader, desk: ParseContext) -> PartSyntax:
    """The keys that tie a part to others: `only when`, `limits`, `not with`, `needs`."""
    only = fields.get("only when")
    return replace(
        part,
        only_when=read_when(only) if only else None,
        limits=tuple(_limit(item, desk) for item in fields.each("limits")),
        not_with=names(fields.texts("not with")),
        needs=names(fields.texts("needs")),
    )


def _limit(item: DocumentNode, desk: ParseContext) -> LimitSyntax:
    fields = item.fields("The limit")
    when = fields.get("when")
    bounds = desk.bounds(fields)
    text = desk.rule_text(fields, required=False)
    note = fields.text("note")
    in_roster = fields.read("in", _read_place, False)
    fields.close()
    if note:
        text = replace(text, text=note)
    if not bounds:
        item.wrong(
            "missing-key", "The limit says no number.", "Add `at most: 1`, `at least: 1` or `exactly: 1`."
        )
    asked = read_when(when) if when else None
    return LimitSyntax(bounds=bounds, text=text, where=item.where, when=asked, in_roster=in_roster)


def _read_place(text: str) -> bool:
    """Whether a limit is one of the whole list, instead of the part's own place."""
    if text == "roster":
        return True
    raise MalformedValueError(
        f"A part is not limited in “{text}”.", "Write `in: roster`, or leave it out.", "unknown-scope"
    )


def changes(fields: MappingReader) -> tuple[ProfileChangeSyntax, ...]:
    """`changes:` of an option: figures of the profiles by column."""
    item = fields.get("changes")
    pairs = item.pairs() if item else ()
    return tuple(ProfileChangeSyntax(column=named(key), value=value.text()) for key, value in pairs)


def _read_per(text: str) -> tuple[int, str]:
    amount, _, noun = text.partition(" ")
    if amount.isdigit() and int(amount) > 0 and noun.strip():
        return int(amount), noun.strip()
    if text.strip() and not amount.isdigit():
        return 1, text.strip()
    raise MalformedValueError(
        f"“{text}” does not say per how many of what.", "Write it as `one per: 5 models`.", "wrong-form"
    )
