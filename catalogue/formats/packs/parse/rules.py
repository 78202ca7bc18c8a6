"""Rules as data: what is counted, how it is bound, where and when."""

from catalogue.definitions.constraints import Stage
from catalogue.documents.node import DocumentNode, MappingReader
from catalogue.documents.problems import MalformedValueError, suggest_names
from catalogue.formats.packs.parse.context import ParseContext, named, names
from catalogue.formats.packs.parse.expressions import read_sum, read_when
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, Reference, RuleSyntax, RuleText
from catalogue.formats.packs.syntax.builtin_rules import ANY_FOREIGN, DETACHMENT_RULES, FOREIGN, NARROWED
from catalogue.formats.packs.syntax.expressions import SumExpression
from catalogue.formats.packs.syntax.game import (
    AllowancesSyntax,
    CommonKeywordSyntax,
    DetachmentSyntax,
    SlotSyntax,
)
from catalogue.formats.packs.syntax.scalars import CountRange, make_id, read_range

ANY_NUMBER = CountRange(0, None)
MEND_BOUND = "Add `at most:`, `at least:` or `exactly:`."


def read_rules(
    items: list[DocumentNode], desk: ParseContext, scope: str, path: str = ""
) -> tuple[RuleSyntax, ...]:
    return tuple(read_rule(item, desk, scope, path) for item in items)


def read_rule(item: DocumentNode, desk: ParseContext, scope: str, path: str = "") -> RuleSyntax:
    """One rule. Without `in:` it holds in `scope`."""
    fields = item.fields("The rule")
    identity = fields.need("rule", "Add `rule:` with an id of its own, as `rule: my-game-columns`.")
    own = identity.text() if identity else ""
    if own:
        fields.what = f"The rule “{own}”"
    fields.need("name", "Add `name:`, a heading of a few words.")
    fields.need("text", "Add `text:`, one sentence in your own words.")
    text = desk.rule_text(fields)
    place, of = _place(fields, scope)
    counted = fields.need("count")
    when = fields.get("when")
    bounds = desk.bounds(fields)
    if not bounds:
        item.wrong("missing-key", f"{fields.what} has no bound.", MEND_BOUND)
    rule = RuleSyntax(
        id=f"{path}/{own}" if path else own,
        name=text.name,
        where=item.where,
        cite=text.cite,
        text=text,
        count=read_sum(counted) if counted else SumExpression(0, (), item.where),
        bounds=bounds,
        scope=place,
        of=of,
        for_each=names(fields.texts("for each")),
        mixed=fields.flag("mixed"),
        when=read_when(when) if when else None,
        stage=fields.read("stage", _read_stage, Stage.LIST),
    )
    fields.close()
    return rule


def _read_stage(text: str) -> Stage:
    try:
        return Stage(text)
    except ValueError:
        mend = suggest_names(text, [stage.value for stage in Stage])
        raise MalformedValueError(
            f"A rule is not judged at the stage “{text}”.", mend, "wrong-form"
        ) from None


def _place(fields: MappingReader, scope: str) -> tuple[str, tuple[Reference, ...]]:
    place = fields.read("in", _read_scope, scope)
    return place, names(fields.texts("of"))


def _read_scope(text: str) -> str:
    word = {"list": "roster", "force": "roster"}.get(text, text)
    if word in ("roster", "detachment", "unit", "card"):
        return word
    raise MalformedValueError(
        f"A rule cannot be in “{text}”.", "Write roster, detachment, unit or card.", "unknown-scope"
    )


def read_text(item: DocumentNode, desk: ParseContext) -> RuleText:
    """The words of a rule that the loader makes itself: an id alone, or a mapping."""
    if item.is_text:
        return RuleText(rule=item.text(), cite=desk.around)
    fields = item.fields("The rule")
    text = desk.rule_text(fields)
    fields.close()
    return text


def read_detachment(item: DocumentNode, desk: ParseContext) -> DetachmentSyntax:
    """A kind of detachment: its slots, allowances and rules."""
    fields = item.fields("The detachment")
    own, name = desk.identity(fields, "detachment")
    fields.what = f"The detachment “{name}”"
    cite = desk.cite(fields, required=True)
    inner = desk.inside(cite)
    slot_rule, count_rule = fields.get("slot rule"), fields.get("count rule")
    slots, allowances = fields.need("slots"), fields.get("allowances")
    common = fields.get("common keyword")
    form = DetachmentSyntax(
        id=own,
        name=name,
        where=item.where,
        cite=cite,
        text=fields.text("text"),
        prices=inner.prices(fields),
        slots=_slots(slots) if slots else (),
        slot_text=read_text(slot_rule, inner) if slot_rule else NO_RULE_TEXT,
        count=fields.read("count", read_range, ANY_NUMBER),
        count_text=read_text(count_rule, inner) if count_rule else NO_RULE_TEXT,
        allowances=_allowances(allowances, inner) if allowances else None,
        common=read_common(common, inner) if common else None,
        rules=read_rules(fields.each("rules"), inner, "detachment"),
        texts=read_texts(fields.get("built in rules"), inner, DETACHMENT_RULES),
        factions=names(fields.texts("factions")),
    )
    fields.close()
    return form


def read_texts(item: DocumentNode | None, desk: ParseContext, known: tuple[str, ...]) -> dict[str, RuleText]:
    """The words of rules by their name, which is one of `known`."""
    found = {}
    for key, value in item.pairs() if item else ():
        name = key.text().lower()
        foreign = name.removeprefix(FOREIGN) if name.startswith(FOREIGN) else ""
        if (
            name in known
            or foreign in ANY_FOREIGN
            or make_id(foreign) in desk.forms.types
            or _narrowed(name, desk)
        ):
            found[name] = read_text(value, desk)
        else:
            key.wrong("unknown-key", f"There is no built-in rule “{name}”.", suggest_names(name, known))
    return found


def _narrowed(name: str, desk: ParseContext) -> bool:
    """Whether it is a rule about what stands where it should not, narrowed to a type or keyword."""
    base, _, what = name.partition(NARROWED)
    return base in DETACHMENT_RULES and make_id(what) in {*desk.forms.types, *desk.forms.keywords}


def _slots(item: DocumentNode) -> tuple[SlotSyntax, ...]:
    """A list of types, or `type: how many`, or `Slot name: {of: type or keyword, units: how many}`."""
    if not item.is_map:
        return tuple(
            SlotSyntax(name="", of=named(slot), range=ANY_NUMBER, where=slot.where) for slot in item.texts()
        )
    return tuple(_slot(key, value) for key, value in item.pairs())


def _slot(key: DocumentNode, value: DocumentNode) -> SlotSyntax:
    if not value.is_map:
        return SlotSyntax(name="", of=named(key), range=value.read(read_range, ANY_NUMBER), where=key.where)
    fields = value.fields(f"The slot “{key.text()}”")
    of = fields.get("of")
    units = fields.read("units", read_range, ANY_NUMBER)
    fields.close()
    return SlotSyntax(name=key.text(), of=named(of or key), range=units, where=key.where)


def _allowances(item: DocumentNode, desk: ParseContext) -> AllowancesSyntax:
    fields = item.fields("The allowances")
    leader = fields.get("leader")
    texts = {key: fields.need(key) for key in ("too few", "too many", "nobody allows")}
    form = AllowancesSyntax(
        leader=named(leader) if leader else None,
        too_few=_text_or_silent(texts["too few"], desk),
        too_many=_text_or_silent(texts["too many"], desk),
        nobody=_text_or_silent(texts["nobody allows"], desk),
        misled=_text_or_silent(fields.get("wrong leader"), desk),
        where=item.where,
    )
    fields.close()
    return form


def read_common(item: DocumentNode, desk: ParseContext) -> CommonKeywordSyntax:
    """What all units share: the rule broken where they share nothing, and, with `barred`, nothing else."""
    fields = item.fields("The common keyword")
    none, only = fields.need("none shared"), fields.get("barred shared")
    form = CommonKeywordSyntax(
        unshared=_text_or_silent(none, desk),
        barred=names(fields.texts("barred")),
        barred_only=read_text(only, desk) if only else None,
    )
    fields.close()
    return form


def _text_or_silent(item: DocumentNode | None, desk: ParseContext) -> RuleText:
    return read_text(item, desk) if item else NO_RULE_TEXT
