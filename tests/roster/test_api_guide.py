"""The examples of docs/api.md are requests that work as the page says."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from roster.models.tokens import TokenScope
from tests.roster.accounts_cast import account
from tests.roster.small_game import installed
from tests.roster.test_tokens import make

pytestmark = pytest.mark.django_db

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(curl .*?)```\n\n```json\n(.*?)```", GUIDE, re.DOTALL)
SITE = "http://testserver"


def send(command: str, known: dict[str, str]) -> Any:
    """Send what a line with curl sends."""
    words = iter(shlex.split(command)[1:])
    method, address, body, headers = "GET", "", "", {}
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "--json":
            body, headers["Content-Type"] = next(words), "application/json"
            method = "POST" if method == "GET" else method
        else:
            address = word
    for name, value in known.items():
        address = address.replace(f"${name}", value)
        body = body.replace(f"${name}", value)
        headers = {header: text.replace(f"${name}", value) for header, text in headers.items()}
    media = headers.pop("Content-Type", "")
    return Client().generic(method, address.removeprefix(SITE), body, media, headers=headers)


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
    installed()
    known = {"SITE": SITE, "TOKEN": make(account(), TokenScope.READ, TokenScope.WRITE, TokenScope.EVENTS)}
    wrong = []
    # In order: later ones use what earlier ones made.
    for command, shown in EXAMPLES:
        answer, expected = send(command, known), json.loads(shown)
        if answer.status_code == 201:
            known["GAME" if "/played/ " in command else "LIST"] = answer.json()["id"]
        is_error = isinstance(expected, dict) and "code" in expected
        if not holds(expected, answer.json()) or is_error == (answer.status_code < 300):
            wrong.append((command, answer.status_code, answer.content.decode()[:500]))
    assert wrong == []
