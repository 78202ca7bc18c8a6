"""The settings of `make run`, without collected static files, which no benchmark requests."""

import os

from armybuilder.settings.local import *  # noqa: F403 - settings build on one another
from armybuilder.settings.local import ARMYBUILDER, STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True  # needs no collected files
# One address sends the same request repeatedly.
ARMYBUILDER["RATES"] = {}
ARMYBUILDER["PROCESSOR_SECONDS"] = 0
# For comparison, a server that caches no public answers.
ARMYBUILDER["KEEP_PUBLIC_ANSWERS"] = "BENCH_FRESH" not in os.environ
