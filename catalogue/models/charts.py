"""How armies are organised: charts of detachments with slots."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.factions import Faction
from catalogue.models.games import PackVersion


class OrganisationChart(models.Model):
    """All kinds of force that one catalogue offers. `faction` is None where every faction may use them."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="charts", verbose_name=_("version"))
    faction = models.ForeignKey(
        Faction, models.CASCADE, null=True, blank=True, related_name="charts", verbose_name=_("faction")
    )
    chart_id = models.CharField(_("catalogue id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("organisation chart")
        verbose_name_plural = _("organisation charts")
        constraints = (models.UniqueConstraint(fields=("version", "chart_id"), name="one_chart_per_id"),)

    def __str__(self) -> str:
        return self.name


class Detachment(Cited):
    """A kind of force: a detachment, or an army that holds some (`parent` is the force it stands in).

    `min` and `max` say how many a list has of it, None for no limit. `rules` are the rules it brings, each an object
    with `id`, `name`, `text` and `citation`, in our own words.
    """

    chart = models.ForeignKey(
        OrganisationChart, models.CASCADE, related_name="detachments", verbose_name=_("chart")
    )
    parent = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="children", verbose_name=_("part of")
    )
    force_id = models.CharField(_("force id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    min = models.PositiveIntegerField(_("least"), null=True)
    max = models.PositiveIntegerField(_("most"), null=True)
    hidden = models.BooleanField(_("hidden"), default=False)
    rules = models.JSONField(_("rules"), default=list)
    depth = models.PositiveSmallIntegerField(_("depth"), default=0)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("chart", "position")
        verbose_name = _("detachment")
        verbose_name_plural = _("detachments")
        constraints = (
            models.UniqueConstraint(fields=("chart", "position"), name="one_detachment_per_position"),
        )

    def __str__(self) -> str:
        return self.name


class Slot(Cited):
    """A type of unit that a detachment takes. `conditional` means that rules move `min` or `max`."""

    detachment = models.ForeignKey(
        Detachment, models.CASCADE, related_name="slots", verbose_name=_("detachment")
    )
    category_id = models.CharField(_("type id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    min = models.PositiveIntegerField(_("least"), null=True)
    max = models.PositiveIntegerField(_("most"), null=True)
    conditional = models.BooleanField(_("conditional"), default=False)
    hidden = models.BooleanField(_("hidden"), default=False)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("detachment", "position")
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        constraints = (
            models.UniqueConstraint(fields=("detachment", "position"), name="one_slot_per_position"),
        )

    def __str__(self) -> str:
        return self.name
