from typing import cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, redirect_after_post
from roster import wording
from roster.models.webhooks import ADDRESS_LENGTH, Topic
from roster.services.outcomes import Refused
from roster.services.webhooks import CHOSEN, MOST_FAILURES, compute_secret, create_webhook, list_webhooks, send_test

SHOWN_DELIVERIES = 10
_TOPICS = {
    Topic.SUBMITTED: gettext_lazy("a player submits a list to an event that you run"),
    Topic.DECIDED: gettext_lazy("such a list is accepted or returned"),
    Topic.PUBLISHED: gettext_lazy("the pairings of a round are shown"),
    Topic.DATA: gettext_lazy("a game has new data"),
}


@allow("GET", "POST")
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def show_webhooks(request: HttpRequest) -> HttpResponse:
    """Show the webhooks. A POST creates one; only its answer shows the secret."""
    user = cast("User", request.user)
    address, chosen, wrong, created = "", [], "", None
    if request.method == "POST":
        address, chosen = request.POST.get("address", "").strip(), request.POST.getlist("topic")
        outcome = create_webhook(user, address, chosen)
        if isinstance(outcome, Refused):
            wrong = wording.explain_refusal(outcome)
        else:
            created, address, chosen = outcome, "", []
    context = {
        "webhooks": [
            {
                "webhook": webhook,
                "is_paused": webhook.failures >= MOST_FAILURES,
                "deliveries": webhook.deliveries.all()[:SHOWN_DELIVERIES],
            }
            for webhook in list_webhooks(user)
        ],
        "created": created,
        "secret": compute_secret(created) if created else "",
        "wrong": wrong,
        "address": address,
        "longest": ADDRESS_LENGTH,
        "topics": [
            {"value": topic.value, "text": _TOPICS[topic], "is_chosen": topic.value in chosen} for topic in CHOSEN
        ],
    }
    return render(request, "roster/account/webhooks.html", context, status=REFUSED if wrong else 200)


@allow("POST")
@login_required
def change_webhook(request: HttpRequest) -> HttpResponse:
    """Send a test to the webhook `test`, or delete the webhook `delete`."""
    webhooks = list_webhooks(cast("User", request.user))
    tested = webhooks.filter(public_id=request.POST.get("test", "")).first()
    deleted = webhooks.filter(public_id=request.POST.get("delete", "")).first()
    if tested:
        delivery = send_test(tested)
        if delivery.delivered:
            messages.success(request, _("The test message arrived."))
        else:
            reason = wording.explain_trouble(delivery.trouble) or _("The server answered %(status)s.") % {
                "status": delivery.status
            }
            messages.error(request, _("The test message did not arrive. %(reason)s") % {"reason": reason})
    elif deleted:
        deleted.delete()
        messages.success(request, _("The webhook was deleted."))
    else:
        messages.error(request, _("You have no such webhook."))
    return redirect_after_post("roster:account-webhooks")
