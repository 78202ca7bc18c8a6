from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.definitions.identity import shorten_faction_name
from catalogue.models.base import EMBLEM_LENGTH, ENTRY_ID_LENGTH, ID_LENGTH, NAME_LENGTH, Cited, Identified
from catalogue.models.games import PackVersion

DIGITS = 14
PLACES = 4


class Faction(Cited, Identified):
    """Rows are rewritten freely, so refer to `faction_id`, the catalogue's id."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="factions", verbose_name=_("version"))
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

    @property
    def heading(self) -> str:
        return shorten_faction_name(self.name)

    def get_absolute_url(self) -> str:
        return reverse("catalogue:faction", args=[self.version.game.slug, self.slug])


class UnitText(models.Model):
    """Search words: pairs of kind (`keyword`, `weapon`, `ability`, `option`) and name in `terms`.

    `search_text` has them all, folded. Units with equal words share a row.
    """

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="unit_texts", verbose_name=_("version"))
    terms = models.JSONField(_("terms"), default=list)
    search_text = models.TextField(_("search text"), blank=True)

    class Meta:
        verbose_name = _("words of a unit")
        verbose_name_plural = _("words of units")

    def __str__(self) -> str:
        return self.search_text[:40]


class UnitEntry(Cited):
    """A faction's direct choice: a unit, a card, or a choice for the whole list.

    `points` and `costs` (cost type id to number as text) are declared costs of the smallest selection. `models_min` and
    `models_max` are None if unknown. `option_count` counts all options: packs store the first as rows, community data
    none, because they repeat by the thousand.
    """

    faction = models.ForeignKey(Faction, models.CASCADE, related_name="units", verbose_name=_("faction"))
    entry_id = models.CharField(_("entry id"), max_length=ENTRY_ID_LENGTH)
    slug = models.SlugField(_("address"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    type = models.CharField(_("kind"), max_length=20)
    category_id = models.CharField(_("type id"), max_length=ID_LENGTH, blank=True)
    category = models.CharField(_("type"), max_length=NAME_LENGTH, blank=True)
    emblem = models.CharField(_("emblem"), max_length=EMBLEM_LENGTH, blank=True)
    points = models.DecimalField(_("points"), null=True, max_digits=DIGITS, decimal_places=PLACES)
    costs = models.JSONField(_("costs"), default=dict)
    models_min = models.PositiveIntegerField(_("models, least"), null=True)
    models_max = models.PositiveIntegerField(_("models, most"), null=True)
    option_count = models.PositiveIntegerField(_("options"), default=0)
    keywords = models.JSONField(_("keywords"), default=list)
    texts = models.ForeignKey(UnitText, models.CASCADE, null=True, related_name="units", verbose_name=_("words"))
    hidden = models.BooleanField(_("hidden"), default=False)
    provisional = models.BooleanField(_("provisional"), default=False)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("faction", "position")
        verbose_name = _("unit")
        verbose_name_plural = _("units")
        indexes = (models.Index(fields=("faction", "name")), models.Index(fields=("faction", "category")))
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
    """A choice inside a unit, `depth` choices deep, with its composite id.

    `points` is the cost of its smallest selection. `min` and `max` are as declared, None for no limit.
    """

    unit = models.ForeignKey(
        UnitEntry,
        models.CASCADE,
        db_index=False,  # the constraint below has an index, and options are very many
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


class Card(Cited):
    """`copies` None means any number. A list must have one of the units in `needs`. `figures` are pairs of column and
    value. List owners name `written` cards. The id is composite, `search_text` is folded.
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
    """`deck` is "" if the rule comes from `detachment` or the whole game. `min` and `max` are set if they are plain
    numbers.
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
        constraints = (models.UniqueConstraint(fields=("faction", "position"), name="one_deck_rule_per_position"),)

    def __str__(self) -> str:
        return self.name


class OrganisationChart(models.Model):
    """A catalogue's kinds of force, for all factions if `faction` is None."""

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
    """A kind of force inside `parent`, if any.

    `min` and `max` limit its number in a list. `rules` have `id`, `name`, `text` and `citation`.
    """

    chart = models.ForeignKey(OrganisationChart, models.CASCADE, related_name="detachments", verbose_name=_("chart"))
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
        constraints = (models.UniqueConstraint(fields=("chart", "position"), name="one_detachment_per_position"),)

    def __str__(self) -> str:
        return self.name


class Slot(Cited):
    """A type of unit in a detachment. If `conditional`, rules change `min` or `max`."""

    detachment = models.ForeignKey(Detachment, models.CASCADE, related_name="slots", verbose_name=_("detachment"))
    category_id = models.CharField(_("type id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    min = models.PositiveIntegerField(_("least"), null=True)
    max = models.PositiveIntegerField(_("most"), null=True)
    emblem = models.CharField(_("emblem"), max_length=EMBLEM_LENGTH, blank=True)
    conditional = models.BooleanField(_("conditional"), default=False)
    hidden = models.BooleanField(_("hidden"), default=False)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("detachment", "position")
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        constraints = (models.UniqueConstraint(fields=("detachment", "position"), name="one_slot_per_position"),)

    def __str__(self) -> str:
        return self.name
