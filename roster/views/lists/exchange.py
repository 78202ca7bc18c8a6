"""Lists in and out as files: `.ros` and `.rosz` as other programs read them, YAML and JSON as this one writes them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.forms import UploadForm
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.models import Roster
from roster.services.exchange import (
    ImportedList,
    ImportFailure,
    LinkedRosterFile,
    RosterFormat,
    export_list,
    import_list,
    read_list_file,
)
from roster.services.outcomes import Refused
from roster.services.owners import make_owner
from roster.views.lists.access import find_whole_roster

MEDIA_TYPES = {
    RosterFormat.ROSZ: "application/zip",
    RosterFormat.ROS: "application/xml",
    RosterFormat.YAML: "application/yaml",
    RosterFormat.JSON: "application/json",
}


@allow("GET", "POST")
def import_file(request: HttpRequest) -> HttpResponse:
    """Make a list from a file one of this browser's own."""
    if request.method != "POST":
        return _render_import_page(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_import_page(request, form)
    sent = form.cleaned_data["file"]
    name = sent.name or "roster"
    read = read_list_file(sent.read(), name)
    if not isinstance(read, ImportedList):
        form.add_error("file", _describe_unreadable(name, read))
        return _render_import_page(request, form, BAD_FORM)
    imported_list = import_list(make_owner(request), read)
    if isinstance(imported_list, Refused):
        form.add_error("file", wording.explain_refusal(imported_list))
        return _render_import_page(request, form)
    _report_linking(request, read)
    return redirect_after_post("roster:builder", imported_list.public_id)


@allow("GET")
@hide_linked_page(referrer="no-referrer")
def export_file(request: HttpRequest, link_id: str, ending: str) -> HttpResponse:
    """Send a list as a file to everybody who has its address."""
    form = next((form for form in RosterFormat if form.value == ending), None)
    if form is None:
        raise Http404
    roster = find_whole_roster(request, link_id)
    answer = HttpResponse(export_list(roster, form), content_type=MEDIA_TYPES[form])
    answer["Content-Disposition"] = content_disposition_header(True, _name_file(roster, form)) or "attachment"
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _render_import_page(request: HttpRequest, form: UploadForm, status: int = REFUSED) -> HttpResponse:
    context = {"page": "rosters", "form": form}
    return render(request, "roster/import.html", context, status=status if form.errors else 200)


def _describe_unreadable(name: str, unread: ImportFailure) -> str:
    message = wording.explain_unreadable(unread)
    place = _("%(file)s, line %(line)d") % {"file": name, "line": message.line} if message.line else name
    return f"{place}: {message}"


def _report_linking(request: HttpRequest, read: ImportedList) -> None:
    if not isinstance(read, LinkedRosterFile):
        return
    first, *rest = wording.summarize_import(read)
    messages.success(request, first)
    for text in rest:
        messages.warning(request, text)


def _name_file(roster: Roster, form: RosterFormat) -> str:
    """Low water column: low-water-column.rosz."""
    return f"{slugify(roster.name, allow_unicode=True) or 'list'}.{form.value}"
