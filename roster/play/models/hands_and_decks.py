"""Mission decks, their draws, and objective hands. The tables keep their names from `roster`."""

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Shared, SharingWords, index_public, require_one_owner
from roster.play.objective_hand import Hand, decode_hand

MOST_COPIES = 20
ID_LENGTH = 200


class MissionDeck(Shared):
    """Missions of any packs. `shuffled` is the number of the last draw before the shuffle."""

    counted = ngettext_lazy("%d mission deck", "%d mission decks")
    sharing_words = SharingWords(
        by_link=_("Read only. Not in search."),
        everybody=_("Shown among public mission decks; search engines may find it."),
        hidden=_("The staff have hidden this deck: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this deck?"),
        reasons=_("Reports are anonymous."),
    )

    name = models.CharField(max_length=NAME_LENGTH)
    shuffled = models.PositiveIntegerField(default=0)

    class Meta(Shared.Meta):
        db_table = "roster_missiondeck"
        constraints = (require_one_owner("roster_missiondeck_one_owner"),)
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("roster_missiondeck_public"),)
        ordering = ("-updated", "-pk")
        verbose_name_plural = "mission decks"

    def __str__(self) -> str:
        return self.name or self.public_id

    def get_absolute_url(self) -> str:
        return reverse("play:deck-link", args=[self.link_id])


class DeckMission(models.Model):
    """A mission in a deck, pinned to its data version."""

    deck = models.ForeignKey(MissionDeck, on_delete=models.CASCADE, related_name="missions")
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="+")
    mission_id = models.CharField(max_length=ID_LENGTH)
    copies = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(MOST_COPIES)]
    )

    class Meta:
        db_table = "roster_deckmission"
        ordering = ("version", "pk")
        constraints = (models.UniqueConstraint(fields=("deck", "version", "mission_id"), name="one_mission_per_deck"),)

    def __str__(self) -> str:
        return f"{self.copies} x {self.mission_id}"


class MissionDraw(models.Model):
    """A drawn mission with its deployment. `rolled` is the dice result."""

    deck = models.ForeignKey(MissionDeck, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveIntegerField()
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="+")
    mission_id = models.CharField(max_length=ID_LENGTH)
    map_id = models.CharField(max_length=ID_LENGTH, blank=True)
    rolled = models.CharField(max_length=80, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "roster_missiondraw"
        ordering = ("deck", "-number")
        constraints = (models.UniqueConstraint(fields=("deck", "number"), name="one_draw_per_number"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.mission_id}"


class ObjectiveHand(Shared):
    """A player's objectives in a game. `document` is a `Hand` as JSON."""

    counted = ngettext_lazy("%d set of objectives", "%d sets of objectives")

    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    version = models.ForeignKey("catalogue.PackVersion", on_delete=models.PROTECT, related_name="+")
    document = models.TextField()
    revision = models.PositiveIntegerField(default=1)

    class Meta(Shared.Meta):
        db_table = "roster_objectivehand"
        constraints = (require_one_owner("roster_objectivehand_one_owner"),)
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("roster_objectivehand_public"),)
        ordering = ("-updated", "-pk")
        verbose_name_plural = "objective hands"

    def __str__(self) -> str:
        return self.name or self.public_id

    def get_absolute_url(self) -> str:
        """Return the owner's page, because hands are secret."""
        return reverse("play:hand", args=[self.public_id])

    @property
    def hand(self) -> Hand:
        return decode_hand(self.document)
