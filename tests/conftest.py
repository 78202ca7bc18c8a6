import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from armybuilder.public_answers import answers
from roster.engine.completion import solver
from tests.extent import COMPLETE, QUICK, choose_tests, is_slow_file, put_long_first
from tests.migrated_database import copy_stored, remove_copies, store_migrated
from tests.stored_readings import store_readings

EXAMPLES = 20 if QUICK else 100 if COMPLETE else 50
# No deadline, because a slow machine is not a bug. The same examples each time, so that a red test stays red until it
# is mended.
hypothesis_settings.register_profile("house", deadline=None, derandomize=True, max_examples=EXAMPLES)
hypothesis_settings.load_profile("house")

# Packs and data sets stay in memory as many small objects. With the default thresholds, collection took an eighth of
# the time of some tests.
gc.set_threshold(100_000, 50, 100)


def pytest_configure(config: pytest.Config) -> None:
    store_readings(config)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if QUICK and is_slow_file(collection_path) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = choose_tests(items)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = put_long_first([item for item in items if item.nodeid in chosen])


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    return copy_stored(request.config)


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker
) -> None:
    """Create this process's database, and store it for the next process if it had to be migrated."""
    if not django_db_keepdb:
        with django_db_blocker.unblock():
            store_migrated(request.config)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder with external material: conformance specs, unit facts, community data."""
    place = os.environ.get("ARMYBUILDER_SHARED")
    if not place:
        pytest.skip("ARMYBUILDER_SHARED is not set: outside material is absent")
    return Path(place)


@pytest.fixture(autouse=True)
def forget_language() -> Iterator[None]:
    """Return to English after each test: requests leave their language behind."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def forget_public_answers() -> Iterator[None]:
    """Clear cached pages: rows of the next test may have the same keys."""
    yield
    answers.clear()


@pytest.fixture
def fresh_answers(settings: Any) -> None:
    settings.ARMYBUILDER = {**settings.ARMYBUILDER, "KEEP_PUBLIC_ANSWERS": False}


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database for all tests of a module, with what the module's fixtures store.

    Changes by a test are rolled back after it, everything else after the last test.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def without_solver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, solver.PACKAGE, None)
    monkeypatch.setitem(sys.modules, solver.SOLVER, None)
    _forget_solver()
    yield
    _forget_solver()


def _forget_solver() -> None:
    solver.load_solver.cache_clear()
    solver.is_solver_installed.cache_clear()


@pytest.fixture
def flat_fenland(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install Fenland without nested detachments, so that look-ahead can prove something."""
    from tests.roster import small_game

    monkeypatch.setattr(small_game, "FENLAND", small_game.FLAT)


def pytest_unconfigure() -> None:
    from armybuilder.settings.test import SCRATCH

    # pytest runs the collector five times at exit to find unclosed resources. Once is enough; with packs and data sets
    # in memory this saves each process ten seconds.
    gc.collect()
    gc.freeze()
    shutil.rmtree(SCRATCH, ignore_errors=True)
    remove_copies(SCRATCH)
