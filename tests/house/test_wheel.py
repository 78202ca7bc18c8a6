"""A wheel holds everything that serving needs, and serves it."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 20_000_000
pytestmark = pytest.mark.complete


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "packages")
    return tmp_path


def run_installed(installed: Path, *arguments: str, stdout: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """Run the wheel's command with its own home, and the packages that the project needs from here."""
    code = f"import sys; sys.argv = ['armybuilder', *{arguments!r}]; from armybuilder.command import main; main()"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(installed),
        # No folder of the project: only the wheel's packages are there.
        "PYTHONPATH": os.pathsep.join(
            [str(installed / "packages"), *filter(lambda path: "site-packages" in path, sys.path)]
        ),
    }
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        cwd=installed,
        env=environment,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_wheel_is_small_and_has_templates_static_files_packs_and_translations(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
    for name in (
        "armybuilder/site/templates/base.html",
        "armybuilder/site/static/css/base.css",
        "armybuilder/site/docs/play.md",
        "armybuilder/site/docs/pictures/page-play.png",
        "armybuilder/site/README.md",
        "armybuilder/locale/de/LC_MESSAGES/django.mo",
        "catalogue/packs/reeds_and_rust/first/pack.yaml",
        "catalogue/gallery_games.json",
    ):
        assert name in names
    assert not any("node_modules" in name or name.startswith("tests/") for name in names)


@pytest.fixture
def served(installed: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = run_installed(installed, "serve", "--port", str(port), stdout=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()


def test_an_installed_wheel_serves(served: str, installed: Path) -> None:
    page = ""
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{served}/") as answer:
                page = answer.read().decode()
            break
        except (urllib.error.URLError, ConnectionError):
            time.sleep(1)
    assert "Reeds and Rust" in page
    with urllib.request.urlopen(f"{served}/docs/play/") as answer:
        assert "At the table" in answer.read().decode()
    assert (installed / ".local" / "share" / "armybuilder" / "armybuilder.sqlite3").exists()


def test_other_words_are_commands_of_django(installed: Path) -> None:
    said, _ = run_installed(installed, "check_packs", "--help").communicate(timeout=60)
    assert "usage: armybuilder check_packs" in said
