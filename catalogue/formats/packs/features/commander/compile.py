"""Who commands a list, as a definition; and the limits on what units count as by the commander's leave."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalogue.definitions.constraints import CommanderRule, Constraint, RuleWords
from catalogue.definitions.entries import Category
from catalogue.definitions.queries import (
    Bound,
    Change,
    Condition,
    Guard,
    Modifier,
    Operator,
    Query,
    Scope,
    Term,
)
from catalogue.definitions.rule_codes import RuleCode
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.compile.builtin_rule_words import build_rule_words
from catalogue.formats.packs.compile.context import CompileContext
from catalogue.formats.packs.compile.derived_unit_fields import is_of
from catalogue.formats.packs.compile.unit_state_conditions import build_commanding_guard
from catalogue.formats.packs.features.commander import COMMANDER, COMMANDS, LEAVE
from catalogue.formats.packs.syntax.base import NO_RULE_TEXT
from catalogue.formats.packs.syntax.command import LeaveSyntax
from catalogue.formats.packs.syntax.game import PackSyntax
from catalogue.formats.packs.syntax.scalars import make_id
from catalogue.formats.packs.syntax.units import PartSyntax, UnitSyntax

LEAVES = re.compile(r"(\d+)\s*/\s*(.+)")


def add_leave_options(forms: PackSyntax) -> None:
    """Give each unit that the commander could let count as another type the option to; hidden where nobody could."""
    leave = forms.command.leave if forms.command else None
    if leave:
        led = {name for unit in forms.units for _, name in read_leaves(unit, leave)}
        forms.units = [
            _add_option(unit, leave, led) if is_of(unit, leave.of) else unit for unit in forms.units
        ]


def _add_option(unit: UnitSyntax, leave: LeaveSyntax, led: set[str]) -> UnitSyntax:
    entry_id = f"{unit.id}/unit" if unit.units.high != 1 else unit.id
    part = PartSyntax(
        id=f"{entry_id}/{make_id(leave.option)}",
        name=leave.option,
        where=unit.where,
        cite=leave.without.cite,
        kind="option",
        counts_as=leave.counts_as,
        hidden=not led & {unit.id, make_id(unit.name)},
        by_leave=True,
    )
    if any(option.id == part.id for option in unit.options):
        return unit
    return replace(unit, options=(*unit.options, part))


def read_leaves(unit: UnitSyntax, leave: LeaveSyntax) -> Iterator[tuple[int, str]]:
    """How many of which units a unit gives leave to as commander."""
    for use in unit.abilities:
        match = (
            LEAVES.fullmatch(use.parameter) if make_id(use.name.text) == make_id(leave.ability.text) else None
        )
        if match:
            yield int(match[1]), make_id(match[2])


def build_commander_modifiers(unit: UnitSyntax, context: CompileContext) -> Iterator[Modifier]:
    """What a unit is while it commands: one that gives leave, one that rules ask for by name."""
    if unit.id in context.commanders:
        yield Modifier(
            change=Change.ADD, field="category", value=f"{COMMANDS}/{unit.id}", guard=build_commanding_guard()
        )
    leave = context.forms.command.leave if context.forms.command else None
    for most, name in read_leaves(unit, leave) if leave else ():
        squads = [other for other in context.forms.units if name in (other.id, make_id(other.name))]
        if not squads:
            mend = suggest_names(name, [make_id(other.name) for other in context.forms.units])
            message = f"The unit “{unit.name}” leads “{name}”, and there is no such unit."
            context.problems.add(unit.where, "unknown-name", message, mend)
        for squad in squads:
            category_id = _make_leave_id(squad, most)
            yield Modifier(
                change=Change.ADD, field="category", value=category_id, guard=build_commanding_guard()
            )


def _make_leave_id(squad: UnitSyntax, most: int) -> str:
    return f"{LEAVE}/{squad.id}/{most}"


def _collect_leaves(context: CompileContext) -> dict[str, set[int]]:
    """How many of each unit commanders give leave to, by unit."""
    leave = context.forms.command.leave if context.forms.command else None
    numbers_by_unit: dict[str, set[int]] = {}
    for unit in context.forms.units if leave else ():
        for most, name in read_leaves(unit, leave) if leave else ():
            for squad in context.forms.units:
                if name in (squad.id, make_id(squad.name)):
                    numbers_by_unit.setdefault(squad.id, set()).add(most)
    return numbers_by_unit


def find_named_commanders(nouns: Iterable[str], context: CompileContext) -> Iterator[str]:
    """The units of which something asks whether they command."""
    ending = f"-{COMMANDS}"
    wanted = {noun.removesuffix(ending) for noun in nouns if noun.endswith(ending)}
    yield from (unit.id for unit in context.forms.units if wanted & {unit.id, make_id(unit.name)})


def build_commander_categories(context: CompileContext) -> Iterator[Category]:
    """The commander, and those who give leave."""
    if context.forms.command:
        yield Category(id=COMMANDER, name=context.forms.command.name)
        yield Category(id=LEAVE, name=LEAVE, hidden=True)
    for unit_id in sorted(context.commanders):
        yield Category(id=f"{COMMANDS}/{unit_id}", name=unit_id, hidden=True)
    for squad, numbers in _collect_leaves(context).items():
        for most in sorted(numbers):
            yield Category(id=f"{LEAVE}/{squad}/{most}", name=squad, hidden=True)


def build_leave_limits(unit: UnitSyntax, context: CompileContext) -> Iterator[Constraint]:
    """No unit that nobody gives leave to, and no more of it than the commander does."""
    leave = context.forms.command.leave if context.forms.command else None
    part = next((part for part in unit.options if part.by_leave and not part.hidden), None)
    if leave is None or part is None:
        return
    marks = [
        (most, Query(scope=Scope.ROSTER, child_id=_make_leave_id(unit, most), deep=True))
        for most in _collect_leaves(context)[unit.id]
    ]
    nobody = tuple(Condition(operator=Operator.LESS_THAN, query=query, value=1) for _, query in marks)
    somebody = tuple(Condition(operator=Operator.AT_LEAST, query=query, value=1) for _, query in marks)
    counted = Query(scope=Scope.ROSTER, child_id=part.id, deep=True)
    words, constraint_id = replace(leave.without, mendable=False), f"{part.id}#leave"
    yield context.build_constraint(
        constraint_id, Bound.MAX, 0, words, leave.without.cite, counted, Guard(conditions=nobody)
    )
    terms = tuple(Term(query=query, coefficient=most) for most, query in marks)
    words, when = replace(leave.too_many, mendable=False), Guard(any_of=True, conditions=somebody)
    yield context.build_constraint(
        f"{constraint_id}-most", Bound.MAX, 0, words, leave.too_many.cite, counted, when, terms
    )


def build_command(context: CompileContext) -> CommanderRule | None:
    """Who commands."""
    form = context.forms.command
    if form is None:
        return None
    of = context.index.find_target(form.of, None, ("set", "type", "keyword"))
    by = context.index.find_target(form.by, None, ("cost",))
    return CommanderRule(
        id=COMMANDER,
        of=of.id if of else "",
        by=by.id if by else "",
        outranked=build_rule_words(RuleCode.WRONG_COMMANDER, form.outranked),
        undecided=build_rule_words(RuleCode.WRONG_COMMANDER, form.undecided)
        if form.undecided is not NO_RULE_TEXT
        else None,
        contested=build_rule_words(RuleCode.WRONG_COMMANDER, form.contested)
        if form.contested is not NO_RULE_TEXT
        else None,
    )


def build_leave_rule_words(forms: PackSyntax) -> Iterator[RuleWords]:
    """The rule broken by a unit that no commander could give leave to."""
    if forms.command and forms.command.leave:
        yield build_rule_words(RuleCode.HIDDEN, forms.command.leave.without, LEAVE)
