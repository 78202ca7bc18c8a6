"""The same constraint with other queries: for what is called otherwise elsewhere."""

from collections.abc import Callable

import msgspec

from catalogue.definitions.constraints import Constraint
from catalogue.definitions.queries import Guard, Query

Change = Callable[[Query], Query]


def rewrite_queries(constraint: Constraint, change: Change) -> Constraint:
    """Change every query of a constraint, those of its bound and of its guards too."""
    return msgspec.structs.replace(
        constraint,
        query=change(constraint.query),
        terms=tuple(msgspec.structs.replace(term, query=change(term.query)) for term in constraint.terms),
        when=rewrite_guard(constraint.when, change),
        room=rewrite_guard(constraint.room, change),
    )


def rewrite_guard(guard: Guard, change: Change) -> Guard:
    """Change every query of a guard."""
    return msgspec.structs.replace(
        guard,
        conditions=tuple(msgspec.structs.replace(c, query=change(c.query)) for c in guard.conditions),
        guards=tuple(rewrite_guard(inner, change) for inner in guard.guards),
    )
