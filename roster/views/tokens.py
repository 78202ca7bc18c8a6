from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, redirect_after_post
from roster import wording
from roster.models.tokens import TOKEN_NAME_LENGTH, TokenScope
from roster.services.outcomes import Refused
from roster.services.programs import list_allowed_programs
from roster.services.tokens import LIFETIMES, PREFIX, create_token, list_tokens, revoke_token
from roster.views.requests import parse_whole_number
from roster.views.webhooks import list_webhook_rows

USUAL_DAYS = 90
SHOWN_DELIVERIES = 3
"""How many messages of each webhook this page shows; their own page shows more."""


@allow("GET", "POST")
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def show_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens. A POST creates one; only its answer shows the secret."""
    user = cast("User", request.user)
    name, chosen, days = "", [TokenScope.READ.value], USUAL_DAYS
    created, secret, wrong = None, "", ""
    if request.method == "POST":
        name, chosen = request.POST.get("name", ""), request.POST.getlist("scope")
        days = parse_whole_number(request.POST.get("days", "")) or 0
        outcome = create_token(user, name, chosen, days)
        if isinstance(outcome, Refused):
            wrong = wording.explain_refusal(outcome)
        else:
            created, secret = outcome
            name, chosen, days = "", [TokenScope.READ.value], USUAL_DAYS
    # Those that still work come first.
    tokens = sorted(list_tokens(user), key=lambda token: not token.is_live)
    has_programs = settings.ARMYBUILDER["OAUTH"]
    context: dict[str, Any] = {
        "tokens": tokens,
        "has_programs": has_programs,
        "allowed": list_allowed_programs(user) if has_programs else [],
        "webhooks": list_webhook_rows(user, SHOWN_DELIVERIES),
        "live": sum(token.is_live for token in tokens),
        "created": created,
        "secret": secret,
        "wrong": wrong,
        "name": name,
        "longest": TOKEN_NAME_LENGTH,
        "scopes": [
            {"value": scope.value, "text": scope.label, "is_chosen": scope.value in chosen} for scope in TokenScope
        ],
        "lifetimes": [
            {"days": number, "text": _describe_lifetime(number), "is_chosen": number == days} for number in LIFETIMES
        ],
        "first_request": f'curl -H "Authorization: Bearer {PREFIX}…" {request.build_absolute_uri("/api/v1/rosters/")}',
    }
    return render(request, "roster/account/tokens.html", context, status=REFUSED if wrong else 200)


def _describe_lifetime(days: int) -> str:
    return _("1 year") if days == 365 else ngettext("%(count)d day", "%(count)d days", days) % {"count": days}


@allow("POST")
@login_required
def revoke(request: HttpRequest) -> HttpResponse:
    token_id = parse_whole_number(request.POST.get("token", ""))
    token = revoke_token(cast("User", request.user), token_id) if token_id is not None else None
    if token is None:
        messages.error(request, _("You have no such token."))
    else:
        messages.success(
            request, _("“%(name)s” was revoked. Programs that use it are now refused.") % {"name": token.name}
        )
    return redirect_after_post("roster:account-tokens")
