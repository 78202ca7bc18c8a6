from typing import ClassVar

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.models.base import EMBLEM_LENGTH, ENTRY_ID_LENGTH, ID_LENGTH
from roster.club.models.photos import CaptionedPhoto
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Shared, SharingWords, Visibility

KIND_NOTES_LENGTH = 500
LOCATION_LENGTH = 100


class ModelState(models.TextChoices):
    """A model's states, in the order of work. A lent model counts as owned but not as at hand."""

    SPRUE = "sprue", _("Sprue")
    BUILT = "built", _("Built")
    PRIMED = "primed", _("Primed")
    PAINTED = "painted", _("Painted")
    BASED = "based", _("Based")
    LENT = "lent", _("On loan")


class Collection(Shared):
    """The models of one faction of a game, measured against the lists in `lists`.

    It outlives its game: without one, `game_name` and the names of its kinds remain. With `together`, all lists are
    needed at once, otherwise one at a time. Its models also count for lists of `more_games`, such as other editions.
    """

    counted = ngettext_lazy("%d collection", "%d collections")
    sharing_words = SharingWords(
        by_link=_("Read only, without your notes. Not in search."),
        everybody="",
        hidden=_("The staff have hidden this collection: whatever you choose, only you and they can see it."),
        renew=_("Reset the link: the old one stops working."),
        renewed=_("The link was reset. The old one no longer works."),
        report=_("What is wrong with this collection?"),
        reasons=_("Reports are anonymous."),
    )

    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    game = models.ForeignKey("catalogue.GameSystem", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    game_name = models.CharField(max_length=NAME_LENGTH)
    faction_id = models.CharField(max_length=ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    lists = models.ManyToManyField("roster.Roster", blank=True, related_name="+")
    more_games = models.ManyToManyField("catalogue.GameSystem", blank=True, related_name="+")
    together = models.BooleanField(default=False)

    class Meta(Shared.Meta):
        ordering = ("game_name", "name", "pk")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club:collection-link", args=[self.link_id])


class OwnedKind(models.Model):
    """An owner's models of one unit, by state. `entry_id` is "" if no unit of the data has this name.

    `location` is the shelf or case they are in.
    """

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="kinds")
    entry_id = models.CharField(max_length=ENTRY_ID_LENGTH, blank=True)
    name = models.CharField(max_length=NAME_LENGTH)
    emblem = models.CharField(max_length=EMBLEM_LENGTH, blank=True)
    sprue = models.PositiveIntegerField(default=0)
    built = models.PositiveIntegerField(default=0)
    primed = models.PositiveIntegerField(default=0)
    painted = models.PositiveIntegerField(default=0)
    based = models.PositiveIntegerField(default=0)
    lent = models.PositiveIntegerField(default=0)
    notes = models.CharField(max_length=KIND_NOTES_LENGTH, blank=True)
    location = models.CharField(max_length=LOCATION_LENGTH, blank=True, default="", db_default="")

    class Meta:
        ordering = ("collection", "pk")
        constraints: ClassVar = (models.UniqueConstraint(fields=("collection", "name"), name="one_kind_per_name"),)

    def __str__(self) -> str:
        return self.name

    def count(self, state: str) -> int:
        number: int = getattr(self, ModelState(state).value)
        return number

    @property
    def owned(self) -> int:
        return self.sprue + self.built + self.primed + self.painted + self.based + self.lent

    @property
    def at_hand(self) -> int:
        return self.owned - self.lent

    @property
    def ready(self) -> int:
        """The models that are painted and at hand."""
        return self.painted + self.based

    @property
    def unpainted(self) -> int:
        return self.sprue + self.built + self.primed


class KindPhoto(CaptionedPhoto):
    """A photo of an owner's models of a kind. The one with the smallest `place` is shown in the kind's row."""

    owner_path = "kind__collection__owner"

    kind = models.ForeignKey(OwnedKind, on_delete=models.CASCADE, related_name="photos")
    place = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("kind", "place", "pk")

    def __str__(self) -> str:
        return self.caption or str(self.kind)

    def get_address(self, size: str) -> str:
        return reverse("club:kind-photo", args=[self.kind.collection.link_id, self.pk, size])


class StateChange(models.Model):
    """A step of work, for undo and progress. Bought models have no `source`, sold ones no `target`.

    Steps that were ticked together share `ticked` and are undone together.
    """

    kind = models.ForeignKey(OwnedKind, on_delete=models.CASCADE, related_name="changes")
    source = models.CharField(max_length=10, choices=ModelState.choices, blank=True)
    target = models.CharField(max_length=10, choices=ModelState.choices, blank=True)
    number = models.PositiveIntegerField()
    ticked = models.UUIDField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.number} x {self.kind}: {self.source} > {self.target}"
