"""Lists in and out as files: `.ros` and `.rosz` as other programs read them, YAML and JSON as this one writes them."""

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.services.exchange import (
    LinkedRosterFile,
    Read,
    RosterFormat,
    Unread,
    export_list,
    import_list,
    read_list_file,
)
from roster.services.outcomes import Refused
from roster.services.owners import make_owner
from roster.views.answers import see_other
from roster.views.builder import REFUSED
from roster.views.lists import whole_roster

MEDIA_TYPES = {
    RosterFormat.ROSZ: "application/zip",
    RosterFormat.ROS: "application/xml",
    RosterFormat.YAML: "application/yaml",
    RosterFormat.JSON: "application/json",
}


@allow("GET", "POST")
def bring(request: HttpRequest) -> HttpResponse:
    """A list from a file becomes one of this browser's own."""
    if request.method != "POST":
        return render(request, "roster/import.html", {"page": "rosters"})
    sent = request.FILES.get("file")
    if not isinstance(sent, UploadedFile):
        return _wrong(request, _("Choose a file first."))
    name = sent.name or "roster"
    read = read_list_file(sent.read(), name)
    if not isinstance(read, Read):
        return _wrong(request, _sentence(name, read), status=400)
    made = import_list(make_owner(request), read)
    if isinstance(made, Refused):
        return _wrong(request, wording.explain_refusal(made))
    _tell(request, read)
    return see_other("roster:builder", made.public_id)


@allow("GET")
def hand_out(request: HttpRequest, link_id: str, ending: str) -> HttpResponse:
    """A list as a file, for everybody who has its address."""
    form = next((form for form in RosterFormat if form.value == ending), None)
    if form is None:
        raise Http404
    roster = whole_roster(request, link_id)
    answer = HttpResponse(export_list(roster, form), content_type=MEDIA_TYPES[form])
    answer["Content-Disposition"] = content_disposition_header(True, _file_name(roster, form)) or "attachment"
    answer["Cache-Control"] = "private, no-cache"
    answer["X-Robots-Tag"] = "noindex, nofollow"
    answer["Referrer-Policy"] = "no-referrer"
    return answer


def _wrong(request: HttpRequest, text: str, *, status: int = REFUSED) -> HttpResponse:
    return render(request, "roster/import.html", {"page": "rosters", "wrong": text}, status=status)


def _sentence(name: str, unread: Unread) -> str:
    said = wording.explain_unreadable(unread)
    place = _("%(file)s, line %(line)d") % {"file": name, "line": said.line} if said.line else name
    return f"{place}: {said}"


def _tell(request: HttpRequest, read: Read) -> None:
    if not isinstance(read, LinkedRosterFile):
        return
    first, *rest = wording.summarize_import(read)
    messages.success(request, first)
    for text in rest:
        messages.warning(request, text)


def _file_name(roster: Roster, form: RosterFormat) -> str:
    """Low water column: low-water-column.rosz."""
    return f"{slugify(roster.name, allow_unicode=True) or 'list'}.{form.value}"
