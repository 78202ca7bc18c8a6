"""Names, hidden flags, numbers and texts after modifiers."""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import lru_cache

from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.entries import DEFAULT_AMOUNT
from catalogue.definitions.numbers import Number, format_number, parse_number, shorten_number
from catalogue.definitions.queries import Change, Modifier
from catalogue.graph.compiled_constraints import Modifiers
from catalogue.graph.compiled_entry import CompiledEntry, CompiledGroup, ContainerOptions
from catalogue.graph.ruleset import Ruleset
from roster.engine.conditions import Conditions
from roster.engine.effects import HIDDEN, EntryEffects
from roster.engine.footprints import Ask
from roster.engine.nodes import Container, ForceNode, GroupNode, Node, SelectionNode, SlotNode
from roster.engine.scopes import Scopes
from roster.engine.tree import copy_with

# ---- what one modifier does --------------------------------------------------------------------------------


NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST = Decimal(10) ** 18
"""Larger numbers are errors in the data."""
MOST_TIMES = 1000
"""More repetitions are an error in the data."""


@lru_cache(maxsize=4096)
def parse_operand(text: str) -> Number | None:
    try:
        return parse_number(text)
    except ValueError:
        return None


def change_number(change: Change, current: Number, value: str, times: int) -> Number:
    """Apply a modifier to a number. Unsuitable changes or values have no effect.

    Repeats over a missing limit (-1) make `times` negative, which adds the opposite.

    >>> change_number(Change.INCREMENT, 10, "2", 3), change_number(Change.SET, 10, "2.5", 1)
    (16, Decimal('2.5'))
    >>> change_number(Change.INCREMENT, 0, "1", -1), change_number(Change.SET, 10, "2.5", -1)
    (-1, 10)
    """
    operand = parse_operand(value)
    if operand is None or (times < 1 and change not in _ADDITIVE):
        return current
    alter = _PLAIN_CHANGES.get(change)
    if alter:
        return alter(current, operand, times)
    scale = _SCALES.get(change)
    return scale_number(scale, current, operand, min(times, MOST_TIMES)) if scale else current


_PLAIN_CHANGES: dict[Change, Callable[[Number, Number, int], Number]] = {
    Change.SET: lambda _, operand, __: operand,
    Change.INCREMENT: lambda current, operand, times: current + operand * times,
    Change.DECREMENT: lambda current, operand, times: current - operand * times,
    # A floor is the smallest result, a ceiling the largest.
    Change.FLOOR: lambda current, operand, _: max(current, operand),
    Change.CEIL: lambda current, operand, _: min(current, operand),
}


_ADDITIVE = frozenset((Change.INCREMENT, Change.DECREMENT))


def scale_number(scale: "Scale", current: Number, operand: Number, times: int) -> Number:
    try:
        scaled = scale(Decimal(current), Decimal(operand), times)
    except (ArithmeticError, ValueError):
        return current
    return shorten_number(scaled) if abs(scaled) < MOST else current


def _multiply(current: Decimal, operand: Decimal, times: int) -> Decimal:
    return current * operand**times


def _repeat_power(current: Decimal, operand: Decimal, times: int) -> Decimal:
    """Return the mean of `times` numbers, each the number before times `operand`."""
    return current * sum(operand**step for step in range(times)) / times


Scale = Callable[[Decimal, Decimal, int], Decimal]
_SCALES: dict[Change, Scale] = {
    Change.MULTIPLY: _multiply,
    Change.EXPONENT: _multiply,
    Change.DIVIDE: lambda current, operand, times: current / operand**times,
    Change.MODULO: lambda current, operand, _: current % operand,
    Change.POWER: lambda current, operand, times: current ** (operand * times),
    Change.TRIANGULAR: lambda current, operand, times: current + operand * times * (times + 1) / 2,
    Change.CUMULATIVE_ADD: lambda current, operand, times: current + operand * (times + 1) / 2,
    Change.CUMULATIVE_POWER: _repeat_power,
}


def change_text(modifier: Modifier, current: str, times: int) -> str:
    """Apply a modifier to a text, or to a number in it.

    >>> change_text(Modifier(change=Change.APPEND, field="name", value="Alpha"), "Squad", 1)
    'Squad Alpha'
    >>> change_text(Modifier(change=Change.INCREMENT, field="S", value="2", position=-1), "D6+1", 2)
    'D6+5'
    >>> change_text(Modifier(change=Change.DECREMENT, field="Sv", value="1"), "4+", 1)
    '4+'
    """
    change, value = modifier.change, modifier.value
    if times < 1:
        return current
    if change is Change.SET:
        return value
    before = [current] if current else []
    if change is Change.APPEND:
        return modifier.join.join((*before, *[value] * min(times, MOST_TIMES)))
    if change is Change.PREPEND:
        return modifier.join.join((*[value] * min(times, MOST_TIMES), *before))
    if change is Change.REPLACE:
        return current.replace(modifier.arg, value) if modifier.arg else current
    return _change_number_in_text(modifier, current, times)


def _change_number_in_text(modifier: Modifier, current: str, times: int) -> str:
    start, end = 0, len(current)
    if modifier.position is not None:
        spans = [match.span() for match in NUMBER.finditer(current)]
        if not -len(spans) <= modifier.position < len(spans):
            return current
        start, end = spans[modifier.position]
    number = parse_operand(current[start:end])
    if number is None:
        return current
    counted = change_number(modifier.change, number, modifier.value, times)
    return current[:start] + format_number(counted) + current[end:]


def change_flag(change: Change, current: bool, value: str, times: int) -> bool:
    return value == "true" if change is Change.SET and times > 0 else current


# ---- what all modifiers of a field make of it --------------------------------------------------------------


def append_annotation(name: str, annotation: str) -> str:
    """Append an annotation in brackets.

    >>> append_annotation("Squad", " veteran"), append_annotation("Squad", "")
    ('Squad (veteran)', 'Squad')
    """
    return f"{name} ({annotation.strip()})" if annotation.strip() else name


class EffectiveValues:
    """Applies modifiers as seen from a node, in data order."""

    def __init__(self, ruleset: Ruleset, conditions: Conditions, effects: EntryEffects, scopes: Scopes) -> None:
        self.hidings = ruleset.derive(Hidings, Hidings)
        self._conditions = conditions
        self.effects = effects
        self._scopes = scopes
        self._names: dict[SelectionNode, str] = {}
        self._hidden: dict[Node, bool] = {}
        self._hidden_widely: dict[ForceNode | None, HiddenWidely] = {}
        self._groups: dict[tuple[CompiledGroup, Container], GroupNode] = {}

    def adjust_number(self, modifiers: Iterable[Modifier], base: Number, node: Node) -> Number:
        for modifier in modifiers:
            base = change_number(modifier.change, base, modifier.value, self._conditions.count_times(modifier, node))
        return base

    def count_default(self, node: SelectionNode, stack: int | None = None) -> int:
        entry = node.option.entry if node.option else None
        if entry is None:
            return 0
        amount = entry.default_amount
        if entry.default_stacks and stack is not None:
            amount = sum(entry.default_stacks[stack : stack + 1])
        return int(self.adjust_number(entry.modifiers.get(DEFAULT_AMOUNT, ()), amount, node))

    def adjust_reached_number(self, node: Node, field: str, base: Number) -> Number:
        for effect in self.effects.list_reaching(node, field):
            base = self.adjust_number((effect.modifier,), base, effect.source)
        return base

    def adjust_reached_flag(self, node: Node, field: str, base: bool) -> bool:
        for effect in self.effects.list_reaching(node, field):
            base = self.adjust_flag((effect.modifier,), base, effect.source)
        return base

    def adjust_text(self, modifiers: Iterable[Modifier], base: str, node: Node) -> str:
        for modifier in modifiers:
            base = change_text(modifier, base, self._conditions.count_times(modifier, node))
        return base

    def adjust_flag(self, modifiers: Iterable[Modifier], base: bool, node: Node) -> bool:
        for modifier in modifiers:
            base = change_flag(modifier.change, base, modifier.value, self._conditions.count_times(modifier, node))
        return base

    def get_name(self, node: SelectionNode) -> str:
        cached = self._names.get(node)
        if cached is not None:
            return cached
        if node.option is None:
            name = (node.document.name if node.document else "") or node.target_id
        elif not node.option.entry.modifiers and not self.effects.fields:
            name = node.option.entry.name
        else:
            texts = {"name": node.option.entry.name, "annotation": ""}
            for field in texts:
                text = self.adjust_text(node.option.entry.modifiers.get(field, ()), texts[field], node)
                for effect in self.effects.list_reaching(node, field):
                    text = self.adjust_text((effect.modifier,), text, effect.source)
                texts[field] = text
            name = append_annotation(**texts)
        self._names[node] = name
        return name

    def adjust_name(self, fields: Modifiers, name: str, node: Node) -> str:
        name = self.adjust_text(fields.get("name", ()), name, node)
        return append_annotation(name, self.adjust_text(fields.get("annotation", ()), "", node))

    def is_hidden(self, node: SelectionNode) -> bool:
        return self.is_entry_hidden(node) or self.find_hidden_slot(node) is not None

    def find_hidden_slot(self, node: SelectionNode) -> SlotNode | None:
        force = node.container
        if not isinstance(force, ForceNode) or force.compiled_force is None or not force.compiled_force.hides_slots:
            return None
        primary = self._scopes.categories.get_uncommanded(node).primary
        if primary not in force.compiled_force.slots_by_category:
            return None
        slot = self._scopes.get_slot(force, primary)
        is_hidden = self.is_slot_hidden(slot)
        if node.footprint and node.footprint is not force.footprint:
            node.footprint.note(Ask.IS_SLOT_HIDDEN, None, None, slot.token, is_hidden)
        return slot if is_hidden else None

    def is_slot_hidden(self, node: SlotNode) -> bool:
        if node.slot is None:
            return False
        cached = self._hidden.get(node)
        if cached is None:
            cached = self._hidden[node] = self.adjust_flag(node.slot.modifiers.get(HIDDEN, ()), node.slot.hidden, node)
        return cached

    def is_force_hidden(self, node: ForceNode) -> bool:
        compiled = node.compiled_force
        if compiled is None:
            return False
        cached = self._hidden.get(node)
        if cached is None:
            hidden = self.adjust_flag(compiled.modifiers.get(HIDDEN, ()), compiled.entry.hidden, node)
            cached = self._hidden[node] = self.adjust_reached_flag(node, HIDDEN, hidden)
        return cached

    def is_entry_hidden(self, node: SelectionNode) -> bool:
        cached = self._hidden.get(node)
        if cached is None:
            cached = self.is_hidden_itself(node) or any(
                self.is_group_hidden(self.get_group(group, node.container))
                for group in (node.option.groups if node.option else ())
            )
            self._hidden[node] = cached
        return cached

    def is_hidden_itself(self, node: SelectionNode) -> bool:
        return node.option is not None and self._is_entry_hidden(node.option.entry, node)

    def _is_entry_hidden(self, entry: CompiledEntry, node: Node) -> bool:
        if not entry.hides_widely:
            return self.is_hidden_there(entry, node)
        is_hidden = self.find_hidden_widely(node)[entry]
        footprint, force = node.footprint, node.force
        if footprint and force and footprint is not force.footprint:
            first = self.hidings.find_first(entry)
            if first:
                footprint.note(Ask.IS_HIDDEN, first, None, force.token, is_hidden)
        return is_hidden

    def find_hidden_widely(self, node: Node) -> "HiddenWidely":
        cached = self._hidden_widely.get(node.force)
        if cached is None:
            cached = self._hidden_widely[node.force] = HiddenWidely(self, node.force or node)
        return cached

    def list_hidden_widely(self, contents: ContainerOptions, container: Container) -> list[bool]:
        hidden_widely = self.find_hidden_widely(container)
        return [hidden_widely[first] for first in self.hidings.list_firsts(contents)]

    def note_hidden_widely(self, contents: ContainerOptions, container: Container) -> None:
        footprint, force = container.footprint, container.force
        if footprint and force and footprint is not force.footprint and self.hidings.list_firsts(contents):
            footprint.note(Ask.ARE_HIDDEN, contents, None, force.token, self.list_hidden_widely(contents, container))

    def is_hidden_there(self, entry: CompiledEntry, node: Node) -> bool:
        """Return whether an entry is hidden in a place, without using caches."""
        hidden = self.adjust_flag(entry.modifiers.get(HIDDEN, ()), entry.hidden, node)
        return self.adjust_reached_flag(node, HIDDEN, hidden)

    def get_group(self, group: CompiledGroup, container: Container) -> GroupNode:
        node = self._groups.get((group, container))
        if node is None:
            node = self._groups[group, container] = GroupNode(group, container)
        return node

    def is_group_hidden(self, node: GroupNode) -> bool:
        cached = self._hidden.get(node)
        if cached is None:
            cached = self._is_entry_hidden(node.group.entry, node) or any(
                self.is_group_hidden(self.get_group(outer, node.container)) for outer in node.group.groups[:-1]
            )
            self._hidden[node] = cached
        return cached

    def get_group_name(self, node: GroupNode) -> str:
        return self.adjust_name(node.group.entry.modifiers, node.group.entry.name, node)

    def get_citation(self, node: SelectionNode) -> Citation:
        if node.option is None:
            return NOWHERE
        return self.adjust_citation(node.option.entry.modifiers, node.option.entry.citation, node)

    def adjust_citation(self, fields: Modifiers, citation: Citation, node: Node) -> Citation:
        page = self.adjust_text(fields.get("page", ()), citation.page, node)
        return citation if page == citation.page else copy_with(citation, page=page)


class Hidings:
    """Finds entries and groups with equal force-wide hiding modifiers; large games have hundreds."""

    def __init__(self) -> None:
        self._firsts: dict[CompiledEntry, CompiledEntry | None] = {}
        self._alike: dict[tuple[bool, tuple[Modifier, ...]], CompiledEntry] = {}
        self._contents: dict[ContainerOptions, tuple[CompiledEntry, ...]] = {}

    def find_first(self, entry: CompiledEntry) -> CompiledEntry | None:
        """Return the first entry hidden in the same way; None if no modifier hides it force-wide."""
        if entry not in self._firsts:
            modifiers = entry.modifiers.get(HIDDEN) if entry.hides_widely else None
            first = self._alike.setdefault((entry.hidden, modifiers), entry) if modifiers else None
            self._firsts[entry] = first
        return self._firsts[entry]

    def list_firsts(self, contents: ContainerOptions) -> tuple[CompiledEntry, ...]:
        cached = self._contents.get(contents)
        if cached is None:
            firsts = (self.find_first(option.entry) for option in contents.automatic_options)
            cached = self._contents[contents] = tuple(dict.fromkeys(filter(None, firsts)))
        return cached


class HiddenWidely(dict[CompiledEntry, bool]):
    """Whether entries and groups are hidden force-wide. Hundreds of units may look them up."""

    def __init__(self, values: EffectiveValues, force: Node) -> None:
        super().__init__()
        self._values = values
        self._force = force

    def __missing__(self, entry: CompiledEntry) -> bool:
        first = self._values.hidings.find_first(entry)
        if first is None:
            # Effects cannot hide these, and most have no modifiers.
            hidden = entry.hides_widely and entry.hidden
        elif first is entry:
            hidden = self._values.adjust_flag(entry.modifiers[HIDDEN], entry.hidden, self._force)
        else:
            hidden = self[first]
        self[entry] = hidden
        return hidden
