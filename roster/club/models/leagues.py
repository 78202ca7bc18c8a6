from datetime import date, datetime, timedelta, tzinfo
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import PUBLIC_ID_LENGTH, new_public_id
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import PLAYER_NAME_LENGTH

CLUB_TEXT_LENGTH = 4_000
MAP_LENGTH = 20_000
SCORES_LENGTH = 20
NIGHT_LENGTH = timedelta(hours=4)
"""How long a club night lasts. Nights that start within this time of each other overlap."""


class ClubRole(models.TextChoices):
    ORGANISER = "organiser", _("Organiser")
    MEMBER = "member", _("Member")


class SeasonFormat(models.TextChoices):
    ROUND_ROBIN = "round-robin", _("Round robin")
    SWISS = "swiss", _("Swiss system")
    CHALLENGE = "challenge", _("Challenges")


class LadderKind(models.TextChoices):
    POINTS = "points", _("Points")
    ELO = "elo", _("Elo rating")
    SUPPLY = "supply", _("Supply of held places")


class ListReveal(models.TextChoices):
    BOTH = "both", _("Once both players have chosen")
    CHOSEN = "chosen", _("As soon as a player has chosen")
    PLAYED = "played", _("Once the result counts")


class Club(models.Model):
    """People who play together. `token` is the secret of the invitation link; `webhook` gets the news.

    With `is_open`, everyone with the address may read the club and its seasons, otherwise only members.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    token = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    text = models.TextField(blank=True, max_length=CLUB_TEXT_LENGTH)
    is_open = models.BooleanField(default=False)
    webhook = models.OneToOneField("roster.Webhook", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club:club", args=[self.public_id])


class ClubMember(models.Model):
    """A person in a club. `user` is None if organisers entered the name, or if the account was deleted.

    `calendar` is the secret of the member's calendar address. A member who has `left` stays in tables.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="club_members"
    )
    name = models.CharField(max_length=PLAYER_NAME_LENGTH)
    role = models.CharField(max_length=10, choices=ClubRole.choices, default=ClubRole.MEMBER)
    calendar = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    left = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("club", "name", "pk")
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("club", "user"), name="one_member_per_account"),
            models.UniqueConstraint("club", Lower("name"), name="one_member_per_name"),
        )

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A season of a club's league. It outlives its game: without one, `game_name` remains.

    `days` is how long a round or a challenge lasts; `factor` limits how much one game changes an Elo rating. `map` is a
    `CampaignMap` as text, or "". Lists are judged by `homebrew` and may cost `limit`, unless the map has its own; 0 is
    no limit. `rules_untold` means that players have not been mailed about the last change of these rules. `reveal` is
    when the players of a meeting see each other's lists.
    """

    public_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=NAME_LENGTH)
    text = models.TextField(blank=True, max_length=CLUB_TEXT_LENGTH)
    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    game_name = models.CharField(max_length=NAME_LENGTH)
    format = models.CharField(max_length=20, choices=SeasonFormat.choices)
    ladder = models.CharField(max_length=10, choices=LadderKind.choices, default=LadderKind.POINTS)
    win = models.PositiveSmallIntegerField(default=3)
    draw = models.PositiveSmallIntegerField(default=1)
    loss = models.PositiveSmallIntegerField(default=0)
    factor = models.PositiveSmallIntegerField(default=32)
    days = models.PositiveSmallIntegerField(default=14)
    map = models.TextField(blank=True, max_length=MAP_LENGTH, default="", db_default="")
    homebrew = models.ForeignKey(
        "club.SeasonHomebrew", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    limit = models.PositiveIntegerField(default=0, db_default=0)
    reveal = models.CharField(
        max_length=10, choices=ListReveal.choices, default=ListReveal.BOTH, db_default=ListReveal.BOTH
    )
    rules_untold = models.BooleanField(default=False, db_default=False)
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club:season", args=[self.public_id])

    @property
    def is_running(self) -> bool:
        return self.started is not None and self.ended is None


class SeasonPlayer(models.Model):
    """A member in a season. After `left`, open meetings are void."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="players")
    member = models.ForeignKey(ClubMember, on_delete=models.CASCADE, related_name="seasons")
    left = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("season", "pk")
        constraints = (models.UniqueConstraint(fields=("season", "member"), name="one_player_per_season"),)

    def __str__(self) -> str:
        return self.member.name

    @property
    def is_gone(self) -> bool:
        return self.left is not None or self.member.left is not None


class ClubNight(models.Model):
    """An evening of a season. When it closes, the players who said that they can come are paired.

    Pages show its times in `zone`. Without `closes`, only an organiser pairs it. `tables` bounds the games, None means
    enough. `paired` is when it was paired.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="nights")
    starts = models.DateTimeField()
    closes = models.DateTimeField(null=True, blank=True)
    zone = models.CharField(max_length=60, default="UTC")
    place = models.CharField(max_length=NAME_LENGTH, blank=True)
    tables = models.PositiveSmallIntegerField(null=True, blank=True)
    paired = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("starts", "pk")
        indexes = (models.Index(fields=("closes",), condition=models.Q(paired=None), name="club_nights_to_pair"),)

    def __str__(self) -> str:
        return f"{self.season}: {self.starts.astimezone(self.timezone):%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("club:night", args=[self.season.public_id, self.pk])

    @property
    def timezone(self) -> tzinfo:
        return ZoneInfo(self.zone)

    @property
    def day(self) -> date:
        return self.starts.astimezone(self.timezone).date()

    @property
    def ends(self) -> datetime:
        return self.starts + NIGHT_LENGTH

    @property
    def is_over(self) -> bool:
        return self.ends <= timezone.now()

    @property
    def is_open(self) -> bool:
        """Whether players can still say that they come."""
        now = timezone.now()
        return self.paired is None and self.starts > now and (self.closes is None or self.closes > now)


class NightPlayer(models.Model):
    """A player of a season who can come to a club night."""

    night = models.ForeignKey(ClubNight, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(SeasonPlayer, on_delete=models.CASCADE, related_name="nights")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("night", "pk")
        constraints = (models.UniqueConstraint(fields=("night", "player"), name="one_player_per_night"),)

    def __str__(self) -> str:
        return f"{self.night}: {self.player}"


class Meeting(models.Model):
    """Two players who should play each other by a certain day. `second` is None for a bye.

    Challenges are in round 0, and so are meetings made for a club `night`. If a night took over a challenge or a
    round's meeting, `until_before` is the last day that this had. The result is a `game`, in which `first` plays the
    side `first_place`. A player's confirmation is the confirmed result and scores, such as "1 18:11", so other scores
    need a new one. `stake` is the territory that the winner takes or keeps.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="meetings")
    round = models.PositiveSmallIntegerField(default=0)
    first = models.ForeignKey(SeasonPlayer, on_delete=models.CASCADE, related_name="meetings_as_first")
    second = models.ForeignKey(
        SeasonPlayer, on_delete=models.CASCADE, null=True, blank=True, related_name="meetings_as_second"
    )
    until = models.DateField(null=True, blank=True)
    night = models.ForeignKey(ClubNight, on_delete=models.SET_NULL, null=True, blank=True, related_name="meetings")
    until_before = models.DateField(null=True, blank=True)
    game = models.OneToOneField("play.Game", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    first_place = models.PositiveSmallIntegerField(default=0)
    stake = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    first_confirmed = models.CharField(max_length=SCORES_LENGTH, blank=True)
    second_confirmed = models.CharField(max_length=SCORES_LENGTH, blank=True)
    reminded = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("round", "pk")
        indexes = (
            models.Index(fields=("until",), condition=models.Q(game=None, reminded=None), name="meetings_to_remind_of"),
        )

    def __str__(self) -> str:
        return f"{self.first} : {self.second or '–'}"

    def get_absolute_url(self) -> str:
        return reverse("club:meeting", args=[self.season.public_id, self.pk])

    @property
    def is_of_night(self) -> bool:
        """Whether a club night made the meeting, which is then neither a challenge nor of a round."""
        return self.night_id is not None and self.until_before is None

    @property
    def last_day(self) -> date | None:
        """The last day of its round or challenge, also if it is played at a club night."""
        return self.until_before or self.until
