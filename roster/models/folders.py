"""What people sort their lists by."""

from django.db import models

from roster.models.ownership import Owned

LABEL_LENGTH = 60


class Label(Owned):
    """A name that lists are put under."""

    name = models.CharField(max_length=LABEL_LENGTH)

    class Meta(Owned.Meta):
        abstract = True
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class Folder(Label):
    """A list is in one folder or in none."""


class Tag(Label):
    """A list has any number of tags."""
