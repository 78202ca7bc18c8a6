"""pack.yaml: what the game is, its words, and how armies are organised."""

import re

from catalogue.definitions.citations import Publication
from catalogue.definitions.numbers import Number
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.formats.packs.pack import Pack, Preset, RulesetInfo
from catalogue.formats.packs.parse.command import read_command
from catalogue.formats.packs.parse.context import ParseContext, named, names, read_id, read_unchecked
from catalogue.formats.packs.parse.expressions import read_sum, read_when
from catalogue.formats.packs.parse.rules import (
    read_common,
    read_detachment,
    read_rules,
    read_text,
    read_texts,
)
from catalogue.formats.packs.parse.units import read_joins
from catalogue.formats.packs.syntax.base import RuleText
from catalogue.formats.packs.syntax.builtin_rules import BUILTIN_RULES, DETACHMENT_RULES
from catalogue.formats.packs.syntax.expressions import ALWAYS_TRUE, ConditionExpression, SumExpression
from catalogue.formats.packs.syntax.game import AlikeSyntax, FigureSyntax, SetSyntax
from catalogue.formats.packs.syntax.gathered import JoiningUnitsSyntax, WithheldUnitsSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import JoinSyntax

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def read_organisation(fields: MappingReader, desk: ParseContext) -> None:
    """Rules, detachments, and the words of the rules that the loader makes itself."""
    desk.forms.texts |= read_texts(fields.get("built in rules"), desk, (*BUILTIN_RULES, *DETACHMENT_RULES))
    desk.forms.sets += [_set(item, desk) for item in fields.each("sets")]
    desk.forms.figures += [_figure(item, desk) for item in fields.each("figures")]
    shown = fields.get("must show")
    for key, value in shown.pairs() if shown else ():
        desk.forms.shown[make_id(key.text())] = read_text(value, desk)
    desk.forms.rules += read_rules(fields.each("rules"), desk, "detachment")
    desk.forms.one_faction += [_one_faction(item, desk) for item in fields.each("one faction")]
    if common := fields.get("common keyword"):
        desk.forms.common = read_common(common, desk)
    desk.forms.detachments += [read_detachment(item, desk) for item in fields.each("detachments")]
    if command := fields.get("command"):
        desk.forms.command = read_command(command, desk)
    desk.forms.anywhere = names(fields.texts("anywhere"))
    desk.forms.joining += [_joining(item) for item in fields.each("joining")]
    desk.forms.withheld += [_withheld(item, desk) for item in fields.each("withheld")]
    desk.forms.unchecked += [read_unchecked(item, desk) for item in fields.each("unchecked")]


def _withheld(item: DocumentNode, desk: ParseContext) -> WithheldUnitsSyntax:
    """What is not on offer: of which units, when, and the rule that it breaks."""
    fields = item.fields("What is withheld")
    when = fields.need("when")
    form = WithheldUnitsSyntax(
        of=names(fields.texts("of")),
        when=read_when(when) if when else ALWAYS_TRUE,
        text=desk.rule_text(fields),
    )
    fields.close()
    return form


def _joining(item: DocumentNode) -> JoiningUnitsSyntax:
    """Whom all units of some types or keywords join."""
    fields = item.fields("What joins")
    joins = fields.need("joins")
    form = JoiningUnitsSyntax(
        of=names(fields.texts("of")), joins=read_joins(joins) if joins else JoinSyntax()
    )
    fields.close()
    return form


def _set(item: DocumentNode, desk: ParseContext) -> SetSyntax:
    """Units that rules count together."""
    fields = item.fields("The set")
    own, name = desk.identity(fields, "set")
    when, alike = fields.get("when"), fields.get("alike")
    form = SetSyntax(
        id=own,
        name=name,
        where=item.where,
        of=names(fields.texts("of")),
        called=names(fields.texts("called")),
        also_in=names(fields.texts("also in")),
        home=names(fields.texts("home")),
        alike=_alike(alike) if alike else None,
        when=read_when(when) if when else None,
    )
    fields.close()
    return form


def _alike(item: DocumentNode) -> AlikeSyntax:
    fields = item.fields("What is alike")
    of, to = fields.need("of"), fields.need("to")
    form = AlikeSyntax(
        of=named(of or item),
        to=named(to or item),
        strike=tuple(word.text() for word in fields.texts("strike")),
    )
    fields.close()
    return form


def _figure(item: DocumentNode, desk: ParseContext) -> FigureSyntax:
    """A number that a list is known by."""
    fields = item.fields("The figure")
    own, name = desk.identity(fields, "figure")
    count = fields.need("count")
    form = FigureSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=desk.cite(fields),
        count=read_sum(count) if count else SumExpression(0, (), item.where),
        text=fields.text("text"),
    )
    fields.close()
    return form


def _one_faction(item: DocumentNode, desk: ParseContext) -> tuple[RuleText, ConditionExpression | None]:
    """The words of the rule, and when it holds."""
    if item.is_text:
        return read_text(item, desk), None
    fields = item.fields("The rule")
    when = fields.get("when")
    found = desk.rule_text(fields), read_when(when) if when else None
    fields.close()
    return found


def read_pack_line(
    fields: MappingReader, desk: ParseContext, books: tuple[Publication, ...], notice: str
) -> Pack:
    """Name, edition, version, colours, notice, presets and rulesets."""
    identity = fields.need("pack", "Add `pack:` with an id, as `pack: my-game`.")
    own = identity.read(read_id, "") if identity else ""
    name, version = fields.need("name"), fields.need("version")
    accent = fields.get("accent")
    light, dark = _accent(accent) if accent else ("", "")
    return Pack(
        id=own,
        game_id=fields.text("game", own),
        game=name.text() if name else "",
        edition=fields.text("edition"),
        version=version.text() if version else "",
        title=fields.text("title"),
        language=fields.text("language", "en"),
        about=fields.text("about"),
        publisher=fields.text("publisher"),
        notice=notice,
        accent=light,
        accent_dark=dark or light,
        example=fields.flag("example"),
        unofficial=fields.flag("unofficial", True),
        books=books,
        presets=tuple(_preset(item, desk) for item in fields.each("presets")),
        rulesets=tuple(_ruleset(item, desk) for item in fields.each("rulesets")),
    )


def _preset(item: DocumentNode, desk: ParseContext) -> Preset:
    fields = item.fields("The preset")
    own, name = desk.identity(fields, "preset")
    limits: dict[str, Number] = {}
    given = fields.get("limits")
    for key, value in given.pairs() if given else ():
        if key.text() in desk.forms.costs:
            limits[key.text()] = value.number()
        else:
            key.wrong(
                "unknown-cost",
                f"There is no cost “{key.text()}”.",
                suggest_names(key.text(), desk.forms.costs),
            )
    preset = Preset(
        id=own, name=name, text=fields.text("text"), limits=limits, detachments=_kinds(fields, desk)
    )
    fields.close()
    return preset


def _ruleset(item: DocumentNode, desk: ParseContext) -> RulesetInfo:
    fields = item.fields("The ruleset")
    own, name = desk.identity(fields, "ruleset")
    found = RulesetInfo(id=own, name=name, text=fields.text("text"), detachments=_kinds(fields, desk))
    fields.close()
    return found


def _kinds(fields: MappingReader, desk: ParseContext) -> tuple[str, ...]:
    known = {form.id for form in desk.forms.detachments}
    found = []
    for item in fields.texts("detachments"):
        if item.text() in known:
            found.append(item.text())
        else:
            mend = suggest_names(item.text(), known)
            item.wrong("unknown-detachment", f"There is no detachment “{item.text()}”.", mend)
    return tuple(found)


def _accent(item: DocumentNode) -> tuple[str, str]:
    if item.is_text:
        return item.read(_read_colour, ""), ""
    fields = item.fields("The accent colour")
    light, dark = fields.read("light", _read_colour, ""), fields.read("dark", _read_colour, "")
    fields.close()
    return light, dark


def _read_colour(text: str) -> str:
    if _COLOUR.fullmatch(text):
        return text.lower()
    raise MalformedValueError(f"“{text}” is not a colour.", 'Write it as "#4d6b2f", in quotes.', "bad-colour")
