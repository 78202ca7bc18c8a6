"""Pages for those who run the server. To everybody else who is signed in they are not there."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from catalogue.views.methods import View

P = ParamSpec("P")


def for_staff(right: str) -> Callable[[View[P]], View[P]]:
    """A view for staff who have a right; whoever is not signed in is asked to."""

    def guarded(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.path)
            if not (request.user.is_staff and request.user.has_perm(right)):
                raise Http404
            return view(request, *args, **kwargs)

        return answer

    return guarded
