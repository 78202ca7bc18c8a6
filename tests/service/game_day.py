"""The settings of a node whose services fail on purpose."""

import os

from armybuilder.settings.base import RATES
from tests.service.several_machines import *  # noqa: F403 - settings build on one another
from tests.service.several_machines import ARMYBUILDER, CACHES, MIDDLEWARE

MIDDLEWARE = ["tests.service.counted_queries.CountedQueriesMiddleware", *MIDDLEWARE]
# Each visitor names an address, and Redis counts what each asks for.
ARMYBUILDER["RATES"] = RATES
ARMYBUILDER["PROCESSOR_SECONDS"] = 30
if "REDIS_URL" in os.environ:
    CACHES["default"] = {"BACKEND": "armybuilder.redis_cache.FallbackRedisCache", "LOCATION": os.environ["REDIS_URL"]}
