import logging
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.locale import LocaleMiddleware
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from django.utils.crypto import constant_time_compare, salted_hmac
from django_htmx.middleware import HtmxDetails
from prometheus_client import CONTENT_TYPE_LATEST

from armybuilder.compression import compress_response, is_compressible
from armybuilder.errors import (
    FOR_PROGRAMS,
    answer_unreadable_archive,
    refuse_hasty_request,
    refuse_large_body,
    refuse_unknown_length,
    refuse_used_up_time,
    refuse_without_turn,
)
from armybuilder.monitoring import REQUEST_ID, count_answer, find_what_is_missing, write_metrics
from armybuilder.page_version import HEADER, compute_page_version
from armybuilder.rate_limits import (
    COUNTED,
    JUDGED,
    POSTED,
    UNCHARGED,
    WITH_LIST,
    count_request,
    identify_address,
    identify_asker,
    processor_time,
)
from armybuilder.turns import NoTurnError, turns
from catalogue.services.public_answers import find_public_view
from roster.models.roster import HistoryArchiveError
from roster.services.owners import identify_visitor
from roster.services.request_turns import give_turn_back
from roster.services.tokens import find_sent_token, read_bearer

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
CAMERA_POLICY = PERMISSIONS_POLICY.replace("camera=()", "camera=(self)")
"""For the page of a game, which scans codes."""

KEPT_PAGES = frozenset(
    {
        "roster:rosters",
        "roster:builder",
        "roster:datasheet",
        "roster:deck",
        "roster:plan",
        "roster:link",
        "play:games",
        "play:game",
        "play:game-units",
        "play:game-link",
        "play:game-link-units",
        "play:game-log",
        "play:game-invite",
        "play:game-end",
    }
)
ELSEWHERE = ("cross-site", "same-site")
_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_log = logging.getLogger("armybuilder.requests")


class HeadMiddleware:
    """Answer HEAD without a body: gunicorn logs a warning for each body it drops."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method != "HEAD":
            return response
        if isinstance(response, HttpResponse):
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        elif isinstance(response, StreamingHttpResponse):
            response.streaming_content = ()
        return response


class SlashMiddleware(CommonMiddleware):
    """Add a missing slash without changing the method: most programs repeat a POST as a GET after a 301."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer: HttpResponseBase = super().process_response(request, response)
        if answer.status_code == 301 and request.method not in ("GET", "HEAD"):
            answer.status_code = 308
        return answer


class CrossOriginMiddleware:
    """Let scripts of other sites use the API. `*` keeps browsers from sending cookies."""

    ALLOWED: ClassVar[dict[str, str]] = {
        "Access-Control-Allow-Methods": "GET, HEAD, POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match",
        "Access-Control-Max-Age": "86400",
    }
    EXPOSED = (
        "Content-Disposition, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, "
        "X-Request-ID"
    )

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(FOR_PROGRAMS):
            return self.get_response(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            # Browsers ask first, without a token.
            answer: HttpResponseBase = HttpResponse(status=204, headers=self.ALLOWED)
        else:
            answer = self.get_response(request)
            answer["Access-Control-Expose-Headers"] = self.EXPOSED
        answer["Access-Control-Allow-Origin"] = "*"
        return answer


class CompressionMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not is_compressible(response):
            return response  # files, mostly compressed already
        patch_vary_headers(response, ["Accept-Encoding"])
        accepted = request.headers.get("Accept-Encoding", "")
        # Another site may use a signed-in visitor's browser.
        is_elsewhere = request.headers.get("Sec-Fetch-Site", "") in ELSEWHERE
        if accepted and not (is_elsewhere and settings.SESSION_COOKIE_NAME in request.COOKIES):
            compress_response(response, accepted)
        return response


class BodyLimitMiddleware:
    """Refuse too large a body before it is read: Django's limit only covers forms.

    A body without a length gets a 411, because Django reads it as empty.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.limit: int = settings.ARMYBUILDER["MAX_BODY_BYTES"]
        self.limits: dict[str, int] = settings.ARMYBUILDER["MAX_BODY_BYTES_AT"]

    def __call__(self, request: HttpRequest) -> HttpResponse:
        stated = request.META.get("CONTENT_LENGTH") or "0"
        # Python's `int` refuses very long numbers.
        size = int(stated.lstrip("0")[:20] or "0") if stated.isdecimal() else 0
        if size > self.limit:
            try:
                match = resolve(request.path_info)
                limit = self.limits.get(f"{match.app_name}:{match.url_name}", self.limit)
            except Resolver404:
                limit = self.limit
            if size > limit:
                return refuse_large_body(request, limit)
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            return refuse_unknown_length(request)
        return self.get_response(request)


class PrivateMiddleware:
    """Forbid caching of private pages, for shared computers."""

    ADDRESSES = ("/account", "/admin/", "/data/", "/decks/", "/events/", "/hands/", "/oauth/", "/play/", "/rosters/")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if request.path.startswith(self.ADDRESSES):
            answer.headers.setdefault("Cache-Control", "private, no-store")
        return answer


class LanguageMiddleware(LocaleMiddleware):
    """Make responses vary by the language cookie as well."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer: HttpResponseBase = super().process_response(request, response)
        # CSS has no words.
        if not answer.get("Content-Type", "").startswith("text/css"):
            patch_vary_headers(answer, ["Cookie"])
        return answer


class NulMiddleware:
    """Replace NULs in query and form fields with U+FFFD: PostgreSQL rejects them.

    A path with a NUL gets a 404. Must come after the CSRF check, which reads the form first.
    """

    FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if "\0" in request.path:
            raise Http404
        if "%00" in request.META.get("QUERY_STRING", ""):
            request.GET = QueryDict(_replace_nuls(request.GET))
        # Only the API is exempt, and it reads its bodies itself.
        is_form = request.content_type in self.FORMS and not getattr(view, "csrf_exempt", False)
        if request.method != "POST" or not is_form:
            return
        if any("\0" in text for name, texts in request.POST.lists() for text in (name, *texts)):
            request.POST = QueryDict(_replace_nuls(request.POST))


def _replace_nuls(fields: QueryDict) -> str:
    return fields.urlencode().replace("%00", "%EF%BF%BD")


class FragmentDetails(HtmxDetails):
    """True for a fragment. Records whether a view tested it."""

    was_asked = False

    def __bool__(self) -> bool:
        self.was_asked = True
        # These need the whole page.
        full = self.history_restore_request or self.request.headers.get("HX-Request-Type") == "full"
        return super().__bool__() and not full


class FragmentMiddleware:
    """Set `request.htmx`. Answers that test it vary by its header.

    During an upgrade another node may have served the page. An edit is stored, and then the page is reloaded, because
    pieces of this version may not fit into it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        details = FragmentDetails(request)
        request.htmx = details  # type: ignore[attr-defined]  # views declare it as HtmxRequest
        request.page_version = compute_page_version()  # type: ignore[attr-defined]  # the base template reads it
        response = self.get_response(request)
        if details.was_asked:
            patch_vary_headers(response, ["HX-Request"])
        given = request.headers.get(HEADER, compute_page_version())
        # A reload for what the page asks for by itself would lose what is being typed.
        if request.method == "POST" and response.status_code == 200 and given != compute_page_version():
            response["HX-Refresh"] = "true"
        return response


class RequestMiddleware:
    """Give each request an id, or keep the proxy's, and log the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _GIVEN_ID.fullmatch(given) else uuid4().hex
        token = REQUEST_ID.set(request_id)
        began = time.monotonic()
        try:
            response = self.get_response(request)
            answer = {"method": request.method, "path": request.path, "status": response.status_code}
            seconds = time.monotonic() - began
            if settings.METRICS_TOKEN:
                count_answer(request, response, seconds)
            milliseconds = round(seconds * 1000)
            line = f"{request.method} {request.path} {response.status_code} {milliseconds} ms"
            _log.info(line, extra={**answer, "milliseconds": milliseconds})
        finally:
            REQUEST_ID.reset(token)
        response["X-Request-ID"] = request_id
        policy = CAMERA_POLICY if _name_view(request) == "play:game" else PERMISSIONS_POLICY
        response.headers.setdefault("Permissions-Policy", policy)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class HealthMiddleware:
    """Answer `/healthz` (the process runs and is not drained), `/readyz` (ready, or what is missing) and `/metrics`.

    Comes first: load balancers ask by IP number, without TLS or cookies.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            # Proxies that ask here send their next requests elsewhere; until then, all are answered.
            is_drained = settings.DRAINED.exists()
            return JsonResponse({"status": "drained" if is_drained else "ok"}, status=503 if is_drained else 200)
        if request.path == "/readyz":
            missing = find_what_is_missing()
            return JsonResponse({"status": "not ready" if missing else "ok", **missing}, status=503 if missing else 200)
        if request.path == "/metrics" and settings.METRICS_TOKEN:
            given = request.headers.get("Authorization", "").removeprefix("Bearer ")
            if constant_time_compare(given, settings.METRICS_TOKEN):
                return HttpResponse(write_metrics(), content_type=CONTENT_TYPE_LATEST)
        return self.get_response(request)


class RateLimitMiddleware:
    """Limit each client's work, and how many requests of a process evaluate lists at once.

    Accounts and addresses are counted separately, so that strangers cannot use up an account's share. So are tokens, so
    that a program cannot use up its owner's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.thread_time()
        request.charge = partial(self._charge, request)  # type: ignore[attr-defined]  # for layouts in other threads
        request.open_stream = turns.open_stream  # type: ignore[attr-defined]  # for views whose response stays open
        try:
            response = self.get_response(request)
        finally:
            give_turn_back(request)
            self._charge(request, time.thread_time() - began)
        if request.path.startswith("/api/"):
            self._tell_share(request, response)
        return response

    def _tell_share(self, request: HttpRequest, response: HttpResponse) -> None:
        match = request.resolver_match
        # An answer that is kept for all readers says nothing about one of them.
        is_kept = match is not None and find_public_view(match.func) and not hasattr(request, "asker")
        asker = getattr(request, "asker", None) or identify_address(request)
        if not is_kept:
            processor_time.tell_share(asker, response)

    def _charge(self, request: HttpRequest, seconds: float) -> None:
        if _name_view(request) not in UNCHARGED:
            # Identifying the account costs queries.
            asker = getattr(request, "asker", None) or identify_address(request)
            processor_time.charge(asker, seconds)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = _name_view(request)
        if request.path.startswith("/api/") and read_bearer(request):
            find_sent_token(request)  # the API refuses dead ones
            request.asker = identify_asker(request)  # type: ignore[attr-defined]  # read above, nowhere else
        is_form = name in POSTED and request.method != "POST"
        kind = "" if is_form else COUNTED.get(name, "")
        is_long = None if is_form and name not in WITH_LIST else JUDGED.get(name)
        may_be_refused = name not in UNCHARGED and processor_time.is_anybody_refused()
        if not kind and is_long is None and not may_be_refused:
            return None
        request.asker = asker = identify_asker(request)  # type: ignore[attr-defined]  # read above, nowhere else
        if may_be_refused and (seconds := processor_time.find_wait(asker)):
            return refuse_used_up_time(request, seconds)
        if kind and (seconds := count_request(asker, kind)):
            return refuse_hasty_request(request, seconds)
        if is_long is not None:
            try:
                turn = turns.take(asker, is_long=is_long)
            except NoTurnError as error:
                return refuse_without_turn(request, is_own_doing=error.is_own_doing)
            request.give_turn_back = partial(turns.give_back, turn)  # type: ignore[attr-defined]  # for who waits
        return None


def _name_view(request: HttpRequest) -> str:
    """Return a request's view name without the API version, or ""."""
    match = request.resolver_match
    return f"{match.app_name}:{match.url_name}" if match else ""


class ArchiveMiddleware:
    """Answer requests for old steps that the archive does not give; the list itself is unaffected."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return answer_unreadable_archive(request, error) if isinstance(error, HistoryArchiveError) else None


class OfflineMiddleware:
    """Tell the service worker whose page this is and whether to keep it.

    The worker drops its pages when another owner's page arrives.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.offline = settings.ARMYBUILDER["OFFLINE"]  # type: ignore[attr-defined]  # templates read it
        answer = self.get_response(request)
        # Such a page shows nothing personal, and costs no query here.
        is_page = answer.get("Content-Type", "").startswith("text/html")
        if not settings.ARMYBUILDER["OFFLINE"] or not request.session.accessed or not is_page:
            return answer

        # Stable, and reveals nothing about the owner.
        visitor = identify_visitor(request)
        owner = "nobody"
        if visitor.may_own:
            owner = salted_hmac("offline", f"{visitor.user_id}:{visitor.key}", algorithm="sha256").hexdigest()[:16]
        answer["Offline-Owner"] = owner
        match = request.resolver_match
        is_fragment: bool = request.htmx  # type: ignore[attr-defined]  # the middleware inside sets it
        is_whole = request.method == "GET" and answer.status_code == 200 and not is_fragment
        if is_whole and match is not None and match.view_name in KEPT_PAGES:
            # The builder's addresses name what is open; a device keeps the state that was seen last.
            answer["Offline-Keep"] = "latest" if match.view_name == "roster:builder" else "1"
        return answer
