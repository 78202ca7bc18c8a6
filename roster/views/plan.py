"""The game plan of a list, for the browser it belongs to."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, Refused
from roster.services.plans import StoredPlan, delete_plan, keep_plan, load_plan
from roster.views.answers import Note, see_other, wants_parts
from roster.views.builder import BAD_FORM, REFUSED, own_roster
from roster.views.numbers import whole_number
from roster.views.plan_form import read_plan
from roster.views.plan_page import conflict_page, plan_page

BAD = ("bad-change", "bad-plan", "bad-number")


@allow("GET", "POST")
def plan(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    if request.method != "POST":
        return plan_page(request, roster)
    before = load_plan(roster).game.mission
    outcome = _act(roster, request.POST)
    if isinstance(outcome, Conflict):
        return conflict_page(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _refused(request, roster, outcome)
    if not wants_parts(request):
        messages.success(request, _("The plan is kept.") if outcome.exists else _("The plan is forgotten."))
        return see_other("roster:plan", public_id)
    # Another mission asks other questions: then the whole form comes anew, else only what is said beside it.
    return plan_page(request, roster, outcome, part="whole" if outcome.game.mission != before else "beside")


def _act(roster: Roster, form: QueryDict) -> StoredPlan | Refused | Conflict:
    revision = whole_number(form.get("revision", ""))
    if revision is None:
        return Refused(code="bad-change")
    if form.get("do") == "forget":
        return delete_plan(roster, revision)
    game = read_plan(form)
    return game if isinstance(game, Refused) else keep_plan(roster, revision, game)


def _refused(request: HttpRequest, roster: Roster, refused: Refused) -> HttpResponse:
    notes = (Note(message=wording.explain_refusal(refused), level_tag="error"),)
    if wants_parts(request):
        status = BAD_FORM if refused.code in BAD else REFUSED
        return plan_page(request, roster, status=status, notes=notes, part="beside")
    if refused.code in BAD:
        return plan_page(request, roster, status=BAD_FORM, notes=notes)
    # What was typed stays in the form, to be mended.
    typed = read_plan(request.POST)
    before = load_plan(roster)
    shown = before if isinstance(typed, Refused) else StoredPlan(game=typed, revision=before.revision)
    return plan_page(request, roster, shown, status=REFUSED, notes=notes)
