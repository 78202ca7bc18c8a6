"""Allowed methods, CSRF by origin, and headers of unlisted pages."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from catalogue.views.responses import HtmxRequest

P = ParamSpec("P")
Response = TypeVar("Response", bound=HttpResponseBase)
ROBOTS = "X-Robots-Tag"
INDEXABLE = "all"


class View(Protocol[P]):
    def __call__(self, request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase: ...


def allow(*methods: str) -> Callable[[View[P]], View[P]]:
    """Allow these methods, with HEAD for GET. Others get a 405 page."""
    allowed = (*methods, "HEAD") if "GET" in methods else methods

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def check_method(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in allowed:
                return view(request, *args, **kwargs)
            read_only = _("This page only supports viewing.")
            detail = read_only if methods == ("GET",) else _("This request method is not allowed here.")
            refused = render(request, "405.html", {"detail": detail}, status=405)
            refused["Allow"] = ", ".join(allowed)
            return refused

        return check_method

    return decorate


def trust_own_pages(view: View[P]) -> View[P]:
    """Accept a form without a CSRF token if the browser confirms that this site sent it.

    For pages cached for all readers, whose token would belong to one of them.
    """
    protected = csrf_protect(view)

    @csrf_exempt  # checked here, by origin or token
    @wraps(view)
    def check_sender(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        here = f"{request.scheme}://{request.get_host()}"
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
        # Pages cannot forge these headers. Old browsers, and all browsers without TLS, send only the second.
        is_from_here = site == "same-origin" or (site is None and origin == here)
        checked = view if is_from_here else protected
        return checked(request, *args, **kwargs)

    return check_sender


def hide_linked_page(referrer: str = "same-origin") -> Callable[[View[P]], View[P]]:
    """Keep a page out of search engines unless its view allows them, and its address from other sites."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def add_headers(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            return add_link_headers(view(request, *args, **kwargs), referrer)

        return add_headers

    return decorate


def add_link_headers(response: Response, referrer: str) -> Response:
    if response.headers.get(ROBOTS) == INDEXABLE:
        del response[ROBOTS]
    else:
        response[ROBOTS] = "noindex, nofollow"
    response.headers.setdefault("Referrer-Policy", referrer)
    return response


def let_search_engines_in(response: HttpResponse) -> HttpResponse:
    response[ROBOTS] = INDEXABLE
    return response
