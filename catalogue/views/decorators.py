"""What many views have in common: the methods they answer to, and the headers of pages at an unlisted address."""

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
    """A view as Django calls it."""

    def __call__(self, request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase: ...


def allow(*methods: str) -> Callable[[View[P]], View[P]]:
    """Let these methods through; any other is answered with 405 and a page that says so. GET brings HEAD along."""
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
    """Take a form without a token if the browser says that a page of this site sent it; ask for the token otherwise.

    For forms on pages that are kept for all readers: a token would be that of one of them.
    """
    protected = csrf_protect(view)

    @csrf_exempt  # checked here: by the browser's word, or else by the token
    @wraps(view)
    def check_sender(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        here = f"{request.scheme}://{request.get_host()}"
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
        # Pages cannot forge these headers. Old browsers send the second alone, and sites without TLS get no other.
        is_from_here = site == "same-origin" or (site is None and origin == here)
        checked = view if is_from_here else protected
        return checked(request, *args, **kwargs)

    return check_sender


def hide_linked_page(referrer: str = "same-origin") -> Callable[[View[P]], View[P]]:
    """Keep what is at a link from search engines, unless the view let them in, and its address from other sites."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def add_headers(request: HtmxRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            return add_link_headers(view(request, *args, **kwargs), referrer)

        return add_headers

    return decorate


def add_link_headers(response: Response, referrer: str) -> Response:
    """Set the headers of what is at a link, unless its view let search engines in."""
    if response.headers.get(ROBOTS) == INDEXABLE:
        del response[ROBOTS]
    else:
        response[ROBOTS] = "noindex, nofollow"
    response.headers.setdefault("Referrer-Policy", referrer)
    return response


def let_search_engines_in(response: HttpResponse) -> HttpResponse:
    """Mark an answer at a link as one that its owner shows to everybody."""
    response[ROBOTS] = INDEXABLE
    return response
