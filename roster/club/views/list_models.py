from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.club.models import ModelState
from roster.club.services.collections import list_collections, select_counting
from roster.club.services.list_models import fill_from_holdings, list_kinds, load_holdings, own_models
from roster.club.views.forms import LONGEST_NAME
from roster.club.wording import explain_collection_refusal
from roster.models import Roster
from roster.services.outcomes import Refused, SavedEdit
from roster.services.owners import identify_visitor
from roster.services.rosters import find_edited_roster
from roster.views.forms import ChangeForm, TypedField, make_choices
from roster.views.requests import find_own_roster


class ListModelsForm(ChangeForm):
    """`do` says whether to own models or to fill the list; `target` is the state of owned models."""

    do = forms.ChoiceField(choices=make_choices("own", "fill"))
    target = TypedField(LONGEST_NAME)


@allow("GET", "POST")
def show_list_models(request: HttpRequest, public_id: str) -> HttpResponse:
    """Compare a list's models with its owner's. A POST adds missing models, or fills the list from owned ones."""
    if request.method != "POST":
        return _render_page(request, find_own_roster(request, public_id), ListModelsForm())
    roster = find_own_roster(request, public_id, find_edited_roster)
    form = ListModelsForm(request.POST)
    if form.is_valid():
        fields = form.cleaned_data
        fills = fields["do"] == "fill"
        refused = _fill_list(request, roster) if fills else _add_models(request, roster, fields["target"])
        if refused is None:
            return redirect_after_post("club:list-models", roster.public_id)
        form.add_error(None, refused)
        form.status = REFUSED
    return _render_page(request, roster, form)


def _add_models(request: HttpRequest, roster: Roster, state: str) -> str | None:
    added = own_models(identify_visitor(request), roster, state)
    if isinstance(added, Refused):
        return explain_collection_refusal(added)
    text = ngettext("%(n)d model added.", "%(n)d models added.", added) % {"n": added}
    messages.success(request, text if added else _("You already own all of its models."))
    return None


def _fill_list(request: HttpRequest, roster: Roster) -> str | None:
    outcome = fill_from_holdings(roster, load_holdings(identify_visitor(request), roster))
    if isinstance(outcome, SavedEdit):
        messages.success(request, _("Filled from what you own."))
        return None
    if isinstance(outcome, Refused):
        return explain_collection_refusal(outcome)
    return _("This list was changed in another tab. Nothing was overwritten.")


def _render_page(request: HttpRequest, roster: Roster, form: ListModelsForm) -> HttpResponse:
    visitor = identify_visitor(request)
    holdings = load_holdings(visitor, roster)
    kinds = list_kinds(roster, holdings)
    context = {
        "page": "rosters",
        "roster": roster,
        "kinds": kinds,
        "has_models": any(row.at_hand for shelf in holdings.shelves for row in shelf.rows),
        "needed": sum(kind.needed for kind in kinds),
        "short": sum(kind.short for kind in kinds),
        "ready": sum(min(kind.needed, kind.ready) for kind in kinds),
        "collections": select_counting(list_collections(visitor), roster.version.game_id),
        "states": ModelState,
        "wrong": form.complaint,
    }
    return render(request, "club/list_models.html", context, status=form.status if form.errors else 200)


@allow("GET")
def send_marks(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the owner's models at hand and painted by collection, for the builder, which finds units as `Shelf` does."""
    roster = find_own_roster(request, public_id)
    held = [
        [
            {"ids": sorted(row.entry_ids), "name": kind.name, "own": kind.at_hand, "ready": kind.ready}
            for row in shelf.rows
            if (kind := row.kind)
        ]
        for shelf in load_holdings(identify_visitor(request), roster).shelves
    ]
    answer = JsonResponse({"collections": held})
    answer["Cache-Control"] = "private, no-store"
    return answer
