"""Compile the commander's rule, and limits on units that need its permission."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from catalogue.definitions.constraints import CommanderRule, Constraint, RuleWords
from catalogue.definitions.entries import Category
from catalogue.definitions.queries import Bound, Change, Condition, Guard, Modifier, Operator, Query, Scope, Term
from catalogue.definitions.rule_codes import RuleCode
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.expressions import build_commanding_guard, require_entry
from catalogue.formats.packs.compile.name_index import is_of_kind, list_names, walk_models
from catalogue.formats.packs.compile.rules import build_rule_words
from catalogue.formats.packs.features.commander import COMMANDER, COMMANDS, LEAVE, make_commands_id
from catalogue.formats.packs.features.commander.syntax import LeaveSyntax
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT, RuleText
from catalogue.formats.packs.syntax.pack import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax

LEAVES = re.compile(r"(\d+)\s*/\s*(.+)")


def add_leave_options(pack: PackSyntax) -> tuple[UnitSyntax, ...]:
    if pack.command is None or pack.command.leave is None:
        return pack.units
    leave = pack.command.leave
    # Only abilities of commanders tell whom they lead.
    led = {name for unit in pack.units for _, name in _read_leaves(unit, leave)}
    units = []
    for unit in pack.units:
        entry_id = f"{unit.id}/unit" if unit.units.high != 1 else unit.id
        part_id = f"{entry_id}/{make_id(leave.option)}"
        if not is_of_kind(unit, leave.of) or any(option.id == part_id for option in unit.options):
            units.append(unit)
            continue
        option = PartSyntax(
            id=part_id,
            name=leave.option,
            where=unit.where,
            cite=leave.without.cite,
            kind="option",
            counts_as=leave.counts_as,
            # Imported lists may have the option without any commander for it.
            hidden=not led & list_names(unit),
            by_leave=True,
        )
        units.append(replace(unit, options=(*unit.options, option)))
    return tuple(units)


def _read_leaves(unit: UnitSyntax, leave: LeaveSyntax) -> Iterator[tuple[int, str]]:
    """Read the number and name of led units from the abilities of a unit and its models."""
    for use in (*unit.abilities, *chain.from_iterable(model.abilities for model in walk_models(unit.models))):
        match = LEAVES.fullmatch(use.parameter)
        if match and make_id(use.name.text) == make_id(leave.ability.text):
            yield int(match[1]), make_id(match[2])


def check_leaves(context: CompileContext) -> None:
    leave = _get_leave(context)
    if leave is None:
        return
    unit_ids = [make_id(unit.name) for unit in context.pack.units]
    for unit in context.pack.units:
        for _, name in _read_leaves(unit, leave):
            if not _list_squads(name, context):
                message = f"The unit “{unit.name}” leads “{name}”, and there is no such unit."
                context.problems.add_unknown(unit.where, name, unit_ids, message)


def build_commander_modifiers(unit: UnitSyntax, context: CompileContext) -> Iterator[Modifier]:
    category_ids = [make_commands_id(unit.id)] if unit.id in context.commanders else []
    category_ids += [_make_leave_id(squad.id, number) for number, squad in _list_led_squads(unit, context)]
    for category_id in category_ids:
        yield Modifier(change=Change.ADD, field="category", value=category_id, guard=build_commanding_guard())


def _get_leave(context: CompileContext) -> LeaveSyntax | None:
    return context.pack.command.leave if context.pack.command else None


def _list_led_squads(unit: UnitSyntax, context: CompileContext) -> Iterator[tuple[int, UnitSyntax]]:
    leave = _get_leave(context)
    if leave:
        for number, name in _read_leaves(unit, leave):
            for squad in _list_squads(name, context):
                yield number, squad


def _list_squads(name: str, context: CompileContext) -> list[UnitSyntax]:
    return [unit for unit in context.pack.units if name in list_names(unit)]


def _make_leave_id(squad_id: str, number: int) -> str:
    return f"{LEAVE}/{squad_id}/{number}"


def _collect_leaves(context: CompileContext) -> dict[str, list[int]]:
    numbers_by_unit: defaultdict[str, set[int]] = defaultdict(set)
    for unit in context.pack.units:
        for number, squad in _list_led_squads(unit, context):
            numbers_by_unit[squad.id].add(number)
    return {unit_id: sorted(numbers) for unit_id, numbers in numbers_by_unit.items()}


def find_named_commanders(nouns: Iterable[str], pack: PackSyntax) -> Iterator[str]:
    ending = f"-{COMMANDS}"
    names = {noun.removesuffix(ending) for noun in nouns if noun.endswith(ending)}
    yield from (unit.id for unit in pack.units if names & list_names(unit))


def build_commander_categories(context: CompileContext) -> Iterator[Category]:
    if context.pack.command:
        yield Category(id=COMMANDER, name=context.pack.command.name)
        yield Category(id=LEAVE, name=LEAVE, hidden=True)
    for unit_id in sorted(context.commanders):
        yield Category(id=make_commands_id(unit_id), name=unit_id, hidden=True)
    for squad_id, numbers in _collect_leaves(context).items():
        for number in numbers:
            yield Category(id=_make_leave_id(squad_id, number), name=squad_id, hidden=True)


def build_leave_limits(unit: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    leave = _get_leave(context)
    part = next((part for part in unit.options if part.by_leave and not part.hidden), None)
    if leave is None or part is None:
        return
    numbers = _collect_leaves(context)[unit.id]
    queries = [Query(scope=Scope.ROSTER, child_id=_make_leave_id(unit.id, number), deep=True) for number in numbers]
    # A category for each number lets the sum weight it.
    terms = tuple(map(Term, queries, numbers))
    counted = Query(scope=Scope.ROSTER, child_id=part.id, deep=True)
    # A further unit may give leave if it comes to command; look-ahead finds out.
    without = replace(leave.without, mendable=True)
    nobody = Guard(conditions=tuple(Condition(operator=Operator.LESS_THAN, query=query, value=1) for query in queries))
    yield context.build_constraint(f"{part.id}#leave", Bound.MAX, 0, without, without.cite, counted, nobody)
    too_many = replace(leave.too_many, mendable=False)
    # The first constraint covers the case without leave.
    conditions = tuple(Condition(operator=Operator.AT_LEAST, query=query, value=1) for query in queries)
    somebody = Guard(any_of=True, conditions=conditions)
    yield context.build_constraint(
        f"{part.id}#leave-most", Bound.MAX, 0, too_many, too_many.cite, counted, somebody, terms
    )


def build_counted_types(unit: UnitSyntax, printed_type: str, context: CompileContext) -> Iterator[Modifier]:
    for part in context.index.walk_unit_parts(unit):
        other_type = context.index.find_id(part.counts_as, "type")
        if other_type:
            guard = require_entry(part.id, Scope.SELF)
            yield Modifier(change=Change.REMOVE, field="category", value=printed_type, guard=guard)
            yield Modifier(change=Change.SET_PRIMARY, field="category", value=other_type, guard=guard)


def build_command(context: CompileContext) -> CommanderRule | None:
    syntax = context.pack.command
    if syntax is None:
        return None
    return CommanderRule(
        id=COMMANDER,
        of=context.index.find_id(syntax.of, "set", "type", "keyword"),
        by=context.index.find_id(syntax.by, "cost"),
        outranked=build_rule_words(RuleCode.WRONG_COMMANDER, syntax.outranked),
        undecided=_build_optional_words(syntax.undecided),
        contested=_build_optional_words(syntax.contested),
    )


def _build_optional_words(text: RuleText) -> RuleWords | None:
    return None if text is NO_RULE_TEXT else build_rule_words(RuleCode.WRONG_COMMANDER, text)


def build_leave_rule_words(pack: PackSyntax) -> Iterator[RuleWords]:
    if pack.command and pack.command.leave:
        yield build_rule_words(RuleCode.HIDDEN, pack.command.leave.without, LEAVE)
