"""Keep public answers in memory, and let browsers and caches revalidate their copies.

Views opt in with `keep_public`. ADR 0034 explains why kept answers are never out of date.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, cast

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers

from armybuilder.compression import choose_encoding, compress_response, is_compressible
from armybuilder.rate_limits import processor_time
from catalogue.services.edge import EVERYTHING
from catalogue.services.lru import Lru
from catalogue.services.public_answers import confirm_tag, find_public_view
from roster.api.authentication import find_token_to_read
from roster.templatetags.theme import CHOICES, choose_appearance

PUBLIC, PRIVATE = "public, no-cache", "private, no-cache"
"""`PUBLIC` allows any cache, `PRIVATE` only the reader's browser. Both must revalidate before use."""
PERSONAL_COOKIES = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
PERSONAL_HEADERS = ("Authorization", "HX-Request")
"""A request with one of these may have a known reader, or asks for part of a page."""
SURROGATE_HEADERS = frozenset({"Surrogate-Control", "Surrogate-Key"})
"""Caches in front of the site read and remove them."""
ENTRY_BYTES = 2_000
"""For key and headers."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """The compressed content, and the headers set by views and inner middleware."""

    content: bytes
    headers: dict[str, str]


def weigh_answer(answer: KeptAnswer) -> int:
    return len(answer.content) + ENTRY_BYTES


answers: Lru[bytes, KeptAnswer] = Lru(settings.ARMYBUILDER["PUBLIC_ANSWERS_BYTES"], weigh_answer)


class PublicAnswerMiddleware:
    """Answer readers without a session from memory. Must be outside the session middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        match = _match_public_view(request)
        identity = _identify(request, match) if match else None
        if match is None or identity is None:
            return _confirm_copy(request) or _forbid_sharing(request, self.get_response(request))
        is_keeping = settings.ARMYBUILDER["KEEP_PUBLIC_ANSWERS"]
        kept_answer = answers.find(identity.key) if is_keeping else None
        if kept_answer is not None:
            request.resolver_match = match
            return _answer_condition(request, HttpResponse(kept_answer.content, headers=kept_answer.headers))
        answer = self.get_response(request)
        if not isinstance(answer, HttpResponse) or answer.status_code != 200 or answer.cookies:
            return answer
        _let_share(request, answer)
        # Data may have changed while rendering. The response to a HEAD may have no content.
        is_wanted = request.method == "GET" and (is_keeping or settings.EDGE_PURGE_URLS)
        if is_wanted and _identify(request, match) == identity:
            if settings.EDGE_PURGE_URLS:
                answer["Surrogate-Control"] = f"max-age={identity.edge_seconds}"
                answer["Surrogate-Key"] = identity.surrogate_keys
            if is_keeping:
                answers.put(identity.key, KeptAnswer(answer.content, dict(answer.headers)))
        return _answer_condition(request, answer)


def _match_public_view(request: HttpRequest) -> ResolverMatch | None:
    if request.method not in ("GET", "HEAD"):
        return None
    if not request.COOKIES.keys().isdisjoint(PERSONAL_COOKIES) or any(map(request.headers.get, PERSONAL_HEADERS)):
        return None
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return None
    return match if find_public_view(match.func) else None


def _confirm_copy(request: HttpRequest) -> HttpResponse | None:
    """Answer 304 to a reader with a session or a token whose copy is as everybody's, before the session is read.

    Tokens that are dead or have used up their share are refused later.
    """
    began = time.thread_time()
    if "If-None-Match" not in request.headers or "HX-Request" in request.headers:
        return None
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return None
    public = find_public_view(match.func)
    if public is None or public.tag is None or request.method not in ("GET", "HEAD"):
        return None
    token = None
    if "Authorization" in request.headers:
        token = None if processor_time.is_anybody_refused() else find_token_to_read(request, match.func)
        if token is None:
            return None
    with translation.override(translation.get_language_from_request(request)):
        state = public.identify(request, *match.args, **match.kwargs)
        tag = "" if state is None else public.tag(request, state)
    unchanged = confirm_tag(request, tag) if tag else None
    if unchanged is not None:
        request.resolver_match = match
        unchanged["Cache-Control"] = PRIVATE
        patch_vary_headers(unchanged, [*public.headers, "Cookie", "Accept-Language", "Accept-Encoding"])
        if token is not None:
            processor_time.charge(token.share, time.thread_time() - began)
            processor_time.tell_share(token.share, unchanged)
    return unchanged


class AnswerIdentity(NamedTuple):
    """A key of the database state and all that a public view may read; and what caches in front of the site need."""

    key: bytes
    surrogate_keys: str
    edge_seconds: int


def _identify(request: HttpRequest, match: ResolverMatch) -> AnswerIdentity | None:
    public = find_public_view(match.func)
    language = translation.get_language_from_request(request)
    # The state includes the age of a list in words.
    with translation.override(language):
        state = public.identify(request, *match.args, **match.kwargs) if public else None
    if public is None or state is None:
        return None
    parts = (
        request.build_absolute_uri(),
        language,
        *(choose_appearance(request.COOKIES.get(name), name) for name in CHOICES),
        choose_encoding(request.headers.get("Accept-Encoding", "")),
        *(request.headers.get(name) for name in public.headers),
        state,
    )
    return AnswerIdentity(sha256(repr(parts).encode()).digest(), " ".join((EVERYTHING, *state)), public.edge_seconds)


def _let_share(request: HttpRequest, answer: HttpResponse) -> None:
    """Let any cache store a public response.

    It does not vary by cookies: caches revalidate for each reader, and a reader with a session gets no 304.
    """
    varying = [name.strip() for name in answer.get("Vary", "").split(",")]
    answer["Vary"] = ", ".join(name for name in varying if name and name.lower() != "cookie")
    patch_vary_headers(answer, ["Accept-Language", "Accept-Encoding"])
    answer.headers.setdefault("Cache-Control", PUBLIC)
    if seconds := settings.EDGE_SECONDS:
        # Only the site's own proxy reads this, and does not pass it on.
        answer["X-Accel-Expires"] = str(seconds)
    _tag_content(answer)
    if is_compressible(answer):
        compress_response(answer, request.headers.get("Accept-Encoding", ""))


def _forbid_sharing(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    match = request.resolver_match
    is_api = request.path.startswith("/api/")
    if request.method not in ("GET", "HEAD") or not (is_api or (match and find_public_view(match.func))):
        return answer
    answer.headers.setdefault("Cache-Control", PRIVATE)
    if not is_api or not isinstance(answer, HttpResponse) or answer.status_code != 200:
        return answer
    _tag_content(answer)
    return _answer_condition(request, answer)


def _tag_content(answer: HttpResponse) -> None:
    """Set a tag of the content, weak because encodings differ."""
    if not answer.has_header("ETag"):
        answer["ETag"] = f'W/"{sha256(answer.content).hexdigest()[:32]}"'


def _answer_condition(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    # Returns None only if given None.
    conditional = cast("HttpResponse", get_conditional_response(request, etag=answer["ETag"], response=answer))
    # A cache that revalidates its copy needs them, too.
    for name in SURROGATE_HEADERS.intersection(answer.headers):
        conditional[name] = answer[name]
    return conditional
