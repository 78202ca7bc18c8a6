from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.models.base import ID_LENGTH
from roster.club.models.photos import CaptionedPhoto
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import PLAYER_NAME_LENGTH, Shared, SharingWords, Visibility, index_public

STORY_LENGTH = 20_000


class BattleReport(Shared):
    """A player's story of a game at the table, with a copy of what the game recorded.

    `played_game` is None once the game is deleted; the copy stays. `game` and `game_name` are the game system's.
    `moments` are the chosen lines of the log, oldest first: `{"id", "round", "place", "text"}`, with marks instead of
    the names of sides. `rounds` is the number of rounds, 0 for a result entered by hand.
    """

    counted = ngettext_lazy("%d battle report", "%d battle reports")
    sharing_words = SharingWords(
        by_link=_("Read only. Not in search."),
        everybody=_("Shown in Battle reports; search engines may find it."),
        hidden=_("The staff have hidden this battle report: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this battle report?"),
        reasons=_("Reports are anonymous."),
    )

    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    played_game = models.ForeignKey(
        "play.Game", on_delete=models.SET_NULL, null=True, blank=True, related_name="battle_reports"
    )
    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    game_name = models.CharField(max_length=ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    text = models.TextField(blank=True, max_length=STORY_LENGTH)
    mission_name = models.CharField(max_length=ID_LENGTH, blank=True)
    map_name = models.CharField(max_length=ID_LENGTH, blank=True)
    played = models.DateTimeField(default=timezone.now)
    ending = models.CharField(max_length=20, blank=True)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    rounds = models.PositiveSmallIntegerField(default=0)
    moments = models.JSONField(default=list)

    class Meta(Shared.Meta):
        constraints: ClassVar = (
            *Shared.Meta.constraints,
            models.UniqueConstraint(fields=("owner", "played_game"), name="one_report_of_a_game"),
        )
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("club_battlereport_public"),)
        ordering = ("-updated", "-pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club:battle-link", args=[self.link_id])

    @property
    def first_photo(self) -> "ReportPhoto | None":
        """The first photo that staff did not hide, for listings, which prefetch all."""
        return next((photo for photo in self.photos.all() if not photo.taken_down), None)

    @property
    def is_of_private_game(self) -> bool:
        return self.game is not None and self.game.is_private


class ReportedSide(models.Model):
    """A side of a reported game, copied from it.

    `player` is the account that played it, which may remove its name: then `is_unnamed`, and `name`, `list_name` and
    `roster` are empty. `points` are by round, `held` are points of lines that were true at the end.
    """

    secret_columns = ("player_id",)

    report = models.ForeignKey(BattleReport, on_delete=models.CASCADE, related_name="sides")
    place = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    is_unnamed = models.BooleanField(default=False)
    name = models.CharField(max_length=PLAYER_NAME_LENGTH, blank=True)
    list_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    roster = models.ForeignKey("roster.Roster", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    faction_name = models.CharField(max_length=ID_LENGTH, blank=True)
    score = models.IntegerField(default=0)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.JSONField(default=list)
    held = models.IntegerField(default=0)

    class Meta:
        ordering = ("report", "place")
        constraints = (models.UniqueConstraint(fields=("report", "place"), name="one_reported_side_per_place"),)

    def __str__(self) -> str:
        return self.name or str(self.place + 1)


class ReportPhoto(CaptionedPhoto):
    """A photo of a battle report."""

    owner_path = "report__owner"

    report = models.ForeignKey(BattleReport, on_delete=models.CASCADE, related_name="photos")

    class Meta:
        ordering = ("report", "pk")

    def __str__(self) -> str:
        return self.caption or str(self.report)

    def get_address(self, size: str) -> str:
        return reverse("club:battle-photo", args=[self.report.link_id, self.pk, size])
