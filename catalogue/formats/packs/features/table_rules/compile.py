"""Compile the rules of a game at the table."""

from catalogue.definitions.table_rules import TableRules
from catalogue.formats.packs.compile.context import CompileContext


def build_table_rules(context: CompileContext) -> TableRules:
    syntax = context.pack.table_rules
    if syntax is None:
        return TableRules()
    rules: TableRules = syntax.define()
    for word, parts in (
        ("phase", rules.phases),
        ("resource", rules.resources),
        ("score", rules.items),
        ("mark", rules.marks),
        ("track", rules.tracks),
    ):
        ids = [part.id for part in parts]
        context.report_doubled(ids, f"of the kind “{word}”", syntax.where, " at the table")
    resources = {resource.id: resource.name for resource in rules.resources}
    for gain in (gain for turn_phase in rules.phases for gain in turn_phase.gains):
        if gain.resource not in resources:
            message = f"A phase brings “{gain.resource}”, which is no resource."
            mend = "Add it under `resources:`."
            context.problems.add_unknown(syntax.where, gain.resource, resources.values(), message, mend)
    phase, phases = syntax.phase_of_scores, {phase.name for phase in rules.phases}
    if phase is not None and rules.scored_in not in {phase.id for phase in rules.phases}:
        message = f"There is no phase “{phase.text}”."
        context.problems.add_unknown(phase.where, phase.text, phases, message, "Add it under `phases:`.")
    return rules
