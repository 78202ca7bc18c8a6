"""Build the unit cards of a sheet, one for equal units."""

from collections.abc import Hashable, Iterable, Iterator, Sequence

from catalogue.definitions.groups import group_by
from roster.engine.model_profiles import has_models
from roster.engine.report import EffectiveForce, EffectiveProfile, EffectiveSelection
from roster.pdf.listed_units import (
    UNIT,
    ListedUnit,
    compute_likeness,
    compute_own_costs,
    count_units,
    divide_number,
    get_name,
    is_listed,
    list_choice_units,
    list_keywords,
    put_together,
)
from roster.pdf.model_lines import build_model_lines
from roster.pdf.paper_text import Money, describe_options, format_figure
from roster.pdf.profile_tables import build_tables
from roster.pdf.reference import list_ability_names, list_profiles
from roster.pdf.shapes import SheetCard
from roster.pdf.sheet_context import SheetContext

WIDE = 10
"""Tables with more columns take the width of a page."""


def list_units(forces: Iterable[EffectiveForce]) -> Iterator[ListedUnit]:
    """Yield every unit, attached units just before their host."""
    for force in forces:
        for node in put_together(force.selections):
            parts = list(list_choice_units(node))
            # The whole choice may be a setting of the force.
            if any(is_listed(part.node) for part in parts):
                yield from parts
        yield from list_units(force.forces)


def is_counted(node: EffectiveSelection, money: Money) -> bool:
    """Return whether a selection has models or costs points."""
    costs = node.type == UNIT and bool(money.get_main_amount(node.totals))
    return node.placeholder or has_models(node) or costs


def build_sheet_cards(units: Sequence[ListedUnit], context: SheetContext) -> Iterator[SheetCard]:
    """Yield a card for each group of equal units with something to print."""
    for group in group_alike_units(units):
        card = _build_card(group, context)
        if any((card.tables, card.model_lines, card.options, card.abilities, card.notes)):
            yield card


def group_alike_units(units: Iterable[ListedUnit]) -> list[list[ListedUnit]]:

    def compute_key(unit: ListedUnit) -> Hashable:
        likeness = compute_likeness(unit.node, addons=False)
        return likeness, unit.custom_name, unit.notes, unit.type, unit.host is None

    return list(group_by(units, compute_key).values())


def _build_card(group: list[ListedUnit], context: SheetContext) -> SheetCard:
    unit, count = group[0], count_group(group)
    node, money = unit.node, context.money
    profiles = list_profiles(node)
    model_lines = build_model_lines(node, count, money)
    tables = build_tables(profiles, {node.name, *(models.name for models in model_lines)})
    # A weapon's row already shows its abilities.
    table_text = "\n".join(cell.text for table in tables for row in table.rows for cell in row.cells)
    return SheetCard(
        name=unit.name,
        data_name=node.name if unit.custom_name else "",
        type=unit.type,
        keywords=tuple(list_keywords(node)),
        count=count,
        cost=format_own_cost(node, money),
        host=name_hosts(group),
        model_lines=model_lines,
        tables=tables,
        options=tuple(describe_options(node, money)),
        abilities=tuple(name for name in list_ability_names(node) if name not in table_text),
        notes=unit.notes,
        marks=context.find_marks(node) or context.find_marks(unit.choice),
        wide=any(len(table.columns) > WIDE for table in tables),
        citation=find_citation(node, profiles, context),
    )


def count_group(group: Iterable[ListedUnit]) -> int:
    return sum(unit.count for unit in group)


def name_hosts(group: Iterable[ListedUnit]) -> str:
    return ", ".join(dict.fromkeys(get_name(unit.host) for unit in group if unit.host))


def format_own_cost(node: EffectiveSelection, money: Money) -> str:
    if not money.types:
        return ""
    amount = money.get_main_amount(compute_own_costs(node))
    return format_figure(divide_number(amount, count_units(node)))


def find_citation(node: EffectiveSelection, profiles: Iterable[EffectiveProfile], context: SheetContext) -> str:
    """Cite the unit, else its first profile with a citation, else return ""."""
    for place in (node.citation, *(profile.citation for profile in profiles)):
        if place and (text := context.cite(place)):
            return text
    return ""
