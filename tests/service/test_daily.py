"""The daily command tries every step, whichever fails."""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from roster.models import Roster
from roster.services import site_backup
from tests.roster.views_cast import started

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def binned(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> Roster:
    """A list that was in the bin for long, an expired session, and an active user."""
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "DUMP_DIR": tmp_path_factory.mktemp("dumps")}
    settings.TASKS = {"default": settings.TASKS["database"]}
    roster = started(Client()).roster
    Roster.objects.update(binned=timezone.now() - timedelta(days=400))
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    started(Client())
    return roster


def test_all_is_done(tmp_path: Path, binned: Roster) -> None:
    call_command("daily", backup=tmp_path, verbosity=0)
    assert not Roster.objects.filter(pk=binned.pk).exists()
    assert not Session.objects.filter(expire_date__lt=timezone.now()).exists()
    [backup] = tmp_path.iterdir()
    call_command("restore", str(backup), replace=True, verbosity=0)
    assert Roster.objects.filter(pk=binned.pk).exists(), "it was backed up before"


def test_backups_are_kept_as_many_as_asked_for_and_only_where_asked_for(tmp_path: Path, binned: Roster) -> None:
    for _ in range(3):
        call_command("daily", f"--backup={tmp_path}", "--keep=2", verbosity=0)
    call_command("daily", verbosity=0)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_full_disk_keeps_nothing_from_being_cleaned(
    tmp_path: Path, binned: Roster, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(site_backup, "_hash_file", fail)
    with pytest.raises(CommandError, match=r"1 of 10 .*backup"):
        call_command("daily", backup=tmp_path, verbosity=0)
    assert not Roster.objects.filter(pk=binned.pk).exists()
    assert [(record.levelno, "No space left" in record.getMessage()) for record in caplog.records] == [
        (logging.ERROR, True)
    ]


def test_each_failure_is_logged_and_the_rest_is_done(
    binned: Roster, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("roster.management.commands.expire_guests.expire_guests", break_down)
    monkeypatch.setattr("roster.management.commands.empty_bins.purge_bins", break_down)
    with pytest.raises(CommandError, match=r"2 of 9 .*expire_guests, empty_bins"):
        call_command("daily", verbosity=0)
    assert len(caplog.records) == 2
    assert all(record.exc_info for record in caplog.records)
    assert not Session.objects.filter(expire_date__lt=timezone.now()).exists()
