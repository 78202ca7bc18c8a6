"""How many of a part there may be, and what ties it to others."""

from dataclasses import replace

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.queries import Bound, Condition, Guard, Modifier, Operator, Query, Scope
from catalogue.formats.packs.asked import Ask, Test, Tests, When
from catalogue.formats.packs.compile.condition_text import bars, described
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, guard_of
from catalogue.formats.packs.forms.base import Named, RuleText
from catalogue.formats.packs.forms.units import PartForm
from catalogue.formats.packs.problems import did_you_mean
from catalogue.formats.packs.words import slug


def counts(
    part: PartForm, context: CompileContext, origin: QueryOrigin, inside: PartForm | None
) -> tuple[list[Constraint], list[Modifier]]:
    """How many of a part there may be. What a choice around it says already is not said again."""
    low, high = part.range
    found = []
    model = part.kind == "model"
    if low:
        words = context.words("size min" if model else "choose at least")
        found.append(context.made(f"{part.id}#min", Bound.MIN, low, words, part.cite))
    silent = inside is not None and not part.explicit
    if high is not None and not silent:
        name = "size max" if model else "option once" if high == 1 and not inside else "option limit"
        found.append(context.made(f"{part.id}#max", Bound.MAX, high, context.words(name), part.cite))
    if part.per is None:
        return found, []
    every, noun = part.per
    ask = Ask(noun.text, "", noun.where)
    modifier = context.growing(f"{part.id}#max", 1, ask, every, origin)
    return found, [modifier] if modifier else []


def ties(part: PartForm, context: CompileContext, origin: QueryOrigin) -> list[Constraint]:
    """What ties a part to others: conditions, footnotes, exclusions, needs."""
    found = []
    if part.only_when:
        found += conditions(part.only_when, part.note, f"{part.id}#only-when", context, origin, part.cite)
    for number, limit in enumerate(part.limits, 1):
        when = guard_of(limit.when, origin)
        words = context.words("footnote")
        words = limit.text if limit.text.rule else replace(words, text=limit.text.text or words.text)
        counted = Query(scope=Scope.ROSTER, child_id=part.id, deep=True) if limit.in_roster else Query()
        for bound in limit.bounds:
            own = f"{part.id}#limit-{number}-{bound.bound}"
            found.append(
                context.bounded(own, bound, counted, words, origin, when, limit.text.cite or part.cite)
            )
    for name, others, operator in (
        ("not with", part.not_with, Operator.AT_LEAST),
        ("needs", part.needs, Operator.LESS_THAN),
    ):
        for other in others:
            beside = _beside(other, operator, origin)
            if beside is not None:
                own = f"{part.id}#{slug(name)}-{slug(other.text)}"
                words = context.words(name) if name == "not with" else mendable(context.words(name))
                found.append(context.made(own, Bound.MAX, 0, words, part.cite, when=beside))
    return found


def conditions(
    when: When, note: str, own: str, context: CompileContext, origin: QueryOrigin, cite: Citation
) -> list[Constraint]:
    """What a condition demands: all at once where the pack says it in a note, else by what mends it.

    What a condition asks for can be added, what it bars cannot: whoever reads why something cannot be taken wants the
    one that is in the way. The first constraint has the id `own`, further ones a number behind it.
    """
    words = context.words("only when")
    found = []
    for number, part in enumerate((when,) if note else by_mend(when), 1):
        text = note or described(part, context.index, origin.unit) or words.text
        guard = guard_of(part, origin, negated=True)
        told = mended_by_more(replace(words, text=text), part)
        made = own if number == 1 else f"{own}-{number}"
        found.append(context.made(made, Bound.MAX, 0, told, cite, when=guard))
    return found


def by_mend(when: When) -> tuple[When, ...]:
    """The parts of a condition that all have to hold: what it asks for, what it bars, and the rest, if it is mixed."""
    if isinstance(when, Test) or when.any_of or when.negated:
        return (when,)
    asked = tuple(part for part in when.parts if _asks_for_more(part, negated=False))
    barred = tuple(part for part in when.parts if isinstance(part, Test) and bars(part))
    other = tuple(part for part in when.parts if part not in (*asked, *barred))
    return tuple(Tests(parts) for parts in (asked, barred, other) if parts)


def mendable(text: RuleText) -> RuleText:
    """The words of a rule that further picks can mend, unless the pack says otherwise."""
    return text if text.mendable is not None else replace(text, mendable=True)


def mended_by_more(text: RuleText, when: When) -> RuleText:
    """The same for a rule that asks for a condition: further picks mend it where the condition asks for more."""
    return mendable(text) if _asks_for_more(when, negated=False) else text


def _asks_for_more(when: When, negated: bool) -> bool:
    if isinstance(when, Test):
        more = (Operator.AT_LEAST, Operator.GREATER_THAN)
        less = (Operator.AT_MOST, Operator.LESS_THAN)
        return when.operator in (less if negated else more)
    return all(_asks_for_more(part, negated != when.negated) for part in when.parts)


def _beside(other: Named, operator: Operator, origin: QueryOrigin) -> Guard | None:
    target = origin.index.target(other, origin.unit)
    if target is None:
        return None
    scope = Scope.UNIT if target.kind == "part" else Scope.ROSTER
    query = Query(scope=scope, child_id=target.id, deep=True)
    return Guard(conditions=(Condition(operator=operator, query=query, value=1),))


def default_of(part: PartForm, context: CompileContext) -> str:
    """The id of the member that is taken unless another is."""
    if part.default is None:
        return ""
    if not part.range.low:
        mend = "Write `choose: one`, or remove the default."
        message = "Nothing has to be chosen here, so a default has no effect."
        context.problems.add(part.default.where, "idle-default", message, mend, Level.WARNING)
    wanted = slug(part.default.text)
    found = [member.id for member in part.parts if wanted in (slug(member.name), member.id.split("/")[-1])]
    if found:
        return found[0]
    mend = did_you_mean(part.default.text, [member.name for member in part.parts])
    message = f"The default “{part.default.text}” is not among the choices."
    context.problems.add(part.default.where, "unknown-name", message, mend)
    return ""
