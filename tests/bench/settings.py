"""The settings of `make run`. Only the benchmark of browsers collects static files."""

import os

from armybuilder.settings.local import *  # noqa: F403 - settings build on one another
from armybuilder.settings.local import ARMYBUILDER

# One address sends the same request repeatedly.
ARMYBUILDER["RATES"] = {}
ARMYBUILDER["PROCESSOR_SECONDS"] = 0
# For comparison, a server that caches no public answers.
ARMYBUILDER["KEEP_PUBLIC_ANSWERS"] = "BENCH_FRESH" not in os.environ
