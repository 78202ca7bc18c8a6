"""What a roster must keep to."""

from enum import StrEnum

from catalogue.definitions.base import Definition
from catalogue.definitions.citations import NOWHERE, Citation
from catalogue.definitions.numbers import Number
from catalogue.definitions.queries import ALWAYS, Bound, Guard, Query, Term


class Severity(StrEnum):
    """What breaking a constraint means for the verdict: an error makes a list illegal, the others only inform."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Constraint(Definition):
    """`query <= value + sum of terms`, or `>=`.

    `value` can be changed by modifiers that name `id` as their field; without terms, a value below zero means "no
    limit". `when` switches the whole constraint. `rule` is the id of the rule in the book's inventory that the
    constraint carries out; `name` and `text` are our own words for it, a heading and one sentence. `mendable` says
    whether further picks could mend a breach; None derives it: a minimum, and a maximum whose bound grows with picks,
    as a percentage does.
    """

    id: str
    bound: Bound
    value: Number
    query: Query
    terms: tuple[Term, ...] = ()
    when: Guard = ALWAYS
    mendable: bool | None = None
    severity: Severity = Severity.ERROR
    rule: str = ""
    name: str = ""
    text: str = ""
    citation: Citation = NOWHERE

    @property
    def is_mendable(self) -> bool:
        """Whether further picks could mend a breach of this constraint."""
        if self.mendable is not None:
            return self.mendable
        grows = self.query.percent or any(term.coefficient > 0 for term in self.terms)
        return self.bound is Bound.MIN or grows
