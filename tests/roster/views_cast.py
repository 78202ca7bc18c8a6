"""The cast of page tests: an owner in a browser, a stranger in another, and a list."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from roster.models import Roster
from roster.services.owners import get_guest_key
from roster.services.rosters import find_roster
from tests.copied_rows import begin_once
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed

HTMX = {"HX-Request": "true"}
SCRIPT = '<script>alert("x")</script>'


@dataclass
class Owner:
    """A user with a list, and the pages they see."""

    client: Client
    public_id: str

    @property
    def roster(self) -> Roster:
        return find_roster(self.public_id)

    @property
    def key(self) -> str:
        return get_guest_key(self.client.session)

    def url(self, name: str = "builder") -> str:
        return reverse(f"roster:{name}", args=[self.public_id])

    def page(self, **query: str) -> HttpResponse:
        return self.client.get(self.url(), query)

    def edit(self, headers: dict[str, str] | None = None, **fields: Any) -> HttpResponse:
        """Send a form on the list's revision, or on a given one."""
        form = fields if "revision" in fields else fields | {"revision": str(self.roster.head)}
        return self.client.post(self.url("edits"), form, headers=headers or {})

    def done(self, **fields: Any) -> HttpResponse:
        answer = self.edit(**fields)
        assert answer.status_code == 303, answer.content.decode()[:2000]
        return answer

    def detachment(self) -> str:
        return self.roster.tree.forces[0].id

    def units(self) -> list[str]:
        return [unit.id for unit in self.roster.tree.forces[0].selections]

    def unit(self, entry: str) -> str:
        before = set(self.units())
        self.done(do="add-unit", node=self.detachment(), entry=entry)
        return next(unit for unit in self.units() if unit not in before)


def started(
    client: Client | None = None, *, detachment: bool = True, name: str = "Low water", limit: str = ""
) -> Owner:
    client = client or Client()
    version = installed()

    def begin() -> tuple[str, str]:
        form = {"game": "fenland", "faction": "marsh", "name": name, "limit": limit}
        answer = client.post(reverse("roster:new"), form)
        assert answer.status_code == 303, answer.content.decode()[:2000]
        owner = Owner(client, answer["Location"].strip("/").split("/")[-1])
        if detachment:
            owner.done(do="add-detachment", entry="column")
        return owner.public_id, client.cookies.output(header="", sep=";")

    if client.cookies:
        return Owner(client, begin()[0])
    public_id, cookies = begin_once(version, ("list", name, limit, detachment), begin)
    client.cookies.load(cookies)
    return Owner(client, public_id)


def started_with_account() -> Owner:
    client = Client()

    def begin() -> tuple[str, str]:
        client.force_login(account())
        owner = started(client)
        owner.unit("warden")
        return owner.public_id, client.cookies.output(header="", sep=";")

    public_id, cookies = begin_once(installed(), "list of an account", begin)
    client.cookies.load(cookies)
    return Owner(client, public_id)


class _Parts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.keys: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id") and given.get("data-key"):
            self.keys[given["id"] or ""] = given["data-key"] or ""
        # One for all equal rows.
        for part_id in (given.get("data-alike") or "").split():
            self.keys[part_id] = given["data-of"] or ""


def parts_of(answer: HttpResponse) -> dict[str, str]:
    parser = _Parts()
    parser.feed(markup(answer))
    return parser.keys


def have(parts: dict[str, str]) -> str:
    """Return what the script reports that the page has."""
    return " ".join(f"{part}.{key}" for part, key in parts.items())


def swapped(answer: HttpResponse) -> set[str]:
    """Return the ids that an answer to an edit replaces on the page."""
    tags = re.findall(r"<[a-z][a-z0-9]* [^>]*hx-swap-oob=\"(?:true|outerMorph|outerHTML)\"[^>]*>", markup(answer))
    alike = " ".join(re.findall(r'data-alike="([^"]+)"', markup(answer))).split()
    return {found.group(1) for tag in tags if (found := re.search(r'\bid="([^"]+)"', tag))} | {*alike}
