"""What a list was after each change. Nothing here is ever changed or taken out while its list lives."""

from typing import Any, ClassVar, NoReturn

import msgspec
from django.core.validators import MinValueValidator
from django.db import models

from roster.engine import tree
from roster.models.roster import Roster


class AppendOnlyError(TypeError):
    """Somebody tried to change the past."""


class RevisionQuerySet(models.QuerySet["RosterRevision"]):
    def update(self, **fields: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("revisions are never changed")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("revisions go only with their roster")


class RosterRevision(models.Model):
    """The whole list after one change.

    `parent` is the number of the revision the change was made on, 0 for the first. `act` is the code of what was done
    and `subject` the name of what it was done to; `roster.wording` makes a sentence of them. `content_hash` is the
    SHA-256 of `document` in hexadecimal: it stands on paper, and two revisions with one hash are the same list.
    """

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    parent = models.PositiveIntegerField()
    document = models.TextField()
    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    content_hash = models.CharField(max_length=64, editable=False)
    created = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager["RosterRevision"]] = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ("roster", "-number")
        constraints = (models.UniqueConstraint(fields=("roster", "number"), name="one_revision_per_number"),)

    def __str__(self) -> str:
        return f"{self.roster_id}#{self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("revisions are never changed")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError("revisions go only with their roster")

    @property
    def tree(self) -> tree.Roster:
        """The list as the engine reads it."""
        return msgspec.json.decode(self.document, type=tree.Roster)
