from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.definitions.diagnostics import Diagnostic
from catalogue.definitions.missions import LONGEST_ZONES, MapTable
from catalogue.models.base import ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.games import GameSystem, PackVersion


class MissionPack(Cited):
    """`die` is the number of sides of its die."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="mission_packs", verbose_name=_("version"))
    pack_id = models.CharField(_("pack id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    die = models.PositiveSmallIntegerField(_("die"), default=6)
    text = models.TextField(_("text"), blank=True)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("mission pack")
        verbose_name_plural = _("mission packs")
        constraints = (models.UniqueConstraint(fields=("version", "pack_id"), name="one_mission_pack_per_id"),)

    def __str__(self) -> str:
        return self.name


class Mission(Cited):
    """`low` and `high` are results of its pack's die."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="missions", verbose_name=_("version"))
    mission_id = models.CharField(_("mission id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    pack = models.CharField(_("mission pack"), max_length=NAME_LENGTH, blank=True)
    tagline = models.TextField(_("tagline"), blank=True)
    scoring = models.TextField(_("scoring"), blank=True)
    low = models.PositiveSmallIntegerField(_("lowest roll"), null=True)
    high = models.PositiveSmallIntegerField(_("highest roll"), null=True)
    search_text = models.TextField(_("search text"), editable=False, default="")
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("mission")
        verbose_name_plural = _("missions")
        constraints = (models.UniqueConstraint(fields=("version", "position"), name="one_mission_per_position"),)

    def __str__(self) -> str:
        return self.name


class Objective(Cited):
    """`roll` is its result in `group`."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="objectives", verbose_name=_("version"))
    objective_id = models.CharField(_("objective id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    group = models.CharField(_("group"), max_length=NAME_LENGTH, blank=True)
    roll = models.PositiveSmallIntegerField(_("roll"), null=True)
    search_text = models.TextField(_("search text"), editable=False, default="")
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("objective")
        verbose_name_plural = _("objectives")
        constraints = (models.UniqueConstraint(fields=("version", "objective_id"), name="one_objective_per_id"),)

    def __str__(self) -> str:
        return self.name


class DeploymentMap(Cited):
    """`schematic` if its book gives no distances."""

    version = models.ForeignKey(PackVersion, models.CASCADE, related_name="maps", verbose_name=_("version"))
    map_id = models.CharField(_("map id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    roll = models.PositiveSmallIntegerField(_("roll"), null=True)
    schematic = models.BooleanField(_("schematic"), default=False)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("deployment map")
        verbose_name_plural = _("deployment maps")
        constraints = (models.UniqueConstraint(fields=("version", "map_id"), name="one_map_per_id"),)

    def __str__(self) -> str:
        return self.name


class MapMeasures(models.Model):
    """Distances that a book only shows in a picture, entered by staff in the form of packs.

    They belong to the game, to survive new versions.
    """

    game = models.ForeignKey(GameSystem, models.CASCADE, related_name="measures", verbose_name=_("game"))
    map_id = models.SlugField(_("map id"), max_length=ID_LENGTH, help_text=_("As in the map’s address."))
    size_id = models.SlugField(
        _("battle size"), max_length=ID_LENGTH, blank=True, help_text=_("Blank for all of them.")
    )
    width = models.PositiveSmallIntegerField(
        _("width in inches"), validators=[MinValueValidator(12), MaxValueValidator(240)]
    )
    depth = models.PositiveSmallIntegerField(
        _("depth in inches"), validators=[MinValueValidator(12), MaxValueValidator(240)]
    )
    zones = models.TextField(
        _("zones"),
        max_length=LONGEST_ZONES,
        help_text=_("One per line: - {zone: Attacker, whose: first, edge: south, depth: 9}. See docs/packs.md."),
    )
    updated = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        ordering = ("game", "map_id", "width", "depth")
        verbose_name = _("map dimensions")
        verbose_name_plural = _("dimensions of maps")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "map_id", "size_id", "width", "depth"), name="one_measure_per_table"
            ),
        )

    def __str__(self) -> str:
        return f"{self.map_id}, {self.width} x {self.depth}"

    def clean(self) -> None:
        """Raise ValidationError for an unknown map or unreadable zones."""
        if self.map_id:
            maps = DeploymentMap.objects.filter(version__game=self.game_id).values_list("map_id", flat=True)
            if self.map_id not in maps:
                map_ids = ", ".join(sorted(set(maps))) or "-"
                raise ValidationError({"map_id": _("The game has no such map. Known: %(known)s.") % {"known": map_ids}})
        if self.width and self.depth:
            _table, wrong = self._read_zones()
            if wrong:
                raise ValidationError({"zones": [f"{problem.message} {problem.mend}" for problem in wrong]})

    @property
    def table(self) -> MapTable:
        return self._read_zones()[0]

    def _read_zones(self) -> tuple[MapTable, Sequence[Diagnostic]]:
        # At module level, every command would wait for the pack syntax.
        from catalogue.formats.packs.features.missions.map_syntax import read_measures

        return read_measures(self.zones, self.width, self.depth)
