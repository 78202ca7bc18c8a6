"""How many of a part there may be, and what ties it to others."""

from dataclasses import replace

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.queries import Bound, Condition, Guard, Modifier, Operator, Query, Scope
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.condition_text import describe_condition, is_barring
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin, build_guard
from catalogue.formats.packs.syntax.base import Reference, RuleText
from catalogue.formats.packs.syntax.expressions import (
    ConditionExpression,
    ConditionGroup,
    CountComparison,
    CountExpression,
)
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax


def build_count_limits(
    part: PartSyntax, context: CompileContext, origin: QueryOrigin, inside: PartSyntax | None
) -> tuple[list[Constraint], list[Modifier]]:
    """Return how many of a part there may be, without repeating what a choice around it already says."""
    minimum, maximum = part.range
    constraints = []
    model = part.kind == "model"
    if minimum:
        words = context.get_rule_text("size min" if model else "choose at least")
        constraints.append(context.build_constraint(f"{part.id}#min", Bound.MIN, minimum, words, part.cite))
    silent = inside is not None and not part.explicit
    if maximum is not None and not silent:
        name = "size max" if model else "option once" if maximum == 1 and not inside else "option limit"
        constraints.append(
            context.build_constraint(
                f"{part.id}#max", Bound.MAX, maximum, context.get_rule_text(name), part.cite
            )
        )
    if part.per is None:
        return constraints, []
    every, noun = part.per
    ask = CountExpression(noun.text, "", noun.where)
    modifier = context.build_repeated_modifier(f"{part.id}#max", 1, ask, every, origin)
    return constraints, [modifier] if modifier else []


def build_tie_limits(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> list[Constraint]:
    """Return what ties a part to others: conditions, footnotes, exclusions, needs."""
    constraints = []
    if part.only_when:
        constraints += build_condition_limits(
            part.only_when, part.note, f"{part.id}#only-when", context, origin, part.cite
        )
    for number, limit in enumerate(part.limits, 1):
        when = build_guard(limit.when, origin)
        words = context.get_rule_text("footnote")
        words = limit.text if limit.text.rule else replace(words, text=limit.text.text or words.text)
        counted = Query(scope=Scope.ROSTER, child_id=part.id, deep=True) if limit.in_roster else Query()
        for bound in limit.bounds:
            constraint_id = f"{part.id}#limit-{number}-{bound.bound}"
            constraints.append(
                context.build_bounded_constraint(
                    constraint_id, bound, counted, words, origin, when, limit.text.cite or part.cite
                )
            )
    for name, others, operator in (
        ("not with", part.not_with, Operator.AT_LEAST),
        ("needs", part.needs, Operator.LESS_THAN),
    ):
        for other in others:
            beside = _build_beside_guard(other, operator, origin)
            if beside is not None:
                constraint_id = f"{part.id}#{make_id(name)}-{make_id(other.text)}"
                words = (
                    context.get_rule_text(name)
                    if name == "not with"
                    else make_mendable(context.get_rule_text(name))
                )
                constraints.append(
                    context.build_constraint(constraint_id, Bound.MAX, 0, words, part.cite, when=beside)
                )
    return constraints


def build_condition_limits(
    when: ConditionExpression,
    note: str,
    constraint_id: str,
    context: CompileContext,
    origin: QueryOrigin,
    citation: Citation,
) -> list[Constraint]:
    """Return what a condition demands: all at once where the pack says it in a note, else one constraint per remedy.

    What a condition asks for can be added, what it bars cannot: whoever reads why something cannot be taken wants the
    one that is in the way. The first constraint has the id `own`, further ones a number behind it.
    """
    words = context.get_rule_text("only when")
    constraints = []
    for number, part in enumerate((when,) if note else split_by_fix(when), 1):
        text = note or describe_condition(part, context.index, origin.unit) or words.text
        guard = build_guard(part, origin, negated=True)
        rule_text = make_mendable_if_more_helps(replace(words, text=text), part)
        numbered_id = constraint_id if number == 1 else f"{constraint_id}-{number}"
        constraints.append(
            context.build_constraint(numbered_id, Bound.MAX, 0, rule_text, citation, when=guard)
        )
    return constraints


def split_by_fix(when: ConditionExpression) -> tuple[ConditionExpression, ...]:
    """Return the parts of a condition that all have to hold: what it asks for, what it bars, and the rest."""
    if isinstance(when, CountComparison) or when.any_of or when.negated:
        return (when,)
    asked = tuple(part for part in when.parts if is_asking_for_more(part, negated=False))
    barred = tuple(part for part in when.parts if isinstance(part, CountComparison) and is_barring(part))
    other = tuple(part for part in when.parts if part not in (*asked, *barred))
    return tuple(ConditionGroup(parts) for parts in (asked, barred, other) if parts)


def make_mendable(text: RuleText) -> RuleText:
    """Return the words of a rule that further picks can mend, unless the pack says otherwise."""
    return text if text.mendable is not None else replace(text, mendable=True)


def make_mendable_if_more_helps(text: RuleText, when: ConditionExpression) -> RuleText:
    """Return the same for a rule with a condition: further picks mend it where the condition asks for more."""
    return make_mendable(text) if is_asking_for_more(when, negated=False) else text


def is_asking_for_more(when: ConditionExpression, negated: bool) -> bool:
    if isinstance(when, CountComparison):
        more = (Operator.AT_LEAST, Operator.GREATER_THAN)
        less = (Operator.AT_MOST, Operator.LESS_THAN)
        return when.operator in (less if negated else more)
    return all(is_asking_for_more(part, negated != when.negated) for part in when.parts)


def _build_beside_guard(other: Reference, operator: Operator, origin: QueryOrigin) -> Guard | None:
    target = origin.index.find_target(other, origin.unit)
    if target is None:
        return None
    scope = Scope.UNIT if target.kind == "part" else Scope.ROSTER
    query = Query(scope=scope, child_id=target.id, deep=True)
    return Guard(conditions=(Condition(operator=operator, query=query, value=1),))


def find_default(part: PartSyntax, context: CompileContext) -> str:
    """Return the id of the member that is taken unless another is."""
    if part.default is None:
        return ""
    if not part.range.low:
        mend = "Write `choose: one`, or remove the default."
        message = "Nothing has to be chosen here, so a default has no effect."
        context.problems.add(part.default.where, "idle-default", message, mend, Level.WARNING)
    wanted = make_id(part.default.text)
    member_ids = [
        member.id for member in part.parts if wanted in (make_id(member.name), member.id.split("/")[-1])
    ]
    if member_ids:
        return member_ids[0]
    mend = suggest_names(part.default.text, [member.name for member in part.parts])
    message = f"The default “{part.default.text}” is not among the choices."
    context.problems.add(part.default.where, "unknown-name", message, mend)
    return ""
