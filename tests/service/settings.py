"""The app as a server runs it, counters in the database and bounds as they ship; without TLS and collected files."""

from tests.bench.settings import *  # noqa: F403 - settings build on one another
from tests.bench.settings import ARMYBUILDER, CACHES, MIDDLEWARE

CACHES["default"] = {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "shared_cache"}
ARMYBUILDER["PROCESSOR_SECONDS"] = 30
# Visitors say themselves which address they have, as a proxy in front would say of them; without one they are nobody.
ALLAUTH_TRUSTED_PROXY_COUNT = 1
MIDDLEWARE = [*MIDDLEWARE, "tests.service.judging_record.JudgingRecordMiddleware"]
