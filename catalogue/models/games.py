"""A game in one of its editions."""

import re
import zlib
from typing import TYPE_CHECKING

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import HASH_LENGTH, ID_LENGTH, NAME_LENGTH

if TYPE_CHECKING:
    from catalogue.models.versions import PackVersion

PALETTE = (
    ("#4d6b2f", "#93b56a"),  # moss
    ("#1f6173", "#74b9c9"),  # tide
    ("#98432a", "#e39f83"),  # rust
    ("#6d3f70", "#cda2d3"),  # plum
    ("#7a5710", "#d9b25f"),  # ochre
    ("#44566c", "#a3b8d0"),  # slate
)
"""Accent colours, in the light and in the dark, for games that bring none along."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


class GameSystem(models.Model):
    """One edition of one game, as its pack introduces it.

    `slug` is the id of the pack and stands in addresses and lists; `family` is shared by the editions of one game.
    `title` is what to call it where `name` alone would not do. Accent colours are `#` and hexadecimal digits.
    `current` is the version that new lists start with and that the pages show; older ones stay for the lists that were
    built on them. `source_hash` is the fingerprint of the files that `current` was read from, so that nothing is read
    twice.
    """

    slug = models.SlugField(_("id"), max_length=ID_LENGTH, unique=True)
    family = models.SlugField(_("game id"), max_length=ID_LENGTH, blank=True)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    title = models.CharField(_("title"), max_length=NAME_LENGTH, blank=True)
    edition = models.CharField(_("edition"), max_length=NAME_LENGTH, blank=True)
    publisher = models.CharField(_("publisher"), max_length=NAME_LENGTH, blank=True)
    summary = models.TextField(_("summary"), blank=True)
    notice = models.TextField(_("notice"), blank=True)
    unofficial = models.BooleanField(_("unofficial"), default=True)
    example = models.BooleanField(_("example"), default=False)
    accent = models.CharField(_("accent colour"), max_length=40, blank=True)
    accent_dark = models.CharField(_("accent colour, dark"), max_length=40, blank=True)
    source_hash = models.CharField(_("hash of the files"), max_length=HASH_LENGTH, blank=True, editable=False)
    current = models.OneToOneField(
        "catalogue.PackVersion", models.RESTRICT, null=True, editable=False, related_name="current_of"
    )

    class Meta:
        ordering = ("name", "edition", "slug")
        verbose_name = _("game system")
        verbose_name_plural = _("game systems")

    def __str__(self) -> str:
        return ", ".join(part for part in (self.heading, self.edition) if part)

    def get_absolute_url(self) -> str:
        return reverse("catalogue:game", args=[self.slug])

    @property
    def heading(self) -> str:
        return self.title or self.name

    @property
    def accents(self) -> tuple[str, str]:
        """Its colour in the light and in the dark: its own, else one of ours, the same always and everywhere."""
        own = self.accent, self.accent_dark or self.accent
        return (
            own if all(map(_HEX.fullmatch, own)) else PALETTE[zlib.crc32(self.slug.encode()) % len(PALETTE)]
        )

    @property
    def shown(self) -> "PackVersion":
        """The current version, of a game that has one; a game gets it in the transaction that makes the game."""
        assert self.current is not None  # noqa: S101 - see above
        return self.current
