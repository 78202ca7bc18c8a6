from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.models import Job
from catalogue.services.own_games import count_lists, delete_own_game, list_own_games, measure_own_space
from catalogue.services.own_import import start_own_import
from catalogue.services.published_games import select_own_games
from catalogue.views.decorators import allow
from catalogue.views.importing import UploadForm, answer_started_job
from catalogue.views.responses import REFUSED, HtmxRequest, redirect_after_post


class DeleteForm(forms.Form):
    """`lists` means that the user agrees to delete the lists that use the game."""

    lists = forms.BooleanField(required=False)


@allow("GET", "POST")
@csrf_exempt  # checked below for accounts only, before files are read
def show_own_games(request: HtmxRequest) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    return _import_own(request, request.user) if request.method == "POST" else _render_page(request, UploadForm())


@csrf_protect
def _import_own(request: HtmxRequest, user: User) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _render_page(request, form)
    sent = form.cleaned_data["file"]
    job = start_own_import(user, sent.name or "data", sent.read())
    if isinstance(job, str):
        form.add_error("file", job)
        return _render_page(request, form)
    if job.result.get("wrong"):
        form.add_error("file", job.result["wrong"])
        return _render_page(request, form, job)
    return answer_started_job(request, job)


def _render_page(request: HttpRequest, form: UploadForm, job: Job | None = None) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 - guests are sent to sign in
    most = settings.ARMYBUILDER["OWN_GAME_BYTES"]
    context = {
        "page": "games",
        "form": form,
        "job": job,
        "games": list_own_games(request.user.pk),
        "space": measure_own_space(request.user.pk),
        "most_space": most,
    }
    return render(request, "catalogue/own_games.html", context, status=REFUSED if form.errors else 200)


@allow("GET", "POST")
def delete_game(request: HttpRequest, game: str) -> HttpResponse:
    row = get_object_or_404(select_own_games(request.user.pk), slug=game)
    lists = count_lists(row)
    form = DeleteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if not lists or form.cleaned_data["lists"]:
            delete_own_game(row)
            messages.success(request, _("%(game)s was deleted.") % {"game": row})
            return redirect_after_post("catalogue:own-games")
        form.add_error("lists", _("Your lists need this game. Agree to delete them, too, or keep the game."))
    context = {"page": "games", "game": row, "lists": lists, "form": form}
    return render(request, "catalogue/own_delete.html", context, status=REFUSED if form.errors else 200)
