"""Unit cards: one for each unit, equal ones once."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from roster.engine.report import EffectiveForce, EffectiveProfile, EffectiveSelection
from roster.pdf.height_estimate import PAGE, card_height
from roster.pdf.listed_units import Part, divided, is_listed, likeness, name_of, own_costs, parts_of, units_in
from roster.pdf.model_lines import crews_of
from roster.pdf.paper_text import figure, option_texts
from roster.pdf.reference import ability_names, profiles_of
from roster.pdf.shapes import Card, Table
from roster.pdf.sheet_context import Context
from roster.pdf.table_columns import FULL, HALF, Plans, plans_for
from roster.pdf.tables import fits, tables_of


def units_of(forces: Iterable[EffectiveForce]) -> Iterator[Part]:
    """Every unit of a list, detachment by detachment."""
    for force in forces:
        for node in force.selections:
            parts = list(parts_of(node))
            if any(is_listed(part.node) for part in parts):
                yield from parts
        yield from units_of(force.forces)


def cards_of(units: Sequence[Part], context: Context) -> Iterator[Card]:
    """The cards in the order in which their units first appear."""
    groups: dict[Hashable, list[Part]] = {}
    for part in units:
        alike = (
            likeness(part.node, addons=False),
            part.custom_name,
            part.notes,
            part.type,
            part.host is None,
        )
        groups.setdefault(alike, []).append(part)
    profiles = {id(group): profiles_of(group[0].node) for group in groups.values()}
    everything = list(chain.from_iterable(profiles.values()))
    half, full = plans_for(everything, HALF, cut=False), plans_for(everything, FULL, cut=True)
    for group in groups.values():
        found = profiles[id(group)]
        card = _card(group, found, half, context) if fits(found, half) else None
        if card is None or card_height(card) > PAGE:
            card = replace(_card(group, found, full, context), wide=True)
        if card.tables or card.crews or card.options or card.abilities or card.notes:
            yield card


def _card(group: list[Part], profiles: Sequence[EffectiveProfile], plans: Plans, context: Context) -> Card:
    part, count = group[0], sum(part.count for part in group)
    node = part.node
    crews = crews_of(node, count, context.money)
    tables = tables_of(profiles, plans, {node.name, *(crew.name for crew in crews)})
    cost = divided(context.money.main(own_costs(node)), units_in(node))
    return Card(
        name=part.name,
        data_name=node.name if part.custom_name else "",
        type=part.type,
        keywords=tuple(c.custom_name or c.name for c in node.categories if not (c.primary or c.hidden)),
        count=count,
        cost=figure(cost) if context.money.types else "",
        host=", ".join(dict.fromkeys(name_of(part.host) for part in group if part.host)),
        crews=crews,
        tables=tables,
        options=tuple(option_texts(node, context.money)),
        abilities=_untold(ability_names(node), tables),
        notes=part.notes,
        marks=context.marks_of(node) or context.marks_of(part.choice),
        citation=_citation(node, profiles, context),
    )


def _untold(abilities: Iterable[str], tables: Iterable[Table]) -> tuple[str, ...]:
    """The abilities that no table names anyway, as a weapon's does its own."""
    told = "\n".join(cell.text for table in tables for row in table.rows for cell in row.cells)
    return tuple(name for name in abilities if name not in told)


def _citation(node: EffectiveSelection, profiles: Iterable[EffectiveProfile], context: Context) -> str:
    """Where the unit is printed: what it cites itself, else what its first profile does."""
    places = chain([node.citation], (profile.citation for profile in profiles))
    return next((text for place in places if place and (text := context.cite(place))), "")
