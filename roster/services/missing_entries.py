"""What a list holds that its data does not have."""

from catalogue.definitions.rule_codes import RuleCode
from roster.engine.report import Report

UNKNOWN = (RuleCode.UNKNOWN_ENTRY, RuleCode.UNKNOWN_FORCE)


def missing_in(report: Report) -> tuple[str, ...]:
    """The names of everything in a list that its data does not have, each once. In the list it is a placeholder."""
    names = (found.on.name or found.on.entry_id for found in report.violations if found.code in UNKNOWN)
    return tuple(dict.fromkeys(names))
