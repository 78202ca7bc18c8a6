from typing import ClassVar

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models
from django.db.models import F
from django.urls import reverse

from roster.models.roster import Roster

UNIT_LENGTH = 200


class StoredPhoto(models.Model):
    """A photo of an account's thing. `owner_path` is the lookup of the account's key.

    `large` and `small` are names of JPEGs in the default storage. `width` and `height` are of `large`, `size` is the
    bytes of both. `taken_down` is set by staff: then only they and the owner see it.
    """

    SIZES = ("large", "small")
    owner_path: ClassVar[str]

    content_hash = models.CharField(max_length=64, editable=False)
    large = models.CharField(max_length=200, editable=False)
    small = models.CharField(max_length=200, editable=False)
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    size = models.PositiveIntegerField(editable=False)
    taken_down = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def get_address(self, size: str) -> str:
        raise NotImplementedError

    def count_change(self) -> None:
        """Note that the photo was stored, hidden, shown again or deleted."""

    def store_files(self, large: bytes, small: bytes) -> None:
        """Store both files, or neither on error. Raises OSError."""
        # Each photo has its own files, even if another has the same content, so that deleting one keeps the other.
        name = f"photos/{self.content_hash[:2]}/{self.content_hash}"
        try:
            self.large = default_storage.save(f"{name}-large.jpg", ContentFile(large))
            self.small = default_storage.save(f"{name}-small.jpg", ContentFile(small))
        except OSError:
            self.delete_files()
            raise

    def delete_files(self) -> None:
        for name in filter(None, (self.large, self.small)):
            default_storage.delete(name)


class Photo(StoredPhoto):
    """A photo of a list or, with `unit`, of the unit of this id, which may have left the list."""

    owner_path = "roster__owner"

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="photos")
    unit = models.CharField(max_length=UNIT_LENGTH, blank=True)

    class Meta:
        ordering = ("roster", "unit")
        constraints = (models.UniqueConstraint(fields=("roster", "unit"), name="one_photo_per_unit"),)

    def __str__(self) -> str:
        return str(self.roster)

    def get_address(self, size: str) -> str:
        return reverse("roster:photo", args=[self.roster.link_id, self.pk, size])

    def count_change(self) -> None:
        # The date of the last change stays: the list is the same.
        Roster.objects.filter(pk=self.roster_id).update(photo_changes=F("photo_changes") + 1)
