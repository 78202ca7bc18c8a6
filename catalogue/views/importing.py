"""Bringing community data in, for those who run the server."""

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.models import Job
from catalogue.services.community_import import IMPORT_JOB
from catalogue.services.jobs import start_job
from catalogue.views.decorators import allow
from catalogue.views.forms import UploadForm
from catalogue.views.jobs import answer_started_job
from catalogue.views.responses import REFUSED, HtmxRequest


@allow("GET", "POST")
@csrf_exempt  # asked of staff alone, below: whoever may not send files has them not even read
def import_game(request: HtmxRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("admin:login"))
    if not (request.user.is_staff and request.user.has_perm("catalogue.add_packversion")):
        raise Http404
    return _import_upload(request) if request.method == "POST" else _render_import_page(request, UploadForm())


@csrf_protect
def _import_upload(request: HtmxRequest) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_import_page(request, form)
    sent = form.cleaned_data["file"]
    assert isinstance(request.user, User)  # noqa: S101 - only staff come here
    name = sent.name or "data"
    arguments = {"name": name, "hold": bool(request.POST.get("hold"))}
    job = start_job(request.user, IMPORT_JOB, name, arguments, sent.read())
    if job.result.get("wrong"):
        form.add_error("file", job.result["wrong"])
        return _render_import_page(request, form, job)
    return answer_started_job(request, job)


def _render_import_page(request: HttpRequest, form: UploadForm, job: Job | None = None) -> HttpResponse:
    context = {"page": "games", "form": form, "job": job}
    return render(request, "catalogue/import.html", context, status=REFUSED if form.errors else 200)
