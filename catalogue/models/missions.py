"""What is played for."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import ID_LENGTH, NAME_LENGTH, Cited
from catalogue.models.versions import PackVersion


class Mission(Cited):
    """A mission as a list builder knows it: name, the pack it is printed in, how it is scored."""

    version = models.ForeignKey(
        PackVersion, models.CASCADE, related_name="missions", verbose_name=_("version")
    )
    mission_id = models.CharField(_("mission id"), max_length=ID_LENGTH)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    pack = models.CharField(_("mission pack"), max_length=NAME_LENGTH, blank=True)
    scoring = models.TextField(_("scoring"), blank=True)
    position = models.PositiveIntegerField(_("position"))

    class Meta:
        ordering = ("version", "position")
        verbose_name = _("mission")
        verbose_name_plural = _("missions")
        constraints = (
            models.UniqueConstraint(fields=("version", "position"), name="one_mission_per_position"),
        )

    def __str__(self) -> str:
        return self.name
