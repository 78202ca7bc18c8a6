"""Build the opponent's copy: detachments with a line for each unit."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

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
    put_together,
    write_notes,
)
from roster.pdf.model_lines import describe_models
from roster.pdf.paper_text import describe_options, format_count, format_figure
from roster.pdf.shapes import Amount, ForceBlock, SlotCount, UnitLine
from roster.pdf.sheet_context import SheetContext

_OF_THE_PROGRAM = re.compile(r"show\s*/\s*hide", re.IGNORECASE)
"""Options that only show or hide entries."""


def build_blocks(forces: Iterable[EffectiveForce], context: SheetContext, depth: int = 0) -> Iterator[ForceBlock]:
    for force in forces:
        units = put_together([node for node in force.selections if _has_line(node, context)])
        # Choices for the detachment as a whole; selections without contents hold no choice.
        settings = dict.fromkeys(
            f"{get_name(node)}: {', '.join(describe_options(node, context.money))}"
            for node in force.selections
            if node.selections and not _has_line(node, context) and not _OF_THE_PROGRAM.match(node.name)
        )
        amounts = zip(context.money.names, context.money.format_row(force.totals), strict=False)

        counts: Counter[str] = Counter()
        for node in units:
            if slot := find_primary(node.categories):
                counts[slot.name] += node.number
        # Slots in the order of the detachment, then other types.
        slots = dict.fromkeys([*(category.name for category in force.categories if category.name in counts), *counts])
        yield ForceBlock(
            name=force.title,
            kind=force.name if force.custom_name else "",
            catalogue=force.catalogue_name,
            depth=depth,
            costs=tuple(Amount(name=name, value=value) for name, value in amounts),
            tallies=tuple(SlotCount(name=name, count=counts[name]) for name in slots),
            lines=tuple(_build_lines(units, "", context)),
            settings=tuple(settings),
            notes=force.notes,
            problems=context.find_problems([force.id]),
        )
        yield from build_blocks(force.forces, context, depth + 1)


def _has_line(node: EffectiveSelection, context: SheetContext) -> bool:
    return node.id not in context.settings or bool(context.find_problems(collect_ids(node)))


def group_alike(nodes: Iterable[EffectiveSelection], *, addons: bool = True) -> list[list[EffectiveSelection]]:
    groups: dict[Hashable, list[EffectiveSelection]] = {}
    for node in nodes:
        groups.setdefault(compute_likeness(node, addons=addons), []).append(node)
    return list(groups.values())


def _build_lines(nodes: Iterable[EffectiveSelection], host: str, context: SheetContext) -> Iterator[UnitLine]:
    for group in group_alike(nodes):
        yield _build_line(group, host, context)
        node = group[0]
        # In a choice of several units, add-ons belong to the units.
        for unit in list_units_of_choice(node):
            yield from _build_lines(list_guests(unit) * len(group), get_name(unit), context)


def _build_line(group: list[EffectiveSelection], host: str, context: SheetContext) -> UnitLine:
    node = group[0]
    members = list_guests(node) if is_unit_group(node) else []
    costs = compute_own_costs(node)
    units = members or [node]
    # A choice includes its units; add-ons have separate lines.
    ids: set[str] = set()
    for one in group:
        ids |= {part.id for part in one.walk()}
        for unit in list_units_of_choice(one):
            ids -= {part.id for addon in list_guests(unit) for part in addon.walk()}
    titles = (find_title(unit, context.command) for unit in [node, *members])

    money = context.money
    options = [*describe_options(node, money), *describe_models(node, money)]
    alike = group_alike(members)
    for equal in alike:
        inside = ", ".join([*describe_options(equal[0], money), *describe_models(equal[0], money)])
        # Equal members with the name of their choice need no names.
        if inside or len(alike) > 1 or get_name(equal[0]) != get_name(node):
            name = format_count(sum(map(count_units, equal)), get_name(equal[0]))
            options.append(f"{name} ({inside})" if inside else name)
    return UnitLine(
        type=get_type_name(node),
        name=get_name(node),
        count=len(group),
        models=sum(map(count_models, units)),
        units=sum(map(count_units, units)),
        host=host,
        options=tuple(options),
        costs=context.money.format_row(costs, len(group)),
        cost_each=format_figure(context.money.get_main_amount(costs)) if len(group) > 1 else "",
        notes=write_notes(node),
        marks=context.find_marks(node),
        problems=context.find_problems(ids),
        placeholder=node.placeholder,
        cards=count_cards(node, context.cards),
        follows=bool(node.joined_by) and not host,
        commands=next(filter(None, titles), ""),
        data_name=node.name if node.custom_name else "",
    )
