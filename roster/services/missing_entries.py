"""What a list holds that its data does not have."""

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.report import Report

UNKNOWN = (RuleCode.UNKNOWN_ENTRY, RuleCode.UNKNOWN_FORCE)


def list_missing_names(report: Report) -> tuple[str, ...]:
    """Return the names of the placeholders: what a list has and its data does not, each once."""
    names = (
        violation.on.name or violation.on.entry_id
        for violation in report.violations
        if violation.code in UNKNOWN
    )
    return tuple(dict.fromkeys(names))
