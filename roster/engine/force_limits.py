"""Which kinds of force a roster has no room for."""

from collections.abc import Iterable

from catalogue.definitions.constraints import Severity
from catalogue.definitions.queries import ANY, Field, Scope
from roster.engine.checks import Check, Figures, get_owner_key, list_pressing_checks, measure_check
from roster.engine.evaluation import Evaluation
from roster.engine.pick_preview import UPPER
from roster.engine.report import Violation
from roster.engine.rule import Breach, build_violation


def find_barred_forces(evaluation: Evaluation, entry_ids: Iterable[str]) -> dict[str, Violation]:
    """The kinds of force of which one more at the top would break a maximum, with what it would break."""
    wanted = tuple(entry_ids)
    barred: dict[str, Violation] = {}
    for bound, code in UPPER.items():
        for claim in list_pressing_checks(evaluation, bound):
            found = measure_check(evaluation, claim) if _is_force_limit(claim) else None
            if found and found.measured + 1 > found.allowed:
                told = build_violation(
                    evaluation, code, Breach(claim, Figures(found.measured + 1, found.allowed))
                )
                key = claim.demand.constraint.query.child_id or get_owner_key(claim)
                barred = {own: told for own in wanted if key in (ANY, own)} | barred
    return barred


def _is_force_limit(claim: Check) -> bool:
    """Whether a claim limits, for good, how many forces the roster has."""
    constraint = claim.demand.constraint
    query = constraint.query
    whole = query.field == Field.FORCES and query.scope == Scope.ROSTER and not query.percent
    return whole and constraint.severity is Severity.ERROR and not constraint.terms
