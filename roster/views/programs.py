"""Programs that sign people in here: the consent page, OAuth2 endpoints, and management."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from urllib.parse import urlsplit

from allauth.account.decorators import reauthentication_required
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.models import Application
from oauth2_provider.oauth2_backends import get_oauthlib_core
from oauth2_provider.settings import oauth2_settings
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import (
    FatalClientError,
    InvalidClientIdError,
    InvalidRequestError,
    MismatchingRedirectURIError,
    MissingRedirectURIError,
    OAuth2Error,
)

from catalogue.views.decorators import allow
from catalogue.views.responses import REFUSED, redirect_after_post
from roster import wording
from roster.models.tokens import TOKEN_NAME_LENGTH, TokenScope
from roster.services.accounts import get_player_name
from roster.services.outcomes import Refused
from roster.services.programs import (
    MOST_ADDRESSES,
    UNUSED_DAYS,
    delete_program,
    list_programs,
    register_program,
    withdraw_program,
)
from roster.views.requests import parse_whole_number

MAY = {
    TokenScope.READ: gettext_lazy(
        "read your lists, plans, house rules, games and mission decks, including private ones"
    ),
    TokenScope.WRITE: gettext_lazy(
        "make, change and delete your lists, house rules and mission decks, and tap in your games"
    ),
    TokenScope.EVENTS: gettext_lazy(
        "do what you can do in events, as a player or a helper, and enter results in your clubs"
    ),
    TokenScope.DATA: gettext_lazy("install and update games, if you are allowed to"),
}
"""What a program may do with each scope, for the person who is asked."""
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
"""A SHA-256 as PKCE writes it."""


def require_oauth(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer with 404 if the administrator switched programs off."""

    @wraps(view)
    def check_setting(request: HttpRequest) -> HttpResponseBase:
        if not settings.ARMYBUILDER["OAUTH"]:
            raise Http404
        return view(request)

    return check_setting


@require_oauth
@allow("GET", "POST")
@login_required
def ask_for_access(request: HttpRequest) -> HttpResponseBase:
    """Ask a user whether a program may act for them, and redirect back.

    The form is sent to the same address, so that it cannot change the request.
    """
    core = get_oauthlib_core()
    try:
        scopes, credentials = core.validate_authorization_request(request)
        is_hashed = credentials.get("code_challenge_method") == "S256"
        if not is_hashed or not _CHALLENGE.fullmatch(credentials["code_challenge"]):
            problem = InvalidRequestError("Send a code_challenge with the method S256.", request=credentials["request"])
            raise OAuthToolkitError(problem)
        if request.method == "POST":
            # Of OpenID Connect and RFC 8707, which the library would store without checks.
            credentials |= {"nonce": "", "claims": {}, "resource": []}
            is_allowed = request.POST.get("answer") == "allow"
            address, *_rest = core.create_authorization_response(request, scopes, credentials, is_allowed)
            return _lead_back(address)
    except OAuthToolkitError as error:
        return _answer_fault(request, error.oauthlib_error)
    except ValueError:
        return render(request, "400.html", {"detail": _("We couldn’t read this request.")}, status=400)

    to = urlsplit(credentials["redirect_uri"])
    user = cast("User", request.user)
    context = {
        "program": Application.objects.get(client_id=credentials["client_id"]),
        "host": to.netloc,
        "address": f"{to.scheme}://{to.netloc}{to.path}",
        "may": [MAY[TokenScope(scope)] for scope in TokenScope.values if scope in scopes],
        "player_name": get_player_name(user),
        "days": UNUSED_DAYS,
    }
    page = render(request, "roster/account/authorize.html", context)
    # Browsers also check where the answer to a form leads.
    return csp_update({"form-action": [f"{to.scheme}://{to.netloc}"]})(lambda _request: page)(request)


def _answer_fault(request: HttpRequest, fault: OAuth2Error) -> HttpResponse:
    """Tell the program its fault, or the person if the program is unknown."""
    if not isinstance(fault, FatalClientError):
        issuer = oauth2_settings.oauth2_authorization_server_issuer(request)
        return _lead_back(add_params_to_uri(fault.redirect_uri, [*fault.twotuples, ("iss", issuer)]))
    detail = _("We couldn’t read the request of the program that sent you here. Tell its developers.")
    if isinstance(fault, InvalidClientIdError):
        detail = _("The program that sent you here is not registered on this site. Tell its developers.")
    elif isinstance(fault, MismatchingRedirectURIError | MissingRedirectURIError):
        detail = _("The program wants to send you to an address that it did not register here. Tell its developers.")
    return render(request, "400.html", {"detail": detail}, status=400)


def _lead_back(address: str) -> HttpResponse:
    # The library compared it with the addresses of the program.
    return HttpResponse(status=303, headers={"Location": iri_to_uri(address)})


@csrf_exempt  # programs send this, without cookies
@require_oauth
@allow("POST")
def exchange_code(request: HttpRequest) -> HttpResponse:
    """Give a program tokens for its code or refresh token."""
    return _answer_program(request, get_oauthlib_core().create_token_response)


@csrf_exempt  # programs send this, without cookies
@require_oauth
@allow("POST")
def revoke_token(request: HttpRequest) -> HttpResponse:
    """End a program's access, given its access or refresh token."""
    return _answer_program(request, get_oauthlib_core().create_revocation_response)


def _answer_program(request: HttpRequest, respond: Callable[[HttpRequest], tuple[Any, ...]]) -> HttpResponse:
    # The library looks codes up in the database, and PostgreSQL rejects NUL.
    is_readable = not any("\0" in text for name, texts in request.POST.lists() for text in (name, *texts))
    if request.META.get("QUERY_STRING") or not is_readable:
        fault = InvalidRequestError("Send the parameters as a form in the body.")
        return HttpResponse(fault.json, status=400, content_type="application/json")
    _address, headers, body, status = respond(request)
    return HttpResponse(body or "", status=status, headers=headers)


@require_oauth
@allow("GET", "POST")
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def show_programs(request: HttpRequest) -> HttpResponse:
    """Show a user's programs. A POST registers one; only its answer shows the secret."""
    user = cast("User", request.user)
    name, addresses, kind = "", "", "server"
    created, secret, wrong = None, "", ""
    if request.method == "POST":
        name, addresses = request.POST.get("name", ""), request.POST.get("addresses", "")
        kind = "device" if request.POST.get("kind") == "device" else "server"
        outcome = register_program(user, name, addresses, is_public=kind == "device")
        if isinstance(outcome, Refused):
            wrong = wording.explain_refusal(outcome)
        else:
            created, secret = outcome
            name, addresses, kind = "", "", "server"
    kinds = (("server", _("runs on a server")), ("device", _("runs in browsers or on devices")))
    context = {
        "programs": list_programs(user),
        "created": created,
        "secret": secret,
        "wrong": wrong,
        "name": name,
        "addresses": addresses,
        "longest": TOKEN_NAME_LENGTH,
        "most": MOST_ADDRESSES,
        "kinds": [{"value": value, "text": text, "is_chosen": value == kind} for value, text in kinds],
    }
    return render(request, "roster/account/programs.html", context, status=REFUSED if wrong else 200)


@require_oauth
@allow("POST")
@login_required
def remove_program(request: HttpRequest) -> HttpResponse:
    program_id = parse_whole_number(request.POST.get("program", ""))
    program = delete_program(cast("User", request.user), program_id) if program_id is not None else None
    if program is None:
        messages.error(request, _("You have no such program."))
    else:
        text = _("“%(name)s” was deleted. Everyone who allowed it is signed out of it here.")
        messages.success(request, text % {"name": program.name})
    return redirect_after_post("roster:account-programs")


@require_oauth
@allow("POST")
@login_required
def withdraw_access(request: HttpRequest) -> HttpResponse:
    program_id = parse_whole_number(request.POST.get("program", ""))
    program = withdraw_program(cast("User", request.user), program_id) if program_id is not None else None
    if program is None:
        messages.error(request, _("You have not allowed any such program."))
    else:
        text = _("“%(name)s” can no longer do anything for you.")
        messages.success(request, text % {"name": program.name})
    return redirect_after_post("roster:account-tokens")
