"""What the environment says is read with care, and each mistake in it is named before anything starts."""

import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from armybuilder.settings.environment import Environment


def test_blanks_mean_nothing() -> None:
    read = Environment({"HOSTS": " a.org, b.org ,", "DAYS": " 7 ", "LEVEL": "debug", "PROXY": "0", "NONE": " "})
    assert read.read_names("HOSTS") == ["a.org", "b.org"]
    assert read.read_number("DAYS", 1) == 7
    assert read.read_number("NONE", 1) == 1
    assert read.read_choice("LEVEL", ("DEBUG", "INFO"), "INFO") == "DEBUG"
    assert (read.read_switch("PROXY"), read.read_switch("NONE")) == (False, False)
    read.raise_mistakes()


def test_all_mistakes_are_named_together() -> None:
    read = Environment({"DAYS": "0", "PORT": "many", "SIGN_UP": "shut", "PROXY": "perhaps", "KEY": " "})
    read.read_number("DAYS", 30, least=1)
    read.read_number("PORT", 25)
    read.read_choice("SIGN_UP", ("open", "closed"), "open")
    read.read_switch("PROXY")
    read.read_required("KEY")
    with pytest.raises(ImproperlyConfigured) as said:
        read.raise_mistakes()
    for name in ("DAYS", "PORT", "SIGN_UP", "PROXY", "KEY"):
        assert f"{name}" in str(said.value)


def test_a_server_with_mistakes_does_not_start() -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "ALLOWED_HOSTS": " , ",
        "BEHIND_PROXY": "maybe",
        "SECRET_KEY": "x",
        "DATABASE_URL": "postgres://localhost/none",
    }
    run = subprocess.run(
        [sys.executable, "-c", "import armybuilder.settings.production"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode
    assert "ALLOWED_HOSTS is required" in run.stderr
    assert "BEHIND_PROXY" in run.stderr
