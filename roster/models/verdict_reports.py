"""Players' reports of wrong verdicts, and the tests that staff keep because of them."""

from collections.abc import Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models import GameSystem, PackVersion
from catalogue.models.base import ENTRY_ID_LENGTH, PUBLIC_ID_LENGTH, new_public_id
from roster.models.ownership import Owned

TEXT_LENGTH = 1_000
LINE_LENGTH = 200
RULE_LENGTH = 64


class ReportKind(models.TextChoices):
    VERDICT = "verdict", _("A verdict")
    UNIT = "unit", _("A datasheet")
    LINE = "line", _("A line of text")


class VerdictDoubt(models.TextChoices):
    """What a player thinks is wrong. `DOUBTS` says which of these fit a kind of report."""

    RULE = "rule", _("The rule doesn’t apply here")
    READING = "reading", _("The rule was misread")
    COUNT = "count", _("The list is counted wrongly")
    FIGURE = "figure", _("A figure or ability is wrong")
    PRICE = "price", _("The points are wrong")
    OPTION = "option", _("An option or limit is wrong")
    MEANING = "meaning", _("It means something else")
    NUMBER = "number", _("The number is wrong")
    NOTE = "note", _("It is not part of the list")
    OTHER = "other", _("Something else")


DOUBTS: Mapping[str, tuple[VerdictDoubt, ...]] = {
    ReportKind.VERDICT: (VerdictDoubt.RULE, VerdictDoubt.READING, VerdictDoubt.COUNT, VerdictDoubt.OTHER),
    ReportKind.UNIT: (VerdictDoubt.FIGURE, VerdictDoubt.PRICE, VerdictDoubt.OPTION, VerdictDoubt.OTHER),
    ReportKind.LINE: (VerdictDoubt.MEANING, VerdictDoubt.NUMBER, VerdictDoubt.NOTE, VerdictDoubt.OTHER),
}


class StaffAnswer(models.TextChoices):
    OPEN = "open", _("Not answered yet")
    CONFIRMED = "confirmed", _("Confirmed")
    NOT_REPRODUCIBLE = "not-reproducible", _("Not reproducible")
    NEEDS_INFORMATION = "needs-information", _("Needs information")
    INCONCLUSIVE = "inconclusive", _("Inconclusive")


class VerdictReport(Owned):
    """A player's doubt, with its subject frozen.

    For a verdict, `document` is the list without names and notes, `subject` a violation's headline, a unit's name, or
    "" for the whole verdict. `rule` is the violation's hash, or "". `verdict`, `points` and `violations` (headlines in
    the player's language) are as the player saw them.

    For a datasheet or a line of text, `document` says which it is, `subject` is its name or text, `violations` are its
    lines, and `verdict` and `points` are "".
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    kind = models.CharField(
        max_length=10, choices=ReportKind.choices, default=ReportKind.VERDICT, db_default=ReportKind.VERDICT
    )
    version = models.ForeignKey(PackVersion, on_delete=models.CASCADE, related_name="verdict_reports")
    faction_id = models.CharField(max_length=ENTRY_ID_LENGTH)
    document = models.JSONField()
    subject = models.CharField(max_length=LINE_LENGTH, blank=True)
    rule = models.CharField(max_length=RULE_LENGTH, blank=True, db_index=True)
    verdict = models.CharField(max_length=20)
    points = models.CharField(max_length=LINE_LENGTH, blank=True)
    violations = models.JSONField(default=list)
    doubt = models.CharField(max_length=20, choices=VerdictDoubt.choices)
    text = models.CharField(max_length=TEXT_LENGTH, blank=True)
    book = models.CharField(max_length=LINE_LENGTH, blank=True)
    page = models.CharField(max_length=LINE_LENGTH, blank=True)
    wants_mail = models.BooleanField(default=False)
    answer = models.CharField(max_length=20, choices=StaffAnswer.choices, default=StaffAnswer.OPEN)
    reply = models.CharField(max_length=TEXT_LENGTH, blank=True)
    answered = models.DateTimeField(null=True, blank=True)

    class Meta(Owned.Meta):
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.subject or str(self.version)


class VerdictTest(models.Model):
    """A frozen list whose verdict must stay the same with current data.

    `rule` identifies the reported violation, or is ""; `is_broken` means that the list breaks it. For a datasheet or a
    line of text, `lines` must stay.
    """

    game = models.ForeignKey(GameSystem, on_delete=models.CASCADE, related_name="verdict_tests")
    kind = models.CharField(
        max_length=10, choices=ReportKind.choices, default=ReportKind.VERDICT, db_default=ReportKind.VERDICT
    )
    name = models.CharField(max_length=LINE_LENGTH)
    document = models.JSONField()
    verdict = models.CharField(max_length=20)
    rule = models.CharField(max_length=RULE_LENGTH, blank=True)
    is_broken = models.BooleanField(default=False)
    lines = models.JSONField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name
