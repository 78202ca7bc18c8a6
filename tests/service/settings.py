"""The settings of a server, counters in the database and default bounds; without TLS and collected files."""

from tests.bench.settings import *  # noqa: F403 - settings build on one another
from tests.bench.settings import ARMYBUILDER, CACHES, MIDDLEWARE

CACHES["default"] = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"}
ARMYBUILDER["PROCESSOR_SECONDS"] = 30
# Visitors name their own address, as a proxy would; without one they have none.
ALLAUTH_TRUSTED_PROXY_COUNT = 1
MIDDLEWARE = [*MIDDLEWARE, "tests.service.judging_record.JudgingRecordMiddleware"]
