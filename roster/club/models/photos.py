from django.db import models

from roster.models.photos import StoredPhoto

CAPTION_LENGTH = 200


class CaptionedPhoto(StoredPhoto):
    """One of several photos of a thing, with a caption."""

    caption = models.CharField(max_length=CAPTION_LENGTH, blank=True)

    class Meta:
        abstract = True

    @property
    def small_address(self) -> str:
        return self.get_address("small")

    @property
    def large_address(self) -> str:
        return self.get_address("large")
