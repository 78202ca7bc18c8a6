"""The decks of a list, for the browser it belongs to."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from catalogue.views.methods import allow
from roster import wording
from roster.services.outcomes import Conflict, ConflictingRevision, Refused, SavedEdit
from roster.templatetags.builder import token
from roster.views.answers import Note, wants_parts
from roster.views.builder import BAD_FORM, REFUSED, act, own_roster
from roster.views.conflicts import conflict_answer
from roster.views.deck_page import Looking, deck_page


@allow("GET", "POST")
def deck(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    if request.method != "POST":
        return deck_page(request, roster, Looking.at(request.GET))
    looking = Looking.at(request.POST)
    outcome = act(roster, request.POST)
    if isinstance(outcome, Conflict | ConflictingRevision):
        return conflict_answer(request, roster, outcome)
    if isinstance(outcome, Refused):
        notes = (Note(message=wording.explain_refusal(outcome), level_tag="error"),)
        status = BAD_FORM if outcome.code == "bad-change" else REFUSED
        return deck_page(request, roster, looking, status=status, notes=notes)
    if wants_parts(request):
        return deck_page(request, roster, looking, judged=outcome.judged)
    return _back(request, outcome, looking)


def _back(request: HttpRequest, edited: SavedEdit, looking: Looking) -> HttpResponse:
    """After a form without script: the page again, by GET, at the card the form was about."""
    about = request.POST.get("entry") or request.POST.get("node", "")
    address = reverse("roster:deck", args=[edited.roster.public_id])
    answer = HttpResponseRedirect(f"{address}{looking.query}#c-{token(about)}")
    answer.status_code = 303
    return answer
