"""What selections are attached to, by associations of the data: a leader to the unit that it leads.

Like the units of a list, attachments are chosen: what may be attached to what is offered, and judged afterwards.
"""

from collections.abc import Iterator
from typing import NamedTuple

from catalogue.definitions.entries import Association
from catalogue.definitions.queries import ANY
from roster.engine.evaluation import Evaluation
from roster.engine.nodes import Node, RosterNode, SelectionNode
from roster.engine.queries import list_members
from roster.engine.report import Location
from roster.engine.scopes import walk_outward
from roster.engine.tree import Attachment, Value
from roster.engine.violation_location import locate_selection

UNNAMED = "New Association"


class AttachmentOffer(Value):
    """An association of a selection: what it may be attached to by it, and what it is attached to.

    `most` None means any number. What it is attached to stands among the `choices` only where it still may.
    """

    association_id: str
    name: str
    least: int = 0
    most: int | None = None
    choices: tuple[Location, ...] = ()
    attached_to: tuple[str, ...] = ()


class Bond(NamedTuple):
    """One attachment laid over the data; what the data or the list does not have is None."""

    attachment: Attachment
    association: Association | None
    source: SelectionNode
    target: SelectionNode | None


def list_attachment_offers(evaluation: Evaluation, selection_id: str) -> tuple[AttachmentOffer, ...]:
    """List by what associations a selection may be attached to others, and to which; none where there is no such."""
    node = evaluation.find_container(selection_id)
    if not isinstance(node, SelectionNode):
        return ()
    return tuple(_build_offer(evaluation, node, association) for association in list_associations(node))


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


def list_associations(node: SelectionNode) -> tuple[Association, ...]:
    """List the associations that a selection has by its entry and the link to it."""
    return tuple(a for part in node.option.entry.parts for a in part.associations) if node.option else ()


def find_association(node: SelectionNode, association_id: str) -> Association | None:
    """Return the association of that id that a selection has."""
    return next((known for known in list_associations(node) if known.id == association_id), None)


def name_association(association: Association) -> str:
    """Return what being attached so is called; blank where the data's author left the name that editors give."""
    return association.label or ("" if association.name == UNNAMED else association.name)


def list_eligible(evaluation: Evaluation, node: SelectionNode, association: Association) -> Iterator[SelectionNode]:
    """Yield what a selection may be attached to, in the order of the list: never itself or what it is inside of."""
    # Nobody leads the unit that it is a part of.
    around = set(walk_outward(node))
    place = evaluation.scopes.find_place(association.scope, node)
    places: list[Node] = [place] if place else []
    # The members of the roster are those of its outer forces alone.
    if association.include_child_forces and isinstance(place, RosterNode):
        places = list(place.all_forces)
    for inside in places:
        for other, _ in list_members(inside, deep=association.deep):
            is_meant = association.child_id == ANY or evaluation.scopes.is_match(other, association.child_id)
            if other not in around and is_meant and evaluation.conditions.holds_for(association.guard, other, node):
                yield other


def list_bonds(evaluation: Evaluation, node: SelectionNode) -> list[Bond]:
    """List what a selection is attached to."""
    if node.document is None or not node.document.attachments:
        return []
    known = {association.id: association for association in list_associations(node)}
    return [
        Bond(attachment, known.get(attachment.association_id), node, evaluation.scopes.by_id.get(attachment.to_id))
        for attachment in node.document.attachments
    ]
