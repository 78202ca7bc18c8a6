"""The decks of a list, for the browser it belongs to."""

from django.http import HttpResponse

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.services.outcomes import Conflict, ConflictingRevision, Refused, SavedEdit
from roster.templatetags.builder import make_dom_token
from roster.views.builder.conflict import render_conflict
from roster.views.builder.editor import apply_form
from roster.views.builder.responses import PageNotice
from roster.views.deck.presenter import DeckView, render_deck
from roster.views.lists.access import find_own_roster


@allow("GET", "POST")
def edit_deck(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render_deck(request, roster, DeckView.read_fields(request.GET))
    looking = DeckView.read_fields(request.POST)
    outcome = apply_form(roster, request.POST)
    if isinstance(outcome, Conflict | ConflictingRevision):
        return render_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        notes = (PageNotice(message=wording.explain_refusal(outcome), level_tag="error"),)
        status = BAD_FORM if outcome.code == "bad-change" else REFUSED
        return render_deck(request, roster, looking, status=status, notes=notes)
    if request.htmx:
        return render_deck(request, roster, looking, judged=outcome.judged)
    return _redirect_to_card(request, outcome, looking)


def _redirect_to_card(request: HtmxRequest, edited: SavedEdit, looking: DeckView) -> HttpResponse:
    """Redirect a form without script to the page, at the card the form was about."""
    about = request.POST.get("entry") or request.POST.get("node", "")
    return redirect_after_post(
        "roster:deck", edited.roster.public_id, query=looking.query, anchor=f"c-{make_dom_token(about)}"
    )
