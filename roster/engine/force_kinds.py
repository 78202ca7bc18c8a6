"""Tell whether a force kind can ever be shown in a place: games hide most kinds for most factions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from catalogue.definitions.queries import Change, Condition, Guard, Modifier, Operator, Scope
from catalogue.graph.ruleset import CompiledForce, Ruleset
from roster.engine.effects import HIDDEN
from roster.engine.nodes import ForceNode, Node, force_names

Known = bool | None
"""None if the answer depends on the contents of the list."""


class Surrounding(NamedTuple):
    entry_id: str
    catalogue_id: str

    def is_called(self, name: str | None) -> bool:
        return name == self.catalogue_id or name in force_names(self.entry_id)


def list_surroundings(node: Node | None) -> tuple[Surrounding, ...]:
    around = []
    while isinstance(node, ForceNode):
        around.append(Surrounding(node.document.entry_id, node.document.catalogue_id))
        node = node.parent
    return tuple(around)


def may_show(ruleset: Ruleset, kind: CompiledForce, catalogue_id: str, around: Sequence[Surrounding]) -> bool:
    if HIDDEN in ruleset.effect_fields:
        return True
    return _is_hidden(kind, Surrounding(kind.entry.id, catalogue_id), around) is not True


def _is_hidden(kind: CompiledForce, force: Surrounding, around: Sequence[Surrounding]) -> Known:
    hidden: Known = kind.entry.hidden
    for modifier in kind.modifiers.get(HIDDEN, ()):
        if modifier.change is not Change.SET:
            continue
        value = modifier.value == "true"
        applies = _applies(modifier, force, around)
        if applies is None:
            hidden = hidden if hidden is value else None
        elif applies:
            hidden = value
    return hidden


def _applies(modifier: Modifier, force: Surrounding, around: Sequence[Surrounding]) -> Known:
    holds = _holds(modifier.guard, force, around)
    return None if holds and modifier.repeats else holds


def _holds(guard: Guard, force: Surrounding, around: Sequence[Surrounding]) -> Known:
    if not (guard.conditions or guard.guards):
        return True
    if guard.least:
        return None
    parts = [_is_met(condition, force, around) for condition in guard.conditions]
    parts += [_holds(inner, force, around) for inner in guard.guards]
    joined = _join(parts, decisive=guard.any_of)
    return joined if joined is None else joined is not guard.negated


def _join(parts: Iterable[Known], *, decisive: bool) -> Known:
    answers = set(parts)
    if decisive in answers:
        return decisive
    return None if None in answers else not decisive


def _is_met(condition: Condition, force: Surrounding, around: Sequence[Surrounding]) -> Known:
    if condition.operator not in (Operator.INSTANCE_OF, Operator.NOT_INSTANCE_OF):
        return None
    scope, name = condition.query.scope, condition.query.child_id
    if scope == Scope.PRIMARY_CATALOGUE:
        is_instance = name == force.catalogue_id
    elif scope == Scope.PARENT:
        is_instance = any(outer.is_called(name) for outer in around[:1])
    elif scope == Scope.ANCESTOR:
        is_instance = any(outer.is_called(name) for outer in around)
    elif scope == Scope.FORCE and force.is_called(name):
        is_instance = True
    else:
        # A force also has the categories of its contents.
        return None
    return is_instance is (condition.operator is Operator.INSTANCE_OF)
