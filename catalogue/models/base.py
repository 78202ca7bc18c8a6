"""What several tables share."""

import secrets
from typing import Any, NoReturn, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _

ID_LENGTH = 200
NAME_LENGTH = 200
HASH_LENGTH = 64
ENTRY_ID_LENGTH = 1000
PUBLIC_ID_BYTES = 16
PUBLIC_ID_LENGTH = 22

Row = TypeVar("Row", bound=models.Model)


def new_public_id() -> str:
    """Return an address nobody guesses: 128 random bits as 22 characters that fit into a URL."""
    return secrets.token_urlsafe(PUBLIC_ID_BYTES)


class ImmutableError(TypeError):
    """Somebody tried to change what a version holds."""


class ImmutableQuerySet(models.QuerySet[Row]):
    def update(self, **fields: Any) -> NoReturn:
        raise ImmutableError(
            "a version and its documents are never changed; install the data as a new version"
        )

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise ImmutableError(
            "a version and its documents are never changed; install the data as a new version"
        )


class Immutable(models.Model):
    """A row that is written once. It may be deleted, never changed."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise ImmutableError(
                f"{self._meta.object_name} {self.pk} is never changed; install a new version"
            )
        super().save(*args, **options)


class Cited(models.Model):
    """A row that says where its figures are printed. Community data may leave all of it blank."""

    book = models.CharField(_("book"), max_length=NAME_LENGTH, blank=True)
    section = models.CharField(_("section"), max_length=NAME_LENGTH, blank=True)
    page = models.CharField(_("page"), max_length=40, blank=True)

    class Meta:
        abstract = True
