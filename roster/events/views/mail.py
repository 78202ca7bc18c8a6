"""Who wants mail about events: on a page that letters lead to, without signing in."""

from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.events import wording
from roster.events.services.mail import find_signed_recipient, get_mail_choice, set_mail_choice
from roster.events.views.access import ask_to_sign_in, get_person
from roster.services.outcomes import Refused


@allow("GET", "POST")
@hide_linked_page()
def choose_mail(request: HttpRequest) -> HttpResponseBase:
    """Let somebody choose whether they get mail about events; `who` stands in the links of letters."""
    signed = request.GET.get("who", "")
    if not signed and (asked := ask_to_sign_in(request)):
        return asked
    person = _find_person(request, signed)
    choice = get_mail_choice(person)
    wrong = ""
    if request.method == "POST":
        outcome = set_mail_choice(
            person, is_wanted=bool(request.POST.get("wanted")), zone=request.POST.get("zone", "").strip()
        )
        if not isinstance(outcome, Refused):
            messages.success(request, _("Saved."))
            return redirect_after_post("events:mail", query=f"who={signed}" if signed else "")
        wrong = wording.explain_refusal(outcome)
    context = {
        "page": "events",
        "choice": choice,
        "email": person.email,
        "zone": request.POST.get("zone", choice.zone),
        "zones": sorted(available_timezones()),
        "wrong": wrong,
    }
    return render(request, "events/mail.html", context, status=REFUSED if wrong else 200)


def _find_person(request: HttpRequest, signed: str) -> User:
    person = find_signed_recipient(signed) if signed else get_person(request)
    if person is None:
        raise Http404
    return person
