"""The reader's theme, density and language, and the colours of games."""

from collections.abc import Iterable
from itertools import chain

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt

from catalogue.definitions.identity import list_seat_colours
from catalogue.models import Faction, GameSystem
from catalogue.models.base import Identified
from catalogue.views.decorators import allow
from catalogue.views.responses import redirect_after_post
from roster.services.accounts import set_language
from roster.templatetags.theme import CHOICES
from roster.views.forms import TypedField, TypedForm, make_choices

YEAR = 365 * 24 * 60 * 60
COLOURS_KEPT = 300


class LookForm(TypedForm):
    """Ignores invalid choices; `back` is the address to return to."""

    theme = forms.ChoiceField(choices=make_choices(*CHOICES["theme"]), required=False)
    density = forms.ChoiceField(choices=make_choices(*CHOICES["density"]), required=False)
    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    back = TypedField()


@csrf_exempt
@allow("POST")
def choose_appearance(request: HttpRequest) -> HttpResponse:
    """Store the choice in cookies, and the language in the account.

    The request's origin is checked instead of a CSRF token, which would set a cookie for every reader.
    """
    # Old browsers send no such headers and are accepted.
    sites = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin", "")
    if sites not in ("same-origin", "none") or (origin and origin.partition("://")[2] != request.get_host()):
        raise PermissionDenied
    fields = LookForm(request.POST).read_fields()
    back = fields["back"]
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, {request.get_host()}):
        back = "/"
    response = redirect_after_post(back)
    for what in CHOICES:
        if chosen := fields.get(what):
            keep_choice(response, what, chosen)
    if language := fields.get("language"):
        keep_choice(response, settings.LANGUAGE_COOKIE_NAME, language)
        if request.user.is_authenticated:
            set_language(request.user, language)
    return response


def keep_choice(response: HttpResponseBase, what: str, chosen: str) -> None:
    response.set_cookie(what, chosen, max_age=YEAR, samesite="Lax")


@allow("GET")
def serve_colours(request: HttpRequest) -> HttpResponse:
    """Serve colours as a style sheet: the security policy forbids inline styles."""
    columns = ("name", "accent", "accent_dark")
    rows: Iterable[Identified] = chain(GameSystem.objects.only(*columns), Faction.objects.only(*columns))
    rules: list[str] = []
    for dark, light in sorted({row.accents for row in rows}.union(list_seat_colours())):
        name, colours = f".hue-{dark[1:]}-{light[1:]}", f"{{ --f1: {dark}; --f2: {light}; }}"
        # A separate rule, because old browsers lack `:has`.
        rules.append(f"{name} {colours}\n.hue-chosen:has({name} > :checked) {colours}\n")
    answer = HttpResponse("".join(rules), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={COLOURS_KEPT}"
    return answer
