"""The settings of a server that is one of several."""

from tests.service.settings import *  # noqa: F403 - settings build on one another
from tests.service.settings import ARMYBUILDER

ARMYBUILDER["PRINT_LINE_IN_DATABASE"] = True
# All visitors of a test have one address, and together read more than a person would.
ARMYBUILDER["PROCESSOR_SECONDS"] = 0
