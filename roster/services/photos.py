"""Store, find, hide and delete photos of an account's models."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import IO, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet, Sum

from roster.engine.tree import find_node
from roster.formats.photo_file import PhotoFile, UnreadablePhotoError, read_photo
from roster.models import Photo, Roster
from roster.models.photos import UNIT_LENGTH, StoredPhoto
from roster.services.limits import measure_photos
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, is_owner, list_photo_models
from roster.services.stored_files import delete_unused_files, read_file

FOLDER = "photos"


def store_photo(roster: Roster, unit: str, file: IO[bytes]) -> Photo | Refused:
    """Replace the photo of a list, or of one of its units.

    Refuses `unknown-node`, `unknown-list`, and the codes of `draw_photo` and `keep_photo`.
    """
    if roster.owner_id is None:
        return Refused(code="needs-photo-account")
    if unit and (len(unit) > UNIT_LENGTH or find_node(roster.tree, unit) is None):
        return Refused(code="unknown-node", subject_id=unit)
    drawn = draw_photo(file)
    if isinstance(drawn, Refused):
        return drawn

    def find_replaced() -> QuerySet[Photo] | Refused:
        # The list may have been deleted while the photo was read.
        if not Roster.objects.select_for_update().filter(pk=roster.pk, binned=None).values("pk"):
            return Refused(code="unknown-list")
        return roster.photos.filter(unit=unit)

    photo = Photo(roster=roster, unit=unit)
    return keep_photo(photo, drawn, roster.owner_id, find_replaced) or photo


def draw_photo(file: IO[bytes]) -> PhotoFile | Refused:
    """Draw a sent photo anew. Refuses `no-photos`, and the codes of UnreadablePhotoError."""
    if not settings.ARMYBUILDER["PHOTO_BYTES"]:
        return Refused(code="no-photos")
    try:
        return read_photo(file)
    except UnreadablePhotoError as error:
        return Refused(code=error.code, measured=error.measured, allowed=error.allowed)


def keep_photo(
    photo: StoredPhoto, drawn: PhotoFile, user_id: int, find_replaced: Callable[[], QuerySet[Any] | Refused]
) -> Refused | None:
    """Store a photo and its files within the account's room, and delete the photos that it replaces.

    `find_replaced` is called in the transaction, after the account was locked; its refusal is returned. Refuses
    `photo-room` and `photo-unstored`.
    """
    most = settings.ARMYBUILDER["PHOTO_BYTES"]
    photo.content_hash, photo.width, photo.height = drawn.content_hash, drawn.width, drawn.height
    photo.size = len(drawn.large) + len(drawn.small)
    try:
        with transaction.atomic():
            # Two uploads at once must not pass the limit together, or both be the photo of one unit.
            User.objects.select_for_update().get(pk=user_id)
            before = find_replaced()
            if isinstance(before, Refused):
                return before
            freed = before.aggregate(size=Sum("size"))["size"] or 0
            if measure_photos(user_id) - freed + photo.size > most:
                return Refused(code="photo-room", allowed=most)
            photo.store_files(drawn.large, drawn.small)
            before.delete()
            photo.save()
            photo.count_change()
    except OSError:
        return Refused(code="photo-unstored")
    except BaseException:
        photo.delete_files()
        raise
    return None


def delete_photo(photo: StoredPhoto) -> None:
    with transaction.atomic():
        photo.delete()
        photo.count_change()


def hide_photo(photo: StoredPhoto, *, hidden: bool) -> None:
    """Hide a photo from all but its owner and staff, or show it."""
    with transaction.atomic():
        type(photo)._default_manager.filter(pk=photo.pk).update(taken_down=hidden)
        photo.count_change()


def list_photos(roster: Roster, reader: Visitor) -> list[Photo]:
    """List photos that a reader may see; a hidden list's are for its owner only."""
    # Most lists have none, and need no query.
    if not roster.photo_changes or (roster.is_secret and not is_owner(reader, roster)):
        return []
    photos = roster.photos.all()
    may_see_hidden = reader.is_staff or is_owner(reader, roster)
    return list(photos if may_see_hidden else photos.filter(taken_down=False))


def list_shown_photos(roster: Roster) -> list[Photo]:
    """List photos for pages and paper that others see."""
    return list(roster.photos.filter(taken_down=False)) if roster.photo_changes else []


def find_list_photos(rosters: Iterable[Roster], *, by_others: bool = False) -> dict[int, Photo]:
    """Find photos of whole lists by list key. With `by_others`, hidden lists have none."""
    keys = [roster.pk for roster in rosters if roster.photo_changes and not (by_others and roster.is_secret)]
    # Most pages of lists have none, and need no query.
    photos = Photo.objects.filter(roster__in=keys, unit="", taken_down=False).order_by("pk") if keys else ()
    return {photo.roster_id: photo for photo in photos}


def find_unit_photo(roster: Roster, unit: str) -> Photo | None:
    return roster.photos.filter(unit=unit).first() if roster.photo_changes else None


def list_files(photos: Iterable[StoredPhoto]) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents, skipping lost files. Raises OSError if the storage does not answer."""
    for photo in photos:
        for name in (photo.large, photo.small):
            if content := read_file(name):
                yield name, content


def delete_lost_files() -> int:
    """Delete files without a photo; return the number. Without any photo, delete nothing."""
    names = (model._default_manager.order_by().values_list("large", "small") for model in list_photo_models())
    return delete_unused_files(FOLDER, set(chain.from_iterable(chain.from_iterable(names))))
