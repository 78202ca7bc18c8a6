"""How far background work is, for whoever asked for it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from catalogue.models import Job
from catalogue.models.jobs import JobState
from catalogue.services.jobs import advance_job, is_left_alone
from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post, render_page


@allow("GET", "POST")
def show_job(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Show how far a job is; a POST does a step of it where no worker does, and one that is over goes on."""
    job = get_object_or_404(Job.objects.defer("payload"), public_id=public_id)
    if job.user_id != request.user.pk:
        raise Http404
    if request.method == "POST":
        if is_left_alone(job):
            advance_job(job)
        if not request.htmx:
            return redirect_after_post("catalogue:job", public_id)
        job.refresh_from_db()
    return answer_job(request, job)


def answer_started_job(request: HtmxRequest, job: Job) -> HttpResponse:
    """Send whoever started a job to its page, or on from there where it is over already."""
    return redirect_after_post("catalogue:job", job.public_id) if job.is_open else answer_job(request, job)


def answer_job(request: HtmxRequest, job: Job) -> HttpResponse:
    """Go on to where a finished job leads, or show how far it is, or what is wrong."""
    address = job.result.get("address", "") if job.state == JobState.DONE else ""
    if not address:
        context = {"page": "games", "job": job, "left_alone": is_left_alone(job)}
        status = REFUSED if job.result.get("wrong") and not request.htmx else 200
        return render_page(request, "catalogue/job.html", context, "state", status)
    if message := job.result.pop("message", ""):
        # Said once, however often the page is opened again.
        messages.success(request, message)
        job.save(update_fields=["result"])
    if not request.htmx:
        return redirect_after_post(address)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = address
    return answer
