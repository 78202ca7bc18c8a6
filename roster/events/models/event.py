from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.formats.list_text import NAME_LENGTH
from roster.models.homebrew import HASH_LENGTH, CopiedHomebrew

TEXT_LENGTH = 4_000


class EventStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    OPEN = "open", _("Taking lists")
    CLOSED = "closed", _("Closed")


class RoleKind(models.TextChoices):
    ORGANISER = "organiser", _("Organiser")
    JUDGE = "judge", _("Judge")


class SubmissionStatus(models.TextChoices):
    MISSING = "missing", _("Missing")
    NEW = "new", _("New")
    ACCEPTED = "accepted", _("Accepted")
    RETURNED = "returned", _("Returned")


class ListVerdict(models.TextChoices):
    """A submitted list's verdict; blank if there is none."""

    UNREADABLE = "unreadable", _("Unreadable")
    ILLEGAL = "illegal", _("Illegal")
    INCOMPLETE = "incomplete", _("Incomplete")
    AS_READ = "as-read", _("Legal as far as read")
    BY_RULES = "by-rules", _("Legal by house rules")
    LEGAL = "legal", _("Legal")


LEGAL_VERDICTS = (ListVerdict.BY_RULES, ListVerdict.LEGAL)
"""The verdicts of lists that break no rule of the event."""


def _is_past(moment: datetime | None) -> bool:
    return moment is not None and moment <= timezone.now()


class Event(models.Model):
    """An event that players submit lists for.

    `rules` are the house rules in YAML, `homebrew` the changed values that count. `rules_hash` is the hash of both, ""
    if there are none.

    Pages show times in `zone`. Each `reveal_...` is when that part of all lists becomes public, None for never. `token`
    is the secret of the invitation link. With `shares_numbers`, statistics count its lists, without names. `seats` is 0
    for any number of players. `mapping` maps columns of pairing tables to their meanings.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    token = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    text = models.TextField(blank=True, max_length=TEXT_LENGTH)
    place = models.CharField(max_length=NAME_LENGTH, blank=True)
    starts = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=EventStatus.choices, default=EventStatus.DRAFT)
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="+")
    rules = models.TextField(blank=True)
    rules_hash = models.CharField(max_length=HASH_LENGTH, blank=True)
    homebrew = models.ForeignKey(
        "events.EventHomebrew", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    zone = models.CharField(max_length=60, default="UTC")
    deadline = models.DateTimeField(null=True, blank=True)
    reveal_faction = models.DateTimeField(null=True, blank=True)
    reveal_roster = models.DateTimeField(null=True, blank=True)
    reveal_deck = models.DateTimeField(null=True, blank=True)
    reveal_reserves = models.DateTimeField(null=True, blank=True)
    is_team = models.BooleanField(default=False)
    team_size = models.PositiveSmallIntegerField(default=0)
    seats = models.PositiveSmallIntegerField(default=0)
    accepts_late = models.BooleanField(default=False)
    shares_numbers = models.BooleanField(default=False, db_default=False)
    reminder_hours = models.PositiveSmallIntegerField(default=24)
    penalty_table = models.JSONField(default=list, blank=True)
    mapping = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-starts", "-pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("events:event", args=[self.public_id])

    @cached_property
    def timezone(self) -> tzinfo:
        return ZoneInfo(self.zone)

    @property
    def is_open(self) -> bool:
        return self.status == EventStatus.OPEN

    def is_past_deadline_at(self, moment: datetime) -> bool:
        """Return whether the deadline has passed. A list at the deadline itself is in time."""
        return self.deadline is not None and self.deadline < moment

    @property
    def is_past_deadline(self) -> bool:
        return self.is_past_deadline_at(timezone.now())

    def shows_publicly(self, part: str) -> bool:
        """Return whether everyone may now see all lists' `faction`, `roster`, `deck` or `reserves`.

        A visible roster shows its faction.
        """
        if self.status == EventStatus.DRAFT:
            return False
        if part == "faction":
            return _is_past(self.reveal_faction) or _is_past(self.reveal_roster)
        return _is_past(getattr(self, f"reveal_{part}"))

    @property
    def shows_all(self) -> bool:
        if not self.shows_publicly("roster"):
            return False
        has_secret_decks = not self.shows_publicly("deck") and self.has_decks
        has_secret_reserves = not self.shows_publicly("reserves") and self.has_reserves
        return not (has_secret_decks or has_secret_reserves)

    @property
    def has_decks(self) -> bool:
        return self.version.factions.filter(deck_rules__isnull=False).exists()

    @property
    def has_reserves(self) -> bool:
        return self.participants.filter(is_reserve=True).exists()


class EventHomebrew(CopiedHomebrew):
    """A published version of house rules that an event has chosen."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="homebrews")

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("event", "key"), name="one_homebrew_per_event"),)

    def __str__(self) -> str:
        return f"{self.event_id}: {self.key}"


class EventRole(models.Model):
    """A helper of an event. Blind helpers see no other player's list until everything is revealed."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="event_roles")
    kind = models.CharField(max_length=10, choices=RoleKind.choices)
    is_blind = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("event", "user"), name="one_role_per_event"),)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"


class Team(models.Model):
    """Players who compete together. The captain submits for them."""

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=NAME_LENGTH)
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "pk")
        constraints = (models.UniqueConstraint(fields=("event", "name"), name="one_team_per_name"),)

    def __str__(self) -> str:
        return self.name


class Participant(models.Model):
    """A player in an event, with copies of their list's state for tables.

    `user` is None if organisers entered the player or the account was deleted. A reserve plays if a team member cannot.
    `locked` is the submission that a correction is compared with. `left_open` counts what a judge must check by hand,
    `uncovered` the changes in a correction that no return asked for.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="participants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="event_entries"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    email = models.EmailField(blank=True)
    team = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, blank=True, related_name="members")
    is_reserve = models.BooleanField(default=False)
    dropped = models.BooleanField(default=False)
    current = models.ForeignKey(
        "events.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    locked = models.ForeignKey(
        "events.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    status = models.CharField(
        max_length=10, choices=SubmissionStatus.choices, default=SubmissionStatus.MISSING, db_index=True
    )
    verdict = models.CharField(max_length=10, choices=ListVerdict.choices, blank=True)
    unchecked = models.PositiveIntegerField(default=0)
    left_open = models.PositiveIntegerField(db_default=0, default=0)
    violations = models.PositiveIntegerField(default=0)
    faction = models.CharField(max_length=200, blank=True)
    emblem = models.CharField(max_length=40, blank=True)
    points = models.CharField(max_length=40, blank=True)
    claimed = models.CharField(max_length=40, blank=True)
    search_text = models.TextField(blank=True)
    received = models.DateTimeField(null=True, blank=True)
    late_seconds = models.PositiveIntegerField(default=0)
    uncovered = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("event", "user"), condition=models.Q(user__isnull=False), name="one_entry_per_account"
            ),
        )
        indexes = (models.Index(fields=("event", "status"), name="entries_by_status"),)

    def __str__(self) -> str:
        return self.name

    @property
    def team_name(self) -> str:
        return self.team.name if self.team else ""

    @property
    def differs_in_points(self) -> bool:
        return bool(self.claimed and self.points and self.claimed != self.points)

    @property
    def is_late(self) -> bool:
        return self.late_seconds > 0
