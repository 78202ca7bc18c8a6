"""How pages look: the reader's choice, in a cookie so that the first paint is right, and the games' colours."""

from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from catalogue.models import GameSystem
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
def serve_game_colours(request: HttpRequest) -> HttpResponse:
    """Serve the accent colours of the games as a stylesheet: the security policy allows no colour in a page."""
    games = GameSystem.objects.only("slug", "accent", "accent_dark")
    rules = [_write_colour_rule(game) for game in games]
    answer = HttpResponse("".join(rules), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={COLOURS_KEPT}"
    return answer


def _write_colour_rule(game: GameSystem) -> str:
    light, dark = game.accents
    ink = f"light-dark({_choose_ink(light)}, {_choose_ink(dark)})"
    return f".game-{game.slug} {{ --accent: light-dark({light}, {dark}); --accent-ink: {ink}; }}\n"


def _choose_ink(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#fff" if luminance < 0.18 else "#141712"
