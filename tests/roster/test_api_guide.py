"""The examples of docs/api.md are requests that work as the page says."""

import base64
import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from catalogue.formats.packs.load import SHIPPED
from catalogue.models import PackVersion
from roster.events.models import Event, Participant
from roster.events.services.events import create_event, join_event, set_status
from roster.models.tokens import TokenScope
from roster.services.accounts import set_player_name
from tests.roster.accounts_cast import account
from tests.roster.programs_cast import VERIFIER, read_answer, register
from tests.roster.test_tokens import make
from tests.shipped_packs import install_shipped

pytestmark = pytest.mark.django_db

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(curl .*?)```\n\n```json\n(.*?)```", GUIDE, re.DOTALL)
SITE = "http://testserver"


def send(command: str, known: dict[str, str]) -> Any:
    """Send what a line with curl sends."""
    words = iter(shlex.split(command.replace("\\\n", " "))[1:])
    method, address, body, headers, fields = "GET", "", "", {}, []
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-u":
            basic = _fill_in(next(words), known)
            headers["Authorization"] = f"Basic {base64.b64encode(basic.encode()).decode()}"
        elif word == "-d":
            name, _, value = next(words).partition("=")
            fields.append(f"{name}={quote(_fill_in(value, known))}")
            method, headers["Content-Type"] = "POST", "application/x-www-form-urlencoded"
        elif word == "--json":
            body, headers["Content-Type"] = next(words), "application/json"
            method = "POST" if method == "GET" else method
        else:
            address = word
    address, body = _fill_in(address, known), _fill_in(body, known)
    headers = {header: _fill_in(text, known) for header, text in headers.items()}
    media = headers.pop("Content-Type", "")
    return Client().generic(method, address.removeprefix(SITE), body or "&".join(fields), media, headers=headers)


def _fill_in(text: str, known: dict[str, str]) -> str:
    for name, value in known.items():
        text = text.replace(f"${name}", value)
    return text


def allow_league(user: User) -> dict[str, str]:
    """Return what a program knows when a user returns to it."""
    league, browser = register(user), Client()
    browser.force_login(user)
    told = read_answer(browser.post(league.ask(), {"answer": "allow"}))
    return {"CLIENT": league.client_id, "SECRET": league.secret, "VERIFIER": VERIFIER, "CODE": told["code"]}


def open_cup(user: User, version: PackVersion) -> dict[str, str]:
    """Return the ids of an event that a user runs and plays in."""
    cup = create_event(user, version, "Sluice cup", "UTC")
    assert isinstance(cup, Event), cup
    set_status(cup, user, "open")
    player = join_event(cup, user, "Ann")
    assert isinstance(player, Participant), player
    return {"EVENT": cup.public_id, "PLAYER": player.public_id}


def holds(expected: Any, answer: Any) -> bool:
    """Return whether an answer has everything that the guide shows of it."""
    if isinstance(expected, dict):
        return isinstance(answer, dict) and all(
            name in answer and holds(value, answer[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(answer, list) and len(answer) >= len(expected) and all(map(holds, expected, answer))
    return bool(expected == answer)


def test_the_guide_has_worked_examples() -> None:
    assert len(EXAMPLES) == GUIDE.count("```sh\n") >= 5


def test_every_example_answers_as_the_guide_says() -> None:
    version = install_shipped(SHIPPED / "reeds_and_rust" / "first")
    ann = account()
    set_player_name(ann, "Ann of the Fens")
    token = make(ann, TokenScope.READ, TokenScope.WRITE, TokenScope.EVENTS)
    known = {"SITE": SITE, "TOKEN": token, **allow_league(ann), **open_cup(ann, version)}
    wrong = []
    # In order: later ones use what earlier ones made.
    for command, shown in EXAMPLES:
        answer, expected = send(command, known), json.loads(shown)
        if answer.status_code == 201:
            names = {"/played/ ": "GAME", "/house-rules/": "RULES", "/decks/ ": "DECK"}
            made = next((name for part, name in names.items() if part in command), "LIST")
            known[made] = answer.json().get("id", known.get(made))
        is_error = isinstance(expected, dict) and "code" in expected
        if "/oauth/token/" in command:
            known |= {"ACCESS": answer.json()["access_token"], "REFRESH": answer.json()["refresh_token"]}
        if not holds(expected, answer.json()) or is_error == (answer.status_code < 300):
            wrong.append((command, answer.status_code, answer.content.decode()[:500]))
    assert wrong == []
