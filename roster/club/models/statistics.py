"""A game's statistics, counted in the background. No figure is about fewer than five players.

During an upgrade of several nodes, earlier code reads what later code has counted. It leaves out sources and keys that
it does not know, and says that a report of a later form is being renewed.
"""

from typing import ClassVar

import msgspec
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import EMBLEM_LENGTH, ID_LENGTH, NAME_LENGTH
from roster.club.tallies import REPORT_FORM, FactionReport, Slice, WonShare


class ListSource(models.TextChoices):
    PUBLIC = "public", _("Public lists")
    EVENTS = "events", _("Events")
    GAMES = "games", _("Recorded games")


class GameStatistics(models.Model):
    """When a game's lists were counted, and how many."""

    game = models.OneToOneField("catalogue.GameSystem", on_delete=models.CASCADE, related_name="statistics")
    counted = models.DateTimeField()
    public_lists = models.PositiveIntegerField()
    event_lists = models.PositiveIntegerField()
    game_lists = models.PositiveIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return f"{self.game_id}: {self.counted:%Y-%m-%d}"


class SliceStatistics(models.Model):
    """A part of one source's lists. `others` are the players of the `folded` factions."""

    statistics = models.ForeignKey(GameStatistics, on_delete=models.CASCADE, related_name="slices")
    source = models.CharField(max_length=10, choices=ListSource.choices)
    kind = models.CharField(max_length=10)
    value = models.CharField(max_length=ID_LENGTH, blank=True)
    label = models.CharField(max_length=NAME_LENGTH, blank=True)
    place = models.PositiveIntegerField()
    players = models.PositiveIntegerField()
    lists = models.PositiveIntegerField()
    games = models.PositiveIntegerField(default=0)
    folded = models.PositiveIntegerField(default=0)
    others = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("statistics", "source", "place")
        constraints: ClassVar = (
            models.UniqueConstraint(fields=("statistics", "source", "kind", "value"), name="one_count_per_slice"),
        )

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """The slice's name in addresses."""
        return f"{self.kind}:{self.value}" if self.value else self.kind

    @property
    def slice(self) -> Slice:
        return Slice(self.kind, self.value)


class FactionStatistics(models.Model):
    """A faction's picks in a slice. `report` is a `FactionReport` as JSON, `won` its results."""

    slice = models.ForeignKey(SliceStatistics, on_delete=models.CASCADE, related_name="factions")
    faction_id = models.CharField(max_length=ID_LENGTH)
    name = models.CharField(max_length=NAME_LENGTH)
    emblem = models.CharField(max_length=EMBLEM_LENGTH, blank=True)
    place = models.PositiveIntegerField()
    players = models.PositiveIntegerField()
    won = models.JSONField(null=True)
    report = models.JSONField()

    class Meta:
        ordering = ("slice", "place")
        constraints: ClassVar = (models.UniqueConstraint(fields=("slice", "faction_id"), name="one_count_per_faction"),)

    def __str__(self) -> str:
        return self.name

    def read_report(self) -> FactionReport | None:
        """Return the picks, or None if later code stored them in a form that this code cannot read."""
        try:
            report = msgspec.convert(self.report, FactionReport)
        except msgspec.ValidationError:
            return None
        return report if report.form <= REPORT_FORM else None

    def read_won(self) -> WonShare | None:
        """Return the results; None without any, or if later code stored them in another form."""
        try:
            return msgspec.convert(self.won, WonShare | None)
        except msgspec.ValidationError:
            return None
