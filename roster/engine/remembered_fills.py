"""What fresh units come with, remembered from one list to the next.

Large data offers hundreds of units, and at each edit it was worked out for all of them what they come with by
themselves. Next to none of that changes: it is remembered with the ruleset, and so is all that the list was asked on
the way. A list that gives the same answers has units that come with the same.

Only what asks of the whole force, or of what is inside the unit itself, is remembered; all else is worked out anew.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from catalogue.definitions.queries import ORDERING, Condition, Field, Guard, Modifier, Scope, asks_widely
from catalogue.graph.compiled_entry import CategoryMembership, CompiledEntry, CompiledOption, ContainerOptions
from catalogue.graph.ruleset import Ruleset
from roster.engine.effective_values import HiddenWidely
from roster.engine.effects import HIDDEN
from roster.engine.evaluation import Evaluation
from roster.engine.new_selections import fill_selection
from roster.engine.nodes import ForceNode, Node, SelectionNode

OF_TYPE = frozenset((Scope.UNIT, Scope.MODEL, Scope.MODEL_OR_UNIT))
"""The scopes that an entry may be itself, besides what it is in."""
INSIDE = OF_TYPE | {Scope.PARENT, Scope.ROOT_ENTRY, Scope.ANCESTOR}
"""The scopes that lie in the unit, as seen from what may come along with it."""


class FilledParts(NamedTuple):
    """What a selection came with, and the categories that it had then."""

    membership: CategoryMembership
    parts: tuple[tuple[CompiledOption, str, int, "FilledParts"], ...]


class AnsweredParts(NamedTuple):
    """A filling with the answers that led to it: what was hidden in the force, which conditions were met there."""

    filling: FilledParts
    hidden: tuple[tuple[CompiledEntry, bool], ...]
    met: tuple[tuple[Condition, bool], ...]


class FillMemory:
    """What one option came with in one kind of force when it was last filled; of one that `asks_afar`, nothing.

    All threads share it: what it holds is never changed, only replaced.
    """

    __slots__ = ("asks_afar", "last")

    def __init__(self) -> None:
        self.asks_afar = False
        self.last: AnsweredParts | None = None


def fill_offered(evaluation: Evaluation, node: SelectionNode) -> None:
    """Give a selection that a container offers what it comes with, as `fill_selection` does."""
    force = node.container
    if node.option is None or not isinstance(force, ForceNode):
        fill_selection(evaluation, node)
        return
    key = (FillMemory, node.option, evaluation.roster.document.origin, *_list_kinds(force))
    memory = evaluation.ruleset.derive(key, FillMemory)
    if memory.last is not None and _is_answered_alike(evaluation, node, memory.last):
        _put_parts(node, memory.last.filling)
        evaluation.queries.forget(node)
        if _has_memberships(evaluation, node, memory.last.filling):
            return
        node.members.clear()
    fill_selection(evaluation, node)
    if not memory.asks_afar:
        memory.last = _describe_answers(evaluation, node)
        # What asks further does so in every list: it is not described again.
        memory.asks_afar = memory.last is None


def _list_kinds(force: ForceNode) -> Iterator[tuple[str, str]]:
    """Yield what tells the kind of a force, and of those that it is in."""
    outer: Node | None = force
    while isinstance(outer, ForceNode):
        yield outer.document.entry_id, outer.document.catalogue_id
        outer = outer.parent


# ---- filling from memory -----------------------------------------------------------------------------------------


def _is_answered_alike(evaluation: Evaluation, node: SelectionNode, last: AnsweredParts) -> bool:
    """Return whether the list answers what was asked for a filling as the list before did."""
    force, is_met = node.container, evaluation.conditions.is_met
    hidden_widely = evaluation.values.find_hidden_widely(node)
    return (
        all(hidden_widely[entry] is hidden for entry, hidden in last.hidden)
        and all(is_met(condition, force) is met for condition, met in last.met)
        and evaluation.categories.get_uncommanded(node) == last.filling.membership
    )


def _put_parts(node: SelectionNode, filling: FilledParts) -> None:
    for option, entry_id, number, inner in filling.parts:
        part = SelectionNode(node, option, entry_id, number)
        node.members.append(part)
        _put_parts(part, inner)


def _has_memberships(evaluation: Evaluation, node: SelectionNode, filling: FilledParts) -> bool:
    """Return whether what is in a selection has the categories that it had then: those may hang on the whole list."""
    for member, (_, _, _, inner) in zip(node.members, filling.parts, strict=True):
        if evaluation.categories.get_uncommanded(member) != inner.membership:
            return False
        if not _has_memberships(evaluation, member, inner):
            return False
    return True


# ---- remembering -------------------------------------------------------------------------------------------------


def _describe_answers(evaluation: Evaluation, node: SelectionNode) -> AnsweredParts | None:
    """Return what a selection came with and what its force was asked for that; None where more was asked."""
    hidden_widely = evaluation.values.find_hidden_widely(node)
    hidden: dict[CompiledEntry, bool] = {}
    met: dict[Condition, bool] = {}
    for contents in _list_asking_contents(node):
        hidden |= {entry: hidden_widely[entry] for entry in _list_hideable(contents)}
        for entry in _list_asking(contents, hidden_widely):
            wide = _find_wide_conditions(evaluation.ruleset, entry)
            if wide is None:
                return None
            met |= {condition: evaluation.conditions.is_met(condition, node.container) for condition in wide}
    return AnsweredParts(_describe_filling(evaluation, node), tuple(hidden.items()), tuple(met.items()))


def _list_asking_contents(node: SelectionNode) -> Iterator[ContainerOptions]:
    """Yield what may be inside a selection, and inside what it came with, as far as that hangs on the list."""
    for container in node.walk():
        contents = container.contents
        # What comes with the same in any list asks nothing.
        if contents is not None and contents.fixed_picks is None:
            yield contents


def _describe_filling(evaluation: Evaluation, node: SelectionNode) -> FilledParts:
    parts = [
        (member.option, member.entry_id, member.number, _describe_filling(evaluation, member))
        for member in node.members
        if member.option
    ]
    return FilledParts(evaluation.categories.get_uncommanded(node), tuple(parts))


def _list_hideable(contents: ContainerOptions) -> Iterator[CompiledEntry]:
    """Yield those of the entries and groups that decide what a container comes with which the force may hide."""
    for option in (*contents.automatic_options, *(option for _, option in contents.default_choices)):
        for entry in option.merged_entries:
            if entry.hides_widely and HIDDEN in entry.modifiers:
                yield entry


def _list_asking(contents: ContainerOptions, hidden_widely: HiddenWidely) -> Iterator[CompiledEntry]:
    """Yield those of the entries and groups that decide which are asked for more than whether the force hides them."""
    for option in contents.automatic_options:
        if not hidden_widely[option.entry]:
            yield from option.merged_entries
    for _, option in contents.default_choices:
        yield from option.merged_entries


def _find_wide_conditions(ruleset: Ruleset, entry: CompiledEntry) -> list[Condition] | None:
    """Return what `_list_wide_conditions` says of an entry, worked out once."""
    return ruleset.derive((_list_wide_conditions, entry), lambda: _list_wide_conditions(ruleset, entry))


def _list_wide_conditions(ruleset: Ruleset, entry: CompiledEntry) -> list[Condition] | None:
    """List what is asked of the whole force to tell how many of an entry come along; None where other things are."""
    # Who commands, and what effects hide, hangs on more than the force.
    if ruleset.command_id or HIDDEN in ruleset.effect_fields:
        return None
    limits = (*entry.constraints.minimums, *entry.constraints.maximums)
    if any(not limit.counts_siblings or limit.reached for limit in limits):
        return None
    modifiers = list(chain.from_iterable(limit.modifiers for limit in limits))
    if not entry.hides_widely:
        modifiers += entry.modifiers.get(HIDDEN, ())
    return None if _has_repeats(modifiers) else _select_wide_conditions(entry, modifiers)


def _has_repeats(modifiers: Iterable[Modifier]) -> bool:
    return any(modifier.repeats for modifier in modifiers)


def _select_wide_conditions(entry: CompiledEntry, modifiers: list[Modifier]) -> list[Condition] | None:
    """Return those conditions of modifiers that are asked of the whole force; None where any asks further."""
    wide: list[Condition] = []
    for condition in _list_conditions(modifiers):
        if asks_widely(condition):
            wide.append(condition)
        elif not _asks_inside(entry, condition):
            return None
    return wide


def _list_conditions(modifiers: Iterable[Modifier]) -> Iterator[Condition]:
    guards: list[Guard] = [modifier.guard for modifier in modifiers]
    for guard in guards:  # grows while it is walked
        yield from guard.conditions
        guards += guard.guards


def _asks_inside(entry: CompiledEntry, condition: Condition) -> bool:
    """Return whether a condition of an entry asks of nothing but what is in the same unit and around the entry."""
    query = condition.query
    if query.scope not in INSIDE or not _counts_plainly(condition):
        return False
    # An entry that is a model itself would be asked for its own categories, which hang on more.
    return query.scope not in OF_TYPE or entry.target.type.value not in OF_TYPE


def _counts_plainly(condition: Condition) -> bool:
    """Return whether a condition compares how many selections there are, whatever they are like."""
    query = condition.query
    return query.field == Field.SELECTIONS and not query.where and condition.operator not in ORDERING
