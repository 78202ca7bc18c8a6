"""From a list document to a roster of a game.

A unit or option stands for what the builder would make of it: taking it takes its automatic minimums and defaults
along, and what the document says of its options is changed on top. So in a document that is not `exact`

* a unit without `options` has its minimums and defaults,
* an option that is there already keeps its number, unless the document gives a `count`; `count: 0` drops it,
* naming any member of a group drops the group's default, unless that has a minimum of its own or is named too,
* everything else that is there automatically stays.

An `exact` document says all there is: nothing comes along.
"""

from typing import NamedTuple

from catalogue.graph.ruleset import Ruleset
from roster.engine.deadline import Deadline, expire_never
from roster.engine.plan import GamePlan
from roster.engine.tree import RosterTree
from roster.formats.list_document.document import ListDocument
from roster.formats.list_document.exact import ExactBuilder
from roster.formats.list_document.fill import FillingBuilder
from roster.formats.list_document.nodes import Unreadable, UnreadableError, refuse_size
from roster.formats.list_document.plan_resolver import build_plan
from roster.formats.list_text import MAX_PARTS


class BuiltList(NamedTuple):
    """What a document stands for: a roster, and how it is to be played where the document says so."""

    roster: RosterTree
    game: GamePlan | None = None


def build_list(
    ruleset: Ruleset, document: ListDocument, faction_id: str, deadline: Deadline = expire_never
) -> BuiltList | Unreadable:
    """Build the roster and plan that a document stands for, or say what is unknown, with the place.

    Raises OverdueError after the deadline.
    """
    if document.count_parts() > MAX_PARTS:
        return refuse_size(document.count_parts())
    try:
        builder = (ExactBuilder if document.exact else FillingBuilder)(ruleset, faction_id, deadline)
        roster = builder.build_roster(document)
        plan = document.plan
        return BuiltList(roster, build_plan(ruleset, plan, builder.references) if plan else None)
    except UnreadableError as error:
        return error.unreadable
