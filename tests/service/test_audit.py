"""Headers and cookies of all public pages, and the memory of a process that serves them."""

import subprocess
import sys
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.bench.databases import ROOT
from tests.roster.addresses import WAYS, filled
from tests.roster.views_cast import started

pytestmark = [pytest.mark.django_db]

OPEN = sorted({filled(way, {}) for way in WAYS if not way.parameters and not way.is_staffs} - {"/nowhere/"})
READ = (
    "/",
    "/api/docs/",
    "/api/schema/",
    "/credits/",
    "/games/",
    "/games/fenland/",
    "/games/fenland/marsh/",
    "/lists/",
    "/lists/decks/",
    "/manifest.webmanifest",
    "/nowhere/",
    "/offline/",
    "/robots.txt",
    "/worker.js",
)
"""What visitors read without doing anything."""


@pytest.fixture
def link(db: None) -> str:
    return started(Client()).roster.get_absolute_url()


def test_every_answer_says_what_browsers_may_do_with_it(link: str) -> None:
    assert len(OPEN) > 20
    for address in (*OPEN, link, "/nowhere/"):
        answer = Client(raise_request_exception=False).get(address)
        assert answer.status_code < 500, address
        assert "'unsafe" not in answer["Content-Security-Policy"], address
        assert answer["X-Content-Type-Options"] == "nosniff", address
        assert answer["X-Frame-Options"] == "DENY", address
        assert answer["Referrer-Policy"] in ("same-origin", "no-referrer"), address
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin", address
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin", address
        assert "camera=()" in answer["Permissions-Policy"], address
        for cookie in answer.cookies.values():
            assert cookie["samesite"] == "Lax", (address, cookie)
            assert cookie["httponly"] or cookie.key in ("csrftoken", "language"), (address, cookie)
        if answer.streaming:
            # The client closes what it has read to the end.
            assert b"".join(answer.streaming_content)


def test_other_sites_may_show_the_pictures_of_links_and_no_other_file(link: str) -> None:
    for address, policy in (
        (f"{link}picture.png", "cross-origin"),
        ("/static/icons/preview.png", "cross-origin"),
        ("/static/icons/icon-192.png", "same-origin"),
        ("/static/css/base.css", "same-origin"),
        (f"{link}roster.json", "same-origin"),
        (f"{link}sheet.pdf", "same-origin"),
        ("/api/v1/games/", "same-origin"),
    ):
        answer = Client().get(address)
        assert answer.status_code == 200, address
        assert answer["Cross-Origin-Resource-Policy"] == policy, address
        # Scripts of other sites may read the API, without cookies.
        readers = "*" if address.startswith("/api/") else ""
        assert answer.get("Access-Control-Allow-Origin", "") == readers, address
        if answer.streaming:
            assert b"".join(answer.streaming_content)


def test_whoever_only_reads_gets_no_cookie(link: str) -> None:
    for address in (*READ, link):
        assert not Client().get(address).cookies, address


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[testserver"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_the_look_is_chosen_from_here_alone(headers: dict[str, str], status: int) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("roster:look"), {"theme": "dark"}, headers=headers)
    assert (answer.status_code, bool(answer.cookies)) == (status, status == 303)


def test_whom_to_write_to_about_a_vulnerability(client: Client, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"].startswith("text/plain")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "Contact: mailto:security@example.org"
    assert lines[1].startswith("Expires: 20")


WEIGH = """
import re, sys
import armybuilder.wsgi
print(*sorted(name for name in ("ortools", "roster.views.new_list", "roster.events.urls") if name in sys.modules))
print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read()).group(1)) // 1024)
"""


def test_a_web_process_has_its_pages_before_it_forks_and_no_solver() -> None:
    """Each worker needs its own copy of what is loaded after the fork; the solver is as large as everything else."""
    said = subprocess.run([sys.executable, "-c", WEIGH], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    loaded, mebibytes = said.splitlines()
    assert loaded.split() == ["roster.events.urls", "roster.views.new_list"]
    assert int(mebibytes) < 200
