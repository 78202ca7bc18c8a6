import secrets
from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.models import GalleryGame, GalleryRead, Source
from catalogue.services.gallery import (
    READ_JOB,
    GalleryRow,
    ask_for,
    is_keeper,
    keep_up_to_date,
    list_gallery,
    may_install,
    measure_space,
    read_due_galleries,
    start_install,
    take_ask_back,
)
from catalogue.services.jobs import start_job
from catalogue.services.published_games import select_games
from catalogue.services.texts import fold_text
from catalogue.views.decorators import allow
from catalogue.views.importing import answer_started_job
from catalogue.views.responses import HtmxRequest, read_query, redirect_after_post, render_page

ASKER_KEY = "gallery-asker"
MOST_ASKED = 5

SHOWN: dict[str, Callable[[GalleryRow], bool]] = {
    "all": lambda line: True,
    "here": lambda line: line.game is not None or line.job is not None,
    "updates": lambda line: line.is_behind,
    "asked": lambda line: line.asks > 0,
}


class Choice(NamedTuple):
    key: str
    label: str
    games: int


@allow("GET")
def show_gallery(request: HtmxRequest) -> HttpResponse:
    read_due_galleries(reverse("catalogue:gallery"))
    lines = list_gallery(_identify_asker(request))
    text = read_query(request, "q")
    filter_key = request.GET.get("show", "")
    filter_key = filter_key if filter_key in SHOWN else "all"
    words = fold_text(text).split()
    matches = [line for line in lines if SHOWN[filter_key](line) and _matches(line.row, words)]
    if request.GET.get("sort") == "changed":
        matches.sort(key=lambda line: line.row.changed.timestamp() if line.row.changed else 0, reverse=True)
    keeper = is_keeper(request.user)
    offered = ("all", "here", "updates") if keeper else ("all", "here", "asked")
    labels = {"all": _("All"), "here": _("Here"), "updates": _("Updates"), "asked": _("Asked for")}
    others = [line for line in matches if not (line.game or line.job)]
    context = {
        "page": "games",
        "text": text,
        "shown": filter_key,
        "sort": request.GET.get("sort", ""),
        "choices": [Choice(key, labels[key], sum(map(SHOWN[key], lines))) for key in offered],
        "here": [line for line in matches if line.game or line.job],
        "others": others,
        "letters": _index_letters(others) if request.GET.get("sort") != "changed" else [],
        "is_working": any(line.job for line in lines),
        "shipped": [] if words or filter_key != "all" else select_games().exclude(current__source="battlescribe"),
        "asked": sorted((line for line in lines if line.asks), key=lambda line: -line.asks)[:MOST_ASKED],
        "is_keeper": keeper,
        "may_install": may_install(request.user),
        "who": settings.ARMYBUILDER["INSTALLING"],
        "space": measure_space() if keeper else 0,
        "most_space": settings.ARMYBUILDER["GALLERY_BYTES"],
        "readings": GalleryRead.objects.filter(index__in=settings.ARMYBUILDER["GALLERIES"]),
    }
    return render_page(request, "catalogue/gallery.html", context, "results")


def _index_letters(lines: list[GalleryRow]) -> list[tuple[str, int]]:
    first: dict[str, int] = {}
    for line in lines:
        letter = fold_text(line.row.title)[:1].upper()
        first.setdefault(letter if letter.isalpha() else "#", line.row.pk)
    return list(first.items())


def _matches(row: GalleryGame, words: list[str]) -> bool:
    # The repository's address names its publisher, as in One Page Rules.
    searched = fold_text(f"{row.title} {row.name} {row.repository}")
    return all(word in searched for word in words)


def _identify_asker(request: HttpRequest, *, create: bool = False) -> str:
    """Return a name for the visitor, "" for a guest who has asked for nothing."""
    if request.user.is_authenticated:
        return f"account {request.user.pk}"
    if create and ASKER_KEY not in request.session:
        request.session[ASKER_KEY] = secrets.token_urlsafe(32)
    asker = request.session.get(ASKER_KEY, "")
    return asker if isinstance(asker, str) else ""


@allow("POST")
def install_game(request: HtmxRequest, key: int) -> HttpResponse:
    row = get_object_or_404(GalleryGame, pk=key)
    if not may_install(request.user):
        raise Http404
    job = start_install(request.user, row)
    if isinstance(job, str):
        messages.warning(request, job)
        return redirect_after_post("catalogue:gallery", anchor=f"game-{key}")
    return answer_started_job(request, job)


@allow("POST")
def keep_game(request: HtmxRequest, key: int) -> HttpResponse:
    """Make a repository a source, for staff."""
    row = get_object_or_404(GalleryGame, pk=key)
    if not is_keeper(request.user):
        raise Http404
    source = keep_up_to_date(row)
    if isinstance(source, Source):
        messages.success(request, _("%(game)s is kept up to date from now on.") % {"game": row.title})
    else:
        messages.error(request, source)
    return redirect_after_post("catalogue:gallery", anchor=f"game-{key}")


@allow("POST")
def ask_for_game(request: HtmxRequest, key: int) -> HttpResponse:
    """Ask for a game, or cancel with `undo`."""
    row = get_object_or_404(GalleryGame, pk=key)
    asker = _identify_asker(request, create=True)
    if "undo" in request.POST:
        take_ask_back(row, asker)
    else:
        ask_for(row, asker)
        messages.success(
            request, _("You asked for %(game)s. The people who run this site can see it.") % {"game": row.title}
        )
    return redirect_after_post("catalogue:gallery", anchor=f"game-{key}")


@allow("POST")
def read_indexes(request: HtmxRequest) -> HttpResponse:
    if not is_keeper(request.user):
        raise Http404
    user = request.user if isinstance(request.user, User) else None
    arguments = {"address": reverse("catalogue:gallery")}
    return answer_started_job(request, start_job(user, READ_JOB, _("Gallery"), arguments))
