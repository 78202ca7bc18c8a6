"""The front page: the form that starts a list, the newest lists of this browser, examples."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpResponse

from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, render_page
from roster.engine.report import Verdict
from roster.models import Roster
from roster.services.examples import list_examples
from roster.services.owners import identify_visitor
from roster.services.rosters import list_rosters
from roster.views.new_list import StartForm, build_start_context

RECENT = 6
EXAMPLES_EACH = 2


@allow("GET")
def show_front_page(request: HtmxRequest) -> HttpResponse:
    context = build_start_context(StartForm(initial=request.GET.dict())) | {"page": "front"}
    if not request.htmx:
        context["guest_days"] = settings.ARMYBUILDER["GUEST_DAYS"]
        context["recent"] = list_rosters(identify_visitor(request))[:RECENT]
        context["examples"] = _pick_examples(list_examples().order_by("name"))
    return render_page(request, "roster/front.html", context, "start")


def _pick_examples(lists: Iterable[Roster]) -> list[Roster]:
    """Pick a few lists of each verdict, the legal ones first."""
    by_verdict: dict[str, list[Roster]] = {Verdict.LEGAL: [], Verdict.INCOMPLETE: [], Verdict.ILLEGAL: []}
    for example in lists:
        by_verdict[example.verdict].append(example)
    return [example for examples in by_verdict.values() for example in examples[:EXAMPLES_EACH]]
