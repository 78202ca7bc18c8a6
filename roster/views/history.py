"""The history of a list: looking back, giving names, going back, choosing between what two devices made."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.services.comparison import compare_lists, evaluate_compared_list
from roster.services.edits import find_revision, keep_current, restore_revision, take_conflicting_revision
from roster.services.history import Standing, list_conflicting_revisions, name_revision, read_history
from roster.services.outcomes import Conflict, Outcome, Refused
from roster.views.answers import see_other
from roster.views.builder import BAD_FORM, REFUSED, own_roster
from roster.views.compared import shown
from roster.views.conflicts import conflict_answer
from roster.views.numbers import whole_number

AT_ONCE = 40


@allow("GET", "POST")
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    if request.method == "POST":
        return _act(request, roster)
    return _page(request, roster)


def _page(request: HttpRequest, roster: Roster, wrong: str = "", status: int = 200) -> HttpResponse:
    named = bool(request.GET.get("named"))
    past = read_history(roster, named=named)
    page = Paginator(past.numbers, AT_ONCE).get_page(request.GET.get("page"))
    rows = past.read_rows(list(page.object_list))
    context = {
        "roster": roster,
        "game": roster.version.game,
        "rows": rows,
        "page_obj": page,
        "named": named,
        "wrong": wrong,
        "from": next((row.revision.number for row in rows if row.standing is Standing.BELOW), 0),
    }
    return render(request, "roster/history.html", context, status=status)


def _act(request: HttpRequest, roster: Roster) -> HttpResponse:
    number, do = whole_number(request.POST.get("number", "")), request.POST.get("do", "")
    if number is None or do not in ("name", "restore"):
        return _page(request, roster, wording.explain_refusal(Refused(code="bad-change")), BAD_FORM)
    if do == "restore":
        return _restored(request, roster, number)
    named = name_revision(roster, number, request.POST.get("name", ""))
    if isinstance(named, Refused):
        return _page(request, roster, wording.explain_refusal(named), REFUSED)
    said = _("Step %(number)d is called “%(name)s”.") if named else _("Step %(number)d has no name any more.")
    messages.success(request, said % {"number": number, "name": named})
    return see_other("roster:history", roster.public_id)


def _restored(request: HttpRequest, roster: Roster, number: int) -> HttpResponse:
    revision = whole_number(request.POST.get("revision", ""))
    if revision is None:
        return _page(request, roster, wording.explain_refusal(Refused(code="bad-change")), BAD_FORM)
    outcome = restore_revision(roster, revision, number)
    if isinstance(outcome, Refused):
        return _page(request, roster, wording.explain_refusal(outcome), REFUSED)
    return _done(
        request, roster, outcome, _("The list is what it was at step %d. Undo takes that back.") % number
    )


@allow("GET", "POST")
def choose(request: HttpRequest, public_id: str) -> HttpResponse:
    """Between the list as it is and what another device made beside it."""
    roster = own_roster(request, public_id)
    if request.method == "POST":
        return _chosen(request, roster)
    other = find_revision(roster, roster.aside)
    if other is None:
        return see_other("roster:history", public_id)
    comparison = compare_lists(
        evaluate_compared_list(roster, roster.faction_id), evaluate_compared_list(other, roster.faction_id)
    )
    context = {
        "roster": roster,
        "game": roster.version.game,
        "other": other,
        "act": wording.describe_act(other.act, other.subject),
        "more": [
            (step.number, wording.describe_act(step.act, step.subject))
            for step in list_conflicting_revisions(roster, other)
        ],
        **shown(comparison),
    }
    return render(request, "roster/choose.html", context)


def _chosen(request: HttpRequest, roster: Roster) -> HttpResponse:
    fields = (request.POST.get(name, "") for name in ("revision", "number"))
    revision, number = (whole_number(field) for field in fields)
    do = request.POST.get("do", "")
    if revision is None or number is None or number != roster.aside or do not in ("keep", "take"):
        messages.error(request, wording.explain_refusal(Refused(code="bad-change")))
        return see_other("roster:choose", roster.public_id)
    if do == "take":
        said = _("The other version is the list now. Undo brings back the one before it.")
        return _done(request, roster, take_conflicting_revision(roster, revision, number), said)
    keep_current(roster, number)
    messages.success(request, _("The list stays as it is. The other version stays in its history."))
    return see_other("roster:builder", roster.public_id)


def _done(request: HttpRequest, roster: Roster, outcome: Outcome, said: str) -> HttpResponse:
    if isinstance(outcome, Conflict):
        return conflict_answer(request, roster, outcome)
    messages.success(request, said)
    return see_other("roster:builder", roster.public_id)
