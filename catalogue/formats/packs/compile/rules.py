"""Rules as constraints."""

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
from catalogue.formats.packs.compile.name_index import make_keyword_id
from catalogue.formats.packs.compile.referenced_names import is_asking_plan, walk_questions
from catalogue.formats.packs.syntax.base import BoundSyntax, Reference
from catalogue.formats.packs.syntax.expressions import SumExpression, SumTerm
from catalogue.formats.packs.syntax.rules import RuleSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import UnitSyntax


def build_rule(rule: RuleSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield the constraints of a rule in one place: one per bound, and per thing it is made for."""
    for name in _list_subjects(rule, context):
        inner = replace(origin, each_name=name.text if name else "")
        suffix = f"-{make_id(name.text)}" if name else ""
        query, bounds = _move_to_bounds(rule, context, inner)
        if query is None:
            continue
        when = _combine_guards(
            build_guard(rule.when, inner), _build_mixed_guard(name, context) if rule.mixed and name else None
        )
        if rule.stage is Stage.LIST and is_asking_plan(rule, inner):
            mend = "Add `stage: setup` or `stage: match`."
            context.problems.add(
                rule.where, "no-effect", "The rule asks for the game plan, which no list has.", mend
            )
        for bound in bounds:
            kind = f"-{bound.bound}" if len(bounds) > 1 else ""
            constraint_id = f"{_get_owner_id(origin)}#{rule.id.split('/')[-1]}{suffix}{kind}"
            constraint = context.build_bounded_constraint(constraint_id, bound, query, rule.text, inner, when)
            yield msgspec.structs.replace(constraint, stage=rule.stage)


def _list_subjects(rule: RuleSyntax, context: CompileContext) -> list[Reference | None]:
    """Return the things that a rule is made for, each set of a family among them; a single None for any other rule."""
    if not rule.for_each:
        return [None]
    return [
        name
        for subject in rule.for_each
        for name in context.derived_sets.get(make_id(subject.text), (subject,))
    ]


def _build_mixed_guard(name: Reference, context: CompileContext) -> Guard:
    """Return that units of two entries of a set are taken, or a model of it, which is no unit of its own."""
    form = next((set_form for set_form in context.forms.sets if set_form.id == make_id(name.text)), None)
    units = [_build_taken_condition(unit_id) for unit_id in (form.units if form else ())]
    models = [_build_taken_condition(model_id) for model_id in (form.models if form else ())]
    pairs = tuple(Guard(conditions=pair) for pair in combinations(units, 2))
    return Guard(any_of=True, conditions=tuple(models), guards=pairs)


def _build_taken_condition(entry_id: str) -> Condition:
    query = Query(scope=Scope.ROSTER, child_id=entry_id, deep=True)
    return Condition(operator=Operator.AT_LEAST, query=query, value=1)


def _combine_guards(guard: Guard, other: Guard | None) -> Guard:
    return guard if other is None else Guard(guards=(guard, other)) if guard else other


def build_unit_rules(unit: UnitSyntax, context: CompileContext, origin: QueryOrigin) -> Iterator[Constraint]:
    """Yield the rules of a unit: its own, and those of the pack that are about its type, its keywords or itself.

    One that stands for others is not counted as a unit of its own.
    """
    stand_in = is_stand_in(unit, context.forms.sets)
    for rule in (*unit.rules, *(rule for rule in context.forms.rules if is_about_unit(rule, unit, context))):
        if not (stand_in and any(make_id(ask.noun) == SAME_UNIT for ask in walk_questions(rule.count))):
            yield from build_rule(rule, context, origin)


def is_about_unit(rule: RuleSyntax, unit: UnitSyntax, context: CompileContext) -> bool:
    if rule.scope != "unit":
        return False
    words = {make_keyword_id(make_id(word.text)) for word in unit.keywords} | {unit.id}
    words |= {make_id(unit.type.text)} if unit.type else set()
    targets = [context.index.find_target(name, None, ("type", "keyword", "unit")) for name in rule.of]
    return not rule.of or any(target and target.id in words for target in targets)


def _get_owner_id(origin: QueryOrigin) -> str:
    return origin.unit.id if origin.unit else origin.owner


def _move_to_bounds(
    rule: RuleSyntax, context: CompileContext, origin: QueryOrigin
) -> tuple[Query | None, tuple[BoundSyntax, ...]]:
    """Return the first thing counted, and the bounds with everything else that is counted moved to their side."""
    counted = rule.count
    if not counted.summands:
        context.problems.add(
            counted.where, "wrong-form", "Nothing is counted here.", "Write what to count, as `core`."
        )
        return None, ()
    first, *rest = counted.summands
    if first.coefficient != 1:
        mend = "Begin with a thing that counts once, as `light + 2 x heavy`."
        context.problems.add(counted.where, "wrong-form", "The first thing counted has a factor.", mend)
    if rule.for_each and not any(EACH.search(ask.noun) for ask in walk_questions(replace(rule, for_each=()))):
        mend = "Ask for `each`, or remove `for each:`."
        context.problems.add(
            counted.where, "no-effect", "The rule is made for each of several, but asks for none.", mend
        )
    moved = tuple(SumTerm(-summand.coefficient, summand.ask) for summand in rest)
    query = build_query(first.ask, origin)
    more = counted.constant + (count_unseen(query, origin) if query else 0)
    bounds = tuple(
        BoundSyntax(
            bound=bound.bound,
            sum=SumExpression(bound.sum.constant - more, (*bound.sum.summands, *moved), bound.sum.where),
        )
        for bound in rule.bounds
    )
    return query, bounds
