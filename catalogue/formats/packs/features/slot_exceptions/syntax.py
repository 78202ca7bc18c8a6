"""Read `exceptions:` of slots."""

from catalogue.documents.section import Section, expect_sections, key, need
from catalogue.formats.packs.syntax.base import ANY_NUMBER, CONDITION, expect_range
from catalogue.formats.packs.syntax.expressions import ConditionExpression
from catalogue.formats.packs.syntax.scalars import CountRange


class SlotExceptionSyntax(Section):
    """The size of a slot under a condition. The first that holds applies."""

    title = "The exception of the slot"

    range: CountRange = need("units", expect_range(ANY_NUMBER), "how many units the slot then takes")
    when: ConditionExpression = need("when", CONDITION, "the condition; without it, always")
    reach: ConditionExpression | None = key(
        "within reach while",
        CONDITION,
        "a condition on the list; only while it holds can further picks cause the exception",
        None,
    )


class SlotExceptionsSyntax(Section):
    page = "slot_exceptions"

    exceptions: tuple[SlotExceptionSyntax, ...] = key(
        "exceptions",
        expect_sections(SlotExceptionSyntax, "list of exceptions"),
        "other numbers under conditions; the first condition that holds counts",
    )
