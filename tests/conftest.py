import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: a busy machine is not a bug. The same examples every time: a red test stays red until it is mended.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Outside material that lies beside the project: conformance specs, unit facts, community data."""
    place = os.environ.get("ARMYBUILDER_SHARED")
    if not place:
        pytest.skip("ARMYBUILDER_SHARED is not set: outside material is absent")
    return Path(place)


def pytest_unconfigure() -> None:
    from armybuilder.settings.test import SCRATCH

    shutil.rmtree(SCRATCH, ignore_errors=True)
