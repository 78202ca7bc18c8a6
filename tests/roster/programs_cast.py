"""A program that signs people in here, as its server and its user's browser send it."""

import base64
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from roster.services.outcomes import Refused
from roster.services.programs import register_program

AUTHORIZE, TOKEN, REVOKE = "/oauth/authorize/", "/oauth/token/", "/oauth/revoke/"
BACK = "https://league.example/signed-in"
VERIFIER = "v" * 43


def challenge(verifier: str = VERIFIER) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class LeaguePage:
    """A registered program."""

    client_id: str
    secret: str
    program_id: int

    def ask(self, **changes: str | None) -> str:
        """Return the address to which it sends people."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": BACK,
            "scope": "read",
            "state": "s1",
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
        } | changes
        return f"{AUTHORIZE}?{urlencode({name: text for name, text in asked.items() if text is not None})}"

    def exchange(self, code: str, **changes: str | None) -> HttpResponse:
        form = {"code": code, "redirect_uri": BACK, "code_verifier": VERIFIER} | changes
        return self.send(TOKEN, grant_type="authorization_code", **form)

    def refresh(self, token: str, **changes: str | None) -> HttpResponse:
        return self.send(TOKEN, grant_type="refresh_token", refresh_token=token, **changes)

    def send(self, address: str, **fields: str | None) -> HttpResponse:
        fields = {"client_id": self.client_id, "client_secret": self.secret or None} | fields
        form = {name: text for name, text in fields.items() if text is not None}
        return Client(enforce_csrf_checks=True).post(address, form)

    def sign_in(self, user: User, scope: str = "read") -> dict[str, Any]:
        """Return the tokens that it gets from a user who allows it."""
        browser = Client()
        browser.force_login(user)
        answer = self.exchange(read_answer(browser.post(self.ask(scope=scope), {"answer": "allow"}))["code"])
        assert answer.status_code == 200, answer.content
        return answer.json()


def register(developer: User, name: str = "League page", *, is_public: bool = False) -> LeaguePage:
    registered = register_program(developer, name, BACK, is_public=is_public)
    assert not isinstance(registered, Refused), registered
    program, secret = registered
    return LeaguePage(program.client_id, secret, program.pk)


def read_answer(answer: HttpResponse) -> dict[str, str]:
    """Return what a redirect tells the program."""
    assert answer.status_code == 303, (answer.status_code, answer.content.decode()[:300])
    to = urlsplit(answer["Location"])
    assert f"{to.scheme}://{to.netloc}{to.path}" == BACK
    return {name: texts[0] for name, texts in parse_qs(to.query).items()}


def make_program_token(user: User, *scopes: str, name: str = "") -> str:
    """Return the access token of a program that a user allowed."""
    league = register(user, name or f"Program {secrets.token_hex(4)}")
    return str(league.sign_in(user, " ".join(scopes))["access_token"])
