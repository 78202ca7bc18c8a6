"""For staff: the versions of every game's data, what one would do to all lists, and publishing it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from catalogue.models.versions import SHORT_HASH
from catalogue.services.releasing import games_and_versions, publish
from catalogue.views.methods import allow
from roster import wording
from roster.engine.report import Verdict
from roster.services.impacts import evaluate_impacts, summarize_impact
from roster.views.answers import see_other
from roster.views.staff import for_staff

PUBLISH = "catalogue.add_release"
"""The right to publish a version, and to see what it would do."""

SECONDS = 5
"""How long a page judges lists before it answers; the command judges them all."""


@allow("GET")
@for_staff(PUBLISH)
def versions(request: HttpRequest) -> HttpResponse:
    return render(request, "roster/versions.html", {"page": "games", "games": games_and_versions()})


@allow("GET", "POST")
@for_staff(PUBLISH)
def version(request: HttpRequest, short_hash: str) -> HttpResponse:
    found = _found(short_hash)
    do = request.POST.get("do", "")
    if request.method == "POST" and do == "judge":
        evaluate_impacts(found, SECONDS)
    elif request.method == "POST" and do == "publish":
        publish(found)
        messages.success(request, _("%(version)s is published. No list has changed.") % {"version": found})
    if request.method == "POST":
        return see_other("roster:version", short_hash)
    return _page(request, found)


def _found(short_hash: str) -> PackVersion:
    if len(short_hash) != SHORT_HASH:
        raise Http404
    return get_object_or_404(PackVersion.objects.select_related("game"), content_hash__startswith=short_hash)


def _page(request: HttpRequest, found: PackVersion) -> HttpResponse:
    summed = summarize_impact(found)
    words = {verdict.value: wording.get_verdict_word(verdict) for verdict in Verdict}
    context = {
        "page": "games",
        "version": found,
        "game": found.game,
        "summed": summed,
        "moved": [(moved, words[moved.before], words[moved.after]) for moved in summed.moved],
        "broken": [(wording.get_rule_name(code, name), lists) for code, name, lists in summed.broken],
    }
    return render(request, "roster/version.html", context)
