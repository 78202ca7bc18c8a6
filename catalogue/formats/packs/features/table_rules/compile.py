"""Compile how a game is played at the table: check the names of its parts; missions are checked elsewhere."""

from collections import Counter

from catalogue.definitions.table_rules import TableRules
from catalogue.formats.packs.compile.context import CompileContext


def build_table_rules(context: CompileContext) -> TableRules:
    """Return how a game goes; for a pack that says nothing of it, rounds and points that are counted freely."""
    syntax = context.pack.table_rules
    if syntax is None:
        return TableRules()
    rules: TableRules = syntax.define()
    for word, ids in _list_ids(rules):
        for thing_id, count in Counter(ids).items():
            if count > 1:
                message = f"There are {count} things of the kind “{word}” with the id “{thing_id}” at the table."
                context.problems.add(syntax.where, "duplicate-id", message, "Give one of them an `id:` of its own.")
    return rules


def _list_ids(rules: TableRules) -> list[tuple[str, list[str]]]:
    """List the ids of each kind of part: games count by them."""
    return [
        ("phase", [phase.id for phase in rules.phases]),
        ("resource", [resource.id for resource in rules.resources]),
        ("score", [item.id for item in rules.items]),
    ]
