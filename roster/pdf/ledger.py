"""The opponent's copy: detachments and their units as lines of a ledger."""

from collections.abc import Hashable, Iterable, Iterator

from roster.engine.report import EffectiveForce, EffectiveSelection
from roster.pdf.deck_lists import cards_in
from roster.pdf.listed_units import (
    guests,
    holds_units,
    ids_of,
    likeness,
    models_in,
    name_of,
    own,
    own_costs,
    type_of,
    units_in,
)
from roster.pdf.model_lines import crew_texts
from roster.pdf.paper_text import Money, figure, option_texts, times
from roster.pdf.shapes import Amount, Block, Line, Tally
from roster.pdf.sheet_context import Context


def blocks_of(forces: Iterable[EffectiveForce], context: Context, depth: int = 0) -> Iterator[Block]:
    """All detachments, those inside another right after it."""
    for force in forces:
        yield Block(
            name=force.title,
            kind=force.name if force.custom_name else "",
            catalogue=force.catalogue_name,
            depth=depth,
            costs=tuple(map(_amount, context.money.names, context.money.row(force.totals))),
            tallies=tuple(_tallies(force)),
            lines=tuple(_lines(force.selections, "", context)),
            notes=force.notes,
            problems=context.problems_at([force.id]),
        )
        yield from blocks_of(force.forces, context, depth + 1)


def _amount(name: str, value: str) -> Amount:
    return Amount(name=name, value=value)


def _tallies(force: EffectiveForce) -> Iterator[Tally]:
    """How many choices stand in each slot, in the order of the slots."""
    counts: dict[str, int] = {}
    for node in force.selections:
        for category in node.categories:
            if category.primary:
                counts[category.name] = counts.get(category.name, 0) + node.number
    order = [c.name for c in force.categories if c.name in counts]
    for name in dict.fromkeys([*order, *counts]):
        yield Tally(name=name, count=counts[name])


def alike(nodes: Iterable[EffectiveSelection], *, addons: bool = True) -> list[list[EffectiveSelection]]:
    """The selections in order, equal ones together."""
    groups: dict[Hashable, list[EffectiveSelection]] = {}
    for node in nodes:
        groups.setdefault(likeness(node, addons=addons), []).append(node)
    return list(groups.values())


def _lines(nodes: Iterable[EffectiveSelection], host: str, context: Context) -> Iterator[Line]:
    """Units in order, equal ones on one line, add-ons below their host."""
    for group in alike(nodes):
        yield _line(group, host, context)
        node = group[0]
        for unit in guests(node) if holds_units(node) else [node]:
            yield from _lines(guests(unit) * len(group), name_of(unit), context)


def _line(group: list[EffectiveSelection], host: str, context: Context) -> Line:
    node = group[0]
    members = guests(node) if holds_units(node) else []
    costs = own_costs(node)
    return Line(
        type=type_of(node),
        name=name_of(node),
        count=len(group),
        models=sum(map(models_in, members or [node])),
        units=sum(map(units_in, members or [node])),
        host=host,
        options=tuple(_options(node, members, context.money)),
        costs=context.money.row(costs, len(group)),
        each=figure(context.money.main(costs)) if len(group) > 1 else "",
        notes=node.notes,
        marks=context.marks_of(node),
        problems=context.problems_at(i for one in group for i in _ids(one)),
        placeholder=node.placeholder,
        cards=cards_in(node, context.cards),
        commands=_commands([node, *members], context),
    )


def _commands(units: list[EffectiveSelection], context: Context) -> str:
    """What a line's unit, or one of them, is called because it commands the list; blank where none does."""
    found = (c for unit in units for part in own(unit) for c in part.categories if c.id == context.command)
    return next((category.name for category in found), "")


def _ids(node: EffectiveSelection) -> set[str]:
    """The ids of a line: of the unit, or of the choice with its units; add-ons have a line of their own."""
    return ids_of(node).union(*map(ids_of, guests(node) if holds_units(node) else []))


def _options(node: EffectiveSelection, members: list[EffectiveSelection], money: Money) -> Iterator[str]:
    yield from option_texts(node, money)
    yield from crew_texts(node, money)
    groups = alike(members)
    for group in groups:
        inside = [*option_texts(group[0], money), *crew_texts(group[0], money)]
        if inside or len(groups) > 1 or name_of(group[0]) != name_of(node):
            yield times(sum(map(units_in, group)), name_of(group[0])) + (
                f" ({', '.join(inside)})" if inside else ""
            )
