"""Appearance and language of the pages, chosen by the reader and stored in cookies; the colours of data."""

from collections.abc import Iterable
from itertools import chain

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt

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
    """Theme, density and language, and the page that they are chosen on. What there is no choice of is left out."""

    theme = forms.ChoiceField(choices=make_choices(*CHOICES["theme"]), required=False)
    density = forms.ChoiceField(choices=make_choices(*CHOICES["density"]), required=False)
    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    back = TypedField()


@csrf_exempt
@allow("POST")
def choose_appearance(request: HttpRequest) -> HttpResponse:
    """Keep what the reader chose of theme, density and language in the browser; the language in the account, too.

    The form is on every page. It carries no token, which would set a cookie for everybody who only reads: browsers
    say themselves which site a form is sent from.
    """
    # As far as browsers say: the oldest say nothing, and then the form may be of this site.
    sites = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin", "")
    if sites not in ("same-origin", "none") or (origin and origin.partition("://")[2] != request.get_host()):
        raise PermissionDenied
    fields = LookForm(request.POST).read_fields()
    # Back to the page that the form was sent from, unless that is on another host.
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
    """Have the browser keep a choice, so that the first paint of every page is right."""
    response.set_cookie(what, chosen, max_age=YEAR, samesite="Lax")


@allow("GET")
def serve_colours(request: HttpRequest) -> HttpResponse:
    """Serve the colours of games and factions as a stylesheet: the security policy allows no colour in a page."""
    columns = ("name", "accent", "accent_dark")
    rows: Iterable[Identified] = chain(GameSystem.objects.only(*columns), Faction.objects.only(*columns))
    rules: list[str] = []
    for dark, light in sorted({row.accents for row in rows}):
        name, colours = f".hue-{dark[1:]}-{light[1:]}", f"{{ --f1: {dark}; --f2: {light}; }}"
        # A form takes on the colours of the faction that is chosen in it. A rule of its own: old browsers lack `:has`.
        rules.append(f"{name} {colours}\n.hue-chosen:has({name} > :checked) {colours}\n")
    answer = HttpResponse("".join(rules), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = f"public, max-age={COLOURS_KEPT}"
    return answer
