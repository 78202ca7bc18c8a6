"""Compile constraints on options and swaps, with their wording."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, takewhile

from catalogue.definitions.citations import Citation
from catalogue.definitions.constraints import Constraint
from catalogue.definitions.diagnostics import Level
from catalogue.definitions.numbers import Number, format_number
from catalogue.definitions.queries import Bound, Condition, Guard, Modifier, Operator, Query, Scope, Term
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import ARMY_OF, QueryOrigin, build_guard
from catalogue.formats.packs.compile.models import find_carriers
from catalogue.formats.packs.compile.name_index import NameIndex, is_part_called, walk_parts
from catalogue.formats.packs.syntax.base import ANY_NUMBER, Reference, RuleText
from catalogue.formats.packs.syntax.expressions import (
    ConditionExpression,
    ConditionGroup,
    CountComparison,
    CountExpression,
)
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax


def build_count_limits(part: PartSyntax, context: CompileContext, inside: PartSyntax | None) -> list[Constraint]:
    """Build a part's limits, except limits that the choice around it sets."""
    is_free = inside is not None and inside.kind == "choice" and inside.range == ANY_NUMBER
    is_alone = inside is None or (part.kind == "option" and is_free)

    if part.kind == "model":
        limits = context.build_part_limits(part, "size min", "size max")
    else:
        # Books say “once” of a lone option and give a number for others.
        is_once = part.range.high == 1 and is_alone
        limits = context.build_part_limits(part, "choose at least", "option once" if is_once else "option limit")

    if is_alone or part.explicit:
        return limits
    return [limit for limit in limits if limit.bound is Bound.MIN]


def build_growing_maximum(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> list[Modifier]:
    if part.per is None:
        return []
    every, noun = part.per
    counted = CountExpression(noun.text, "", noun.where)
    modifier = context.build_repeated_modifier(f"{part.id}#max", 1, counted, every, origin)
    return [modifier] if modifier else []


def build_tie_limits(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> list[Constraint]:
    constraints = []
    if part.only_when:
        constraints += build_condition_limits(
            part.only_when, part.note, f"{part.id}#only-when", context, origin, part.cite
        )
    constraints += _build_footnotes(part, context, origin)
    not_with, needs = context.get_rule_text("not with"), make_mendable(context.get_rule_text("needs"))
    for other in part.not_with:
        constraint_id = f"{part.id}#not-with-{make_id(other.text)}"
        # Name the obstacle, so that readers know why the part cannot be taken.
        words = replace(not_with, name=f"Not with {origin.index.name_noun(other.text, origin.unit)}")
        constraints += _forbid_beside(other, Operator.AT_LEAST, constraint_id, words, part, context, origin)
    for other in part.needs:
        constraint_id = f"{part.id}#needs-{make_id(other.text)}"
        constraints += _forbid_beside(other, Operator.LESS_THAN, constraint_id, needs, part, context, origin)
    return constraints


def _build_footnotes(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    in_roster = Query(scope=Scope.ROSTER, child_id=part.id, deep=True)
    for number, limit in enumerate(part.limits, 1):
        words = limit.text
        if not words.rule:
            # A limit without a rule uses the wording of footnotes.
            footnote = context.get_rule_text("footnote")
            words = replace(footnote, text=words.text or footnote.text)
        when = build_guard(limit.when, origin)
        counted = in_roster if limit.in_roster else Query()
        for bound in limit.bounds:
            constraint_id = f"{part.id}#limit-{number}-{bound.bound}"
            citation = limit.text.cite or part.cite
            yield context.build_bounded_constraint(constraint_id, bound, counted, words, origin, when, citation)


def _forbid_beside(
    other: Reference,
    operator: Operator,
    constraint_id: str,
    words: RuleText,
    part: PartSyntax,
    context: CompileContext,
    origin: QueryOrigin,
) -> list[Constraint]:
    target = origin.index.find_target(other, origin.unit)
    if target is None:
        return []
    scope = Scope.UNIT if target.kind == "part" else Scope.ROSTER
    query = Query(scope=scope, child_id=target.id, deep=True)
    when = Guard(conditions=(Condition(operator=operator, query=query, value=1),))
    return [context.build_constraint(constraint_id, Bound.MAX, 0, words, part.cite, when=when)]


def build_condition_limits(
    when: ConditionExpression,
    note: str,
    constraint_id: str,
    context: CompileContext,
    origin: QueryOrigin,
    citation: Citation,
) -> list[Constraint]:
    """Return a condition's constraints: one with a note, otherwise one per remedy.

    Players can add what a condition asks for, but must remove what it bars. Further constraints have a number after the
    id.
    """
    words = context.get_rule_text("only when")
    constraints = []
    # A note covers the whole condition, so several constraints would repeat it.
    parts = [when] if note else _split_by_remedy(when)
    for number, part in enumerate(parts, 1):
        # Wording made from the condition says more than the rule's.
        text = note or describe_condition(part, context.index, origin.unit) or words.text
        guard = build_guard(part, origin, negated=True)
        rule_text = replace(words, text=text)
        if _is_asking_for_more(part, negated=False):
            rule_text = make_mendable(rule_text)
        numbered_id = constraint_id if number == 1 else f"{constraint_id}-{number}"
        constraints.append(context.build_constraint(numbered_id, Bound.MAX, 0, rule_text, citation, when=guard))
    return constraints


def _split_by_remedy(when: ConditionExpression) -> list[ConditionExpression]:
    """Return the parts that must all hold, by remedy: add something, remove something, other."""
    if isinstance(when, CountComparison) or when.any_of or when.negated:
        return [when]
    remedies = ("add", "remove", "other")
    parts = sorted(when.parts, key=lambda part: remedies.index(_name_remedy(part)))
    return [ConditionGroup(tuple(alike)) for _, alike in groupby(parts, _name_remedy)]


def _name_remedy(when: ConditionExpression) -> str:
    if _is_asking_for_more(when, negated=False):
        return "add"
    return "remove" if isinstance(when, CountComparison) and is_barring(when) else "other"


def make_mendable(text: RuleText) -> RuleText:
    """Let the pack say whether a violation is mendable."""
    return text if text.mendable is not None else replace(text, mendable=True)


def _is_asking_for_more(when: ConditionExpression, negated: bool) -> bool:
    if isinstance(when, CountComparison):
        more = (Operator.AT_LEAST, Operator.GREATER_THAN)
        less = (Operator.AT_MOST, Operator.LESS_THAN)
        return when.operator in (less if negated else more)
    return all(_is_asking_for_more(part, negated != when.negated) for part in when.parts)


def find_default(part: PartSyntax, context: CompileContext) -> str:
    default = part.default
    if default is None:
        return ""
    if not part.range.low:
        mend = "Write `choose: one`, or remove the default."
        message = "Nothing has to be chosen here, so a default has no effect."
        context.problems.add(default.where, "idle-default", message, mend, Level.WARNING)
    default_id = make_id(default.text)
    for member in part.parts:
        if is_part_called(member, default_id):
            return member.id
    names = [member.name for member in part.parts]
    message = f"The default “{default.text}” is not among the choices."
    context.problems.add_unknown(default.where, default.text, names, message)
    return ""


def build_swap_limits(part: PartSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield a swap's limit, and the carried number less other swaps."""
    words = context.get_rule_text("swap")
    carriers = find_carriers(part, origin.unit)
    if origin.unit:
        for name in part.by:
            origin.index.find_part(name, origin.unit)
    if carriers.nobody and part.replaces:
        message = f"Nobody here carries “{part.replaces.text}”."
        context.problems.add(part.replaces.where, "unknown-name", message, "Add it to `carries:`.")

    if part.whole_unit:
        yield context.build_constraint(f"{part.id}#max", Bound.MAX, 1, words, part.cite)
        return
    maximum = part.range.high if part.explicit else None
    if maximum is not None:
        number_words = context.pack.texts.get("swap at most", words)
        yield context.build_constraint(f"{part.id}#max", Bound.MAX, maximum, number_words, part.cite)

    others = _list_earlier_swaps(part, origin.unit)
    # A maximum within the carried number is enough, unless other swaps take the same thing.
    if maximum is not None and not others and maximum <= carriers.fixed:
        return
    terms = []
    for model_id, number in carriers.by_model_id:
        query = Query(scope=Scope.UNIT, child_id=model_id, deep=True)
        terms.append(Term(query=query, coefficient=number))
    for other in others:
        query = Query(scope=Scope.MODEL if carriers.by_model else Scope.UNIT, child_id=other.id, deep=True)
        terms.append(Term(query=query, coefficient=-1))
    query = Query(scope=Scope.PARENT, child_id=part.id)
    yield context.build_constraint(
        f"{part.id}#carried", Bound.MAX, carriers.fixed, words, part.cite, query, terms=tuple(terms)
    )


def _list_earlier_swaps(part: PartSyntax, unit: UnitSyntax | None) -> list[PartSyntax]:
    """Return earlier swaps of the same thing. Only the last swap counts all, so that a violation is reported once."""
    if unit is None or part.replaces is None:
        return []
    what = make_id(part.replaces.text)
    carriers = find_carriers(part, unit)
    rivals = []
    for other in takewhile(lambda other: other.id != part.id, walk_parts((*unit.models, *unit.options))):
        # Swaps of the whole unit take nothing from others.
        if other.kind != "swap" or other.whole_unit or other.replaces is None:
            continue
        if make_id(other.replaces.text) == what and find_carriers(other, unit) == carriers:
            rivals.append(other)
    return rivals


# ---- conditions in words --------------------------------------------------------------------------------------------

AMOUNTS = {
    Operator.AT_LEAST: "at least {} {}",
    Operator.AT_MOST: "at most {} {}",
    Operator.EQUAL_TO: "exactly {} {}",
    Operator.NOT_EQUAL_TO: "any number but {} of {}",
    Operator.GREATER_THAN: "more than {} {}",
    Operator.LESS_THAN: "fewer than {} {}",
}
STATES = {
    "commanding": ("while it commands", "while it does not command"),
    "joined": ("inside another", "on its own"),
    "own-army": ("in its own army", "in an army of others"),
}
COMMANDS, WITHOUT = " commands", "without "
OTHER_CLAUSES = (", with ", " or ", ", while ", ", in ")
"""Words that show that a sentence does more than forbid something."""


def describe_condition(when: ConditionExpression, index: NameIndex, unit: UnitSyntax | None) -> str:
    """Return "" for a condition that is too complicated."""
    clauses = _describe_clauses(when, index, unit, negated=False)
    if not clauses:
        return ""
    if not clauses.startswith(WITHOUT) or any(word in clauses for word in OTHER_CLAUSES):
        return f"Only {clauses}."
    *most, last = [part.removeprefix(WITHOUT) for part in clauses.split(f", {WITHOUT}")]
    return f"Not with {', '.join(most)} or {last}." if most else f"Not with {last}."


def _describe_clauses(when: ConditionExpression, index: NameIndex, unit: UnitSyntax | None, negated: bool) -> str:
    if isinstance(when, CountComparison):
        return _describe_test(when, index, unit, negated)
    negated = negated != when.negated
    parts = [_describe_clauses(part, index, unit, negated) for part in when.parts]
    if not all(parts):
        return ""
    if when.any_of != negated:
        return " or ".join(dict.fromkeys(parts))
    return ", ".join(dict.fromkeys(f"either {clause}" if " or " in clause else clause for clause in parts))


def _describe_test(test: CountComparison, index: NameIndex, unit: UnitSyntax | None, negated: bool) -> str:
    noun = test.ask.noun
    is_lacking = negated != is_barring(test)
    if make_id(noun) in STATES:
        return STATES[make_id(noun)][is_lacking]
    if noun.endswith(COMMANDS):
        who = index.name_noun(noun.removesuffix(COMMANDS), None)
        return f"unless {who} commands" if is_lacking else f"while {who} commands"
    if noun.startswith(ARMY_OF):
        army = index.name_noun(noun.removeprefix(ARMY_OF), None)
        return f"in armies other than {army}" if is_lacking else f"in an army of {army}"
    amount = index.name_noun(noun, unit)
    if not is_barring(test) and not _is_asking_for_any(test.operator, test.value):
        amount = AMOUNTS[test.operator].format(format_number(test.value), amount)
    return f"without {amount}" if is_lacking else f"with {amount}"


def is_barring(test: CountComparison) -> bool:
    return (test.operator, test.value) in ((Operator.AT_MOST, 0), (Operator.LESS_THAN, 1))


def _is_asking_for_any(operator: Operator, value: Number) -> bool:
    if operator is Operator.AT_LEAST:
        return value == 1
    return operator in (Operator.GREATER_THAN, Operator.NOT_EQUAL_TO) and value == 0
