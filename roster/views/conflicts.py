"""Two devices on one list: what the second makes of a stale page is kept beside the list, and its owner chooses."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from roster import wording
from roster.models import Roster
from roster.services.outcomes import Conflict, ConflictingRevision
from roster.views.answers import wants_parts

STATUS = 409
NOT_AGAIN = frozenset({"csrfmiddlewaretoken", "revision", "have", "do", "aside"})
MOST_FIELDS = 20
UNREPEATABLE = frozenset({"undo", "redo", "move"})
"""Acts that mean something else on a newer state: they are not offered again."""


def conflict_answer(
    request: HttpRequest, roster: Roster, conflict: Conflict | ConflictingRevision
) -> HttpResponse:
    """What happened, a way to the newer state, and the same change once more where it still means the same."""
    do = request.POST.get("do", "")
    again = [(name, value) for name, value in request.POST.items() if name not in NOT_AGAIN][:MOST_FIELDS]
    context = {
        "conflict": conflict,
        "said": wording.explain_conflict(conflict),
        "aside": isinstance(conflict, ConflictingRevision),
        "roster": roster,
        "here": reverse("roster:builder", args=[roster.public_id]),
        "edits": reverse("roster:edits", args=[roster.public_id]),
        "do": "" if do in UNREPEATABLE else do,
        "fields": again,
    }
    template = "roster/conflict.html"
    answer = render(
        request, f"{template}#banner" if wants_parts(request) else template, context, status=STATUS
    )
    patch_vary_headers(answer, ["HX-Request"])
    return answer
