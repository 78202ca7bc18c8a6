from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models

from roster.models.roster import Roster

UNIT_LENGTH = 200


class Photo(models.Model):
    """A photo of a list or, with `unit`, of the unit of this id, which may have left the list.

    `large` and `small` are names of JPEGs in the default storage. `width` and `height` are of `large`, `size` is the
    bytes of both. `taken_down` is set by staff: then only they and the owner see it.
    """

    SIZES = ("large", "small")

    roster = models.ForeignKey(Roster, on_delete=models.CASCADE, related_name="photos")
    unit = models.CharField(max_length=UNIT_LENGTH, blank=True)
    content_hash = models.CharField(max_length=64, editable=False)
    large = models.CharField(max_length=200, editable=False)
    small = models.CharField(max_length=200, editable=False)
    width = models.PositiveIntegerField(editable=False)
    height = models.PositiveIntegerField(editable=False)
    size = models.PositiveIntegerField(editable=False)
    taken_down = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("roster", "unit")
        constraints = (models.UniqueConstraint(fields=("roster", "unit"), name="one_photo_per_unit"),)

    def __str__(self) -> str:
        return str(self.roster)

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
