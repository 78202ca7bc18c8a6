from datetime import timedelta
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, redirect_after_post
from roster import wording
from roster.models.webhooks import ADDRESS_LENGTH, Topic, WebhookDelivery
from roster.services.outcomes import Refused
from roster.services.webhooks import (
    CHOSEN,
    MOST_FAILURES,
    PAUSES,
    compute_secret,
    create_webhook,
    list_webhooks,
    send_test,
)

SHOWN_DELIVERIES = 10
TOPIC_NAMES = {
    Topic.SUBMITTED: gettext_lazy("list submitted"),
    Topic.DECIDED: gettext_lazy("list decided"),
    Topic.PUBLISHED: gettext_lazy("pairings shown"),
    Topic.DATA: gettext_lazy("new data"),
    Topic.LEAGUE: gettext_lazy("league news"),
    Topic.TEST: gettext_lazy("test"),
}
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
        "webhooks": list_webhook_rows(user, SHOWN_DELIVERIES),
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


def list_webhook_rows(user: User, shown: int) -> list[dict[str, Any]]:
    """List an account's webhooks for pages, with the newest deliveries of each."""
    newest = Prefetch("deliveries", WebhookDelivery.objects.defer("body")[:shown], to_attr="newest")
    return [
        {
            "webhook": webhook,
            "is_paused": webhook.failures >= MOST_FAILURES,
            "topics": [TOPIC_NAMES[Topic(topic)] for topic in webhook.topics],
            "deliveries": [_describe_delivery(delivery) for delivery in webhook.newest],
        }
        for webhook in list_webhooks(user).prefetch_related(newest)
    ]


def _describe_delivery(delivery: WebhookDelivery) -> dict[str, Any]:
    answer = wording.explain_trouble(delivery.trouble) or str(delivery.status or "")
    state = "delivered" if delivery.delivered else "waiting" if delivery.next_try else "failed"
    if not delivery.tries:
        answer = _("waiting")
    elif delivery.next_try:
        # A try that is due begins within a minute.
        now, tries = timezone.now(), delivery.tries + 1
        pause = timeuntil(max(delivery.next_try, now + timedelta(minutes=1)), now)
        answer = _("%(answer)s; next try in %(pause)s (%(number)s of %(most)s)") % {
            "answer": answer.rstrip("."),
            "pause": pause,
            "number": tries,
            "most": len(PAUSES) + 1,
        }
    elif state == "failed" and delivery.topic != Topic.TEST:
        answer = _("%(answer)s; given up") % {"answer": answer.rstrip(".")}
    return {"topic": TOPIC_NAMES[Topic(delivery.topic)], "state": state, "answer": answer, "created": delivery.created}


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
