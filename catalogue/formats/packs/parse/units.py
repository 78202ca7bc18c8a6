"""Units as they are printed."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.parse.context import ParseContext, abilities, carried, named, names
from catalogue.formats.packs.parse.expressions import read_sum, read_when
from catalogue.formats.packs.parse.infos import read_rows
from catalogue.formats.packs.parse.parts import read_parts
from catalogue.formats.packs.parse.rules import MEND_BOUND, read_rules
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, RuleSyntax
from catalogue.formats.packs.syntax.expressions import SumExpression
from catalogue.formats.packs.syntax.scalars import EXACTLY_ONE, CountRange, read_range
from catalogue.formats.packs.syntax.units import AllowanceSyntax, JoinSyntax, UnitSyntax

LIMIT_SCOPES = ("roster", "detachment")


def read_unit(item: DocumentNode, desk: ParseContext) -> UnitSyntax:
    """One unit with everything that stands in its entry."""
    fields = item.fields("The unit")
    own, name = desk.identity(fields, "unit")
    fields.what = f"The unit “{name}”"
    cite = desk.cite(fields, required=True)
    inner = desk.inside(cite)
    kind = fields.need("type")
    profile, joins, only = fields.get("profile"), fields.get("joins"), fields.get("only when")
    models = fields.get("models")
    options = _options_path(own, fields)
    form = UnitSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=cite,
        faction=desk.faction,
        file=desk.file,
        type=named(kind) if kind else None,
        also_in=names(fields.texts("also in")),
        keywords=names(fields.texts("keywords")),
        prices=inner.prices(fields),
        about=fields.text("about"),
        row=inner.row(profile, name, "models") if profile else None,
        rows=read_rows(fields, inner),
        carries=carried(fields.texts("carries")),
        abilities=abilities(fields.each("abilities")),
        models=read_parts(models.each(), options, inner, "model") if models else (),
        options=read_parts(fields.each("options"), options, inner),
        units=fields.read("units", read_range, EXACTLY_ONE),
        allows=_allows(fields),
        bars=names(fields.texts("bars")),
        by_name_only=fields.flag("by name only"),
        joins=read_joins(joins) if joins else None,
        only_joined=fields.flag("only joined"),
        empty=fields.flag("empty"),
        home=names(fields.texts("home")),
        unique=fields.flag("unique"),
        limit=_limit(fields),
        only_when=read_when(only) if only else None,
        rules=(*read_rules(fields.each("rules"), inner, "unit", own), *_counted_limits(fields, own, inner)),
        unchecked=tuple(line.text() for line in fields.each("unchecked")),
        provisional=fields.text("provisional", desk.provisional),
    )
    fields.close()
    return form


def _options_path(own: str, fields: MappingReader) -> str:
    """Where the ids of options hang: below the unit that is one of several in a selection, else below the unit."""
    return f"{own}/unit" if "units" in fields else own


def _allows(fields: MappingReader) -> tuple[AllowanceSyntax, ...]:
    item = fields.get("allows")
    return tuple(
        AllowanceSyntax(name=named(key), range=value.read(read_range, CountRange(0, 0)))
        for key, value in (item.pairs() if item else ())
    )


def read_joins(item: DocumentNode) -> JoinSyntax:
    """Where an add-on may stand: a list of units, or a mapping."""
    if not item.is_map:
        return JoinSyntax(units=names(item.texts()))
    fields = item.fields("The add-on's `joins`")
    keeps = fields.get("keeps its type when")
    form = JoinSyntax(
        units=names(fields.texts("units")),
        types=names(fields.texts("types")),
        keywords=names(fields.texts("keywords")),
        most=fields.read("up to", read_range, EXACTLY_ONE).high or 1,
        within_size=fields.flag("within size"),
        keeps_type=read_when(keeps) if keeps else None,
    )
    fields.close()
    if not (form.units or form.types or form.keywords):
        item.wrong(
            "missing-key", "It is not said whom the add-on joins.", "Add `units:`, `types:` or `keywords:`."
        )
    return form


def _counted_limits(fields: MappingReader, own: str, desk: ParseContext) -> Iterator[RuleSyntax]:
    """`limits:` of a unit: footnotes about something that is counted in it."""
    for number, item in enumerate(fields.each("limits"), 1):
        inner = item.fields("The limit")
        counted, when = inner.need("count"), inner.get("when")
        bounds = desk.bounds(inner)
        words = replace(desk.forms.texts.get("footnote", NO_RULE_TEXT), cite=desk.cite(inner))
        note = inner.text("note")
        inner.close()
        if not bounds:
            item.wrong("missing-key", "The limit says no number.", MEND_BOUND)
        yield RuleSyntax(
            id=f"{own}/limit-{number}",
            name=words.name,
            where=item.where,
            cite=words.cite,
            text=replace(words, text=note or words.text),
            count=read_sum(counted) if counted else SumExpression(0, (), item.where),
            bounds=bounds,
            scope="unit",
            when=read_when(when) if when else None,
        )


def _limit(fields: MappingReader) -> tuple[tuple[str, int], ...]:
    """`limit: {roster: 2, detachment: 1}`."""
    item = fields.get("limit")
    found = []
    for key, value in item.pairs() if item else ():
        if key.text() in LIMIT_SCOPES:
            found.append((key.text(), value.read(read_range, EXACTLY_ONE).high or 0))
        else:
            mend = suggest_names(key.text(), LIMIT_SCOPES)
            key.wrong("unknown-scope", f"A unit is not limited per “{key.text()}”.", mend)
    return tuple(found)
