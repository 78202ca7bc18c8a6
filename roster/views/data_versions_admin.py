"""Show staff the versions of data and their impact on lists, and let them publish."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from catalogue.models.games import SHORT_HASH
from catalogue.services.jobs import start_job
from catalogue.services.releases import list_game_versions, publish_version
from catalogue.views.decorators import View, allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest, redirect_after_post
from roster import wording
from roster.engine.report import Verdict
from roster.models import VerdictReport
from roster.models.verdict_reports import StaffAnswer
from roster.services.impacts import IMPACT_JOB, summarize_impact
from roster.views.forms import VersionForm

P = ParamSpec("P")
PUBLISH = "catalogue.add_release"
ANSWER = "roster.change_verdictreport"


def require_staff(right: str) -> Callable[[View[P]], View[P]]:
    """Require a permission: other users get a 404, anonymous visitors the sign-in page."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def check_right(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.path)
            if not (request.user.is_staff and request.user.has_perm(right)):
                raise Http404
            return view(request, *args, **kwargs)

        return check_right

    return decorate


@allow("GET")
@require_staff(PUBLISH)
def list_versions(request: HttpRequest) -> HttpResponse:
    context = {
        "page": "games",
        "games": list_game_versions(),
        "may_answer": request.user.has_perm(ANSWER),
        "open_reports": VerdictReport.objects.filter(answer=StaffAnswer.OPEN).count(),
    }
    return render(request, "roster/versions.html", context)


@allow("GET", "POST")
@require_staff(PUBLISH)
def judge_or_publish(request: HtmxRequest, short_hash: str) -> HttpResponse:
    if len(short_hash) != SHORT_HASH:
        raise Http404
    versions = PackVersion.objects.filter(game__owner=None).select_related("game")
    pack_version = get_object_or_404(versions, content_hash__startswith=short_hash)
    if request.method != "POST":
        return _render_version(request, pack_version)
    do = VersionForm(request.POST).read_fields()["do"]
    if do == "judge":
        assert isinstance(request.user, User)  # noqa: S101 - only staff come here
        address = reverse("roster:version", args=[pack_version.short_hash])
        arguments = {"version": pack_version.pk, "address": address}
        return answer_started_job(request, start_job(request.user, IMPACT_JOB, str(pack_version), arguments))
    if do == "publish":
        publish_version(pack_version)
        messages.success(request, _("%(version)s was published. No list has changed.") % {"version": pack_version})
    return redirect_after_post("roster:version", short_hash)


def _render_version(request: HttpRequest, pack_version: PackVersion) -> HttpResponse:
    summed = summarize_impact(pack_version)
    words = {verdict.value: wording.get_verdict_word(verdict) for verdict in Verdict}
    context = {
        "page": "games",
        "version": pack_version,
        "game": pack_version.game,
        "summed": summed,
        "moved": [(moved, words[moved.before], words[moved.after]) for moved in summed.moved],
        "broken": [(wording.get_rule_name(code, name), lists) for code, name, lists in summed.broken],
    }
    return render(request, "roster/version.html", context)
