"""How pages look: the reader's choice, in a cookie so that the first paint is right, and the games' colours."""

import re

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from catalogue.models import GameSystem
from roster.templatetags.look import CHOICES
from roster.views.methods import allow

YEAR = 365 * 24 * 60 * 60
COLOURS_KEPT = 300

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_SLUG = re.compile(r"[A-Za-z0-9_-]+")


@allow("POST")
def choose_look(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("back", "/")
    if not (back.startswith("/") and url_has_allowed_host_and_scheme(back, {request.get_host()})):
        back = "/"
    response = HttpResponseRedirect(back)
    response.status_code = 303
    for what, choices in CHOICES.items():
        if (chosen := request.POST.get(what)) in choices:
            response.set_cookie(what, chosen, max_age=YEAR, samesite="Lax")
    return response


@allow("GET")
def game_colours(request: HttpRequest) -> HttpResponse:
    """The accent colours that games bring along, as a stylesheet: the security policy allows no colour in a page."""
    games = GameSystem.objects.exclude(accent="").values_list("slug", "accent", "accent_dark")
    rules = [_rule(slug, light, dark or light) for slug, light, dark in games]
    answer = HttpResponse("\n".join(filter(None, rules)) + "\n", content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={COLOURS_KEPT}"
    return answer


def _rule(slug: str, light: str, dark: str) -> str:
    if not (_SLUG.fullmatch(slug) and _HEX.fullmatch(light) and _HEX.fullmatch(dark)):
        return ""
    ink = f"light-dark({_ink_on(light)}, {_ink_on(dark)})"
    return f".game-{slug} {{ --accent: light-dark({light}, {dark}); --accent-ink: {ink}; }}"


def _ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#fff" if luminance < 0.18 else "#141712"
