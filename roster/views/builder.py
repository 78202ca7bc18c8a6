"""The builder: one list, for the browser it belongs to."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, QueryDict

from catalogue.views.methods import allow
from roster import wording
from roster.models import Roster
from roster.services.changes import read_change
from roster.services.edits import edit_roster, keep_current, redo_edit, undo_edit
from roster.services.outcomes import Conflict, ConflictingRevision, Outcome, Refused, SavedEdit
from roster.services.owners import identify_visitor
from roster.services.rosters import find_owned_roster
from roster.views.answers import (
    Looking,
    Note,
    back_to_page,
    builder_page,
    changed_parts,
    looked_parts,
    wants_parts,
)
from roster.views.conflicts import conflict_answer
from roster.views.numbers import whole_number

BAD_FORM, REFUSED = 400, 422
NEW_TARGETS = frozenset({"add-detachment", "duplicate-detachment"})
"""Acts after which units go into what they created."""


def own_roster(request: HttpRequest, public_id: str) -> Roster:
    """A list of this browser; 404 for everybody else's."""
    try:
        return find_owned_roster(public_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


@allow("GET")
def builder(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    looking = Looking.at(request.GET)
    if not wants_parts(request):
        return builder_page(request, roster, looking)
    if request.GET.get("revision") != str(roster.head):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return looked_parts(request, roster, looking)


@allow("POST")
def edits(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = own_roster(request, public_id)
    outcome = act(roster, request.POST)
    if isinstance(outcome, Conflict | ConflictingRevision):
        return conflict_answer(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _refused(request, roster, outcome)
    return _edited(request, outcome)


def act(roster: Roster, form: QueryDict) -> Outcome:
    """The change that a form asks for, made on the revision that it names."""
    revision, do = whole_number(form.get("revision", "")), form.get("do", "")
    if revision is None:
        return Refused(code="bad-change")
    if do in ("undo", "redo"):
        return (undo_edit if do == "undo" else redo_edit)(roster, revision)
    change = read_change(form.dict())
    outcome = change if isinstance(change, Refused) else edit_roster(roster, revision, change)
    waiting = whole_number(form.get("aside", ""))
    if waiting and isinstance(outcome, SavedEdit):
        keep_current(roster, waiting)  # the same change was kept aside, and is made on the list now
    return outcome


def _edited(request: HttpRequest, edited: SavedEdit) -> HttpResponse:
    looking, node = Looking.beside(request.POST), request.POST.get("node", "")
    if edited.created and request.POST.get("do") in NEW_TARGETS:
        looking = replace(looking, into=edited.created[0])
    if not wants_parts(request):
        return back_to_page(edited.roster, looking, edited.created, node)
    return changed_parts(request, edited.roster, looking, edited.judged, again=node)


def _refused(request: HttpRequest, roster: Roster, refused: Refused) -> HttpResponse:
    notes = (Note(message=wording.explain_refusal(refused), level_tag="error"),)
    status = BAD_FORM if refused.code == "bad-change" else REFUSED
    looking = Looking.beside(request.POST)
    if not wants_parts(request):
        return builder_page(request, roster, looking, status=status, notes=notes, typed=request.POST)
    again = looking.open or request.POST.get("node", "")
    return changed_parts(request, roster, looking, again=again, status=status, notes=notes)
