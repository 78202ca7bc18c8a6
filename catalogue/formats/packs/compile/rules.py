"""Compile rules into constraints."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import msgspec

from catalogue.definitions.constraints import Constraint, Stage
from catalogue.definitions.queries import Condition, Guard, Operator, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.derived_sets import is_stand_in
from catalogue.formats.packs.compile.expressions import (
    EACH,
    SAME_UNIT,
    QueryOrigin,
    build_guard,
    build_query,
    count_unseen,
)
from catalogue.formats.packs.compile.referenced_names import is_asking_plan, walk_questions
from catalogue.formats.packs.syntax.base import BoundSyntax, Reference
from catalogue.formats.packs.syntax.expressions import SumExpression, SumTerm
from catalogue.formats.packs.syntax.rules import RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_rule(rule: RuleSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield the constraints of a rule in one place: one per bound, and per thing it is made for."""
    for subject in _list_subjects(rule, context):
        subject_origin = replace(origin, each_name=subject.text if subject else "")
        query, bounds = _move_to_bounds(rule, context, subject_origin)
        if query is None:
            continue
        _check_stage(rule, context, subject_origin)
        when = build_guard(rule.when, subject_origin)
        if rule.mixed and subject:
            mixed = _build_mixed_guard(subject, context)
            when = Guard(guards=(when, mixed)) if when else mixed
        suffix = f"-{make_id(subject.text)}" if subject else ""
        prefix = f"{_get_owner_id(origin)}#{rule.id.split('/')[-1]}{suffix}"
        for bound in bounds:
            constraint_id = f"{prefix}-{bound.bound}" if len(bounds) > 1 else prefix
            constraint = context.build_bounded_constraint(
                constraint_id, bound, query, rule.text, subject_origin, when
            )
            yield msgspec.structs.replace(constraint, stage=rule.stage)


def _check_stage(rule: RuleSyntax, context: CompileContext, origin: QueryOrigin) -> None:
    """Report a rule about lists that asks for the game plan."""
    if rule.stage is Stage.LIST and is_asking_plan(rule, origin):
        message = "The rule asks for the game plan, which no list has."
        mend = "Add `stage: setup` or `stage: match`."
        context.problems.add(rule.where, "no-effect", message, mend)


def _list_subjects(rule: RuleSyntax, context: CompileContext) -> list[Reference | None]:
    """Return the things that a rule is made for, each set of a family among them; a single None for any other rule."""
    if not rule.for_each:
        return [None]
    return [
        name
        for subject in rule.for_each
        for name in context.derived_sets.get(make_id(subject.text), (subject,))
    ]


def _build_mixed_guard(subject: Reference, context: CompileContext) -> Guard:
    """Return that units of two entries of a set are taken, or a model of it, which is no unit of its own."""
    for set_form in context.pack.sets:
        if set_form.id == make_id(subject.text):
            units = [_build_taken_condition(unit_id) for unit_id in set_form.units]
            models = [_build_taken_condition(model_id) for model_id in set_form.models]
            pairs = tuple(Guard(conditions=pair) for pair in combinations(units, 2))
            return Guard(any_of=True, conditions=tuple(models), guards=pairs)
    return Guard(any_of=True)


def _build_taken_condition(entry_id: str) -> Condition:
    query = Query(scope=Scope.ROSTER, child_id=entry_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)


def build_unit_rules(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield the rules of a unit: its own, and those of the pack that are about its type, its keywords or itself.

    One that stands for others is not counted as a unit of its own.
    """
    is_nobody = is_stand_in(unit, context.pack.sets)
    shared = [rule for rule in context.pack.rules if rule.scope == "unit"]
    about_unit = [rule for rule in shared if context.index.is_about_unit(rule.of, unit)]
    for rule in (*unit.rules, *about_unit):
        counts_same_unit = any(make_id(ask.noun) == SAME_UNIT for ask in walk_questions(rule.count))
        if not (is_nobody and counts_same_unit):
            yield from build_rule(rule, context, origin)


def _get_owner_id(origin: QueryOrigin) -> str:
    return origin.unit.id if origin.unit else origin.owner


def _move_to_bounds(
    rule: RuleSyntax, context: CompileContext, origin: QueryOrigin
) -> tuple[Query | None, list[BoundSyntax]]:
    """Return the first thing counted, and the bounds with everything else that is counted moved to their side."""
    where = rule.count.where
    if not rule.count.summands:
        context.problems.add(
            where, "wrong-form", "Nothing is counted here.", "Write what to count, as `core`."
        )
        return None, []
    first, *rest = rule.count.summands
    if first.coefficient != 1:
        mend = "Begin with a thing that counts once, as `light + 2 x heavy`."
        context.problems.add(where, "wrong-form", "The first thing counted has a factor.", mend)
    questions = walk_questions(replace(rule, for_each=()))
    if rule.for_each and not any(EACH.search(ask.noun) for ask in questions):
        message = "The rule is made for each of several, but asks for none."
        context.problems.add(where, "no-effect", message, "Ask for `each`, or remove `for each:`.")
    query = build_query(first.ask, origin)
    # What the query does not see of its owner, and the constant, lower the bound just as other summands do.
    constant = rule.count.constant + (count_unseen(query, origin) if query else 0)
    moved = [SumTerm(-summand.coefficient, summand.ask) for summand in rest]
    bounds = []
    for bound in rule.bounds:
        total = SumExpression(bound.sum.constant - constant, (*bound.sum.summands, *moved), bound.sum.where)
        bounds.append(BoundSyntax(bound=bound.bound, sum=total))
    return query, bounds
