"""The app as a server runs it, counters in the database; without TLS and collected files."""

from tests.bench.settings import *  # noqa: F403 - settings build on one another
from tests.bench.settings import CACHES

CACHES["default"] = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"}
