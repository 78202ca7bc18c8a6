"""Pages for those who run the server. To everybody else who is signed in they are not there."""

from functools import wraps
from typing import ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from catalogue.views.methods import View

P = ParamSpec("P")


def for_staff(view: View[P]) -> View[P]:
    """A view for staff; whoever is not signed in is asked to."""

    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        if not request.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return answer
