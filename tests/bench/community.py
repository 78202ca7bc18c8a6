"""Community data for benchmarks, if it is available."""

import os
from pathlib import Path


def shared_data(file: str) -> Path | None:
    """Return the path of a file in `$ARMYBUILDER_SHARED/bsdata`, or of that folder; print a note and return None if
    missing.
    """
    path = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata", file)
    if path.exists():
        return path
    print(f"not run: there is no ARMYBUILDER_SHARED with bsdata/{file}")
    return None
