import tempfile
from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.account.forms import ReauthenticateForm
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow
from catalogue.views.responses import render_form
from roster import wording
from roster.models.ownership import PLAYER_NAME_LENGTH
from roster.services.accounts import (
    count_held,
    delete_account,
    export_account_data,
    get_player_name,
    has_consented,
    set_consent,
    set_player_name,
)
from roster.services.limits import measure_room
from roster.services.list_dump import LICENCE
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.services.rosters import list_rosters
from roster.views.forms import PlayerNameForm

IN_MEMORY = 4 * 1024 * 1024
"""Larger exports go to disk."""


@allow("GET", "POST")
@login_required
def show_account(request: HttpRequest) -> HttpResponse:
    user, wrong = cast("User", request.user), ""
    form = PlayerNameForm(initial={"player_name": get_player_name(user)})
    if request.method == "POST":
        form = PlayerNameForm(request.POST)
        name = set_player_name(user, form.read_fields()["player_name"])
        if not isinstance(name, Refused):
            messages.success(request, _("Saved."))
            return redirect("roster:account")
        wrong = wording.explain_refusal(name)
    context = {
        "player_name": form["player_name"].value(),
        "wrong": wrong,
        "longest": PLAYER_NAME_LENGTH,
        "gives_lists": has_consented(user),
        "licence": LICENCE,
        "has_programs": settings.ARMYBUILDER["OAUTH"],
        "sites": settings.SOCIALACCOUNT_PROVIDERS,
        "lists": list_rosters(identify_visitor(request)).count(),
        "room": wording.format_room(measure_room(identify_visitor(request))),
    }
    return render_form(request, "roster/account/account.html", context)


@allow("GET")
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def export_account(request: HttpRequest) -> FileResponse:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it once it is sent
    try:
        export_account_data(cast("User", request.user), cast("tempfile._TemporaryFileWrapper[bytes]", file))
    except BaseException:
        # The storage of archived steps may not answer.
        file.close()
        raise
    file.seek(0)
    answer = FileResponse(file, as_attachment=True, filename="armybuilder.zip", content_type="application/zip")
    answer["Cache-Control"] = "private, no-store"
    return answer


@allow("POST")
@login_required
def choose_public_domain(request: HttpRequest) -> HttpResponse:
    """Include public lists in the daily dump, or exclude them."""
    agrees = request.POST.get("agrees") == "true"
    set_consent(cast("User", request.user), agrees=agrees)
    if agrees:
        messages.success(request, _("From tomorrow, your public lists will be in the file."))
    else:
        messages.success(request, _("From tomorrow, your public lists will no longer be in the file."))
    return redirect("roster:account")


@allow("POST")
@login_required
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """End all other sessions. Storing the same password again changes its hash, on which sessions depend."""
    user = cast("User", request.user)
    if user.has_usable_password():
        form = ReauthenticateForm(request.POST, user=user)
        if not form.is_valid():
            messages.error(request, _("That isn’t your password. Nothing was changed."))
            return redirect("roster:account")
        user.set_password(form.cleaned_data["password"])
    else:
        user.set_unusable_password()
    user.save(update_fields=["password"])
    update_session_auth_hash(request, user)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("roster:account")


@allow("GET", "POST")
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def delete_own_account(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        held = wording.format_counts(count_held(cast("User", request.user)))
        return render(request, "roster/account/delete.html", {"held": held})
    user = cast("User", request.user)
    logout(request)
    delete_account(user)
    messages.success(request, _("Your account and everything in it were deleted."))
    return redirect("roster:front")
