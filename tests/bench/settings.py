"""The app as `make run` serves it, but for collected static files, which no benchmark asks for."""

from armybuilder.settings.local import *  # noqa: F403 - settings build on one another
from armybuilder.settings.local import ARMYBUILDER, STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = True  # asks for no collected files at start
ARMYBUILDER["RATES"] = {}  # one address asks for the same thing again and again
