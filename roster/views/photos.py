from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.services.disk_space import explain_storage_error
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.importing import UploadForm
from catalogue.views.responses import REFUSED, note_storage_failure, redirect_after_post
from roster import wording
from roster.formats.photo_file import MOST_BYTES
from roster.models import Photo, Roster
from roster.models.photos import StoredPhoto
from roster.services.board import Board, build_board
from roster.services.limits import measure_photos
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.photos import delete_photo, list_photos, store_photo
from roster.services.stored_files import read_file
from roster.views.builder.page import order_units
from roster.views.forms import TypedField
from roster.views.requests import find_linked_roster, find_own_roster

LATER = 60
"""Seconds until a storage that failed may be asked again."""


class PhotoForm(UploadForm):
    """`unit` is blank for a photo of the whole list."""

    unit = TypedField()


class PhotoOf(NamedTuple):
    photo: Photo
    name: str


@allow("GET", "POST")
def edit_photos(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return _render_photos(request, roster, PhotoForm(initial={"unit": request.GET.get("unit", "")}))
    form = PhotoForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_photos(request, roster, form)
    stored = store_photo(roster, form.cleaned_data["unit"], form.cleaned_data["file"])
    if isinstance(stored, Refused):
        form.add_error("file", wording.explain_refusal(stored))
        return _render_photos(request, roster, form)
    messages.success(request, _("The photo was stored."))
    return redirect_after_post("roster:photos", public_id)


@allow("POST")
def remove_photo(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    delete_photo(_find_photo(request, roster, number))
    messages.success(request, _("The photo was deleted."))
    return redirect_after_post("roster:photos", public_id)


@allow("GET")
@hide_linked_page(referrer="no-referrer")
def serve_photo(request: HttpRequest, link_id: str, number: int, size: str) -> HttpResponse:
    return answer_photo(_find_photo(request, find_linked_roster(request, link_id), number), size)


def answer_photo(photo: StoredPhoto, size: str) -> HttpResponse:
    """Return a photo's file, or a 503 while the storage does not answer. Raises Http404 for an unknown size or a lost
    file.
    """
    try:
        content = read_file(getattr(photo, size)) if size in photo.SIZES else b""
    except OSError:
        later = {"Retry-After": str(LATER)}
        detail = explain_storage_error()
        answer = HttpResponse(detail, status=503, headers=later, content_type="text/plain; charset=utf-8")
        return note_storage_failure(answer)
    if not content:
        raise Http404
    answer = HttpResponse(content, content_type="image/jpeg")
    answer["Content-Disposition"] = 'inline; filename="photo.jpg"'
    answer["X-Content-Type-Options"] = "nosniff"
    # A photo never changes at its address, but staff or owner may take it away.
    answer["Cache-Control"] = "private, max-age=3600"
    return answer


def _find_photo(request: HttpRequest, roster: Roster, number: int) -> Photo:
    photos = list_photos(roster, identify_visitor(request))
    photo = next((photo for photo in photos if photo.pk == number), None)
    if photo is None:
        raise Http404
    return photo


def _render_photos(request: HttpRequest, roster: Roster, form: PhotoForm) -> HttpResponse:
    units = dict(_list_unit_names(build_board(roster)))
    photos = [
        PhotoOf(photo, units.get(photo.unit, _("A unit that is not in the list now")) if photo.unit else roster.name)
        for photo in list_photos(roster, identify_visitor(request))
    ]
    most = settings.ARMYBUILDER["PHOTO_BYTES"]
    context = {
        "roster": roster,
        "form": form,
        "units": units,
        "photos": photos,
        "largest": MOST_BYTES,
        "used": measure_photos(roster.owner_id) if roster.owner_id else 0,
        "most": most,
        "may_add": bool(most and roster.owner_id),
    }
    return render(request, "roster/photos.html", context, status=REFUSED if form.errors else 200)


def _list_unit_names(board: Board) -> Iterator[tuple[str, str]]:
    """Yield ids and names; units of one name are numbered."""
    units = [unit for part in board.detachments for unit in order_units(part) if unit.kind == "unit"]
    often = Counter(unit.name for unit in units)
    seen: Counter[str] = Counter()
    for unit in units:
        seen[unit.name] += 1
        yield unit.id, f"{unit.name} ({seen[unit.name]})" if often[unit.name] > 1 else unit.name
