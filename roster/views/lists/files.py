"""Import and export one list in any format, or all as a backup."""

import tempfile
from typing import cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.importing import UploadForm
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.formats.backup import NoBackupError
from roster.services.backups import RestoredBackup, restore_backup, write_owner_backup
from roster.services.exchange import ImportedList, ImportFailure, LinkedRosterFile, RosterFormat, export_list
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.views.account import IN_MEMORY
from roster.views.requests import find_whole_roster

MEDIA_TYPES = {
    RosterFormat.ROSZ: "application/zip",
    RosterFormat.ROS: "application/xml",
    RosterFormat.YAML: "application/yaml",
    RosterFormat.JSON: "application/json",
    RosterFormat.NEW_RECRUIT_JSON: "application/json",
    RosterFormat.TEXT: "text/plain; charset=utf-8",
    RosterFormat.TABLE: "text/csv; charset=utf-8",
}


@allow("GET")
@hide_linked_page(referrer="no-referrer")
def export_file(request: HttpRequest, link_id: str, ending: str) -> HttpResponse:
    form = next((form for form in RosterFormat if form.value == ending), None)
    if form is None:
        raise Http404
    roster = find_whole_roster(request, link_id)
    answer = HttpResponse(export_list(roster, form), content_type=MEDIA_TYPES[form])
    name = f"{slugify(roster.name, allow_unicode=True) or 'list'}.{form.value}"
    answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    answer["Cache-Control"] = "private, no-cache"
    return answer


def describe_unreadable(name: str, unread: ImportFailure) -> str:
    message = wording.explain_unreadable(unread)
    place = _("%(file)s, line %(line)d") % {"file": name, "line": message.line} if message.line else name
    return f"{place}: {message}"


def report_linking(request: HttpRequest, read: ImportedList) -> None:
    if not isinstance(read, LinkedRosterFile):
        return
    first, *rest = wording.summarize_import(read)
    messages.success(request, first)
    for text in rest:
        messages.warning(request, text)


@allow("GET")
def download_backup(request: HttpRequest) -> FileResponse:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it once it is sent
    try:
        write_owner_backup(identify_visitor(request), cast("tempfile._TemporaryFileWrapper[bytes]", file))
    except BaseException:
        # The storage of archived steps may not answer.
        file.close()
        raise
    file.seek(0)
    name = f"armybuilder-lists-{timezone.localdate().isoformat()}.gz"
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/gzip")
    answer["Cache-Control"] = "no-store"
    return answer


@allow("GET", "POST")
def restore_lists(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _render_restore_page(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_restore_page(request, form)
    try:
        done = restore_backup(make_owner(request), form.cleaned_data["file"])
    except NoBackupError as error:
        form.add_error("file", wording.explain_refusal(Refused(code=error.code)))
        return _render_restore_page(request, form, BAD_FORM)
    messages.success(request, _describe_restored(done))
    return redirect_after_post("roster:rosters")


def _render_restore_page(request: HttpRequest, form: UploadForm, status: int = REFUSED) -> HttpResponse:
    context = {"page": "rosters", "form": form}
    return render(request, "roster/restore.html", context, status=status if form.errors else 200)


def _describe_restored(done: RestoredBackup) -> str:
    if done.foreign:
        count = ngettext(
            "This backup is from another server, or was changed: %d list is imported as it is "
            "now, without its history.",
            "This backup is from another server, or was changed: %d lists are imported as they "
            "are now, without history.",
            done.restored,
        )
    elif done.copies:
        count = ngettext("%d list was restored as a copy.", "%d lists were restored as copies.", done.restored)
    else:
        count = ngettext("%d list was restored.", "%d lists were restored.", done.restored)
    sentences = [count % done.restored]
    if done.there:
        text = ngettext(
            "%d was already here and stays as it is.", "%d were already here and stay as they are.", done.there
        )
        sentences.append(text % done.there)
    if done.homeless:
        text = _("Left out, because their data is not installed here: %s.")
        sentences.append(text % ", ".join(done.homeless[:8]))
    if done.left_out:
        text = _("There was no room for these: %s. Delete some lists for good and restore the backup again.")
        sentences.append(text % ", ".join(done.left_out[:8]))
    if not done.binned:
        return " ".join(sentences)
    text = ngettext("%d of them is in the bin, as it was.", "%d of them are in the bin, as they were.", done.binned)
    return wording.append_link(" ".join((*sentences, text % done.binned)), reverse("roster:bin"), _("See the bin"))
