"""The opponent's copy: detachments, and a line for each of their units."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain

from roster.engine.report import EffectiveForce, EffectiveSelection, find_primary
from roster.pdf.deck_lists import count_cards
from roster.pdf.listed_units import (
    collect_ids,
    compute_likeness,
    compute_own_costs,
    count_models,
    count_units,
    find_title,
    get_name,
    get_type_name,
    is_unit_group,
    list_guests,
    list_units_of_choice,
    write_notes,
)
from roster.pdf.model_lines import describe_models
from roster.pdf.paper_text import Money, describe_options, format_count, format_figure
from roster.pdf.shapes import Amount, ForceBlock, SlotCount, UnitLine
from roster.pdf.sheet_context import SheetContext


def build_blocks(forces: Iterable[EffectiveForce], context: SheetContext, depth: int = 0) -> Iterator[ForceBlock]:
    """Yield all detachments, each followed by those inside it."""
    for force in forces:
        units = [node for node in force.selections if _has_line(node, context)]
        yield ForceBlock(
            name=force.title,
            kind=force.name if force.custom_name else "",
            catalogue=force.catalogue_name,
            depth=depth,
            costs=tuple(map(_build_amount, context.money.names, context.money.format_row(force.totals))),
            tallies=tuple(_count_slots(force, units)),
            lines=tuple(_build_lines(units, "", context)),
            settings=tuple(_describe_settings(force, context)),
            notes=force.notes,
            problems=context.find_problems([force.id]),
        )
        yield from build_blocks(force.forces, context, depth + 1)


def _has_line(node: EffectiveSelection, context: SheetContext) -> bool:
    """Say whether a selection has a line among the units: it is one, or it breaks a rule."""
    return node.id not in context.settings or bool(context.find_problems(collect_ids(node)))


def _describe_settings(force: EffectiveForce, context: SheetContext) -> Iterator[str]:
    """Yield what is chosen for the detachment as a whole; what is there only to be read holds no choice."""
    for node in force.selections:
        if node.selections and not _has_line(node, context):
            yield f"{get_name(node)}: {', '.join(describe_options(node, context.money))}"


def _build_amount(name: str, value: str) -> Amount:
    return Amount(name=name, value=value)


def _count_slots(force: EffectiveForce, units: Iterable[EffectiveSelection]) -> Iterator[SlotCount]:
    """Yield how many of the units of a detachment are in each slot, in the order of the slots."""
    counts = _count_by_slot(units)
    # Slots in the order of the detachment, then what has no slot in it.
    order = [category.name for category in force.categories if category.name in counts]
    for name in dict.fromkeys([*order, *counts]):
        yield SlotCount(name=name, count=counts[name])


def _count_by_slot(units: Iterable[EffectiveSelection]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for node in units:
        slot = find_primary(node.categories)
        if slot:
            counts[slot.name] += node.number
    return counts


def group_alike(nodes: Iterable[EffectiveSelection], *, addons: bool = True) -> list[list[EffectiveSelection]]:
    """Return the selections in order, with equal ones in one group."""
    groups: dict[Hashable, list[EffectiveSelection]] = {}
    for node in nodes:
        groups.setdefault(compute_likeness(node, addons=addons), []).append(node)
    return list(groups.values())


def _build_lines(nodes: Iterable[EffectiveSelection], host: str, context: SheetContext) -> Iterator[UnitLine]:
    """Yield units in order, equal ones on one line, add-ons below their host."""
    for group in group_alike(nodes):
        yield _build_line(group, host, context)
        node = group[0]
        # Where several units are taken as one choice, add-ons belong to each of those, not to the choice.
        for unit in list_units_of_choice(node):
            yield from _build_lines(list_guests(unit) * len(group), get_name(unit), context)


def _build_line(group: list[EffectiveSelection], host: str, context: SheetContext) -> UnitLine:
    node = group[0]
    members = list_guests(node) if is_unit_group(node) else []
    costs = compute_own_costs(node)
    units = members or [node]
    return UnitLine(
        type=get_type_name(node),
        name=get_name(node),
        count=len(group),
        models=sum(map(count_models, units)),
        units=sum(map(count_units, units)),
        host=host,
        options=tuple(_describe_line_options(node, members, context.money)),
        costs=context.money.format_row(costs, len(group)),
        cost_each=format_figure(context.money.get_main_amount(costs)) if len(group) > 1 else "",
        notes=write_notes(node),
        marks=context.find_marks(node),
        problems=context.find_problems(chain.from_iterable(map(_collect_line_ids, group))),
        placeholder=node.placeholder,
        cards=count_cards(node, context.cards),
        commands=_find_command_title([node, *members], context),
    )


def _find_command_title(units: list[EffectiveSelection], context: SheetContext) -> str:
    """Return the title of the commander if it is one of these units, or a blank."""
    titles = (find_title(unit, context.command) for unit in units)
    return next(filter(None, titles), "")


def _collect_line_ids(node: EffectiveSelection) -> set[str]:
    """Return the ids on a line: those of the unit, or of the choice with its units. Add-ons have lines of their own."""
    ids = collect_ids(node)
    if is_unit_group(node):
        for unit in list_guests(node):
            ids |= collect_ids(unit)
    return ids


def _describe_line_options(node: EffectiveSelection, members: list[EffectiveSelection], money: Money) -> Iterator[str]:
    yield from describe_options(node, money)
    yield from describe_models(node, money)
    groups = group_alike(members)
    for group in groups:
        inside = ", ".join([*describe_options(group[0], money), *describe_models(group[0], money)])
        # A choice of equal units that is called like them needs no names of its members.
        if inside or len(groups) > 1 or get_name(group[0]) != get_name(node):
            yield _describe_members(group, inside)


def _describe_members(group: Sequence[EffectiveSelection], inside: str) -> str:
    name = format_count(sum(map(count_units, group)), get_name(group[0]))
    return f"{name} ({inside})" if inside else name
