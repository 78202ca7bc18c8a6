"""Two devices on one list: what the second makes of a stale page is kept beside the list, and its owner chooses."""

from django.http import HttpResponse
from django.urls import reverse

from catalogue.views.responses import CONFLICT, HtmxRequest, render_page
from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, ConflictingRevision

NOT_AGAIN = frozenset({"csrfmiddlewaretoken", "revision", "have", "do", "aside"})
MOST_FIELDS = 20
UNREPEATABLE = frozenset({"undo", "redo", "move"})
"""Acts that mean something else on a newer state: they are not offered again."""


def render_conflict(
    request: HtmxRequest, roster: Roster, conflict: Conflict | ConflictingRevision
) -> HttpResponse:
    """Say what happened, link the newer state, and offer the same change again where it still means the same."""
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
