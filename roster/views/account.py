"""One's account: what there is to change, all one's data in a file, and the way out."""

import tempfile
from typing import cast

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalogue.views.methods import allow
from roster import wording
from roster.services.own_data import delete_account, held_by, write_own_data
from roster.services.owners import visitor_of
from roster.services.rosters import rosters_of

IN_MEMORY = 4 * 1024 * 1024
"""Bytes of a file that are held in memory; more goes to a temporary file on the disk."""


@allow("GET")
@login_required
def account(request: HttpRequest) -> HttpResponse:
    context = {"sites": settings.SOCIALACCOUNT_PROVIDERS, "lists": rosters_of(visitor_of(request)).count()}
    return render(request, "roster/account/account.html", context)


@allow("GET")
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def export(request: HttpRequest) -> FileResponse:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the answer closes it once it is sent
    write_own_data(cast("User", request.user), cast("tempfile._TemporaryFileWrapper[bytes]", file))
    file.seek(0)
    answer = FileResponse(
        file, as_attachment=True, filename="armybuilder.zip", content_type="application/zip"
    )
    answer["Cache-Control"] = "private, no-store"
    return answer


@allow("GET", "POST")
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth says nothing of its types
def delete(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        held = wording.things(held_by(cast("User", request.user)))
        return render(request, "roster/account/delete.html", {"held": held})
    user = cast("User", request.user)
    logout(request)
    delete_account(user)
    messages.success(request, _("Your account and all that was in it is deleted."))
    return redirect("roster:front")
