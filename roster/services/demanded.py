"""Add parts that the data requires and pasted texts omit."""

from collections.abc import Container

from catalogue.definitions.rule_codes import RuleCode
from roster.engine import edits
from roster.engine.nodes import SelectionNode
from roster.engine.report import PlaceKind, Violation
from roster.engine.tree import RosterTree
from roster.formats.text.names import make_key
from roster.services.evaluation import EvaluatedList

MOST_MISSING = 100
"""No unit has more models."""


def take_demanded(evaluated_list: EvaluatedList, counted: Container[str] = ()) -> RosterTree:
    """Add missing parts, such as an upgrade's models or a lore's spells, if only one entry is possible.

    Options of groups and new entries with a price remain the player's choice. Entries in `counted` keep the text's
    number.
    """
    roster = evaluated_list.tree
    for violation in evaluated_list.report.errors:
        is_in_selection = violation.code == RuleCode.MINIMUM and violation.on.kind is PlaceKind.SELECTION
        if is_in_selection and make_key(violation.counted) not in counted:
            roster = _take_missing(evaluated_list, roster, violation)
    return roster


def _take_missing(evaluated_list: EvaluatedList, roster: RosterTree, violation: Violation) -> RosterTree:
    container = evaluated_list.evaluation.find_container(violation.on.id)
    missing = int(violation.allowed - violation.measured)
    if not isinstance(container, SelectionNode) or missing > MOST_MISSING:
        return roster
    ruleset = evaluated_list.ruleset
    taken = [member for member in container.members if violation.counted_id in (member.target_id, member.entry_id)]
    if len(taken) == 1 and not (taken[0].option and taken[0].option.entry.is_instanced):
        outcome = edits.set_number(ruleset, roster, taken[0].written.id, taken[0].number + missing)
        return roster if isinstance(outcome, edits.Refused) else outcome.roster

    option = None if taken else edits.find_option(container, violation.counted_id)
    if not taken and (option is None or any(option.entry.costs.values())):
        return roster
    for _ in range(missing):
        outcome = edits.select(ruleset, roster, violation.on.id, violation.counted_id)
        if isinstance(outcome, edits.Refused):
            return roster
        roster = outcome.roster
    return roster
