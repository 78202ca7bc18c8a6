"""The front page, the lists of this browser, and starting a list."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from catalogue.views.methods import allow
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.examples import list_examples
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.services.rosters import list_rosters
from roster.views.answers import see_other, wants_parts
from roster.views.starting import StartForm, form_context, refused_start, start

RECENT = 6
EXAMPLES_EACH = 2


@allow("GET")
def front(request: HttpRequest) -> HttpResponse:
    context = form_context(StartForm.of(request.GET)) | {"page": "front"}
    if not wants_parts(request):
        context["guest_days"] = settings.ARMYBUILDER["GUEST_DAYS"]
        context["recent"] = list_rosters(identify_visitor(request))[:RECENT]
        context["examples"] = _of_each_verdict(list_examples().order_by("name"))
    return one_page(request, "roster/front.html", context)


def _of_each_verdict(lists: Iterable[Roster]) -> list[Roster]:
    """A few lists of each verdict, the legal ones first."""
    by_verdict: dict[str, list[Roster]] = {Verdict.LEGAL: [], Verdict.INCOMPLETE: [], Verdict.ILLEGAL: []}
    for example in lists:
        by_verdict[example.verdict].append(example)
    return [example for found in by_verdict.values() for example in found[:EXAMPLES_EACH]]


@allow("GET", "POST")
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return one_page(request, "roster/new.html", form_context(StartForm.of(request.GET)) | {"page": "new"})
    form = StartForm.of(request.POST)
    made = start(form, lambda: make_owner(request))
    if isinstance(made, Refused):
        return render(request, "roster/new.html", form_context(refused_start(form, made)), status=422)
    return see_other("roster:builder", made.public_id)


def one_page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page with the form that starts a list, or that form alone where htmx asks for it."""
    answer = render(request, f"{template}#start" if wants_parts(request) else template, context)
    patch_vary_headers(answer, ["HX-Request"])
    return answer
