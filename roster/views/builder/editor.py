"""The builder: one list, for the browser it belongs to."""

from dataclasses import replace

from django.http import HttpResponse, QueryDict

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest
from roster import wording
from roster.models import Roster
from roster.services.changes import read_change
from roster.services.edits import edit_roster, keep_current, redo_edit, undo_edit
from roster.services.outcomes import Conflict, ConflictingRevision, Outcome, Refused, SavedEdit
from roster.views.builder.conflict import render_conflict
from roster.views.builder.responses import (
    BuilderView,
    PageNotice,
    redirect_to_builder,
    render_builder,
    render_changed_fragments,
    render_view_change,
)
from roster.views.lists.access import find_own_roster
from roster.views.parsing import parse_whole_number

NEW_TARGETS = frozenset({"add-detachment", "duplicate-detachment"})
"""Acts after which units go into what they created."""


@allow("GET")
def show_builder(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    looking = BuilderView.read_address(request.GET)
    if not request.htmx:
        return render_builder(request, roster, looking)
    if request.GET.get("revision") != str(roster.head):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render_view_change(request, roster, looking)


@allow("POST")
def apply_edit(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    outcome = apply_form(roster, request.POST)
    if isinstance(outcome, Conflict | ConflictingRevision):
        return render_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _answer_refusal(request, roster, outcome)
    return _answer_edit(request, outcome)


def apply_form(roster: Roster, form: QueryDict) -> Outcome:
    """Make the change that a form asks for, on the revision that it names."""
    revision, do = parse_whole_number(form.get("revision", "")), form.get("do", "")
    if revision is None:
        return Refused(code="bad-change")
    if do in ("undo", "redo"):
        return (undo_edit if do == "undo" else redo_edit)(roster, revision)
    change = read_change(form.dict())
    outcome = change if isinstance(change, Refused) else edit_roster(roster, revision, change)
    waiting = parse_whole_number(form.get("aside", ""))
    if waiting and isinstance(outcome, SavedEdit):
        keep_current(roster, waiting)  # the same change was kept aside, and is made on the list now
    return outcome


def _answer_edit(request: HtmxRequest, edited: SavedEdit) -> HttpResponse:
    looking, node = BuilderView.read_edit_form(request.POST), request.POST.get("node", "")
    if edited.created and request.POST.get("do") in NEW_TARGETS:
        looking = replace(looking, into=edited.created[0])
    if not request.htmx:
        return redirect_to_builder(edited.roster, looking, edited.created, node)
    return render_changed_fragments(request, edited.roster, looking, edited.judged, again=node)


def _answer_refusal(request: HtmxRequest, roster: Roster, refused: Refused) -> HttpResponse:
    notes = (PageNotice(message=wording.explain_refusal(refused), level_tag="error"),)
    status = BAD_FORM if refused.code == "bad-change" else REFUSED
    looking = BuilderView.read_edit_form(request.POST)
    if not request.htmx:
        return render_builder(request, roster, looking, status=status, notes=notes, typed=request.POST)
    again = looking.open or request.POST.get("node", "")
    return render_changed_fragments(request, roster, looking, again=again, status=status, notes=notes)
