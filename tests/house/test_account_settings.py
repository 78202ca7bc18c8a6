"""Settings of sign-in and mail from the environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from armybuilder.settings.accounts import SITES, configure_sites
from tests.extent import sample
from tests.service.site import put_empty_database

pytestmark = pytest.mark.slow

OWN = {f"{site.upper()}_CLIENT_{part}": "x" for site in SITES for part in ("ID", "SECRET")}
OPENID = {"OPENID_CONNECT_SERVER": "https://id.example.org/realm"}


def test_no_site_unless_named() -> None:
    assert configure_sites({}) == configure_sites({"SOCIAL_LOGIN": " "}) == ({}, [])


def test_each_site_says_where_forms_may_lead() -> None:
    providers, origins = configure_sites({"SOCIAL_LOGIN": " ".join(SITES)} | OWN | OPENID)
    assert set(providers) == set(SITES)
    assert "https://github.com" in origins
    assert "https://id.example.org" in origins
    assert providers["openid_connect"]["APPS"][0]["settings"] == {"server_url": OPENID["OPENID_CONNECT_SERVER"]}


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"SOCIAL_LOGIN": "nowhere"}, "nowhere"),
        ({"SOCIAL_LOGIN": "github"}, "GITHUB_CLIENT_ID"),
        ({"SOCIAL_LOGIN": "github", "GITHUB_CLIENT_ID": "x"}, "GITHUB_CLIENT_SECRET"),
        ({"SOCIAL_LOGIN": "openid_connect"} | OWN, "OPENID_CONNECT_SERVER"),
    ],
)
def test_what_is_missing_is_said(environment: dict[str, str], said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        configure_sites(environment)


ASK = """
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
from django.test import Client
call_command("check")
print(settings.EMAIL_BACKEND, settings.EMAIL_PORT)
page = Client().get("/accounts/login/")
policy, text = page["Content-Security-Policy"], page.content.decode()
print(page.status_code, "github.com" in policy, "/accounts/github/login/" in text)
"""


@pytest.mark.parametrize(
    ("environment", "said"),
    sample(
        [
            pytest.param(
                {}, ["django.core.mail.backends.console.EmailBackend 587", "200 False False"], id="nothing named"
            ),
            pytest.param(
                {"EMAIL_HOST": "mail.example.org", "EMAIL_SECURITY": "ssl", "SOCIAL_LOGIN": "github"} | OWN,
                ["django.core.mail.backends.smtp.EmailBackend 465", "200 True True"],
                id="mail and a site",
            ),
        ],
        1,
    ),
)
def test_a_server_starts_with_it(
    environment: dict[str, str], said: list[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    put_empty_database(request.config, tmp_path / "armybuilder.sqlite3")
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("EMAIL_", "SOCIAL_", "DATABASE_"))}
    settings = {"DJANGO_SETTINGS_MODULE": "armybuilder.settings.test", "ARMYBUILDER_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=plain | settings | environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1:] == said
