"""Who may see a list: its owner's page for that, what is public, and reports to the staff."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalogue.services.shelf import shown_games
from roster import wording
from roster.models import Roster
from roster.models.abuse import TEXT_LENGTH, Reason
from roster.pdf.qr import qr_code
from roster.services.judging import hash_of
from roster.services.outcomes import Refused
from roster.services.owners import visitor_of
from roster.services.revisions import address_at
from roster.services.rosters import public_rosters
from roster.services.sharing import keep_secret, renew_link, reportable, share, tell_staff
from roster.views.answers import see_other
from roster.views.builder import BAD_FORM, REFUSED, own_roster
from roster.views.lists import read_roster
from roster.views.methods import allow

AT_ONCE = 30


@allow("GET", "POST")
def sharing(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    if request.method != "POST":
        return _sharing_page(request, roster)
    if request.POST.get("do") == "renew":
        renew_link(roster)
        messages.success(request, _("The list has a new address. The old one leads nowhere any more."))
        return see_other("roster:sharing", public_id)
    refused = share(roster, request.POST.get("visibility", ""))
    if refused:
        status = BAD_FORM if refused.code == "bad-change" else REFUSED
        return _sharing_page(request, roster, wording.refusal(refused), status)
    keep_secret(roster, request.POST.get("secret") == "on")
    messages.success(request, wording.shared(roster))
    return see_other("roster:sharing", public_id)


def _sharing_page(request: HttpRequest, roster: Roster, wrong: str = "", status: int = 200) -> HttpResponse:
    address = request.build_absolute_uri(roster.get_absolute_url())
    context = {
        "roster": roster,
        "game": roster.version.game,
        "address": address,
        "frozen": address_at(address, roster.head, hash_of(roster.document)),
        "qr": qr_code(address, roster.name),
        "choices": wording.visibilities(),
        "wrong": wrong,
    }
    return render(request, "roster/sharing.html", context, status=status)


@allow("GET")
def public_lists(request: HttpRequest) -> HttpResponse:
    """Every list that its owner made public, of one game or of all."""
    game = request.GET.get("game", "")
    legal = bool(request.GET.get("legal"))
    found = public_rosters(game, legal=legal)
    page = Paginator(found, AT_ONCE).get_page(request.GET.get("page"))
    context = {
        "page": "lists",
        "page_obj": page,
        "rosters": page.object_list,
        "games": shown_games(),
        "game": game,
        "legal": legal,
        "pager": urlencode({"game": game, "legal": "yes"} if legal else {"game": game}) + "&",
        "reading": True,
    }
    return render(request, "roster/public.html", context)


@allow("GET", "POST")
def report(request: HttpRequest, link_id: str) -> HttpResponse:
    """Anybody tells the staff about a list of somebody else's."""
    roster = read_roster(request, link_id)
    if not reportable(roster, visitor_of(request)):
        raise Http404
    if request.method != "POST":
        return _report_page(request, roster)
    told = tell_staff(roster, request.POST.get("reason", ""), request.POST.get("text", ""))
    if isinstance(told, Refused):
        status = BAD_FORM if told.code == "bad-change" else REFUSED
        return _report_page(request, roster, status=status, wrong=wording.refusal(told))
    messages.success(request, _("Thank you. Somebody of the staff will look at it."))
    return redirect(roster)


def _report_page(request: HttpRequest, roster: Roster, status: int = 200, **context: Any) -> HttpResponse:
    reasons = Reason.choices
    chosen, text = request.POST.get("reason", ""), request.POST.get("text", "")
    context |= {"roster": roster, "reasons": reasons, "chosen": chosen, "text": text, "longest": TEXT_LENGTH}
    return render(request, "roster/report.html", context, status=status)
