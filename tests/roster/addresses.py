"""Every address of the app, from its URL configuration."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse


@dataclass(frozen=True)
class Way:
    """An address of the app: its pattern and its parameters."""

    route: str
    parameters: frozenset[str]
    pattern: tuple[URLPattern | URLResolver, ...]

    def __str__(self) -> str:
        return self.route or "front page"

    @property
    def is_staffs(self) -> bool:
        """All users may sign out of the admin."""
        return self.route.startswith(("admin/", "games/import/", "data/")) and self.route != "admin/logout/"

    @property
    def needs_account(self) -> bool:
        return self.route.startswith("account/")


def ways(resolver: URLResolver, *above: URLPattern | URLResolver) -> Iterator[Way]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from ways(pattern, *above, pattern)
            continue
        chain = (*above, pattern)
        names = frozenset(name for part in chain for name in _names(part))
        yield Way("".join(str(part.pattern) for part in chain), names, chain)


def _names(part: URLPattern | URLResolver) -> Iterator[str]:
    yield from getattr(part.pattern, "converters", {})
    yield from getattr(part.pattern, "regex", None).groupindex if part.pattern.regex.groupindex else ()


WAYS = list(ways(get_resolver()))


def named(name: str, value: str = "1") -> str:
    """Return the address of a URL name, with the value and then 1 for its parameters."""
    for number in range(2):
        with suppress(NoReverseMatch):
            return reverse(name, args=[value, "1"][:number])
    return reverse(name, args=[value, "1"])


def filled(way: Way, values: dict[str, str]) -> str:
    """Return the address with values in it, 1 for unknown parameters."""
    address = ""
    for part in way.pattern:
        text = str(part.pattern)
        if hasattr(part.pattern, "converters"):
            for name, converter in part.pattern.converters.items():
                kind = next(key for key in CONVERTERS if f"<{key}{name}>" in text)
                text = text.replace(f"<{kind}{name}>", converter.to_url(values.get(name, "1")))
            address += text
        else:
            address += REGULAR.get(text, text.strip("^$"))
    return "/" + address


CONVERTERS = ("str:", "slug:", "int:", "path:", "uuid:", "")
REGULAR = {
    r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "password/reset/key/1-set-password/",
    r"^confirm-email/(?P<key>[-:\w]+)/$": "confirm-email/abc/",
    r"^(?P<url>.*)$": "nowhere/",
}
"""Addresses that packages write as regular expressions, filled."""


def text_of(answer: HttpResponse) -> str:
    """Return the text of an answer; of an archive, the text of all its files."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if not zipfile.is_zipfile(io.BytesIO(body)):
        return body.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode(errors="replace") for name in archive.namelist())
