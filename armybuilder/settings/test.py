import os
import tempfile
from pathlib import Path

from .base import *  # noqa: F403 - settings build on one another
from .base import ARMYBUILDER, DATABASES, STORAGES, TASKS
from .environment import environment

DEBUG = False
SECRET_KEY = "only for tests"  # noqa: S105 - guards nothing
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
SITE_ADDRESS = "http://testserver"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

SCRATCH = Path(tempfile.gettempdir()) / f"armybuilder-test-{os.getpid()}"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, so that the browser tests' server thread has its own connection, as in production.
    DATABASES["default"]["TEST"] = {"NAME": f"{SCRATCH}.sqlite3"}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    DATABASES["default"]["CONN_MAX_AGE"] = 0

# Background work runs immediately, except in tests that choose another backend.
QUEUES = {"QUEUES": TASKS["default"]["QUEUES"]}
TASKS = {
    "default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", **QUEUES},
    "nobody": {"BACKEND": "django_tasks.backends.dummy.DummyBackend", **QUEUES},
    "database": {"BACKEND": "django_tasks_db.DatabaseBackend", **QUEUES},
}
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True
ARMYBUILDER["PDF_CACHE_DIR"] = SCRATCH / "pdf"
ARMYBUILDER["DUMP_DIR"] = SCRATCH / "dumps"
MEDIA_ROOT = SCRATCH / "media"
ARMYBUILDER["SOURCE_FOLDERS"] = [Path(tempfile.gettempdir()).resolve()]
# A thousand tests ask from one address.
ARMYBUILDER["RATES"] = {}
# Tests read no index but their own.
ARMYBUILDER["GALLERIES"] = []
ARMYBUILDER["JUDGING_AT_ONCE"] = ARMYBUILDER["PROCESSOR_SECONDS"] = 0
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True

# Playwright runs an event loop in the test's thread, which Django takes for async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

environment.raise_mistakes()
