"""Every unit of these packs, and every option on which something depends, is in a legal list of its faction.

An ability that gives leave to something, moves it to another slot or lifts a limit is data like any other: a mistake in
reading it shows as something that no legal list can have. The solver looks for the list, and the validator judges it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from catalogue.definitions.catalogues import CatalogueKind
from catalogue.definitions.queries import Guard, Operator, Scope
from catalogue.formats.packs.load import SHIPPED
from catalogue.graph.compiled_entry import CompiledOption
from catalogue.graph.ruleset import CompiledCatalogue, Ruleset
from roster.engine import edits
from roster.engine.completion.complete import complete
from roster.engine.completion.look_ahead import LookAhead
from roster.engine.completion.solver import Possibility
from roster.engine.effects import HIDDEN
from roster.engine.tree import RosterTree, copy_with, find_path, replace_node
from roster.services.limits import WAYS
from tests.extent import sample
from tests.shipped_packs import read_ruleset

SIZES = {
    "wh40k/ninth": (1000, 3000),
    "maelstroms_edge/second": (200,),
    "maelstroms_edge/first": (200,),
    "edge_dawnfall/dawnfall": (),
    "reeds_and_rust/first": (200,),
    "warzone/resurrection": (1000, 2500),
}
"""The points of a list, smallest first, by pack."""
UNITS_ONLY = {"warzone/resurrection"}
"""Packs whose data itself has options that exclude each other; tests of leaders try what commanders give leave to."""
MOST_FACTIONS = 2
"""In as many factions a unit of such packs is tried: guests of all factions would take a quarter of an hour."""
ABSENT = (Operator.LESS_THAN, Operator.AT_MOST)


class Wanted(NamedTuple):
    """An option of a unit, or the unit itself, beside another unit if that gives it leave."""

    pack: str
    faction: str
    unit: str
    option: tuple[str, ...] = ()
    beside: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.faction, self.unit, *self.option, self.beside)))


def walk(option: CompiledOption, path: tuple[CompiledOption, ...] = ()) -> Iterator[tuple[CompiledOption, ...]]:
    """Yield the path to each option inside another."""
    for inner in option.entry.contents.options:
        if inner not in path:
            yield (*path, inner)
            yield from walk(inner, (*path, inner))


def list_guards(option: CompiledOption) -> list[Guard]:
    """List what hides an option, or bars it."""
    entry = option.entry
    barring = (compiled.constraint for some in entry.constraints.by_bound.values() for compiled in some)
    return [
        *(modifier.guard for modifier in entry.modifiers.get(HIDDEN, ()) if modifier.value == "true"),
        *(constraint.when for constraint in barring if constraint.when and not constraint.value),
    ]


def list_missed(guard: Guard, *, negated: bool = False) -> Iterator[str]:
    """Yield the ids whose absence from the list fulfils a guard."""
    negated = negated != guard.negated
    for condition in guard.conditions:
        is_in_list = condition.query.scope in (Scope.ROSTER, Scope.FORCE)
        if is_in_list and condition.query.child_id and (condition.operator in ABSENT) != negated:
            yield condition.query.child_id
    for inner in guard.guards:
        yield from list_missed(inner, negated=negated)


def list_wanted(pack: str) -> Iterator[Wanted]:
    ruleset = read_ruleset(SHIPPED / pack)
    tried: Counter[str] = Counter()
    for catalogue in ruleset.data.catalogues:
        if catalogue.kind is CatalogueKind.FACTION:
            yield from list_wanted_of(pack, ruleset.find_catalogue(catalogue.id), tried)


def list_wanted_of(pack: str, faction: CompiledCatalogue, tried: Counter[str]) -> Iterator[Wanted]:
    """Yield the units of a faction and their options; `tried` counts the factions that had a unit before."""
    units = {option.entry.target.id: option.local_id for option in faction.distinct_roots}
    for root in faction.distinct_roots:
        tried[root.entry.name] += 1
        if pack in UNITS_ONLY and tried[root.entry.name] > MOST_FACTIONS:
            continue
        missed = {key for guard in list_guards(root) for key in list_missed(guard)}
        besides = [units[key] for key in sorted(missed) if key in units and units[key] != root.local_id]
        for beside in ("", *besides):
            yield Wanted(pack, faction.catalogue.id, root.local_id, (), beside)
        moving = [modifier.guard for modifier in root.entry.modifiers.get("category", ())]
        movers = {condition.query.child_id for guard in moving for condition in guard.conditions}
        for path in walk(root):
            if any(part.hidden and HIDDEN not in part.entry.modifiers for part in path):
                # It only gives a list that has it the words of its rule.
                continue
            guards = list_guards(path[-1])
            if guards or path[-1].entry.target.id in movers:
                yield Wanted(pack, faction.catalogue.id, root.local_id, tuple(part.local_id for part in path))


@cache
def list_all() -> tuple[Wanted, ...]:
    wanted_everywhere = (wanted for pack in SIZES for wanted in list_wanted(pack))
    return tuple(wanted for wanted in wanted_everywhere if not (wanted.option and wanted.pack in UNITS_ONLY))


def begin(ruleset: Ruleset, wanted: Wanted, force_kind: str, points: int) -> RosterTree | None:
    """Return a list of just what is wanted; None if this kind of force has no place for it."""
    limits = {ruleset.points_type.id: points} if points and ruleset.points_type else {}
    roster = edits.create_roster(ruleset, limits=limits).roster
    made = edits.add_force(ruleset, copy_with(roster, faction=wanted.faction), force_kind, wanted.faction)
    force_id = made.created[0]
    for unit in filter(None, (wanted.beside, wanted.unit)):
        made = edits.select(ruleset, made.roster, force_id, unit)
        if isinstance(made, edits.Refused):
            return None
    roster, node_id = made.roster, made.created[0]
    for part in wanted.option:
        present = (one.id for one in find_path(roster, node_id)[-1].selections if one.entry_id.endswith(part))
        chosen_id = next(present, "")
        if not chosen_id:
            made = edits.select(ruleset, roster, node_id, part)
            if isinstance(made, edits.Refused):
                return None
            roster, chosen_id = made.roster, made.created[0]
        roster, node_id = drop_others(roster, node_id, chosen_id), chosen_id
    return roster


def drop_others(roster: RosterTree, parent_id: str, chosen_id: str) -> RosterTree:
    """Drop the choices that were made by themselves beside the wanted option: it may exclude them."""
    path = find_path(roster, parent_id)
    parent = path[-1]
    kept = tuple(part for part in parent.selections if part.id == chosen_id or not part.group_id)
    return replace_node(path, copy_with(parent, selections=kept))


def can_be_taken(wanted: Wanted) -> bool:
    ruleset = read_ruleset(SHIPPED / wanted.pack)
    # Looking ahead says yes only of a list that the validator calls legal.
    return any(
        LookAhead(ruleset, begun, WAYS.start()).judge() is Possibility.YES
        for place in (wanted, *list_inside_others(ruleset, wanted))
        for begun in list_beginnings(ruleset, place)
    )


def list_inside_others(ruleset: Ruleset, wanted: Wanted) -> Iterator[Wanted]:
    """Yield the options of other units that are the wanted unit: some serve only in pairs, or join squads."""
    faction = ruleset.find_catalogue(wanted.faction)
    assert faction is not None
    if wanted.option or wanted.beside:
        return
    unit_id = next(root.entry.target.id for root in faction.distinct_roots if root.local_id == wanted.unit)
    for root in faction.distinct_roots:
        for path in walk(root):
            if path[-1].entry.target.id == unit_id:
                yield wanted._replace(unit=root.local_id, option=tuple(part.local_id for part in path))


def list_beginnings(ruleset: Ruleset, wanted: Wanted) -> Iterator[RosterTree]:
    faction = ruleset.find_catalogue(wanted.faction)
    assert faction is not None
    for points in SIZES[wanted.pack] or (0,):
        for kind in faction.force_entries:
            begun = begin(ruleset, wanted, kind.id, points)
            if begun:
                yield begun


def test_conditions_name_those_who_give_leave() -> None:
    packs = {"wh40k/ninth", "edge_dawnfall/dawnfall", "warzone/resurrection"}
    assert {wanted.pack for wanted in list_all() if wanted.beside} == packs


@cache
def list_factions() -> tuple[Wanted, ...]:
    return tuple(dict.fromkeys(wanted._replace(unit="", option=(), beside="") for wanted in list_all()))


@pytest.mark.parametrize("empty", sample(list_factions(), 4), ids=str)
def test_an_empty_list_of_each_faction_is_completed(empty: Wanted) -> None:
    ruleset = read_ruleset(SHIPPED / empty.pack)
    begun = list_beginnings(ruleset, empty)
    assert any(complete(ruleset, one, effort=WAYS).roster for one in begun)


@pytest.mark.parametrize("wanted", sample(list_all(), 12, complete=120), ids=str)
def test_it_is_in_a_legal_list(wanted: Wanted) -> None:
    assert can_be_taken(wanted)
