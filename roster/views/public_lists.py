"""What people show to everybody, and what anybody tells the staff about it."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalogue.services.published_games import select_games
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED
from roster import wording
from roster.models.abuse import TEXT_LENGTH, Reason
from roster.models.ownership import Shared
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.rosters import list_public_rosters
from roster.services.sharing import can_report, tell_staff
from roster.views.lists.access import find_linked_roster

AT_ONCE = 30


@allow("GET")
def list_public_lists(request: HttpRequest) -> HttpResponse:
    """List what owners made public, of one game or of all."""
    game = request.GET.get("game", "")
    legal = bool(request.GET.get("legal"))
    page = Paginator(list_public_rosters(game, legal=legal), AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": "lists",
        "page_obj": page,
        "rosters": page.object_list,
        "games": select_games(),
        "game": game,
        "legal": legal,
        "pager": urlencode({"game": game, "legal": "yes"} if legal else {"game": game}) + "&",
        "reading": True,
    }
    return render(request, "roster/public.html", context)


@allow("GET", "POST")
def report_list(request: HttpRequest, link_id: str) -> HttpResponse:
    """Anybody tells the staff about a list of somebody else's."""
    return answer_report(request, find_linked_roster(request, link_id))


def answer_report(request: HttpRequest, thing: Shared) -> HttpResponse:
    """Show the form that tells the staff about something, or send what stands in it; 404 where nobody may."""
    if not can_report(thing, identify_visitor(request)):
        raise Http404
    if request.method != "POST":
        return _render_report_form(request, thing)
    refusal = tell_staff(thing, request.POST.get("reason", ""), request.POST.get("text", ""))
    if isinstance(refusal, Refused):
        status = BAD_FORM if refusal.code == "bad-change" else REFUSED
        return _render_report_form(request, thing, status=status, wrong=wording.explain_refusal(refusal))
    messages.success(request, _("Thank you. Somebody of the staff will look at it."))
    return redirect(thing)


def _render_report_form(
    request: HttpRequest, thing: Shared, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {
        "thing": thing,
        "words": wording.get_sharing_words(thing),
        "reasons": Reason.choices,
        "chosen": request.POST.get("reason", ""),
        "text": request.POST.get("text", ""),
        "longest": TEXT_LENGTH,
    }
    return render(request, "roster/report.html", context, status=status)
