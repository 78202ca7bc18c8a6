"""What a season takes from elsewhere: house rules, events, and players' lists."""

from django.conf import settings
from django.db import models

from roster.club.models.leagues import Meeting, Season, SeasonPlayer
from roster.events.models import Event
from roster.events.models.submission import Judged
from roster.formats.list_text import NAME_LENGTH
from roster.models.homebrew import CopiedHomebrew


class SeasonHomebrew(CopiedHomebrew):
    """A published version of house rules that a season has chosen."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="homebrews")

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("season", "key"), name="one_homebrew_per_season"),)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.key}"


class SeasonEvent(models.Model):
    """An event whose results count in a season once one of its organisers has `agreed`."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    agreed = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("season", "event"), name="one_season_event"),)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.event}"


class ChosenList(Judged):
    """A copy of the list that a player chose for a meeting, with its verdict by the season's rules.

    `version` and `homebrew` are those of the verdict. `limit` is the most points that the season allowed, or 0.
    """

    meeting = models.ForeignKey(Meeting, on_delete=models.CASCADE, related_name="lists")
    player = models.ForeignKey(SeasonPlayer, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    document = models.TextField()
    faction_id = models.CharField(max_length=200)
    faction = models.CharField(max_length=200)
    units = models.JSONField(default=list)
    homebrew = models.ForeignKey(SeasonHomebrew, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    limit = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("meeting", "player"), name="one_list_per_player"),)

    def __str__(self) -> str:
        return self.name
