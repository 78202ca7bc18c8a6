"""Compile how a game is played at the table: check the names of its parts; missions are checked elsewhere."""

from catalogue.definitions.table_rules import TableRules
from catalogue.formats.packs.compile.context import CompileContext


def build_table_rules(context: CompileContext) -> TableRules:
    """Return how a game goes; for a pack that says nothing of it, rounds and points that are counted freely."""
    syntax = context.pack.table_rules
    if syntax is None:
        return TableRules()
    rules: TableRules = syntax.define()
    for word, ids in _list_ids(rules):
        context.report_doubled(ids, f"of the kind “{word}”", syntax.where, " at the table")
    return rules


def _list_ids(rules: TableRules) -> list[tuple[str, list[str]]]:
    """List the ids of each kind of part: games count by them."""
    return [
        ("phase", [phase.id for phase in rules.phases]),
        ("resource", [resource.id for resource in rules.resources]),
        ("score", [item.id for item in rules.items]),
    ]
