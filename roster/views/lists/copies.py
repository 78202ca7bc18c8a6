from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, trust_own_pages
from catalogue.views.responses import redirect_after_post
from roster import wording
from roster.services.organize import move_to_bin, select_lists
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner, make_owner
from roster.services.revisions import PaperState, find_shown_revision
from roster.services.rosters import copy_roster
from roster.views.forms import read_requested_revision
from roster.views.requests import find_own_roster, find_whole_roster


@trust_own_pages
@allow("POST")
def copy_list(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_whole_roster(request, link_id)
    revision, content_hash = read_requested_revision(request.POST)
    shown_list = find_shown_revision(roster, revision, content_hash, owned=is_owner(identify_visitor(request), roster))
    if shown_list.paper is PaperState.UNKNOWN:
        raise Http404
    copied = copy_roster(shown_list.roster, make_owner(request))
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
