"""Make the breaks of a written list and compare the verdicts."""

from collections import Counter

from django.db import transaction

from roster.engine.report import Violation
from roster.services.evaluation import EvaluatedList
from roster.services.rosters import find_roster
from tests.current.building import CannotBuildError, ListBuilder
from tests.current.facts import list_named_ids
from tests.current.written import Break, Wrong

COUNTING = ("maximum", "minimum", "exactly")
"""Rules that carry the id of the broken constraint."""


def try_break(builder: ListBuilder, one: Break) -> list[str]:
    """Make a change, compare the verdict, and undo the change."""
    before = builder.evaluated_list, dict(builder.labels)
    try:
        with transaction.atomic():
            for step in one.steps:
                builder.carry_out(step, freely=True)
            judged = builder.evaluated_list
            transaction.set_rollback(True)
    except CannotBuildError as error:
        return [f"{one.title}: {error}"]
    finally:
        builder.evaluated_list, builder.labels = before
        builder.roster = find_roster(builder.roster.public_id)
    mistakes = [f"{one.title}: {text}" for text in compare_errors(judged.report.errors, one)]
    if sum_costs(judged, one.costs) != one.costs:
        mistakes.append(f"{one.title}: it costs {sum_costs(judged, one.costs)}")
    return mistakes


def compare_errors(errors: tuple[Violation, ...], one: Break) -> list[str]:
    named = list_named_ids(one.because)
    left, mistakes = list(errors), []
    for wanted in one.wrong:
        match = next((violation for violation in left if is_meant(violation, wanted)), None)
        if match is None:
            mistakes.append(f"is not said: {wanted}")
            continue
        left.remove(match)
        # A message has no id: it is named after the nearest one around it.
        if match.code in COUNTING and match.constraint_id.partition("/message/")[0] not in named:
            mistakes.append(f"by constraint {match.constraint_id}, of which the reasons say nothing: {describe(match)}")
    return mistakes + [f"is said, too: {describe(violation)}" for violation in left]


def is_meant(violation: Violation, wanted: Wrong) -> bool:
    pairs = (
        (wanted.rule, violation.code),
        (wanted.on, violation.on.name),
        (wanted.counts, violation.counted),
        (wanted.measured, violation.measured),
        (wanted.allowed, violation.allowed),
        (wanted.constraint, violation.constraint_id),
    )
    return all(said is None or said == value for said, value in pairs)


def describe(violation: Violation) -> str:
    return (
        f"{{rule: {violation.code}, on: {violation.on.name}, counts: {violation.counted}, "
        f"measured: {violation.measured}, allowed: {violation.allowed}, constraint: {violation.constraint_id}}}"
    )


def sum_costs(judged: EvaluatedList, names: dict[str, float]) -> dict[str, float]:
    totals: Counter[str] = Counter()
    for cost in judged.report.costs:
        totals[cost.name] += cost.value
    return {name: float(totals[name]) for name in names}
