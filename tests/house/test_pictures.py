"""The pictures of the documentation can be taken from the app as it is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.complete


def test_each_picture_in_the_documentation_can_be_taken_anew(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.pictures", "--once"]
    environment = {**os.environ, "PICTURES": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    shown = set()
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        shown |= set(re.findall(r"!\[[^\]]*\]\([^)]*pictures/([a-z0-9-]+)\.png\)", path.read_text(encoding="utf-8")))
    on_a_desk = {name for name in shown if "phone" not in name}
    assert len(on_a_desk) > 30
    assert on_a_desk - {path.stem for path in tmp_path.glob("*.png")} == set()
