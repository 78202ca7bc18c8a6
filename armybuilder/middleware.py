from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from armybuilder.errors import body_too_large


class BodyLimitMiddleware:
    """Answer 413 to a body that is too large, before anything reads it.

    Django's own limit covers forms only, not the API's parsers nor uploaded files. A body without a stated length is
    read as empty by Django's WSGI request, so the header is all there is to look at. Some addresses have a limit of
    their own, for whoever may send more there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.limit: int = settings.ARMYBUILDER["MAX_BODY_BYTES"]
        self.limits: dict[str, int] = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]

    def __call__(self, request: HttpRequest) -> HttpResponse:
        stated = request.META.get("CONTENT_LENGTH") or "0"
        limit = self.limits.get(request.path, self.limit)
        if stated.isdigit() and int(stated) > limit:
            return body_too_large(request, limit)
        return self.get_response(request)
