"""Let recipients choose or refuse mail about events. Mails link to this page, which works without signing in."""

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import redirect_after_post, render_form
from roster.events import wording
from roster.events.services.mail import (
    Recipient,
    filter_refused,
    find_signed_recipient,
    get_mail_choice,
    set_address_choice,
    set_mail_choice,
)
from roster.events.services.zones import list_zones
from roster.events.views.access import ask_to_sign_in, get_person
from roster.events.views.forms import MailForm
from roster.services.outcomes import Refused


@allow("GET", "POST")
@hide_linked_page()
def choose_mail(request: HttpRequest) -> HttpResponseBase:
    """Store whether the recipient wants mail. `who` is a mail's signed recipient."""
    signed = request.GET.get("who", "")
    if not signed and (sign_in := ask_to_sign_in(request)):
        return sign_in
    if signed:
        recipient = find_signed_recipient(signed)
        if recipient is None:
            raise Http404
    else:
        person = get_person(request)
        recipient = Recipient(email=person.email, user=person)
    if request.method != "POST":
        return _render_choice(request, recipient, MailForm())

    form = MailForm(request.POST)
    fields = form.read_fields()
    if recipient.user is None:
        set_address_choice(recipient.email, is_wanted=fields["wanted"])
    else:
        outcome = set_mail_choice(recipient.user, is_wanted=fields["wanted"], zone=fields["zone"].strip())
        if isinstance(outcome, Refused):
            return _render_choice(request, recipient, form, wording.explain_refusal(outcome))
    messages.success(request, _("Saved."))
    return redirect_after_post("events:mail", query=f"who={signed}" if signed else "")


def _render_choice(request: HttpRequest, recipient: Recipient, form: MailForm, wrong: str = "") -> HttpResponseBase:
    # Without an account, the only choice is whether the address gets mail.
    choice = get_mail_choice(recipient.user) if recipient.user else None
    context = {
        "page": "events",
        "has_account": choice is not None,
        "is_wanted": choice.is_wanted if choice else not filter_refused([recipient.email]),
        "email": recipient.email,
        "zone": form.data.get("zone", choice.zone if choice else ""),
        "zones": list_zones(),
        "wrong": wrong,
    }
    return render_form(request, "events/mail.html", context)
