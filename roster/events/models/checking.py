from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.events.models.event import TEXT_LENGTH, Event, Participant, Team
from roster.formats.list_text import NAME_LENGTH


class Audience(models.TextChoices):
    PLAYER = "player", _("To the player")
    ORGANISERS = "organisers", _("Organisers only")


class EventComment(models.Model):
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="comments")
    audience = models.CharField(max_length=10, choices=Audience.choices)
    text = models.TextField(max_length=TEXT_LENGTH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.audience}"


class LatePass(models.Model):
    participant = models.OneToOneField(Participant, on_delete=models.CASCADE, related_name="late_pass")
    expires = models.DateTimeField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.expires:%Y-%m-%d %H:%M}"


class CorrectionWindow(models.Model):
    """A period after the deadline in which players may correct returned lists."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="windows")
    starts = models.DateTimeField()
    ends = models.DateTimeField()

    class Meta:
        ordering = ("starts",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(ends__gt=models.F("starts")), name="correction_ends_after_it_starts"
            ),
        )

    def __str__(self) -> str:
        return f"{self.event_id}: {self.starts:%Y-%m-%d}–{self.ends:%Y-%m-%d}"


class Assignment(models.Model):
    """A person's or team's task to check a player's list."""

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="assignments")
    checker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True, related_name="assignments")
    due = models.DateTimeField(null=True, blank=True)
    done = models.DateTimeField(null=True, blank=True)
    remark = models.TextField(blank=True, max_length=TEXT_LENGTH)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(checker__isnull=False, team__isnull=True)
                | models.Q(checker__isnull=True, team__isnull=False),
                name="checked_by_one_or_a_team",
            ),
        )

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.checker or self.team}"

    @property
    def shown_checker(self) -> str:
        if self.team is not None:
            return self.team.name
        return self.checker.get_username() if self.checker else ""


class PenaltyState(models.TextChoices):
    SUGGESTED = "suggested", _("Suggested")
    CONFIRMED = "confirmed", _("Confirmed")
    DISMISSED = "dismissed", _("Dismissed")


class Offence(models.TextChoices):
    ILLEGAL = "illegal", _("Illegal list")
    WRONG_FORMAT = "wrong-format", _("Wrong format")
    WRONG_POINTS = "wrong-points", _("Wrong points")
    LATE = "late", _("Late list")
    UNCOVERED = "uncovered", _("Unrequested change")
    OTHER = "other", _("Other")


class Penalty(models.Model):
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="penalties")
    offence = models.CharField(max_length=20, choices=Offence.choices)
    severity = models.CharField(max_length=80, blank=True)
    points = models.DecimalField(max_digits=8, decimal_places=2)
    rule = models.CharField(max_length=400, blank=True)
    reason = models.CharField(max_length=400, blank=True)
    state = models.CharField(max_length=10, choices=PenaltyState.choices, default=PenaltyState.SUGGESTED)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.participant_id}: {self.offence}"


class AuditRecord(models.Model):
    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    actor_name = models.CharField(max_length=NAME_LENGTH)
    act = models.CharField(max_length=40)
    participant = models.ForeignKey(Participant, on_delete=models.SET_NULL, null=True, blank=True, related_name="audit")
    detail = models.CharField(max_length=400, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.actor_name}: {self.act}"


class PlayerAlias(models.Model):
    """A player's simplified name in another program's table."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="aliases")
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="aliases")
    alias = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        verbose_name_plural = "player aliases"
        constraints = (models.UniqueConstraint(fields=("event", "alias"), name="one_player_per_alias"),)

    def __str__(self) -> str:
        return self.alias
