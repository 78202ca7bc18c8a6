from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.engine import tree
from roster.engine.evaluate import NO_LIMIT, UNDECIDED
from roster.engine.report import NOT_FINISHED, OTHER_FACTIONS
from roster.events.models.event import TEXT_LENGTH, EventHomebrew, ListVerdict, Participant, SubmissionStatus
from roster.models.homebrew import HASH_LENGTH
from roster.services.evaluation import decode_tree
from roster.services.rulesets import RULES_GONE

ABOUT_LISTS = frozenset((NO_LIMIT, UNDECIDED, NOT_FINISHED, OTHER_FACTIONS, RULES_GONE))
"""Codes of notes about a list as a whole."""
ABOUT_TABLES = frozenset(("at-table", "provisional"))
"""Codes of notes about units that cannot be checked on a list."""


def is_for_judges(note: Mapping[str, Any]) -> bool:
    """Return whether a note asks a judge to check the list. Notes about the game or event are the same for every list.

    >>> is_for_judges({"code": "not-checked", "on": "warden"}), is_for_judges({"code": "house-rule", "on": ""})
    (True, False)
    """
    code = note.get("code", "")
    return code in ABOUT_LISTS or (bool(note["on"]) and code not in ABOUT_TABLES)


class SubmissionSource(models.TextChoices):
    BUILDER = "builder", _("From the builder")
    LINK = "link", _("By link")
    FILE = "file", _("As a file")
    PASTE = "paste", _("As text")


class FrozenError(TypeError):
    """An attempt to change a submitted list."""


class Judged(models.Model):
    """A verdict on a list, with its data version and house rules.

    `report` has the broken rules as sentences with source and units, and what was not checked. `points` is the computed
    cost.
    """

    version = models.ForeignKey(
        "catalogue.PackVersion", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    rules_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    verdict = models.CharField(max_length=10, choices=ListVerdict.choices)
    points = models.CharField(max_length=40, blank=True)
    violations = models.PositiveIntegerField(default=0)
    unchecked = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    @property
    def left_open(self) -> int:
        """The number of notes that a judge must check by hand."""
        return sum(map(is_for_judges, self.report.get("unchecked", ())))


class Submission(Judged):
    """A list as it was received; it never changes.

    * `document`: the engine's tree as JSON, blank if the list was unreadable.
    * `text`: the pasted text or the file's text.
    * `received_hash`: SHA-256 of the received data, on the receipt.
    * `content_hash`: SHA-256 of `document`, on printouts.
    * `claimed`: the total that the list itself states.
    * `rules`, `homebrew`: the house rules of its verdict.
    * `differences`: changes since the previous submission, as sentences.
    * `correction`: changes since the locked list, each with whether a return asked for it, or "cosmetic".
    * `compared`: the units whose stated points differ from the computed points.
    * `unread`: an unreadable list's received data in base64, because later data may make it readable.
    * `doubled`: the army that the team had too often with this list; the verdict is about the list alone.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="submissions")
    number = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    source = models.CharField(max_length=10, choices=SubmissionSource.choices)
    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    text = models.TextField(blank=True)
    document = models.TextField(blank=True)
    faction_id = models.CharField(max_length=200, blank=True)
    faction = models.CharField(max_length=200, blank=True)
    emblem = models.CharField(max_length=40, blank=True)
    units = models.JSONField(default=list)
    search_text = models.TextField(blank=True)
    rules = models.TextField(blank=True)
    homebrew = models.ForeignKey(EventHomebrew, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    claimed = models.CharField(max_length=40, blank=True)
    received_hash = models.CharField(max_length=HASH_LENGTH)
    content_hash = models.CharField(max_length=HASH_LENGTH, blank=True, db_index=True)
    differences = models.JSONField(default=list)
    correction = models.JSONField(default=list)
    remarks = models.JSONField(default=list)
    compared = models.JSONField(default=list)
    late_seconds = models.PositiveIntegerField(default=0)
    doubled = models.CharField(max_length=200, blank=True, db_default="", default="")
    # The previous version still reads the old column while it is being replaced.
    unread = models.TextField(blank=True, db_column="kept", db_default="", default="")

    class Meta:
        ordering = ("participant", "-number")
        constraints = (models.UniqueConstraint(fields=("participant", "number"), name="one_submission_per_number"),)

    def __str__(self) -> str:
        return f"{self.participant_id}#{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise FrozenError("what was submitted is never changed")
        super().save(*args, **options)

    @property
    def tree(self) -> tree.RosterTree:
        """The list as the engine's tree. Raises ValueError if the list was unreadable."""
        return tree.copy_with(decode_tree(self.document), faction=self.faction_id)

    @property
    def short_hash(self) -> str:
        return self.received_hash[:12]

    @property
    def paper_hash(self) -> str:
        """The digits at a printout's foot, or "" if the list was unreadable."""
        return f"{self.content_hash[:4]} {self.content_hash[4:8]}".strip()


class Recheck(Judged):
    """A later verdict, after a change of data or house rules."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="rechecks")

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.submission_id}: {self.verdict}"


class Decision(models.Model):
    """A decision about a submission. `covers` has the units that the reason is about."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="decisions")
    status = models.CharField(max_length=10, choices=SubmissionStatus.choices)
    reason = models.TextField(blank=True, max_length=TEXT_LENGTH)
    covers = models.JSONField(default=list)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.submission_id}: {self.status}"
