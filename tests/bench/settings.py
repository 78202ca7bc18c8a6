"""The app as `make run` serves it, but for collected static files, which no benchmark asks for."""

import os

from armybuilder.settings.local import *  # noqa: F403 - settings build on one another
from armybuilder.settings.local import ARMYBUILDER, STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True  # asks for no collected files at start
# One address asks for the same thing again and again.
ARMYBUILDER["RATES"] = {}
ARMYBUILDER["PROCESSOR_SECONDS"] = 0
# Beside one that keeps public answers, a server that renders each of them.
ARMYBUILDER["KEEP_PUBLIC_ANSWERS"] = "BENCH_FRESH" not in os.environ
