"""Store, find, hide and delete photos of an account's models."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import PurePosixPath
from typing import IO

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from roster.engine.tree import find_node
from roster.formats.photo_file import UnreadablePhotoError, read_photo
from roster.models import Photo, Roster
from roster.models.photos import UNIT_LENGTH
from roster.services.limits import measure_photos
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, is_owner

FOLDER = "photos"
NEW_FILE = timedelta(days=1)
"""A file this young may be of an upload that is not stored yet."""


def store_photo(roster: Roster, unit: str, file: IO[bytes]) -> Photo | Refused:
    """Replace the photo of a list, or of one of its units.

    Refuses `needs-photo-account`, `no-photos`, `unknown-node`, `unknown-list`, `photo-room`, `photo-unstored`, and the
    codes of UnreadablePhotoError.
    """
    if roster.owner_id is None:
        return Refused(code="needs-photo-account")
    most = settings.ARMYBUILDER["PHOTO_BYTES"]
    if not most:
        return Refused(code="no-photos")
    if unit and (len(unit) > UNIT_LENGTH or find_node(roster.tree, unit) is None):
        return Refused(code="unknown-node", subject_id=unit)
    try:
        read = read_photo(file)
    except UnreadablePhotoError as error:
        return Refused(code=error.code, measured=error.measured, allowed=error.allowed)
    photo = Photo(
        roster=roster,
        unit=unit,
        content_hash=read.content_hash,
        width=read.width,
        height=read.height,
        size=len(read.large) + len(read.small),
    )
    try:
        with transaction.atomic():
            # Two uploads at once must not pass the limit together, or both be the photo of one unit.
            User.objects.select_for_update().get(pk=roster.owner_id)
            # The list may have been deleted while the photo was read.
            if not Roster.objects.select_for_update().filter(pk=roster.pk, binned=None).values("pk"):
                return Refused(code="unknown-list")
            before = roster.photos.filter(unit=unit)
            freed = before.aggregate(size=Sum("size"))["size"] or 0
            if measure_photos(roster.owner_id) - freed + photo.size > most:
                return Refused(code="photo-room", allowed=most)
            photo.store_files(read.large, read.small)
            before.delete()
            photo.save()
            _count_change(roster)
    except OSError:
        return Refused(code="photo-unstored")
    except BaseException:
        photo.delete_files()
        raise
    return photo


def delete_photo(photo: Photo) -> None:
    with transaction.atomic():
        photo.delete()
        _count_change(photo.roster)


def hide_photo(photo: Photo, *, hidden: bool) -> None:
    """Hide a photo from all but its owner and staff, or show it."""
    with transaction.atomic():
        Photo.objects.filter(pk=photo.pk).update(taken_down=hidden)
        _count_change(photo.roster)


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


def list_files(photos: Iterable[Photo]) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents, skipping lost files."""
    for photo in photos:
        for name in (photo.large, photo.small):
            if content := read_file(name):
                yield name, content


def read_file(name: str) -> bytes:
    """Read a file; b"" if the storage has lost it."""
    try:
        with default_storage.open(name) as opened:
            content: bytes = opened.read()
            return content
    except OSError:
        return b""


def delete_lost_files() -> int:
    """Delete files without a photo, left by interrupted uploads or a restored database; return the number.

    Without any photo, delete nothing: the database is probably another one.
    """
    used = set(Photo.objects.values_list("large", flat=True)) | set(Photo.objects.values_list("small", flat=True))
    if not used:
        return 0
    deleted = 0
    until = timezone.now() - NEW_FILE
    for name in list_stored_files():
        if name not in used and default_storage.get_modified_time(name) < until:
            default_storage.delete(name)
            deleted += 1
    return deleted


def list_stored_files() -> Iterator[str]:
    try:
        folders, _files = default_storage.listdir(FOLDER)
    except FileNotFoundError:
        return
    for folder in folders:
        _folders, files = default_storage.listdir(f"{FOLDER}/{folder}")
        yield from (str(PurePosixPath(FOLDER, folder, name)) for name in files)


def _count_change(roster: Roster) -> None:
    # Keep the date of the last change, because the list itself is the same.
    Roster.objects.filter(pk=roster.pk).update(photo_changes=F("photo_changes") + 1)
