"""Games of community data that the site could install, and requests for them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalogue.models.base import HASH_LENGTH, NAME_LENGTH

ADDRESS_LENGTH = 500
ASKER_LENGTH = 80


class GalleryGame(models.Model):
    """`name` is its repository's. `version` and `changed` are the newest release's, `archive` its data's address or "",
    and `feed` lists the releases. `size` is the archive's in bytes, if known, `checksum` its SHA-256 by the index.

    `installed` is the version installed from here last. `trouble` is why the last try failed.
    """

    name = models.CharField(_("name"), max_length=NAME_LENGTH, unique=True)
    title = models.CharField(_("title"), max_length=NAME_LENGTH)
    index = models.CharField(_("index"), max_length=ADDRESS_LENGTH, blank=True)
    version = models.CharField(_("version"), max_length=NAME_LENGTH, blank=True)
    changed = models.DateTimeField(_("changed"), null=True)
    archive = models.CharField(_("archive"), max_length=ADDRESS_LENGTH, blank=True)
    feed = models.CharField(_("release feed"), max_length=ADDRESS_LENGTH, blank=True)
    repository = models.CharField(_("repository"), max_length=ADDRESS_LENGTH, blank=True)
    size = models.PositiveBigIntegerField(_("size"), null=True)
    checksum = models.CharField(_("checksum"), max_length=HASH_LENGTH, blank=True)
    is_archived = models.BooleanField(_("no longer maintained"), default=False)
    installed = models.CharField(_("installed version"), max_length=NAME_LENGTH, blank=True)
    trouble = models.TextField(_("trouble"), blank=True)

    class Meta:
        ordering = ("title", "name")
        verbose_name = _("game of the gallery")
        verbose_name_plural = _("games of the gallery")

    def __str__(self) -> str:
        return self.title


class GalleryRead(models.Model):
    """The last reading of an index: when, and why it failed."""

    index = models.CharField(_("index"), max_length=ADDRESS_LENGTH, unique=True)
    read = models.DateTimeField(_("read"))
    trouble = models.TextField(_("trouble"), blank=True)

    class Meta:
        ordering = ("index",)
        verbose_name = _("reading of an index")
        verbose_name_plural = _("readings of indexes")

    def __str__(self) -> str:
        return self.index


class GalleryAsk(models.Model):
    """A visitor's request for a game. `asker` is an account or a browser."""

    game = models.ForeignKey(GalleryGame, models.CASCADE, related_name="asks", verbose_name=_("game"))
    asker = models.CharField(_("asker"), max_length=ASKER_LENGTH)
    created = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "asker"], name="one_ask_of_each_visitor"),)
        verbose_name = _("request for a game")
        verbose_name_plural = _("requests for games")

    def __str__(self) -> str:
        return f"{self.game_id}: {self.asker}"
