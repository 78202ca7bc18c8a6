"""Error pages: HTML for people, problem details below /api/."""

import logging
import sys
from typing import Any

from django.core.exceptions import BadRequest, DisallowedHost, PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render
from django.template import TemplateDoesNotExist, loader
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import APIException, NotFound, UnsupportedMediaType
from rest_framework.exceptions import PermissionDenied as ApiPermissionDenied
from rest_framework.response import Response
from rest_framework.views import exception_handler

from armybuilder.kept_connections import kept_connections
from armybuilder.outage import StorageError
from catalogue.api.problems import MEDIA_TYPE, build_problem, describe_exception
from catalogue.services.disk_space import explain_out_of_space, explain_storage_error, is_out_of_space
from catalogue.views.responses import note_storage_failure
from roster.engine.edits import Refused
from roster.models.roster import HistoryArchiveError
from roster.wording import explain_refusal

FOR_PROGRAMS = ("/api/", "/oauth/token/", "/oauth/revoke/")
"""Below these addresses, errors are problems. Scripts of other sites may use them."""
NEXT_TURN = 5
"""Seconds until a refused request may be repeated."""
LATER = 60
"""Seconds until a storage that failed may be asked again."""
_log = logging.getLogger(__name__)


def _answer_error(request: HttpRequest, status: int, detail: str, retry_after: int | None = None) -> HttpResponse:
    headers = None if retry_after is None else {"Retry-After": str(retry_after)}
    if request.path.startswith(FOR_PROGRAMS):
        problem = build_problem(status, detail)
        return JsonResponse(problem, status=status, headers=headers, content_type=MEDIA_TYPE)
    answer = render(request, f"{status}.html", {"detail": detail}, status=status)
    for name, text in (headers or {}).items():
        answer[name] = text
    return answer


def answer_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return _answer_error(request, 413, _("That is more than this page accepts at once."))
    if isinstance(exception, DisallowedHost):
        return _answer_error(
            request,
            400,
            _("This server doesn’t answer to this host name. Its administrator lists its names in ALLOWED_HOSTS."),
        )
    reason = str(exception) if isinstance(exception, BadRequest) else ""
    return _answer_error(request, 400, reason or _("We couldn’t read this request."))


def answer_permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer_error(request, 403, str(exception) or _("You aren’t allowed to do this."))


def answer_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _answer_error(request, 403, _("This form is out of date. Reload the page and try again."))


def answer_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer_error(request, 404, _("There is nothing at this link."))


def handle_api_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an API error as a problem, without naming the model in a 404."""
    if isinstance(error, Http404):
        error = NotFound(_("There is nothing at this link."))
    elif isinstance(error, PermissionDenied):
        error = ApiPermissionDenied(str(error) or None)
    elif isinstance(error, UnsupportedMediaType):
        types = ", ".join(dict.fromkeys(parser.media_type for parser in context["view"].parser_classes))
        error = UnsupportedMediaType(
            "", _("Send the body with one of these as Content-Type: %(types)s.") % {"types": types}
        )
    answer = exception_handler(error, context)
    if answer is not None and isinstance(error, APIException):
        answer.data = describe_exception(error, answer.status_code)
        answer.content_type = MEDIA_TYPE
    return answer


def refuse_large_body(request: HttpRequest, limit: int) -> HttpResponse:
    return _answer_error(request, 413, _("The request is larger than %(limit)d bytes.") % {"limit": limit})


def refuse_hasty_request(request: HttpRequest, seconds: int) -> HttpResponse:
    detail = ngettext(
        "That was too much at once. Try again in %(seconds)d second.",
        "That was too much at once. Try again in %(seconds)d seconds.",
        seconds,
    )
    return _answer_error(request, 429, detail % {"seconds": seconds}, seconds)


def refuse_used_up_time(request: HttpRequest, seconds: int) -> HttpResponse:
    detail = ngettext(
        "You, or others at your address, have used up your share of this server’s time for now. Nothing is lost. Try "
        "again in %(seconds)d second.",
        "You, or others at your address, have used up your share of this server’s time for now. Nothing is lost. Try "
        "again in %(seconds)d seconds.",
        seconds,
    )
    return _answer_error(request, 429, detail % {"seconds": seconds}, seconds)


def refuse_without_turn(request: HttpRequest, *, is_own_doing: bool) -> HttpResponse:
    if is_own_doing:
        detail = _("Several of your requests are still being worked on. Wait for those, then try again.")
        return _answer_error(request, 429, detail, NEXT_TURN)
    detail = _("The server is busy judging other lists. Nothing is lost. Try again in a few seconds.")
    return _answer_error(request, 503, detail, NEXT_TURN)


def answer_unreadable_archive(request: HttpRequest, error: HistoryArchiveError) -> HttpResponse:
    """Answer for an old step whose archive is lost, or does not answer now."""
    detail = explain_refusal(Refused(code=error.code))
    if error.code == "lost-step":
        _log.error("An archived step at %s is missing or damaged.", request.path)
        return _answer_error(request, 410, detail)
    _log.warning("The archive with a step at %s does not answer.", request.path)
    return note_storage_failure(_answer_error(request, 503, detail, LATER))


def refuse_unknown_length(request: HttpRequest) -> HttpResponse:
    return _answer_error(request, 411, _("The request doesn’t say how long it is."))


def answer_server_error(request: HttpRequest) -> HttpResponse:
    """Answer without session, user or database, any of which may have failed.

    A full disk is a 507, another failure of the database or of stored files a 503. A client that hangs up gets a 400,
    which Django does not log as an error.
    """
    error = sys.exc_info()[1]
    if isinstance(error, UnreadablePostError):
        return answer_bad_request(request, error)
    status, detail = 500, _("Something broke on our side. Your lists are saved.")
    if is_out_of_space(error):
        _log.critical("This request needs space on a disk that is full: %s", error)
        status, detail = 507, explain_out_of_space()
    elif isinstance(error, StorageError):
        _log.error("This request needs stored files: %s", error)
        status, detail = 503, explain_storage_error()
    elif isinstance(error, OperationalError | InterfaceError):
        kept_connections.give_up()
        status, detail = (503, _("The database can’t be reached. Your lists are saved. Try again in a minute."))
    if request.path.startswith(FOR_PROGRAMS):
        problem = build_problem(status, detail)
        answer: HttpResponse = JsonResponse(problem, status=status, content_type=MEDIA_TYPE)
    else:
        try:
            answer = HttpResponse(
                loader.render_to_string("500.html", {"detail": detail, "status": status}), status=status
            )
        except TemplateDoesNotExist:
            answer = HttpResponse(detail, content_type="text/plain; charset=utf-8", status=status)
    if status == 503:
        answer["Retry-After"] = "30"
    return note_storage_failure(answer) if isinstance(error, StorageError) else answer
