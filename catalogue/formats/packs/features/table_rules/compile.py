"""Compile how a game is played at the table: check the names of its parts; missions are checked elsewhere."""

from catalogue.definitions.table_rules import TableRules
from catalogue.formats.packs.compile.context import CompileContext


def build_table_rules(context: CompileContext) -> TableRules:
    """Return how a game goes; for a pack that says nothing of it, rounds and points that are counted freely."""
    syntax = context.pack.table_rules
    if syntax is None:
        return TableRules()
    rules: TableRules = syntax.define()
    # Games count by these ids.
    for word, parts in (("phase", rules.phases), ("resource", rules.resources), ("score", rules.items)):
        ids = [part.id for part in parts]
        context.report_doubled(ids, f"of the kind “{word}”", syntax.where, " at the table")
    phase, phases = syntax.phase_of_scores, {phase.name for phase in rules.phases}
    if phase is not None and rules.scored_in not in {phase.id for phase in rules.phases}:
        message = f"There is no phase “{phase.text}”."
        context.problems.add_unknown(phase.where, phase.text, phases, message, "Add it under `phases:`.")
    return rules
