"""Data of the community that benchmarks read, where it is at hand."""

import os
from pathlib import Path


def shared_data(file: str) -> Path | None:
    """Return the path of a file in `$ARMYBUILDER_SHARED/bsdata`; None, and say so, where it is absent."""
    path = Path(os.environ.get("ARMYBUILDER_SHARED", ""), "bsdata", file)
    if path.is_file():
        return path
    print(f"not run: there is no ARMYBUILDER_SHARED with bsdata/{file}")
    return None
