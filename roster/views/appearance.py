"""How pages look: the reader's choice, in a cookie so that the first paint is right, and the colours of data."""

from collections.abc import Iterable
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from catalogue.models import Faction, GameSystem
from catalogue.models.base import Identified
from catalogue.views.decorators import allow
from catalogue.views.responses import redirect_after_post
from roster.templatetags.theme import CHOICES

YEAR = 365 * 24 * 60 * 60
COLOURS_KEPT = 300


@allow("POST")
def choose_appearance(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("back", "/")
    if not (back.startswith("/") and url_has_allowed_host_and_scheme(back, {request.get_host()})):
        back = "/"
    response = redirect_after_post(back)
    for what, choices in CHOICES.items():
        if (chosen := request.POST.get(what)) in choices:
            response.set_cookie(what, chosen, max_age=YEAR, samesite="Lax")
    return response


@allow("GET")
def serve_colours(request: HttpRequest) -> HttpResponse:
    """Serve the colours of games and factions as a stylesheet: the security policy allows no colour in a page."""
    columns = ("name", "accent", "accent_dark")
    rows: Iterable[Identified] = chain(GameSystem.objects.only(*columns), Faction.objects.only(*columns))
    pairs = sorted({row.accents for row in rows})
    answer = HttpResponse("".join(map(_write_rule, pairs)), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={COLOURS_KEPT}"
    return answer


def _write_rule(pair: tuple[str, str]) -> str:
    dark, light = pair
    return f".hue-{dark[1:]}-{light[1:]} {{ --f1: {dark}; --f2: {light}; }}\n"
