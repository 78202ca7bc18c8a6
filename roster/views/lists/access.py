"""Find whole lists for a view; copy one, move one to the bin."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.models import Roster
from roster.services.organize import move_to_bin, select_lists
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, identify_visitor, is_owner, make_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.rosters import copy_roster, find_owned_roster, find_readable_roster
from roster.services.sharing import is_redacted_for


def find_own_roster(
    request: HttpRequest, public_id: str, find: Callable[[str, Visitor], Roster] = find_owned_roster
) -> Roster:
    """Return a list of this browser; 404 for everybody else's. `find` says how much of it."""
    try:
        return find(public_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_linked_roster(request: HttpRequest, link_id: str) -> Roster:
    """Return a list at its link; 404 where there is none that may be seen."""
    try:
        return find_readable_roster(link_id, identify_visitor(request))
    except Roster.DoesNotExist:
        raise Http404 from None


def find_whole_roster(request: HttpRequest, link_id: str) -> Roster:
    """Return a list at its link to somebody who may know all of it; 404 where it is kept secret."""
    roster = find_linked_roster(request, link_id)
    if is_redacted_for(roster, identify_visitor(request)):
        raise Http404
    return roster


def read_requested_revision(request: HttpRequest) -> tuple[str, str]:
    """Read the revision and the hash that an address names, as printed; blank for the list as it is now."""
    return request.GET.get("revision", ""), request.GET.get("hash", "")


@allow("POST")
def copy_list(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_whole_roster(request, link_id)
    revision, content_hash = (request.POST.get(name, "") for name in ("revision", "hash"))
    shown = find_shown_revision(roster, revision, content_hash, owned=is_owner(identify_visitor(request), roster))
    if shown.paper is PaperState.UNKNOWN:
        raise Http404
    copied = copy_roster(shown.roster, make_owner(request))
    if isinstance(copied, Refused):
        messages.error(request, wording.explain_refusal(copied))
        return redirect_after_post("roster:link", link_id)
    messages.success(request, _("This is your own copy. The original stays as it is."))
    return redirect_after_post("roster:builder", copied.public_id)


@allow("GET", "POST")
def delete_list(request: HttpRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render(request, "roster/delete.html", {"roster": roster, "days": settings.ARMYBUILDER["BIN_DAYS"]})
    move_to_bin(select_lists(identify_visitor(request), [public_id]))
    message = _("“%(name)s” is in the bin.") % {"name": roster.name}
    messages.success(request, wording.append_link(message, reverse("roster:bin"), _("See the bin")))
    return redirect_after_post("roster:rosters")
