"""The builder of one list, for its owner."""

import re
from dataclasses import replace

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, CONFLICT, REFUSED, HtmxRequest, render_page
from roster import wording
from roster.models import Roster
from roster.services.changes import read_change
from roster.services.edits import edit_roster, keep_current, redo_edit, undo_edit
from roster.services.favourites import star_unit, unstar_unit
from roster.services.outcomes import Conflict, ConflictingRevision, Outcome, Refused, SavedEdit
from roster.services.owners import identify_visitor
from roster.services.rosters import find_edited_roster
from roster.services.ways import WayKind, take_way
from roster.views.builder.responses import (
    BuilderView,
    PageNotice,
    redirect_to_builder,
    redirect_to_offer,
    render_builder,
    render_changed_fragments,
    render_deeds,
    render_favourites,
    render_later_rows,
    render_outlook,
    render_view_change,
    render_ways,
)
from roster.views.builder.ways import tell_fullness
from roster.views.requests import find_own_roster, parse_whole_number

NOT_AGAIN = frozenset({"csrfmiddlewaretoken", "revision", "have", "do", "aside", "step"})
MOST_FIELDS = 60
_STEP = re.compile(r"[0-9a-f-]{36}")
WAYS = frozenset(kind.value for kind in WayKind)
UNREPEATABLE = frozenset({"undo", "redo", "move", *WAYS})
"""Changes that depend on the state of the list, so that a conflict page does not offer them again."""


def render_conflict(request: HtmxRequest, roster: Roster, conflict: Conflict | ConflictingRevision) -> HttpResponse:
    do = request.POST.get("do", "")
    again = [(name, value) for name, value in request.POST.items() if name not in NOT_AGAIN][:MOST_FIELDS]
    context = {
        "conflict": conflict,
        "message": wording.explain_conflict(conflict),
        "is_conflicting_revision": isinstance(conflict, ConflictingRevision),
        "roster": roster,
        "page_address": reverse("roster:builder", args=[roster.public_id]),
        "edit_address": reverse("roster:edits", args=[roster.public_id]),
        "do": "" if do in UNREPEATABLE else do,
        "fields": again,
    }
    return render_page(request, "roster/conflict.html", context, "banner", status=CONFLICT)


NEW_TARGETS = frozenset({"add-detachment", "duplicate-detachment"})


@allow("GET")
def show_builder(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    view = BuilderView.read_address(request.GET)
    if not request.htmx:
        return render_builder(request, roster, view)
    if request.GET.get("revision") != str(roster.head):
        return HttpResponse(headers={"HX-Refresh": "true"})
    had = parse_whole_number(request.GET.get("had", ""))
    return render_view_change(request, roster, view) if had is None else render_later_rows(request, roster, view, had)


def _answer_without_fragment(request: HtmxRequest, roster: Roster, query: str) -> HttpResponse | None:
    """Answer requests without htmx and outdated ones; return None for others."""
    if not request.htmx:
        address = reverse("roster:builder", args=[roster.public_id])
        return HttpResponseRedirect(f"{address}{query}")
    if request.GET.get("revision") != str(roster.head):
        # The page has changed and will ask again.
        return HttpResponse(status=204)
    return None


@allow("GET")
def show_deeds(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    view = BuilderView.read_address(request.GET)
    if instead := _answer_without_fragment(request, roster, "?deeds=1#why"):
        return instead
    return render_deeds(request, roster, view)


@allow("GET")
def show_outlook(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    view = BuilderView.read_address(request.GET)
    if instead := _answer_without_fragment(request, roster, "?outlook=1#ways"):
        return instead
    return render_outlook(request, roster, view, grey=request.GET.get("grey", "").split(","))


@allow("GET", "POST")
def show_ways(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method == "POST":
        outcome = take_form_way(roster, request.POST)
        if request.POST.get("do") == WayKind.FILL and not request.htmx:
            tell_fullness(request, outcome)
        return answer_outcome(request, roster, outcome)
    if instead := _answer_without_fragment(request, roster, "?outlook=1#ways"):
        return instead
    kind = request.GET.get("kind", "")
    if kind not in WAYS:
        return HttpResponse(wording.explain_refusal(Refused(code="bad-change")), status=BAD_FORM)
    return render_ways(request, roster, WayKind(kind), is_patient=BuilderView.read_address(request.GET).is_patient)


def take_form_way(roster: Roster, form: QueryDict) -> Outcome:
    revision, kind = parse_whole_number(form.get("revision", "")), form.get("do", "")
    if revision is None or kind not in WAYS:
        return Refused(code="bad-change")
    is_patient = form.get("patient") == "1"
    return take_way(roster, revision, WayKind(kind), signed=form.get("way", ""), is_patient=is_patient)


@allow("POST")
def apply_edit(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id, find_edited_roster)
    return answer_outcome(request, roster, apply_form(roster, request.POST))


@allow("POST")
def change_favourite(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Star the unit `star`, or unstar the unit `unstar`."""
    roster = find_own_roster(request, public_id)
    owner, view = identify_visitor(request), BuilderView.read_edit_form(request.POST)
    starred, unstarred = request.POST.get("star", ""), request.POST.get("unstar", "")
    refused: Refused | None = None
    if starred:
        refused = star_unit(owner, roster, starred)
    elif unstarred:
        unstar_unit(owner, roster, unstarred)
    else:
        refused = Refused(code="bad-change")
    if refused:
        return answer_outcome(request, roster, refused)
    if not request.htmx:
        return redirect_to_offer(roster, view, starred or unstarred)
    return render_favourites(request, roster, view)


def answer_outcome(request: HtmxRequest, roster: Roster, outcome: Outcome) -> HttpResponse:
    if isinstance(outcome, Conflict | ConflictingRevision):
        return render_conflict(request, roster, outcome)
    view, node = BuilderView.read_edit_form(request.POST), request.POST.get("node", "")
    if isinstance(outcome, Refused):
        notes = (PageNotice(message=wording.explain_refusal(outcome), level_tag="error"),)
        status = BAD_FORM if outcome.code == "bad-change" else REFUSED
        if not request.htmx:
            return render_builder(request, roster, view, status=status, notes=notes, typed=request.POST)
        return render_changed_fragments(request, roster, view, again=view.open or node, status=status, notes=notes)

    if outcome.created and request.POST.get("do") in NEW_TARGETS:
        view = replace(view, into=outcome.created[0])
    created = outcome.created
    if created and request.POST.get("do") == "split-off":
        view, created = replace(view, apart=created[0]), (view.open,)
    if not request.htmx:
        return redirect_to_builder(outcome.roster, view, created, node)
    option = request.POST.get("group", "") or request.POST.get("entry", "")
    return render_changed_fragments(
        request,
        outcome.roster,
        view,
        outcome.evaluated_list,
        again=node,
        option=option,
        announcement=announce_act(outcome, request.POST.get("do", "")),
    )


def announce_act(outcome: SavedEdit, do: str) -> str:
    """Describe an edit, such as "Undone: Added Reed Cutters.", or return ""."""
    if not outcome.act:
        return ""
    act = wording.describe_act(outcome.act, outcome.subject)
    if do == "undo":
        return _("Undone: %(act)s.") % {"act": act}
    if do == "redo":
        return _("Redone: %(act)s.") % {"act": act}
    return f"{act}."


def read_step(form: QueryDict) -> str:
    """Return the browser's id for this step, or ""."""
    step = form.get("step", "")
    return step if _STEP.fullmatch(step) else ""


def apply_form(roster: Roster, form: QueryDict) -> Outcome:
    revision, do = parse_whole_number(form.get("revision", "")), form.get("do", "")
    if revision is None:
        return Refused(code="bad-change")
    if do in ("undo", "redo"):
        return (undo_edit if do == "undo" else redo_edit)(roster, revision)
    change = read_change(form.dict())
    outcome = (
        change if isinstance(change, Refused) else edit_roster(roster, revision, change, device_step=read_step(form))
    )
    waiting = parse_whole_number(form.get("aside", ""))
    if waiting and isinstance(outcome, SavedEdit):
        keep_current(roster, waiting)  # the change that was kept aside is now made on the list
    return outcome
