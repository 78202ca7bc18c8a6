"""By which data a list is judged: what another version would do, moving to it, and whether it was legal on a day."""

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, Refused
from roster.services.upgrade_data import find_version, find_version_on, preview_upgrade, upgrade_list
from roster.views.builder.conflict import render_conflict
from roster.views.lists.access import find_own_roster
from roster.views.lists.comparison import describe_comparison
from roster.views.parsing import parse_date, parse_whole_number


@allow("GET", "POST")
def show_data_version(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method == "POST":
        return _move_to_version(request, roster)
    asked, to = request.GET.get("on", ""), request.GET.get("to", "")
    then = parse_date(asked) if asked else None
    if asked and then is None:
        return _render_data_page(request, roster, wrong=_("Give the day as in 2026-03-21."), status=BAD_FORM)
    if then and then > timezone.localdate() + timedelta(
        days=1
    ):  # where people live it may be tomorrow already
        return _render_data_page(request, roster, wrong=_("That day is still to come."), status=BAD_FORM)
    if then:
        return _render_data_page(request, roster, find_version_on(roster, then), then=then)
    version = find_version(roster, to) if to else roster.version.game.shown
    if version is None:
        return _render_data_page(request, roster, wrong=_("There is no such version here."), status=BAD_FORM)
    return _render_data_page(request, roster, version)


def _render_data_page(
    request: HtmxRequest,
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
        "versions": list_published_versions(game),
        "other": version,
        "then": then,
        "wrong": wrong,
        "moved": version is not None and version.pk == roster.version_id,
    }
    if version:
        version.game = game
        would = preview_upgrade(roster, version)
        context |= {
            **describe_comparison(would.comparison),
            "repriced": [wording.describe_price_change(unit, version.points_name) for unit in would.repriced],
        }
    return render(request, "roster/data.html", context, status=status)


def _move_to_version(request: HtmxRequest, roster: Roster) -> HttpResponse:
    revision = parse_whole_number(request.POST.get("revision", ""))
    version = find_version(roster, request.POST.get("to", ""))
    if revision is None or version is None:
        return _render_data_page(
            request, roster, wrong=wording.explain_refusal(Refused(code="bad-change")), status=BAD_FORM
        )
    outcome = upgrade_list(roster, revision, version)
    if isinstance(outcome, Conflict):
        return render_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _render_data_page(
            request, roster, version, wrong=wording.explain_refusal(outcome), status=REFUSED
        )
    messages.success(
        request, _("The list is judged by %(version)s now. Undo takes that back.") % {"version": version}
    )
    return redirect_after_post("roster:builder", roster.public_id)
