"""Who may see a list or a mission deck: its owner's page for that."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, redirect_after_post
from roster import wording
from roster.models import Roster
from roster.models.ownership import Shared
from roster.pdf.qr import draw_qr_code
from roster.services.evaluation import hash_document
from roster.services.history import list_named_revisions
from roster.services.outcomes import Refused
from roster.services.revisions import build_revision_address
from roster.services.sharing import keep_secret, replace_link, set_visibility
from roster.views.lists.access import find_own_roster


@allow("GET", "POST")
def share_list(request: HttpRequest, public_id: str) -> HttpResponse:
    """Share a list: who may see it, whether it is secret, and the addresses of states of it."""
    return answer_sharing(request, find_own_roster(request, public_id))


def answer_sharing(request: HttpRequest, thing: Shared) -> HttpResponse:
    """Show who may see something, or do what its owner chose and come back."""
    if request.method != "POST":
        return _render_sharing(request, thing)
    refused = _apply_sharing_form(request, thing)
    if refused:
        status = BAD_FORM if refused.code == "bad-change" else REFUSED
        return _render_sharing(request, thing, wrong=wording.explain_refusal(refused), status=status)
    return redirect_after_post(request.path)


def _apply_sharing_form(request: HttpRequest, thing: Shared) -> Refused | None:
    """Do what the form asks, and say so."""
    if request.POST.get("do") == "renew":
        replace_link(thing)
        messages.success(request, wording.get_sharing_words(thing).renewed)
        return None
    before = thing.visibility
    refused = set_visibility(thing, request.POST.get("visibility", ""))
    if refused:
        return refused
    if isinstance(thing, Roster):
        keep_secret(thing, request.POST.get("secret") == "on")
    messages.success(request, wording.describe_visibility(thing, before))
    return None


def _render_sharing(
    request: HttpRequest, thing: Shared, *, wrong: str = "", status: int = 200
) -> HttpResponse:
    address = request.build_absolute_uri(thing.get_absolute_url())
    context: dict[str, Any] = {
        "thing": thing,
        "words": wording.get_sharing_words(thing),
        "choices": wording.list_visibilities(thing),
        "address": address,
        "qr": draw_qr_code(address, thing.name),
        "wrong": wrong,
    }
    if isinstance(thing, Roster):
        context |= {
            "roster": thing,
            "game": thing.version.game,
            "frozen": build_revision_address(address, thing.head, hash_document(thing.document)),
            "named": list_named_revisions(thing),
        }
    return render(request, "roster/sharing.html", context, status=status)
