"""Cards, and what their decks have to keep to."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ENTRY_ID_LENGTH, ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.factions import Faction


class Card(Cited):
    """A card that may be in a deck of a faction.

    `entry_id` is its path as the engine writes it, `deck_id` and `deck` are those of the deck it goes into. `copies` is
    how many a deck may hold, None for any number. `needs` are names of units, of which a list has to have one;
    `figures` are pairs of a column and what stands in it. Owners write the names of `written` ones themselves.
    `search_text` holds everything by which it is found, in a folded form.
    """

    faction = models.ForeignKey(Faction, models.CASCADE, related_name="cards", verbose_name=_("faction"))
    entry_id = models.CharField(_("entry id"), max_length=ENTRY_ID_LENGTH)
    slug = models.SlugField(_("address"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    deck_id = models.CharField(_("deck id"), max_length=ID_LENGTH)
    deck = models.CharField(_("deck"), max_length=NAME_LENGTH)
    copies = models.PositiveIntegerField(_("copies"), null=True)
    needs = models.JSONField(_("needs"), default=list)
    keywords = models.JSONField(_("keywords"), default=list)
    figures = models.JSONField(_("figures"), default=list)
    text = models.TextField(_("text"), blank=True)
    written = models.BooleanField(_("written by owners"), default=False)
    search_text = models.TextField(_("search text"), blank=True)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("faction", "position")
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        constraints = (models.UniqueConstraint(fields=("faction", "slug"), name="one_card_per_address"),)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        faction = self.faction
        page = reverse("catalogue:cards", args=[faction.version.game.slug, faction.slug])
        return f"{page}#{self.slug}"


class DeckRule(Cited):
    """What decks of a faction have to keep to: how many cards, how many decks, how many copies.

    `deck` is the name of the deck that says so, blank where `detachment` or the whole game does. `min` and `max` are
    the bounds where they are plain numbers. `name` and `text` are our own words, `rule` the id in the inventory.
    """

    faction = models.ForeignKey(Faction, models.CASCADE, related_name="deck_rules", verbose_name=_("faction"))
    rule = models.CharField(_("rule"), max_length=ID_LENGTH, blank=True)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    text = models.TextField(_("text"), blank=True)
    deck = models.CharField(_("deck"), max_length=NAME_LENGTH, blank=True)
    detachment = models.CharField(_("detachment"), max_length=NAME_LENGTH, blank=True)
    min = models.PositiveIntegerField(_("least"), null=True)
    max = models.PositiveIntegerField(_("most"), null=True)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("faction", "position")
        verbose_name = _("deck rule")
        verbose_name_plural = _("deck rules")
        constraints = (
            models.UniqueConstraint(fields=("faction", "position"), name="one_deck_rule_per_position"),
        )

    def __str__(self) -> str:
        return self.name
