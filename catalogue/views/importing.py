"""Bringing community data in, for those who run the server."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.models import PackVersion
from catalogue.services.importing import Imported, import_bytes
from catalogue.views.decorators import allow
from catalogue.views.responses import redirect_after_post


@allow("GET", "POST")
@csrf_exempt  # asked of staff alone, below: whoever may not send files has them not even read
def import_game(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("admin:login"))
    if not (request.user.is_staff and request.user.has_perm("catalogue.add_packversion")):
        raise Http404
    return _import_upload(request) if request.method == "POST" else _render_import_page(request)


@csrf_protect
def _import_upload(request: HttpRequest) -> HttpResponse:
    sent = request.FILES.get("file")
    if not isinstance(sent, UploadedFile):
        return _render_import_page(request, wrong=_("Choose a file first."))
    imported = import_bytes(sent.name or "data", sent.read(), hold=bool(request.POST.get("hold")))
    if imported.version is None:
        return _render_import_page(request, wrong=_("Nothing of it was stored."), imported=imported)
    messages.success(request, _describe_import(imported, imported.version))
    return redirect_after_post(imported.version.game, anchor="imported")


def _render_import_page(
    request: HttpRequest, wrong: str = "", imported: Imported | None = None
) -> HttpResponse:
    context = {"page": "games", "wrong": wrong, "imported": imported}
    return render(request, "catalogue/import.html", context, status=422 if wrong else 200)


def _describe_import(imported: Imported, version: PackVersion) -> str:
    if imported.unchanged:
        return _("%(version)s is here already; nothing has changed.") % {"version": version}
    if not version.is_current:
        return _("%(version)s is stored, but not published: lists start with the version before.") % {
            "version": version
        }
    finding_count = len(imported.diagnostics)
    return ngettext(
        "%(version)s is imported, with %(count)d finding.",
        "%(version)s is imported, with %(count)d findings.",
        finding_count,
    ) % {"version": version, "count": finding_count}
