"""Whose a thing is and who may see it: the same for lists and for everything else that people make here."""

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

PUBLIC_ID_BYTES = 16
PUBLIC_ID_LENGTH = 22


def new_public_id() -> str:
    """Return an address nobody guesses: 128 random bits as 22 characters that fit into a URL."""
    return secrets.token_urlsafe(PUBLIC_ID_BYTES)


class Visibility(models.TextChoices):
    PRIVATE = "private", _("private")
    LINK = "link", _("by link")
    PUBLIC = "public", _("public")


def require_one_owner(name: str) -> models.CheckConstraint:
    """Return the constraint that nothing belongs to an account and to a guest."""
    return models.CheckConstraint(condition=Q(owner__isnull=True) | Q(owner_key=""), name=name)


def index_public(name: str) -> models.Index:
    """Return the index of what everybody may find, the newest first."""
    return models.Index(
        fields=("-updated",), condition=Q(visibility=Visibility.PUBLIC, taken_down=False), name=name
    )


class Owned(models.Model):
    """Something that belongs to an account (`owner`), to a guest's browser (`owner_key`), or to nobody.

    What is `Owned` is claimed by a guest who signs in, goes with its account, and expires with its guest: the services
    that do this find all such models by themselves.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="%(class)ss"
    )
    owner_key = models.CharField(max_length=64, blank=True, db_index=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True
        constraints = (require_one_owner("%(app_label)s_%(class)s_one_owner"),)


class Shared(Owned):
    """Something that its owner may show to others. One that belongs to nobody is an example, which everybody reads.

    `public_id` is the address that its owner works at and never changes. `link_id` is the one that others read it at:
    the same to begin with, another one as soon as its owner takes the link back. `taken_down` is set by staff and
    outweighs what the owner chose.
    """

    counted: ClassVar[Any]
    """How many of its kind there are, in words: a lazy plural with one `%d`."""
    name: "models.CharField[str, str]"

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    link_id = models.CharField(max_length=PUBLIC_ID_LENGTH, unique=True, editable=False)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.LINK)
    taken_down = models.BooleanField(default=False)
    reports = GenericRelation("roster.AbuseReport")

    class Meta(Owned.Meta):
        abstract = True
        indexes: ClassVar[tuple[models.Index, ...]] = (index_public("%(app_label)s_%(class)s_public"),)

    def save(self, *args: object, **options: object) -> None:
        # One address until the owner takes the link back.
        self.link_id = self.link_id or self.public_id
        super().save(*args, **options)  # type: ignore[arg-type]  # handed on as they came

    def get_absolute_url(self) -> str:
        """Return the page for everyone who has the link."""
        raise NotImplementedError
