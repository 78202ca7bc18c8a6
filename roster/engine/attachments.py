"""Attachments of selections, such as a leader to its unit."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from catalogue.definitions.entries import Association, AttachmentRoom, Company, Reach
from catalogue.definitions.queries import ANY
from catalogue.graph.leaders import LeaderReading, list_declared_associations
from catalogue.graph.ruleset import Ruleset
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import ForceNode, Node, RosterNode, SelectionNode
from roster.engine.queries import list_members
from roster.engine.report import Location
from roster.engine.scopes import walk_outward
from roster.engine.tree import Attachment, Value
from roster.engine.violation_location import locate_selection

UNNAMED = "New Association"


class AttachmentOffer(Value):
    """An association of a selection. `most` is None if unlimited; `attached_to` may hold ineligible targets."""

    association_id: str
    name: str
    least: int = 0
    most: int | None = None
    choices: tuple[Location, ...] = ()
    attached_to: tuple[str, ...] = ()


class Bond(NamedTuple):
    """An attachment; its association or target is None if missing in the data or list."""

    attachment: Attachment
    association: Association | None
    source: SelectionNode
    target: SelectionNode | None


def list_attachment_offers(evaluation: Evaluation, selection_id: str) -> tuple[AttachmentOffer, ...]:
    node = evaluation.find_container(selection_id)
    if not isinstance(node, SelectionNode):
        return ()
    associations = list_associations(evaluation.ruleset, node)
    return tuple(_build_offer(evaluation, node, association) for association in associations)


def _build_offer(evaluation: Evaluation, node: SelectionNode, association: Association) -> AttachmentOffer:
    bonds = list_bonds(evaluation, node)
    return AttachmentOffer(
        association_id=association.id,
        name=name_association(association),
        least=association.least,
        most=association.most if association.most >= 0 else None,
        choices=tuple(locate_selection(evaluation, other) for other in list_eligible(evaluation, node, association)),
        attached_to=tuple(bond.attachment.to_id for bond in bonds if bond.association is association),
    )


def list_associations(ruleset: Ruleset, node: SelectionNode) -> tuple[Association, ...]:
    """Return the declared associations, else those in a unit's datasheet text."""
    if node.option is None:
        return ()
    is_unit = isinstance(node.parent, ForceNode)
    entry = node.option.entry
    return ruleset.leaders.list_associations(entry) if is_unit else list_declared_associations(entry)


def find_association(ruleset: Ruleset, node: SelectionNode, association_id: str) -> Association | None:
    return next(
        (association for association in list_associations(ruleset, node) if association.id == association_id), None
    )


def name_association(association: Association) -> str:
    return association.label or ("" if association.name == UNNAMED else association.name)


def list_eligible(evaluation: Evaluation, node: SelectionNode, association: Association) -> Iterator[SelectionNode]:
    around = set(walk_outward(node))
    reaches = _list_reaches(evaluation, node, association)
    place = evaluation.scopes.find_place(association.scope, node)
    places: list[Node] = [place] if place else []
    # The members of the roster exclude nested forces.
    if association.include_child_forces and isinstance(place, RosterNode):
        places = list(place.all_forces)
    for inside in places:
        for other, _ in list_members(inside, deep=association.deep):
            is_meant = association.child_id == ANY or evaluation.scopes.is_match(other, association.child_id)
            if other in around or not is_meant:
                continue
            if not evaluation.conditions.holds_for(association.guard, other, node):
                continue
            if not association.reaches or any(evaluation.conditions.holds_for(r.guard, other, node) for r in reaches):
                yield other


def _list_reaches(evaluation: Evaluation, node: SelectionNode, association: Association) -> list[Reach]:
    reaches = [reach for reach in association.reaches if evaluation.conditions.is_satisfied(reach.when, node)]
    return [reach for reach in reaches if reach.replaces] or reaches


def list_bonds(evaluation: Evaluation, node: SelectionNode) -> list[Bond]:
    if node.document is None or not node.document.attachments:
        return []
    by_id = {association.id: association for association in list_associations(evaluation.ruleset, node)}
    return [
        Bond(attachment, by_id.get(attachment.association_id), node, evaluation.scopes.by_id.get(attachment.to_id))
        for attachment in node.document.attachments
    ]


def needs_target(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether a unit's text requires an attachment that it lacks."""
    reading = _read_need(evaluation, node)
    return reading is not None and reading.must and not (node.document and node.document.attachments)


def needs_leader(evaluation: Evaluation, node: SelectionNode) -> bool:
    """Return whether a unit's text requires an attached unit that it lacks."""
    reading = _read_need(evaluation, node)
    if reading is None or reading.needs is None or node.document is None:
        return False
    attached = evaluation.scopes.attached.get(node.document.id, ())
    return not any(evaluation.conditions.is_satisfied(reading.needs, source) for _, source in attached)


def _read_need(evaluation: Evaluation, node: SelectionNode) -> LeaderReading | None:
    if node.option is None or not isinstance(node.parent, ForceNode):
        return None
    leaders, entry = evaluation.ruleset.leaders, node.option.entry
    if list_declared_associations(entry) or not leaders.may_need_company(entry):
        return None
    return leaders.read_entry(entry)


# ---- several attached to one -----------------------------------------------------------------------------------------


def list_crowded(evaluation: Evaluation) -> Iterator[list[Bond]]:
    """Yield, per target, exclusive attachments that cannot be combined."""
    for attached in evaluation.scopes.attached.values():
        if len(attached) < 2:
            continue
        bonds = [
            bond
            for attachment, source in attached
            for bond in list_bonds(evaluation, source)
            if bond.attachment is attachment and bond.target and bond.association and bond.association.exclusive
        ]
        crowd = _leave_out_company(evaluation, bonds)
        if len(crowd) > 1 and not _has_room(evaluation, crowd):
            yield crowd


def _leave_out_company(evaluation: Evaluation, bonds: list[Bond]) -> list[Bond]:
    """Remove attachments that may join after all others, one by one: the others do not depend on the last to join."""
    crowd = list(bonds)
    while len(crowd) > 1:
        last = next((bond for bond in crowd if _may_join(evaluation, bond, [b for b in crowd if b is not bond])), None)
        if last is None:
            break
        crowd.remove(last)
    return crowd


def _may_join(evaluation: Evaluation, bond: Bond, others: list[Bond]) -> bool:
    companies = bond.association.company if bond.association else ()
    return any(_admits(evaluation, company, bond, others) for company in companies)


def _admits(evaluation: Evaluation, company: Company, bond: Bond, others: list[Bond]) -> bool:
    holds = evaluation.conditions.is_satisfied
    if bond.target is None or not holds(company.host, bond.target) or 0 <= company.most < len(others):
        return False
    return all(
        holds(company.guard, other.source)
        and not (company.unlike and _are_alike(bond, other))
        and company.label in ("", other.association.label if other.association else "")
        for other in others
    )


def _has_room(evaluation: Evaluation, crowd: list[Bond]) -> bool:
    target = crowd[0].target
    rooms = evaluation.ruleset.leaders.read_entry(target.option.entry).rooms if target and target.option else ()
    return any(target and _fits(evaluation, room, target, crowd) for room in rooms)


def _fits(evaluation: Evaluation, room: AttachmentRoom, target: SelectionNode, crowd: list[Bond]) -> bool:
    holds = evaluation.conditions.is_satisfied
    sources = [bond.source for bond in crowd]
    has_pair = any(_are_alike(one, other) for one, other in combinations(crowd, 2))
    return (
        len(crowd) <= room.most
        and holds(room.when, target)
        and any(holds(room.needs, source) for source in sources)
        and not (room.single and sum(holds(room.single, source) for source in sources) > 1)
        and not (room.unlike and has_pair)
    )


def _are_alike(one: Bond, other: Bond) -> bool:
    return one.source.entry_id == other.source.entry_id
