"""`make pictures` runs the script next to the documentation."""

import runpy
from pathlib import Path

if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).parents[1] / "docs" / "pictures.py"), run_name="__main__")
