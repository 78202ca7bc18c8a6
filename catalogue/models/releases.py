"""Which version of a game's data was the current one, and since when."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalogue.models.games import GameSystem, PackVersion


class Release(models.Model):
    """A version became the current one. The same version may become it again: then there are two releases of it."""

    game = models.ForeignKey(GameSystem, models.CASCADE, related_name="releases", verbose_name=_("game"))
    version = models.ForeignKey(
        PackVersion, models.CASCADE, related_name="releases", verbose_name=_("version")
    )
    since = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        ordering = ("game", "-since", "-pk")
        indexes = (models.Index(fields=("game", "-since"), name="catalogue_r_game_id_since"),)
        verbose_name = _("release")
        verbose_name_plural = _("releases")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.since:%Y-%m-%d}"
