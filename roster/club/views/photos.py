"""The form of a thing's photos, shared by battle reports and models."""

from collections.abc import Callable, Mapping
from typing import IO, Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from roster.club.models.photos import CAPTION_LENGTH, CaptionedPhoto
from roster.club.services.captioned_photos import set_caption
from roster.formats.photo_file import MOST_BYTES
from roster.services.limits import measure_photos
from roster.services.outcomes import Refused
from roster.services.photos import delete_photo


def change_photos(
    photos: QuerySet[Any], fields: Mapping[str, Any], add: Callable[[IO[bytes], str], CaptionedPhoto | Refused]
) -> str | Refused:
    """Do what a form of photos says. Return a message, or a refusal."""
    match fields["do"]:
        case "add" if not fields.get("file"):
            return Refused(code="no-file")
        case "add":
            added = add(fields["file"], fields["caption"])
            return added if isinstance(added, Refused) else _("The photo was stored.")
        case "caption":
            return set_caption(photos, fields["photo"], fields["caption"]) or _("Saved.")
        case "delete":
            photo = photos.filter(pk=fields["photo"]).first()
            if photo:
                delete_photo(photo)
                return _("The photo was deleted.")
    return Refused(code="bad-change")


def describe_photo_form(photos: QuerySet[Any], fields: Mapping[str, Any], owner_id: int | None) -> dict[str, Any]:
    """Return the context of `club/parts/photo_form.html`. `fields` are as typed."""
    return {
        "photos": photos,
        "typed": fields,
        "largest": MOST_BYTES,
        "used": measure_photos(owner_id) if owner_id else 0,
        "most": settings.ARMYBUILDER["PHOTO_BYTES"],
        "has_account": owner_id is not None,
        "longest": CAPTION_LENGTH,
    }
