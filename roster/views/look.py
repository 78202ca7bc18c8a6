"""The reader's choice of colours and row height, kept in a cookie so that the first paint is already right."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from roster.templatetags.look import CHOICES

YEAR = 365 * 24 * 60 * 60


@require_POST
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
