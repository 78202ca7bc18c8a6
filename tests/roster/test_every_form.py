"""Every form and button on every page, sent with script in each text field and with unknown fields: answers show the
script as text, and a form changes nothing else.

The forms come from the pages, so new ones are tried automatically.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from lxml import html

from catalogue.models import GameSystem
from roster.models import Folder, Roster, Tag
from roster.play.models import MissionDeck, ObjectiveHand
from tests.extent import sample
from tests.roster.accounts_cast import account
from tests.roster.addresses import WAYS, filled, text_of
from tests.roster.test_access_matrix import undone
from tests.roster.test_script_everywhere import EVIL, RAW
from tests.roster.test_views_plan import planner
from tests.roster.views_cast import Owner, started

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WRITTEN = {"text", "search", "email", "password", "number", "date", "url", "tel", "hidden"}
"""Kinds of fields that can hold any text, because a client can send anything."""
KEPT = {"csrfmiddlewaretoken", "do", "revision", "node", "entry", "kind", "id", "list", "game", "faction"}
"""Fields that select the act: with script in them nothing would be done."""
TAKING = {
    "owner": "",
    "owner_id": "",
    "owner_key": "taken",
    "user": "1",
    "is_staff": "on",
    "is_superuser": "on",
    "taken_down": "",
    "public_id": "a" * 22,
    "link_id": "a" * 22,
    "document": "{}",
    "pk": "1",
}
"""Fields that an attacker might add to a form."""


@dataclass(frozen=True)
class Sent:
    """A form sent by one of its buttons."""

    method: str
    address: str
    fields: dict[str, Any]
    texts: frozenset[str]

    @property
    def likeness(self) -> tuple[str, ...]:
        """Return a key that is equal for the same form on other pages or rows."""
        where = re.sub(r"[\w-]{22}", "ID", self.address)
        act = str(self.fields.get("do", ""))
        return (self.method, where, act, *sorted(self.fields))


def forms_of(page: str, address: str) -> Iterator[Sent]:
    for form in html.fromstring(page).forms:
        to = (form.action or address).split("#")[0] or address
        if not to.startswith("/") or to.startswith(("/admin/", "/accounts/logout")):
            continue
        fields = dict(form.form_values())
        texts = set()
        for field in form.inputs:
            kind = field.get("type", "text") if field.tag == "input" else field.tag
            if not field.name or field.name in KEPT:
                continue
            if kind in WRITTEN or kind == "textarea":
                texts.add(field.name)
            elif kind == "file":
                fields[field.name] = None
        outer = form.xpath("//button[@form=$id]", id=form.get("id", "-"))
        buttons = [b for b in [*form.iter("button"), *outer] if b.get("type", "submit") == "submit"]
        for button in buttons or [None]:
            pressed = {button.get("name"): button.get("value", "")} if button is not None and button.get("name") else {}
            address_of_button = to if button is None else button.get("formaction", to)
            yield Sent(form.method.lower(), address_of_button, fields | pressed, frozenset(texts))


def again(client: Client) -> Client:
    """Return a new browser with the same session and no other state."""
    browser = Client(raise_request_exception=False)
    browser.cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    return browser


def send(client: Client, sent: Sent) -> HttpResponse:
    fields = {
        name: SimpleUploadedFile(f"{EVIL}.yaml", EVIL.encode()) if value is None else value
        for name, value in sent.fields.items()
    }
    evil = fields | dict.fromkeys(sent.texts, EVIL)
    if sent.method == "get":
        return client.get(sent.address.split("?")[0], evil, follow=True)
    return client.post(sent.address, TAKING | evil, follow=True)


@pytest.fixture(scope="module")
def owner(module_db: None) -> Owner:
    client = Client()
    user = account()
    client.force_login(user)
    made = started(client)
    made.unit("warden")
    made.unit("cutters")
    roster = made.roster
    roster.folder = Folder.objects.create(owner=user, name="Autumn")
    roster.save()
    roster.tags.add(Tag.objects.create(owner=user, name="club"))
    MissionDeck.objects.create(owner=user, name="Evening", public_id=roster.public_id)
    other = started(client, name="Another").public_id
    client.post("/rosters/bulk/", {"do": "bin", "list": other})
    Roster.objects.filter(public_id=planner().public_id).update(owner=user, owner_key="")
    return made


@pytest.fixture(scope="module")
def clients(owner: Owner) -> dict[str, Client]:
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    return {"owner": owner.client, "guest": started(Client(), name="A guest's").client, "staff": staff}


@pytest.fixture(scope="module")
def values(owner: Owner) -> dict[str, str]:
    game = GameSystem.objects.get(slug="fenland")
    return {
        "public_id": owner.public_id,
        "link_id": owner.roster.link_id,
        "game": game.slug,
        "slug": game.slug,
        "faction": "marsh-folk",
        "short_hash": game.shown_version.short_hash,
    }


PLANNED = "rosters/<str:public_id>/plan/ of a game that asks for a plan"
STARTED = "rosters/new/ of a game"
PAGES = {way.route: way for way in WAYS if not way.route.startswith(("admin/", "api/"))}


def address_of(route: str, values: dict[str, str]) -> str:
    if route == PLANNED:
        return f"/rosters/{Roster.objects.get(version__game__slug='fenland-played').public_id}/plan/"
    if route == STARTED:
        return "/rosters/new/?game=fenland"
    return filled(PAGES[route], values)


def forms_at(client: Client, address: str) -> dict[tuple[str, ...], Sent]:
    """Return the forms at an address by key; {} if it is not a page."""
    with undone():
        answer = again(client).get(address)
        page = text_of(answer)
    if answer.status_code != 200 or "html" not in answer["Content-Type"]:
        return {}
    return {form.likeness: form for form in forms_of(page, address)}


@pytest.fixture(scope="module")
def frames(clients: dict[str, Client]) -> dict[str, dict[tuple[str, ...], Sent]]:
    return {who: forms_at(client, FRAME) for who, client in clients.items()}


def untouchable() -> dict[str, list[Any]]:
    """Return what no form except staff's may change."""
    fields = ("pk", "owner_id", "owner_key", "public_id", "taken_down")
    found = {
        model.__name__: list(model._default_manager.order_by("pk").values_list(*fields))
        for model in (Roster, MissionDeck, ObjectiveHand)
    }
    people = User.objects.order_by("pk").values_list("pk", "is_staff", "is_superuser", "username")
    return found | {"User": list(people)}


def changed(before: dict[str, list[Any]]) -> list[Any]:
    """Return rows that changed. New and deleted rows are the purpose of forms."""
    after = untouchable()
    return [
        row
        for kind, rows in after.items()
        for row in rows
        if row not in before[kind] and row[0] in {known[0] for known in before[kind]}
    ]


FRAME = "/rules/"
"""A page without its own forms."""
FIELDS = {
    ("owner", "accounts/email/"): {"email"},
    ("owner", "rosters/"): {"q", "new_folder", "tag_name"},
    ("owner", "rosters/<str:public_id>/"): {"limit:points", "name", "notes", "player", "event"},
    ("owner", PLANNED): {"objective"},
    ("guest", "r/<str:link_id>/report/"): {"text"},
    ("guest", "accounts/login/"): {"login"},
    ("guest", "accounts/signup/"): {"password1"},
    ("guest", STARTED): {"name"},
}
"""Fields of some pages, without which nothing would be tried there."""


def complaints(client: Client, form: Sent, before: dict[str, list[Any]]) -> Iterator[str]:
    """Return what is wrong after a form was sent with script and with unknown fields."""
    with undone():
        answer = send(again(client), form)
        said = text_of(answer) if "html" in answer.get("Content-Type", "") else ""
        if answer.status_code >= 500:
            yield "fails"
        if RAW.search(said):
            yield "script in the answer"
        if changed(before):
            yield str(changed(before))


@pytest.mark.parametrize("route", sample([*PAGES, PLANNED, STARTED], 30))
def test_script_stays_text_and_nothing_else_is_set(
    clients: dict[str, Client], values: dict[str, str], frames: dict[str, dict[tuple[str, ...], Sent]], route: str
) -> None:
    before, wrong = untouchable(), []
    address = address_of(route, values)
    for who, client in clients.items():
        forms = forms_at(client, address)
        texts = {name for form in forms.values() for name in form.texts}
        assert FIELDS.get((who, route), set()) <= texts
        for likeness in forms.keys() - (frames[who].keys() if address != FRAME else set()):
            wrong += [f"{who}, {likeness}: {what}" for what in complaints(client, forms[likeness], before)]
    assert wrong == []


def test_pages_with_known_forms_are_there() -> None:
    assert {route for _, route in FIELDS} <= PAGES.keys() | {PLANNED, STARTED}
    assert FRAME.strip("/") + "/" in PAGES
