"""What a faction may take, and the choices inside it."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ENTRY_ID_LENGTH, ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.factions import Faction

DIGITS = 14
PLACES = 4


class UnitEntry(Cited):
    """Something a faction may take directly: a unit, a card, a choice for the whole list.

    `entry_id` is what the engine calls it: ids of links, outermost first, then the id of the entry, joined by `::`.
    `points` and `costs` (cost type id to number as text) are those of its smallest selection as the data states them:
    own costs, everything with a minimum, and defaults, before any rule changes a cost. `models_min` and `models_max`
    are how many models it has, None where the data does not say. `option_count` is how many options it has, of which
    the first have rows. `terms` are pairs of a kind (`keyword`, `weapon`,
    `ability`, `option`) and a name; `search_text` holds all of them in a folded form.
    """

    faction = models.ForeignKey(Faction, models.CASCADE, related_name="units", verbose_name=_("faction"))
    entry_id = models.CharField(_("entry id"), max_length=ENTRY_ID_LENGTH)
    slug = models.SlugField(_("address"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    type = models.CharField(_("kind"), max_length=20)
    category_id = models.CharField(_("type id"), max_length=ID_LENGTH, blank=True)
    category = models.CharField(_("type"), max_length=NAME_LENGTH, blank=True)
    points = models.DecimalField(_("points"), null=True, max_digits=DIGITS, decimal_places=PLACES)
    costs = models.JSONField(_("costs"), default=dict)
    models_min = models.PositiveIntegerField(_("models, least"), null=True)
    models_max = models.PositiveIntegerField(_("models, most"), null=True)
    option_count = models.PositiveIntegerField(_("options"), default=0)
    keywords = models.JSONField(_("keywords"), default=list)
    terms = models.JSONField(_("terms"), default=list)
    search_text = models.TextField(_("search text"), blank=True)
    hidden = models.BooleanField(_("hidden"), default=False)
    provisional = models.BooleanField(_("provisional"), default=False)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("faction", "position")
        verbose_name = _("unit")
        verbose_name_plural = _("units")
        indexes = (
            models.Index(fields=("faction", "name")),
            models.Index(fields=("faction", "category")),
        )
        constraints = (
            models.UniqueConstraint(fields=("faction", "slug"), name="one_unit_per_address"),
            models.UniqueConstraint(fields=("faction", "position"), name="one_unit_per_position"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        faction = self.faction
        return reverse("catalogue:unit", args=[faction.version.game.slug, faction.slug, self.slug])


class Option(models.Model):
    """A choice inside a unit. `entry_id` is its path as the engine writes it, `depth` how many choices it lies inside.

    `points` is what the smallest selection of it adds, as for a unit. `min` and `max` are the limits the data states
    for it where it stands, None for none; rules may change them.
    """

    unit = models.ForeignKey(
        UnitEntry,
        models.CASCADE,
        db_index=False,  # the constraint below has one; there are very many options
        related_name="options",
        verbose_name=_("unit"),
    )
    entry_id = models.CharField(_("entry id"), max_length=ENTRY_ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    group = models.CharField(_("group"), max_length=NAME_LENGTH, blank=True)
    type = models.CharField(_("kind"), max_length=20)
    note = models.TextField(_("footnote"), blank=True)
    points = models.DecimalField(_("points"), null=True, max_digits=DIGITS, decimal_places=PLACES)
    min = models.PositiveIntegerField(_("least"), null=True)
    max = models.PositiveIntegerField(_("most"), null=True)
    depth = models.PositiveSmallIntegerField(_("depth"), default=0)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("unit", "position")
        verbose_name = _("option")
        verbose_name_plural = _("options")
        constraints = (models.UniqueConstraint(fields=("unit", "position"), name="one_option_per_position"),)

    def __str__(self) -> str:
        return self.name
