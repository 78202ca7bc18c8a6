"""Compile detachments and organisation charts."""

from collections.abc import Iterator

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.entries import CategoryLink, ForceEntry
from catalogue.definitions.queries import Bound, Field, Query, Scope
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import QueryOrigin
from catalogue.formats.packs.compile.rules import build_detachment_rule_words, build_rules
from catalogue.formats.packs.compile.shared_infos import build_text_info
from catalogue.formats.packs.features.allowances.compile import AllowanceSlots, build_allowances
from catalogue.formats.packs.features.common_keyword.compile import build_common_keyword
from catalogue.formats.packs.features.slot_exceptions.compile import list_ranges
from catalogue.formats.packs.syntax.detachments import DetachmentSyntax, SlotSyntax


def build_detachment(
    detachment: DetachmentSyntax, context: CompileContext, allowance_slots: AllowanceSlots
) -> ForceEntry:
    origin = QueryOrigin(context.index, scope="detachment", owner=detachment.id)
    rules = [
        rule
        for rule in context.pack.rules
        if rule.scope == "detachment"
        and (not rule.of or detachment.id in context.index.find_ids(rule.of, "detachment"))
    ]
    named = [(slot, context.index.find_id(slot.of, "type", "keyword")) for slot in detachment.slots]
    slots = [(slot, category_id) for slot, category_id in named if category_id]
    type_ids = [category_id for _, category_id in slots]
    allowance_limits, growth = build_allowances(detachment, type_ids, allowance_slots)
    costs, modifiers = context.build_costs(detachment.prices, origin)
    count = Query(field=Field.FORCES, scope=Scope.ROSTER, child_id=detachment.id)
    return ForceEntry(
        id=detachment.id,
        name=detachment.name,
        costs=tuple(costs),
        modifiers=tuple(modifiers),
        constraints=(
            *build_rules((*rules, *detachment.rules), context, origin),
            *context.build_range_constraints(
                f"{detachment.id}#count-", detachment.count, detachment.count_text, detachment.cite, count
            ),
            *_forbid_other_types(detachment, set(type_ids), context),
            *allowance_limits,
        ),
        categories=tuple(_build_slot(slot, target, detachment, context, origin) for slot, target in slots),
        infos=build_text_info(detachment.id, detachment.name, detachment.text, detachment.cite),
        growth=growth,
        common=build_common_keyword(detachment.common, context),
        words=tuple(build_detachment_rule_words(detachment, context.pack)),
        citation=detachment.cite,
    )


def _build_slot(
    slot: SlotSyntax, target_id: str, detachment: DetachmentSyntax, context: CompileContext, origin: QueryOrigin
) -> CategoryLink:
    link_id = f"{detachment.id}@{target_id}"
    query = Query(scope=Scope.FORCE, child_id=target_id, deep=True)
    return CategoryLink(
        id=link_id,
        target_id=target_id,
        name=slot.name,
        constraints=tuple(
            constraint
            for prefix, numbers, text, when in list_ranges(slot, detachment.slot_text, origin)
            for constraint in context.build_range_constraints(
                f"{link_id}#{prefix}", numbers, text, detachment.cite, query, when
            )
        ),
        citation=detachment.cite,
    )


def _forbid_other_types(
    detachment: DetachmentSyntax, slot_types: set[str], context: CompileContext
) -> Iterator[Constraint]:
    for type_id in context.pack.types:
        if type_id not in slot_types and type_id not in context.pack.addon_types:
            query = Query(scope=Scope.FORCE, child_id=type_id, deep=True)
            constraint_id = f"{detachment.id}#no-{type_id}"
            yield context.build_constraint(constraint_id, Bound.MAX, 0, detachment.slot_text, detachment.cite, query)
