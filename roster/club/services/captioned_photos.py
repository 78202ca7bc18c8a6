"""Photos with captions, several of a thing: of battle reports and of models."""

from typing import IO, Any, TypeVar

from django.db.models import Model, QuerySet

from roster.club.models.photos import CAPTION_LENGTH, CaptionedPhoto
from roster.models.ownership import Shared
from roster.services.limits import check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, is_owner
from roster.services.photos import draw_photo, keep_photo

P = TypeVar("P", bound=CaptionedPhoto)


def add_photo(
    photo: P, thing: Model, photos: QuerySet[P], file: IO[bytes], caption: str, *, user_id: int | None, most: int
) -> P | Refused:
    """Store a new photo of `thing`, which has `photos` and may have `most` of them.

    Refuses `too-long`, `needs-photo-account`, `too-many-photos`, and the codes of `draw_photo` and `keep_photo`.
    """
    cleaned = check_text(caption, CAPTION_LENGTH, subject="caption")
    if isinstance(cleaned, Refused):
        return cleaned
    if user_id is None:
        return Refused(code="needs-photo-account")
    drawn = draw_photo(file)
    if isinstance(drawn, Refused):
        return drawn

    def find_replaced() -> QuerySet[Any] | Refused:
        # Others may have been added, or the thing deleted, while the photo was read.
        if not type(thing)._default_manager.select_for_update().filter(pk=thing.pk).values("pk"):
            return Refused(code="bad-change")
        if photos.count() >= most:
            return Refused(code="too-many-photos", allowed=most)
        return photos.none()

    photo.caption = cleaned
    return keep_photo(photo, drawn, user_id, find_replaced) or photo


def set_caption(photos: QuerySet[Any], photo_id: int, caption: str) -> Refused | None:
    """Change the caption of one of a thing's photos. Refuses `bad-change` and `too-long`."""
    cleaned = check_text(caption, CAPTION_LENGTH, subject="caption")
    if isinstance(cleaned, Refused):
        return cleaned
    changed = photos.filter(pk=photo_id).update(caption=cleaned)
    return None if changed else Refused(code="bad-change")


def select_shown_photos(photos: QuerySet[P], shared: Shared, reader: Visitor) -> QuerySet[P]:
    """Select the photos that a reader may see: staff and the owner also see hidden ones."""
    return photos if reader.is_staff or is_owner(reader, shared) else photos.filter(taken_down=False)
