"""Forces that grow from game to game. A unit's state comes from its ledger, to which rows are only added."""

from typing import Any, ClassVar, NoReturn

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.models.base import ID_LENGTH
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Shared, SharingWords, Visibility
from roster.models.roster import AppendOnlyError

CAMPAIGN_LENGTH = 12_000
STORY_LENGTH = 2_000


class CampaignForce(Shared):
    """The units of one faction in a campaign.

    It outlives its game: without one, `game_name` and the ledger remain. `campaign` is a `CampaignTable` as text.
    `last` counts the steps of the ledger. `lists` were mustered from it.
    """

    counted = ngettext_lazy("%d force", "%d forces")
    sharing_words = SharingWords(
        by_link=_("Read only: units, ledger and stories. Not in search."),
        everybody="",
        hidden=_("The staff have hidden this force: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this force?"),
        reasons=_("Reports are anonymous."),
    )

    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    game_name = models.CharField(max_length=NAME_LENGTH)
    faction_id = models.CharField(max_length=ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    campaign = models.TextField(blank=True, max_length=CAMPAIGN_LENGTH)
    last = models.PositiveIntegerField(default=0)
    lists = models.ManyToManyField("roster.Roster", blank=True, related_name="+")

    class Meta(Shared.Meta):
        ordering = ("game_name", "name", "pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club:force-link", args=[self.link_id])


class Veteran(models.Model):
    """A unit of a force. `selection_id` is its id in every list mustered from the force."""

    force = models.ForeignKey(CampaignForce, on_delete=models.CASCADE, related_name="veterans")
    selection_id = models.CharField(max_length=ID_LENGTH)

    class Meta:
        ordering = ("force", "pk")
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("force", "selection_id"), name="one_veteran_per_selection"),
        )

    def __str__(self) -> str:
        return self.selection_id


class LedgerKind(models.TextChoices):
    JOINED = "joined", _("Joined")
    REFIT = "refit", _("New gear")
    NAME = "name", _("Name")
    STORY = "story", _("Story")
    GAME = "game", _("Game")
    EXPERIENCE = "experience", _("Experience")
    KILLS = "kills", _("Kills")
    HONOUR = "honour", _("Honour")
    INJURY = "injury", _("Injury")
    HEALED = "healed", _("Healed")
    COUNTER = "counter", _("Counter")
    LEFT = "left", _("Left the force")
    UNDO = "undo", _("Undone")


class LedgerRows(models.QuerySet["LedgerEntry"]):
    def update(self, **fields: Any) -> NoReturn:
        raise AppendOnlyError("a ledger is never changed")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("a ledger is never changed")


class LedgerEntry(models.Model):
    """A row of a veteran's ledger. The rows of one action have the same `step`.

    `name` is what the row counts or adds, `amount` how often; for a game, whether the unit survived. `cost` is added to
    the unit's cost. `document` is a `UnitSnapshot` as JSON. `undoes` is the row that an undo takes back; an undo can be
    undone.
    """

    veteran = models.ForeignKey(Veteran, on_delete=models.CASCADE, related_name="entries")
    step = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=LedgerKind.choices)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    amount = models.IntegerField(default=0)
    cost = models.IntegerField(default=0)
    text = models.CharField(max_length=STORY_LENGTH, blank=True)
    document = models.TextField(blank=True)
    # Single rows are never deleted; the whole ledger is deleted with its force.
    undoes = models.OneToOneField("self", on_delete=models.RESTRICT, null=True, blank=True, related_name="undone_by")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[models.Manager["LedgerEntry"]] = LedgerRows.as_manager()

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "ledger entries"

    def __str__(self) -> str:
        return f"{self.step}: {self.kind} {self.name}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("a ledger is never changed")
        super().save(*args, **options)


class CountedGame(models.Model):
    """A game whose results are in a force's ledger, and the step that wrote them. `taken_back` means that the step was
    undone.
    """

    force = models.ForeignKey(CampaignForce, on_delete=models.CASCADE, related_name="games")
    game = models.ForeignKey("play.Game", on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    step = models.PositiveIntegerField()
    taken_back = models.BooleanField(default=False)

    class Meta:
        ordering = ("-step",)
        constraints: ClassVar = (
            models.UniqueConstraint(
                fields=("force", "game"), condition=models.Q(taken_back=False), name="one_result_per_game_and_force"
            ),
        )

    def __str__(self) -> str:
        return self.name
