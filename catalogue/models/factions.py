"""A faction: whose units a list is built from."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.games import PackVersion


class Faction(Cited):
    """One faction of a version. Written from its catalogue and written anew at will: keep `faction_id`, not the row.

    `faction_id` is the id of its catalogue, `slug` its name as it stands in addresses.
    """

    version = models.ForeignKey(
        PackVersion, models.CASCADE, related_name="factions", verbose_name=_("version")
    )
    faction_id = models.CharField(_("faction id"), max_length=ID_LENGTH)
    slug = models.SlugField(_("address"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    position = models.PositiveIntegerField(_("position"))
    unit_count = models.PositiveIntegerField(_("units"), default=0)
    card_count = models.PositiveIntegerField(_("cards"), default=0)

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("faction")
        verbose_name_plural = _("factions")
        constraints = (
            models.UniqueConstraint(fields=("version", "faction_id"), name="one_faction_per_id"),
            models.UniqueConstraint(fields=("version", "slug"), name="one_faction_per_address"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("catalogue:faction", args=[self.version.game.slug, self.slug])
