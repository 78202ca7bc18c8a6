"""Rules as data: what is counted, how it is bound, where and when."""

from catalogue.definitions.constraints import Stage
from catalogue.formats.packs.asked import Sum
from catalogue.formats.packs.forms.base import SILENT, Named, RuleForm, RuleText
from catalogue.formats.packs.forms.game import AllowanceRules, CommonForm, DetachmentForm, SlotForm, SwapForm
from catalogue.formats.packs.problems import MisreadError, did_you_mean
from catalogue.formats.packs.reading.asking import read_sum, read_when
from catalogue.formats.packs.reading.desk import Desk, named, names
from catalogue.formats.packs.reading.items import Fields, Item
from catalogue.formats.packs.words import Range, read_range, read_times, slug

ANY_NUMBER = Range(0, None)
FOUND = (
    "unknown option",
    "unknown unit",
    "add-on alone",
    "one entry per selection",
    "joined elsewhere",
    "outside detachments",
)
"""Built-in rules about what should not be where it is; a detachment may have words of its own for them."""
FOREIGN = "foreign "
"""Begins the names of built-in rules about what is of another faction: a type, or one of `ANY_FOREIGN`."""
ANY_FOREIGN = ("unit", "card")
NARROWED = " of "
"""Stands between the name of one of `FOUND` and the type or keyword that the words are for."""
MEND_BOUND = "Add `at most:`, `at least:` or `exactly:`."


def read_rules(items: list[Item], desk: Desk, scope: str, path: str = "") -> tuple[RuleForm, ...]:
    return tuple(read_rule(item, desk, scope, path) for item in items)


def read_rule(item: Item, desk: Desk, scope: str, path: str = "") -> RuleForm:
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
    rule = RuleForm(
        id=f"{path}/{own}" if path else own,
        name=text.name,
        where=item.where,
        cite=text.cite,
        text=text,
        count=read_sum(counted) if counted else Sum(0, (), item.where),
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
        mend = did_you_mean(text, [stage.value for stage in Stage])
        raise MisreadError(f"A rule is not judged at the stage “{text}”.", mend, "wrong-form") from None


def _place(fields: Fields, scope: str) -> tuple[str, tuple[Named, ...]]:
    place = fields.read("in", _read_scope, scope)
    return place, names(fields.texts("of"))


def _read_scope(text: str) -> str:
    word = {"list": "roster", "force": "roster"}.get(text, text)
    if word in ("roster", "detachment", "unit", "card"):
        return word
    raise MisreadError(
        f"A rule cannot be in “{text}”.", "Write roster, detachment, unit or card.", "unknown-scope"
    )


def read_text(item: Item, desk: Desk) -> RuleText:
    """The words of a rule that the loader makes itself: an id alone, or a mapping."""
    if item.is_text:
        return RuleText(rule=item.text(), cite=desk.around)
    fields = item.fields("The rule")
    text = desk.rule_text(fields)
    fields.close()
    return text


def read_detachment(item: Item, desk: Desk) -> DetachmentForm:
    """A kind of detachment: its slots, swaps, allowances and rules."""
    fields = item.fields("The detachment")
    own, name = desk.identity(fields, "detachment")
    fields.what = f"The detachment “{name}”"
    cite = desk.cite(fields, required=True)
    inner = desk.inside(cite)
    slot_rule, count_rule = fields.get("slot rule"), fields.get("count rule")
    slots, allowances = fields.need("slots"), fields.get("allowances")
    common = fields.get("common keyword")
    form = DetachmentForm(
        id=own,
        name=name,
        where=item.where,
        cite=cite,
        text=fields.text("text"),
        prices=inner.prices(fields),
        slots=_slots(slots) if slots else (),
        slot_text=read_text(slot_rule, inner) if slot_rule else SILENT,
        swaps=tuple(_swap(swap, inner) for swap in fields.each("swaps")),
        count=fields.read("count", read_range, ANY_NUMBER),
        count_text=read_text(count_rule, inner) if count_rule else SILENT,
        allowances=_allowances(allowances, inner) if allowances else None,
        common=read_common(common, inner) if common else None,
        rules=read_rules(fields.each("rules"), inner, "detachment"),
        texts=read_texts(fields.get("built in rules"), inner, FOUND),
        factions=names(fields.texts("factions")),
    )
    fields.close()
    return form


def read_texts(item: Item | None, desk: Desk, known: tuple[str, ...]) -> dict[str, RuleText]:
    """The words of rules by their name, which is one of `known`."""
    found = {}
    for key, value in item.pairs() if item else ():
        name = key.text().lower()
        foreign = name.removeprefix(FOREIGN) if name.startswith(FOREIGN) else ""
        if (
            name in known
            or foreign in ANY_FOREIGN
            or slug(foreign) in desk.forms.types
            or _narrowed(name, desk)
        ):
            found[name] = read_text(value, desk)
        else:
            key.wrong("unknown-key", f"There is no built-in rule “{name}”.", did_you_mean(name, known))
    return found


def _narrowed(name: str, desk: Desk) -> bool:
    """Whether it is a rule about what stands where it should not, narrowed to a type or keyword."""
    base, _, what = name.partition(NARROWED)
    return base in FOUND and slug(what) in {*desk.forms.types, *desk.forms.keywords}


def _slots(item: Item) -> tuple[SlotForm, ...]:
    """A list of types, or `type: how many`, or `Slot name: {of: type or keyword, units: how many}`."""
    if not item.is_map:
        return tuple(
            SlotForm(name="", of=named(slot), range=ANY_NUMBER, where=slot.where) for slot in item.texts()
        )
    return tuple(_slot(key, value) for key, value in item.pairs())


def _slot(key: Item, value: Item) -> SlotForm:
    if not value.is_map:
        return SlotForm(name="", of=named(key), range=value.read(read_range, ANY_NUMBER), where=key.where)
    fields = value.fields(f"The slot “{key.text()}”")
    of = fields.get("of")
    units = fields.read("units", read_range, ANY_NUMBER)
    fields.close()
    return SlotForm(name=key.text(), of=named(of or key), range=units, where=key.where)


def _swap(item: Item, desk: Desk) -> SwapForm:
    fields = item.fields("The swap of slots")
    give, take = fields.need("give"), fields.need("take")
    form = SwapForm(
        give=_amount(give) if give else (1, Named("", item.where)),
        take=_amount(take) if take else (1, Named("", item.where)),
        text=desk.rule_text(fields),
        where=item.where,
    )
    fields.close()
    if form.give[0] != 1 and form.take[0] != 1:
        item.wrong(
            "bad-swap", "One side of a swap must be a single slot.", "Write `give: 1 ...` or `take: 1 ...`."
        )
    return form


def _amount(item: Item) -> tuple[int, Named]:
    count, name = read_times(item.text())
    return count, Named(name, item.where)


def _allowances(item: Item, desk: Desk) -> AllowanceRules:
    fields = item.fields("The allowances")
    leader = fields.get("leader")
    texts = {key: fields.need(key) for key in ("too few", "too many", "nobody allows")}
    form = AllowanceRules(
        leader=named(leader) if leader else None,
        too_few=_text_or_silent(texts["too few"], desk),
        too_many=_text_or_silent(texts["too many"], desk),
        nobody=_text_or_silent(texts["nobody allows"], desk),
        misled=_text_or_silent(fields.get("wrong leader"), desk),
        where=item.where,
    )
    fields.close()
    return form


def read_common(item: Item, desk: Desk) -> CommonForm:
    """What all units share: the rule broken where they share nothing, and, with `barred`, nothing else."""
    fields = item.fields("The common keyword")
    none, only = fields.need("none shared"), fields.get("barred shared")
    form = CommonForm(
        unshared=_text_or_silent(none, desk),
        barred=names(fields.texts("barred")),
        barred_only=read_text(only, desk) if only else None,
    )
    fields.close()
    return form


def _text_or_silent(item: Item | None, desk: Desk) -> RuleText:
    return read_text(item, desk) if item else SILENT
