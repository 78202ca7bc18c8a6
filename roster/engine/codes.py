"""The code of each kind of rule, as violations carry it."""

from enum import StrEnum


class Code(StrEnum):
    """What is wrong. The text is stable: it stands in the API and in exported verdicts."""

    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    EXACTLY = "exactly"
    HIDDEN = "hidden"
    COST_LIMIT = "cost-limit"
    COST_CYCLE = "cost-cycle"
    UNKNOWN_ENTRY = "unknown-entry"
    UNKNOWN_FORCE = "unknown-force"
    FOREIGN_ENTRY = "foreign-entry"
    MISPLACED_ENTRY = "misplaced-entry"
    LOOSE_ENTRY = "loose-entry"
    UNREACHED_ENTRY = "unreached-entry"
    UNSHARED_CATEGORY = "unshared-category"
    UNSHOWN = "unshown"
    OUTRANKED = "outranked"
    TOO_MANY_ALIKE = "too-many-alike"
    UNKNOWN_PLANNED = "unknown-planned"
