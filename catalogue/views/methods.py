"""Which methods an address answers to."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Protocol

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

P = ParamSpec("P")


class View(Protocol[P]):
    """A view as Django calls it."""

    def __call__(self, request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase: ...


def allow(*methods: str) -> Callable[[View[P]], View[P]]:
    """Make a view for these methods only; any other gets 405 and a page that says so. GET brings HEAD along."""
    allowed = (*methods, "HEAD") if "GET" in methods else methods

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in allowed:
                return view(request, *args, **kwargs)
            looked_at = _("This page can be looked at, nothing else.")
            detail = looked_at if methods == ("GET",) else _("This address is not asked that way.")
            refused = render(request, "405.html", {"detail": detail}, status=405)
            refused["Allow"] = ", ".join(allowed)
            return refused

        return answer

    return decorate
