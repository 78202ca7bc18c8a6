"""By which data a list is judged: what another version would do, moving to it, and whether it was legal on a day."""

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from catalogue.services.releasing import released
from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, Refused
from roster.services.upgrade_data import find_version, find_version_on, preview_upgrade, upgrade_list
from roster.views.answers import see_other
from roster.views.builder import BAD_FORM, REFUSED, own_roster
from roster.views.compared import shown
from roster.views.conflicts import conflict_answer
from roster.views.numbers import day, whole_number


@allow("GET", "POST")
def data(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    if request.method == "POST":
        return _move(request, roster)
    asked, to = request.GET.get("on", ""), request.GET.get("to", "")
    then = day(asked) if asked else None
    if asked and then is None:
        return _page(request, roster, wrong=_("Give the day as in 2026-03-21."), status=BAD_FORM)
    if then and then > timezone.localdate() + timedelta(
        days=1
    ):  # where people live it may be tomorrow already
        return _page(request, roster, wrong=_("That day is still to come."), status=BAD_FORM)
    if then:
        return _page(request, roster, find_version_on(roster, then), then=then)
    version = find_version(roster, to) if to else roster.version.game.shown
    if version is None:
        return _page(request, roster, wrong=_("There is no such version here."), status=BAD_FORM)
    return _page(request, roster, version)


def _page(
    request: HttpRequest,
    roster: Roster,
    version: PackVersion | None = None,
    *,
    then: date | None = None,
    wrong: str = "",
    status: int = 200,
) -> HttpResponse:
    game = roster.version.game
    context: dict[str, Any] = {
        "roster": roster,
        "game": game,
        "versions": released(game),
        "other": version,
        "then": then,
        "wrong": wrong,
        "moved": version is not None and version.pk == roster.version_id,
    }
    if version:
        version.game = game
        would = preview_upgrade(roster, version)
        context |= {
            **shown(would.comparison),
            "repriced": [wording.describe_price_change(unit, version.points_name) for unit in would.repriced],
        }
    return render(request, "roster/data.html", context, status=status)


def _move(request: HttpRequest, roster: Roster) -> HttpResponse:
    revision = whole_number(request.POST.get("revision", ""))
    version = find_version(roster, request.POST.get("to", ""))
    if revision is None or version is None:
        return _page(
            request, roster, wrong=wording.explain_refusal(Refused(code="bad-change")), status=BAD_FORM
        )
    outcome = upgrade_list(roster, revision, version)
    if isinstance(outcome, Conflict):
        return conflict_answer(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _page(request, roster, version, wrong=wording.explain_refusal(outcome), status=REFUSED)
    messages.success(
        request, _("The list is judged by %(version)s now. Undo takes that back.") % {"version": version}
    )
    return see_other("roster:builder", roster.public_id)
