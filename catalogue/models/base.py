import re
import secrets
from typing import Any, NoReturn, TypeVar

from django.db import models
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from catalogue.definitions.identity import Identity, identify

ID_LENGTH = 200
NAME_LENGTH = 200
EMBLEM_LENGTH = 40
HASH_LENGTH = 64
ENTRY_ID_LENGTH = 1000
PUBLIC_ID_BYTES = 16
PUBLIC_ID_LENGTH = 22

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

Row = TypeVar("Row", bound=models.Model)


def new_public_id() -> str:
    """Return an unguessable id: 128 random bits in 22 URL-safe characters."""
    return secrets.token_urlsafe(PUBLIC_ID_BYTES)


class ImmutableError(TypeError):
    """An attempt to change an immutable row."""


class ImmutableQuerySet(models.QuerySet[Row]):
    def update(self, **fields: Any) -> NoReturn:
        raise ImmutableError("a version and its documents are never changed; install the data as a new version")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise ImmutableError("a version and its documents are never changed; install the data as a new version")


rows_updated = Signal()
"""Sent after an update by an `AnnouncingQuerySet`, with the `keys` of the rows and the names of the `update_fields`."""


class AnnouncingQuerySet(models.QuerySet[Row]):
    """Announce updates to receivers of `rows_updated`, because Django's signals only announce saved objects."""

    def update(self, **fields: Any) -> int:
        if not rows_updated.has_listeners(self.model):
            return super().update(**fields)
        # Afterwards, the query may find other rows.
        keys = list(self.values_list("pk", flat=True))
        number = super().update(**fields)
        rows_updated.send(self.model, keys=keys, update_fields=frozenset(fields))
        return number


class Immutable(models.Model):
    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise ImmutableError(f"{self._meta.object_name} {self.pk} is never changed; install a new version")
        super().save(*args, **options)


class Cited(models.Model):
    """A row with a citation, blank in some community data."""

    book = models.CharField(_("book"), max_length=NAME_LENGTH, blank=True)
    section = models.CharField(_("section"), max_length=NAME_LENGTH, blank=True)
    page = models.CharField(_("page"), max_length=40, blank=True)

    class Meta:
        abstract = True


class Identified(models.Model):
    """`accent` is the dark colour for light pages, `accent_dark` the light one for dark pages.

    Emblem and colours are made from the name by default.
    """

    name: models.CharField[str, str]

    emblem = models.CharField(_("emblem"), max_length=EMBLEM_LENGTH, blank=True)
    accent = models.CharField(_("accent colour"), max_length=40, blank=True)
    accent_dark = models.CharField(_("accent colour, dark"), max_length=40, blank=True)

    class Meta:
        abstract = True

    @property
    def identity(self) -> Identity:
        colours = self.accent, self.accent_dark or self.accent
        dark, light = colours if all(map(_COLOUR.fullmatch, colours)) else ("", "")
        return identify(self.name, Identity(emblem=self.emblem, dark=dark, light=light))

    @property
    def accents(self) -> tuple[str, str]:
        """The colours for light and dark pages."""
        return self.identity.accents
