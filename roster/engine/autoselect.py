"""What comes along by itself: required entries and the defaults of required groups."""

from math import ceil

from catalogue.definitions.queries import Bound, Field
from roster.engine.case import Case
from roster.engine.claims import Claim, figures, is_suppressed
from roster.engine.state import Container, ForceNode, GroupNode, SelectionNode
from roster.engine.templates import Demand, Group, Option, Template

MOST_AUTOMATIC = 500
"""How many selections come along at most: more is an error in the data."""


def is_instanced(template: Template) -> bool:
    """Whether each one taken is a selection of its own.

    So it is for entries with a visible descendant that is not collective: each one can then be equipped differently.
    """
    if template.instanced is None:
        template.instanced = _has_individual_choice(template)
    return template.instanced


def _has_individual_choice(template: Template) -> bool:
    seen = {id(template)}
    pending = [template]
    for outer in pending:
        for option in outer.layout.options:
            inner = option.template
            if inner.hidden or any(group.template.hidden for group in option.groups):
                continue
            if not inner.collective:
                return True
            if id(inner) not in seen:
                seen.add(id(inner))
                pending.append(inner)
    return False


def root_minimums(case: Case, force: ForceNode) -> list[tuple[Option, int]]:
    """The root entries that a new force comes with, and how many of each.

    The declared minimum counts even where a modifier lowers it, because data is written that way; entries that a
    modifier hides stay out, those hidden by declaration do not.
    """
    if force.layout is None:
        return []
    wanted: list[tuple[Option, int]] = []
    for option in force.layout.required:
        if case.is_open(force, option) and not _hidden_by_modifier(case, force, option):
            number = min(_missing(case, force, option, declared=True), _room(case, force, option))
            if number > 0:
                wanted.append((option, min(number, MOST_AUTOMATIC)))
    return wanted


def _hidden_by_modifier(case: Case, force: ForceNode, option: Option) -> bool:
    return not option.template.hidden and case.effects.hidden(case.prospect(force, option))


def fill(case: Case, selection: SelectionNode) -> None:
    """Give a fresh selection its required entries and defaults, level by level."""
    selection.settled = False
    budget = MOST_AUTOMATIC
    pending = [selection]
    for container in pending:
        before = len(container.members)
        _fill_entries(case, container)
        _fill_groups(case, container)
        fresh = container.members[before:]
        budget -= len(fresh)
        if budget < 0:
            return
        pending.extend(fresh)


def _fill_entries(case: Case, container: SelectionNode) -> None:
    layout = container.layout
    for option in layout.required if layout else ():
        if case.is_open(container, option) and not case.effects.hidden(case.prospect(container, option)):
            number = min(_missing(case, container, option), _room(case, container, option))
            put(container, option, number)


def _fill_groups(case: Case, container: SelectionNode) -> None:
    layout = container.layout
    for group in layout.groups if layout else ():
        option = group.default
        if option is None or not case.is_open(container, option):
            continue
        missing = _missing_in_group(case, container, group)
        if missing > 0 and not case.effects.hidden(case.prospect(container, option)):
            put(container, option, min(missing, _room(case, container, option)))


def put(container: SelectionNode, option: Option, number: int) -> None:
    """Add `number` of an option to a fresh selection: as so many selections, or as one with that number."""
    if number < 1:
        return
    entry_id = container.start + option.local_id
    if is_instanced(option.template):
        for _ in range(min(number, MOST_AUTOMATIC)):
            container.members.append(SelectionNode(container, option, entry_id))
        return
    same = next((member for member in container.members if member.option is option), None)
    if same is None:
        container.members.append(SelectionNode(container, option, entry_id, number))
    else:
        same.number += number


def _minimums(template: Template) -> list[Demand]:
    own = template.demands.own
    both = own.get(Bound.MIN, ()) + own.get(Bound.EXACTLY, ())
    return [demand for demand in both if _counts_selections(demand)]


def _maximums(template: Template) -> list[Demand]:
    own = template.demands.own
    both = own.get(Bound.MAX, ()) + own.get(Bound.EXACTLY, ())
    return [demand for demand in both if _counts_selections(demand)]


def _counts_selections(demand: Demand) -> bool:
    query = demand.constraint.query
    return query.field == Field.SELECTIONS and not query.percent


def _missing(case: Case, container: Container, option: Option, *, declared: bool = False) -> int:
    """How many of an option are missing here; with `declared`, by the unchanged minimum if that asks for more."""
    missing = 0
    for demand in _minimums(option.template):
        found = figures(case, Claim(demand, case.prospect(container, option)))
        if found:
            asked = max(found.allowed, demand.constraint.value) if declared else found.allowed
            missing = max(missing, ceil(asked - found.measured))
    return missing


def _missing_in_group(case: Case, container: SelectionNode, group: Group) -> int:
    missing = 0
    node = GroupNode(group, container)
    for demand in _minimums(group.template):
        claim = Claim(demand, node)
        found = figures(case, claim)
        if found and not is_suppressed(case, claim):
            missing = max(missing, ceil(found.allowed - found.measured))
    return missing


def _room(case: Case, container: Container, option: Option) -> int:
    """How many more of an option its own maximums allow here."""
    room = MOST_AUTOMATIC
    for demand in _maximums(option.template):
        found = figures(case, Claim(demand, case.prospect(container, option)))
        if found:
            room = min(room, int(found.allowed - found.measured))
    return room
