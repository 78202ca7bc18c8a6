"""Attached only where it is allowed.

**Demands** that an association of a selection's entry allows each of its attachments, such as a leader's to a unit, and
their number. A unit takes one leader, unless its own text or another leader's text allows more. Selections whose
datasheet requires an attachment have one.

**Why:** "this model can be attached to one of the following units". The data states conditions, and the list has the
units that must fulfil them.

**Measured** for each attachment: whether the other selection exists, is in the association's scope, and fulfils its
conditions as seen from itself. Several leaders must be able to join a unit in some order, each allowed by its text to
join those before it. Leaders may stay unattached. If a required attachment is missing, the list gets a warning: the
book only says that such a unit does not take part in the battle.

**Broken by** a captain attached to a removed squad, to artillery that he cannot lead, or to two squads, and by a second
captain in one squad.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from catalogue.definitions.constraints import Severity
from catalogue.definitions.groups import group_by
from catalogue.definitions.rule_codes import RuleCode
from catalogue.graph.leaders import LEADS, LED
from roster.engine.attachments import (
    Bond,
    list_bonds,
    list_crowded,
    list_eligible,
    name_association,
    needs_leader,
    needs_target,
)
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import SelectionNode
from roster.engine.report import Violation
from roster.engine.rule import build_selection_violation
from roster.engine.violation_location import locate_selection


def check(evaluation: Evaluation) -> Iterator[Violation]:
    for node in evaluation.roster.selections:
        if needs_target(evaluation, node) or needs_leader(evaluation, node):
            yield _build_need(evaluation, node)
    if not evaluation.scopes.attached:
        return
    for node in evaluation.roster.selections:
        bonds = list_bonds(evaluation, node)
        for bond in bonds:
            if not _is_allowed(evaluation, bond):
                yield _build_violation(evaluation, node, bond, measured=1, allowed=0)
        for association, group in group_by(bonds, attrgetter("association")).items():
            if association and 0 <= association.most < len(group):
                yield _build_violation(evaluation, node, group[0], measured=len(group), allowed=association.most)
    for crowd in list_crowded(evaluation):
        last = crowd[-1]
        others = [bond.source for bond in crowd[:-1]]
        yield _build_violation(evaluation, last.source, last, measured=len(crowd), allowed=1, beside=others)


def _is_allowed(evaluation: Evaluation, bond: Bond) -> bool:
    if bond.association is None or bond.target is None:
        return False
    return bond.target in list_eligible(evaluation, bond.source, bond.association)


def _build_need(evaluation: Evaluation, node: SelectionNode) -> Violation:
    is_target = needs_leader(evaluation, node)
    return build_selection_violation(
        evaluation,
        RuleCode.WRONG_ATTACHMENT,
        node,
        constraint_id=LED if is_target else LEADS,
        counted_id=LED if is_target else LEADS,
        measured=0,
        allowed=1,
        severity=Severity.WARNING,
    )


def _build_violation(
    evaluation: Evaluation,
    node: SelectionNode,
    bond: Bond,
    *,
    measured: int,
    allowed: int,
    beside: Sequence[SelectionNode] = (),
) -> Violation:
    """Build a violation by one selection. Its cause is the target, then the selections that leave no room."""
    association = bond.association
    return build_selection_violation(
        evaluation,
        RuleCode.WRONG_ATTACHMENT,
        node,
        constraint_id=bond.attachment.association_id,
        counted_id=bond.attachment.association_id,
        counted=name_association(association) if association else "",
        measured=measured,
        allowed=allowed,
        cause=tuple(locate_selection(evaluation, other) for other in (bond.target, *beside) if other),
    )
