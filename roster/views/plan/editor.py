"""The game plan of a list, for the browser it belongs to."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, Refused
from roster.services.plans import StoredPlan, delete_plan, keep_plan, load_plan
from roster.views.builder.responses import PageNotice
from roster.views.lists.access import find_own_roster
from roster.views.parsing import parse_whole_number
from roster.views.plan.form import read_plan
from roster.views.plan.presenter import render_plan, render_plan_conflict

BAD = ("bad-change", "bad-plan", "bad-number")


@allow("GET", "POST")
def edit_plan(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render_plan(request, roster)
    before = load_plan(roster).game.mission
    outcome = _apply_plan_form(roster, request.POST)
    if isinstance(outcome, Conflict):
        return render_plan_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _answer_refusal(request, roster, outcome)
    if not request.htmx:
        messages.success(request, _("The plan is kept.") if outcome.exists else _("The plan is forgotten."))
        return redirect_after_post("roster:plan", public_id)
    # Another mission asks other questions: then the whole form comes anew, else only what is said beside it.
    return render_plan(request, roster, outcome, part="whole" if outcome.game.mission != before else "beside")


def _apply_plan_form(roster: Roster, form: QueryDict) -> StoredPlan | Refused | Conflict:
    revision = parse_whole_number(form.get("revision", ""))
    if revision is None:
        return Refused(code="bad-change")
    if form.get("do") == "forget":
        return delete_plan(roster, revision)
    game = read_plan(form)
    return game if isinstance(game, Refused) else keep_plan(roster, revision, game)


def _answer_refusal(request: HtmxRequest, roster: Roster, refused: Refused) -> HttpResponse:
    notes = (PageNotice(message=wording.explain_refusal(refused), level_tag="error"),)
    if request.htmx:
        status = BAD_FORM if refused.code in BAD else REFUSED
        return render_plan(request, roster, status=status, notes=notes, part="beside")
    if refused.code in BAD:
        return render_plan(request, roster, status=BAD_FORM, notes=notes)
    # What was typed stays in the form, to be mended.
    typed = read_plan(request.POST)
    before = load_plan(roster)
    shown = before if isinstance(typed, Refused) else StoredPlan(game=typed, revision=before.revision)
    return render_plan(request, roster, shown, status=REFUSED, notes=notes)
