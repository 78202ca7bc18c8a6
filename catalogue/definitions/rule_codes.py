"""The engine's rule kinds, and their violations' codes."""

from enum import StrEnum


class RuleCode(StrEnum):
    """In the order in which reports list violations.

    The member's name is the kind's, as in `roster/engine/rules` and docs/rules.md. The value is the code in the API,
    exported verdicts and stored pack versions, and never changes. If they differ, the value is a former name:

    >>> RuleCode("misplaced-entry") is RuleCode("wrong-place") is RuleCode.WRONG_PLACE
    True
    >>> RuleCode.WRONG_PLACE.kind, RuleCode.WRONG_PLACE.value
    ('wrong-place', 'misplaced-entry')
    """

    UNKNOWN_FORCE = "unknown-force"
    UNKNOWN_ENTRY = "unknown-entry"
    FOREIGN_ENTRY = "foreign-entry"
    WRONG_PLACE = "misplaced-entry"
    OUTSIDE_DETACHMENT = "loose-entry"
    COST_LIMIT = "cost-limit"
    COST_CYCLE = "cost-cycle"
    HIDDEN = "hidden"
    MAXIMUM = "maximum"
    EXACTLY = "exactly"
    MINIMUM = "minimum"
    NOT_ALLOWED_BY_LEADER = "unreached-entry"
    NO_COMMON_CATEGORY = "unshared-category"
    WRONG_COMMANDER = "outranked"
    TOO_MANY_COPIES = "too-many-alike"
    WRONG_ATTACHMENT = "wrong-attachment"
    MISSING_FROM_WRITTEN_LIST = "unshown"
    UNKNOWN_PLANNED = "unknown-planned"
    NO_COMPLETION = "no-completion"

    @property
    def kind(self) -> str:
        return self.name.lower().replace("_", "-")

    @classmethod
    def _missing_(cls, value: object) -> "RuleCode | None":
        return next((code for code in cls if code.kind == value), None)
