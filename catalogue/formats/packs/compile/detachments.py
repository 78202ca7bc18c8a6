"""Detachments and organisation charts."""

from collections.abc import Iterator
from decimal import Decimal

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, ForceEntry
from catalogue.definitions.infos import Info, InfoKind
from catalogue.definitions.numbers import shorten_number
from catalogue.definitions.queries import ALWAYS, Bound, Condition, Field, Guard, Operator, Query, Scope, Term
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.builtin_rule_words import build_common, build_force_rule_words
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.rules import build_rule
from catalogue.formats.packs.features.allowances.compile import build_allowance_limits, build_growth
from catalogue.formats.packs.features.allowances.slots import AllowanceSlots
from catalogue.formats.packs.syntax.base import Reference, RuleSyntax
from catalogue.formats.packs.syntax.game import DetachmentSyntax, SlotSyntax
from catalogue.formats.packs.syntax.scalars import make_id


def build_force(form: DetachmentSyntax, context: CompileContext, places: AllowanceSlots) -> ForceEntry:
    """One kind of detachment with its slots, swaps, allowances and rules."""
    origin = QueryOrigin(context.index, scope="detachment", owner=form.id)
    rules = [rule for rule in context.forms.rules if is_rule_in_detachment(rule, form, context)]
    slots = [(slot, target) for slot in form.slots if (target := _resolve_slot(slot, context))]
    constraints = [
        *(c for rule in (*rules, *form.rules) for c in build_rule(rule, context, origin)),
        *_limit_detachments(form, context),
        *_build_swaps(form, context),
        *_forbid_other_types(form, {target for _, target in slots}, context),
    ]
    grows = None
    if form.allowances:
        with_units = {make_id(unit.type.text) for unit in context.forms.units if unit.type}
        asked = with_units | {places.kinds[place] for place in places.demanded}
        types = [target for _, target in slots if target in asked]
        constraints += build_allowance_limits(form.allowances, types, form.id, places)
        grows = build_growth(form.allowances, types, places)
    costs, modifiers = context.build_costs(form.prices, origin)
    return ForceEntry(
        id=form.id,
        name=form.name,
        costs=tuple(costs),
        modifiers=tuple(modifiers),
        constraints=tuple(constraints),
        categories=tuple(_build_slot(slot, target, form, context) for slot, target in slots),
        infos=_build_infos(form),
        growth=grows,
        common=build_common(form.common, context),
        words=tuple(build_force_rule_words(form, context.forms)),
        citation=form.cite,
    )


def is_rule_in_detachment(rule: RuleSyntax, form: DetachmentSyntax, context: CompileContext) -> bool:
    """Whether a rule of the whole pack holds in this kind of detachment."""
    if rule.scope != "detachment":
        return False
    kinds = [context.index.find_target(name, None, ("detachment",)) for name in rule.of]
    return not rule.of or any(target and target.id == form.id for target in kinds)


def _resolve_slot(slot: SlotSyntax, context: CompileContext) -> str | None:
    target = context.index.find_target(slot.of, None, ("type", "keyword"))
    return target.id if target else None


def _build_slot(
    slot: SlotSyntax, target: str, form: DetachmentSyntax, context: CompileContext
) -> CategoryLink:
    link_id = f"{form.id}@{target}"
    low, high = slot.range
    query = Query(scope=Scope.FORCE, child_id=target, deep=True)
    limits = []
    if low:
        limits.append(
            context.build_constraint(f"{link_id}#min", Bound.MIN, low, form.slot_text, form.cite, query)
        )
    if high is not None and not _is_taken(slot, form):
        limits.append(
            context.build_constraint(f"{link_id}#max", Bound.MAX, high, form.slot_text, form.cite, query)
        )
    return CategoryLink(
        id=link_id, target_id=target, name=slot.name, constraints=tuple(limits), citation=form.cite
    )


def _forbid_other_types(
    form: DetachmentSyntax, named: set[str], context: CompileContext
) -> Iterator[Constraint]:
    """Nothing of the types that the slots do not name: lists from elsewhere may have it all the same."""
    for kind in context.forms.types:
        if kind not in named and kind not in context.forms.addon_types:
            query = Query(scope=Scope.FORCE, child_id=kind, deep=True)
            yield context.build_constraint(
                f"{form.id}#no-{kind}", Bound.MAX, 0, form.slot_text, form.cite, query
            )


def _is_taken(slot: SlotSyntax, form: DetachmentSyntax) -> bool:
    """Whether swaps widen this slot, so that the swaps bind it."""
    return any(is_slot_called(swap.take[1], slot) for swap in form.swaps)


def is_slot_called(name: Reference, slot: SlotSyntax) -> bool:
    return make_id(name.text) in (make_id(slot.name), make_id(slot.of.text))


def _build_swaps(form: DetachmentSyntax, context: CompileContext) -> Iterator[Constraint]:
    """Giving up slots for others: what is taken stays within its own slots plus those not used of what is given."""
    for swap in form.swaps:
        given, taken = _find_slot(swap.give[1], form, context), _find_slot(swap.take[1], form, context)
        if given is None or taken is None:
            continue
        if given.range.high is None or taken.range.high is None:
            message = "Slots without an upper number cannot be swapped."
            context.problems.add(swap.where, "bad-swap", message, "Give both slots a number, as 0-2.")
            continue
        ratio = shorten_number(Decimal(swap.take[0]) / swap.give[0])
        give_id, take_id = _resolve_slot(given, context) or "", _resolve_slot(taken, context) or ""
        most = taken.range.high + ratio * given.range.high
        count = Query(scope=Scope.FORCE, child_id=take_id, deep=True)
        there = Query(scope=Scope.FORCE, child_id=give_id, deep=True)
        used = Term(query=there, coefficient=-ratio)
        # Beyond its own slots the given type breaks its own limit, and this one says nothing more.
        within = Condition(operator=Operator.AT_MOST, query=there, value=given.range.high)
        when = ALWAYS if _is_taken(given, form) else Guard(conditions=(within,))
        constraint_id = f"{form.id}#swap-{make_id(given.name or give_id)}-{make_id(taken.name or take_id)}"
        yield context.build_constraint(
            constraint_id, Bound.MAX, most, swap.text, swap.text.cite, count, when, terms=(used,)
        )


def _find_slot(name: Reference, form: DetachmentSyntax, context: CompileContext) -> SlotSyntax | None:
    for slot in form.slots:
        if is_slot_called(name, slot):
            return slot
    known = [slot.name or slot.of.text for slot in form.slots]
    message = f"The detachment “{form.name}” has no slot “{name.text}”."
    context.problems.add(name.where, "unknown-name", message, suggest_names(name.text, known))
    return None


def _limit_detachments(form: DetachmentSyntax, context: CompileContext) -> Iterator[Constraint]:
    """How many detachments of the kind a list may have."""
    low, high = form.count
    query = Query(field=Field.FORCES, scope=Scope.ROSTER, child_id=form.id)
    if low:
        yield context.build_constraint(
            f"{form.id}#count-min", Bound.MIN, low, form.count_text, form.cite, query
        )
    if high is not None:
        yield context.build_constraint(
            f"{form.id}#count-max", Bound.MAX, high, form.count_text, form.cite, query
        )


def _build_infos(form: DetachmentSyntax) -> tuple[Info, ...]:
    if not form.text:
        return ()
    return (
        Info(
            id=f"{form.id}~text",
            kind=InfoKind.RULE,
            name=form.name,
            description=form.text,
            citation=form.cite,
        ),
    )
