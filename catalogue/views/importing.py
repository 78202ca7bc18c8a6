from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.community_import import IMPORT_JOB
from catalogue.services.gallery import is_keeper
from catalogue.services.jobs import advance_job, find_job_ahead, is_left_alone, name_job, start_job
from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post, render_page

CHOOSE_FIRST = _("Choose a file first.")


class UploadForm(forms.Form):
    """Errors of the field report what is wrong with the file."""

    file = forms.FileField(
        allow_empty_file=True,
        error_messages={"required": CHOOSE_FIRST, "invalid": CHOOSE_FIRST, "missing": CHOOSE_FIRST},
    )


class ImportForm(UploadForm):
    """`hold` stores the data without publishing."""

    hold = forms.BooleanField(required=False)


@allow("GET", "POST")
@csrf_exempt  # checked below for staff only, before files are read
def import_game(request: HtmxRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.path, reverse("admin:login"))
    if not is_keeper(request.user):
        raise Http404
    return _import_upload(request) if request.method == "POST" else _render_import_page(request, ImportForm())


@csrf_protect
def _import_upload(request: HtmxRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_import_page(request, form)
    sent = form.cleaned_data["file"]
    assert isinstance(request.user, User)  # noqa: S101 - only staff come here
    name = sent.name or "data"
    arguments = {"name": name, "hold": form.cleaned_data["hold"]}
    job = start_job(request.user, IMPORT_JOB, name, arguments, sent.read())
    if job.result.get("wrong"):
        form.add_error("file", job.result["wrong"])
        return _render_import_page(request, form, job)
    return answer_started_job(request, job)


def _render_import_page(request: HttpRequest, form: ImportForm, job: Job | None = None) -> HttpResponse:
    context = {"page": "games", "form": form, "job": job}
    return render(request, "catalogue/import.html", context, status=REFUSED if form.errors else 200)


@allow("GET", "POST")
def show_job(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Show a job's progress. A POST does a step if no worker does."""
    job = get_object_or_404(Job.objects.defer("payload"), public_id=public_id)
    if job.user_id not in (None, request.user.pk):
        raise Http404
    if request.method == "POST":
        if is_left_alone(job):
            advance_job(job)
        if not request.htmx:
            return redirect_after_post("catalogue:job", public_id)
        job.refresh_from_db()
    return answer_job(request, job)


def answer_started_job(request: HtmxRequest, job: Job) -> HttpResponse:
    """Redirect to a new job's page, or to its result if it is done."""
    return redirect_after_post("catalogue:job", job.public_id) if job.is_open else answer_job(request, job)


def answer_job(request: HtmxRequest, job: Job) -> HttpResponse:
    """Redirect to a job's result, or show its progress or error."""
    address = job.result.get("address", "") if job.state == JobState.DONE else ""
    if not address:
        ahead = find_job_ahead(job)
        context = {
            "page": "games",
            "job": job,
            "left_alone": is_left_alone(job),
            "ahead": ahead,
            "ahead_name": name_job(ahead, job.user) if ahead else "",
        }
        status = REFUSED if job.result.get("wrong") and not request.htmx else 200
        return render_page(request, "catalogue/job.html", context, "state", status)
    if message := job.result.pop("message", ""):
        messages.success(request, message)
        job.save(update_fields=["result"])
    if not request.htmx:
        return redirect_after_post(address)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = address
    return answer
