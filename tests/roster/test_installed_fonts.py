"""Letters beyond the bundled fonts: fonts of the machine have them, or the page names packages."""

import subprocess

import pytest
from django.test import Client

from roster.pdf.type import installed_fonts
from roster.pdf.type.installed_fonts import find_unprintable_letters, name_font_packages
from tests.roster.views_cast import started

TEXTS = ["Heron 鷺", "นก", "\N{DUCK}", "طائر"]


@pytest.fixture(autouse=True)
def _read_anew():
    installed_fonts._read_installed.cache_clear()
    yield
    installed_fonts._read_installed.cache_clear()


def list_fonts(monkeypatch: pytest.MonkeyPatch, charsets: str) -> None:
    """Let fontconfig list fonts with these letters."""
    monkeypatch.setattr(installed_fonts.shutil, "which", lambda name: f"/usr/bin/{name}")
    listed = subprocess.CompletedProcess([], 0, stdout=charsets, stderr="")
    monkeypatch.setattr(installed_fonts.subprocess, "run", lambda *_, **__: listed)


def test_without_other_fonts_the_packages_are_named(monkeypatch):
    list_fonts(monkeypatch, "20-7e\n")
    letters = find_unprintable_letters(TEXTS)
    assert set(letters) == set("鷺นก\N{DUCK}")
    assert name_font_packages(letters) == ("fonts-noto-cjk", "fonts-noto-core", "fonts-noto-color-emoji")


def test_installed_fonts_are_used(monkeypatch):
    list_fonts(monkeypatch, "4e00-9fff\ne01-e3a e3f-e5b\n")
    assert find_unprintable_letters(TEXTS) == "\N{DUCK}"


@pytest.mark.parametrize("failure", [OSError("gone"), subprocess.TimeoutExpired("fc-list", 10)])
def test_a_machine_without_fontconfig_warns(monkeypatch, failure):
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(installed_fonts.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(installed_fonts.subprocess, "run", fail)
    assert find_unprintable_letters(["鷺"]) == "鷺"
    installed_fonts._read_installed.cache_clear()
    monkeypatch.setattr(installed_fonts.shutil, "which", lambda name: None)
    assert find_unprintable_letters(["鷺"]) == "鷺"


@pytest.mark.django_db
@pytest.mark.slow
def test_the_page_names_letters_and_packages(monkeypatch):
    list_fonts(monkeypatch, "20-7e\n")
    owner = started(Client())
    owner.done(do="rename", node="", text="Low water 鷺")
    page = owner.client.get(owner.url("sheet")).content.decode()
    assert "鷺" in page
    assert "fonts-noto-cjk" in page
    list_fonts(monkeypatch, "4e00-9fff\n")
    installed_fonts._read_installed.cache_clear()
    assert owner.client.get(owner.url("sheet"))["Content-Type"] == "application/pdf"
