"""Units as they are printed."""

from collections.abc import Iterator
from dataclasses import replace

from catalogue.formats.packs.asked import Sum
from catalogue.formats.packs.forms.base import SILENT, RuleForm
from catalogue.formats.packs.forms.units import Allowance, JoinForm, UnitForm
from catalogue.formats.packs.problems import did_you_mean
from catalogue.formats.packs.reading.asking import read_sum, read_when
from catalogue.formats.packs.reading.desk import Desk, abilities, carried, named, names
from catalogue.formats.packs.reading.infos import read_rows
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.reading.parts import read_parts
from catalogue.formats.packs.reading.rules import MEND_BOUND, read_rules
from catalogue.formats.packs.words import EXACTLY_ONE, Range, read_range

LIMIT_SCOPES = ("roster", "detachment")


def read_unit(item: Item, desk: Desk) -> UnitForm:
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
    form = UnitForm(
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


def _options_path(own: str, fields: Fields) -> str:
    """Where the ids of options hang: below the unit that is one of several in a selection, else below the unit."""
    return f"{own}/unit" if "units" in fields else own


def _allows(fields: Fields) -> tuple[Allowance, ...]:
    item = fields.get("allows")
    return tuple(
        Allowance(name=named(key), range=value.read(read_range, Range(0, 0)))
        for key, value in (item.pairs() if item else ())
    )


def read_joins(item: Item) -> JoinForm:
    """Where an add-on may stand: a list of units, or a mapping."""
    if not item.is_map:
        return JoinForm(units=names(item.texts()))
    fields = item.fields("The add-on's `joins`")
    keeps = fields.get("keeps its type when")
    form = JoinForm(
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


def _counted_limits(fields: Fields, own: str, desk: Desk) -> Iterator[RuleForm]:
    """`limits:` of a unit: footnotes about something that is counted in it."""
    for number, item in enumerate(fields.each("limits"), 1):
        inner = item.fields("The limit")
        counted, when = inner.need("count"), inner.get("when")
        bounds = desk.bounds(inner)
        words = replace(desk.forms.texts.get("footnote", SILENT), cite=desk.cite(inner))
        note = inner.text("note")
        inner.close()
        if not bounds:
            item.wrong("missing-key", "The limit says no number.", MEND_BOUND)
        yield RuleForm(
            id=f"{own}/limit-{number}",
            name=words.name,
            where=item.where,
            cite=words.cite,
            text=replace(words, text=note or words.text),
            count=read_sum(counted) if counted else Sum(0, (), item.where),
            bounds=bounds,
            scope="unit",
            when=read_when(when) if when else None,
        )


def _limit(fields: Fields) -> tuple[tuple[str, int], ...]:
    """`limit: {roster: 2, detachment: 1}`."""
    item = fields.get("limit")
    found = []
    for key, value in item.pairs() if item else ():
        if key.text() in LIMIT_SCOPES:
            found.append((key.text(), value.read(read_range, EXACTLY_ONE).high or 0))
        else:
            mend = did_you_mean(key.text(), LIMIT_SCOPES)
            key.wrong("unknown-scope", f"A unit is not limited per “{key.text()}”.", mend)
    return tuple(found)
