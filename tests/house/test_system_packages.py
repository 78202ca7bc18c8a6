"""`make run` names the packages of the system, whatever its package manager is called."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.measure import ROOT

SCRIPT = ROOT / ".ci" / "system-packages"
MANAGERS = {"dnf": "rpm", "pacman": "pacman", "brew": "brew"}
"""Each with the command that says whether a package is installed."""
INSTALL = {"dnf": "sudo dnf install", "pacman": "sudo pacman --sync --needed", "brew": "brew install"}


def read_table() -> dict[str, list[str]]:
    lines = Path(f"{SCRIPT}.table").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {row[0]: row[1:] for row in rows}


def run_elsewhere(folder: Path, manager: str, installed: str, *names: str) -> str:
    """Run the script on a system without dpkg, whose manager knows the installed packages."""
    for tool in ("sh", "awk", "tr", "sort"):
        (folder / tool).symlink_to(shutil.which(tool) or "")
    if manager:
        for command in {manager, MANAGERS[manager]}:
            script = folder / command
            script.write_text(
                f'#!/bin/sh\nfor last; do :; done\ncase " {installed} " in *" $last "*) exit 0 ;; esac\nexit 1\n'
            )
            script.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", SCRIPT, *names], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_the_table_has_every_package_that_make_names_for_every_manager():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"^SYSTEM_(?:RUN|TEST|COMPLETE) := (.*)$", makefile, re.MULTILINE)
    assert len(named) == 3
    wanted = {*" ".join(named).split(), *re.findall(r"system-packages ([a-z][\w-]+)", makefile), "python3-venv"}
    table = read_table()
    assert wanted == table.keys()
    assert {len(row) for row in table.values()} == {len(MANAGERS)}


@pytest.mark.parametrize("manager", MANAGERS)
def test_missing_packages_are_named_with_the_command_that_installs_them(tmp_path, manager):
    said = run_elsewhere(tmp_path, manager, "pango", "libpango-1.0-0", "libpangoft2-1.0-0", "gettext", "poppler-utils")
    poppler = read_table()["poppler-utils"][list(MANAGERS).index(manager)]
    assert f"    {INSTALL[manager]} gettext {poppler}\n" in said


@pytest.mark.parametrize("manager", MANAGERS)
def test_nothing_is_said_if_nothing_is_missing(tmp_path, manager):
    assert run_elsewhere(tmp_path, manager, "gettext pango", "libpango-1.0-0", "gettext") == ""


def test_a_cell_with_two_packages_names_both(tmp_path):
    said = run_elsewhere(tmp_path, "dnf", "", "fonts-dejavu-core")
    assert "dnf install dejavu-sans-fonts dejavu-sans-mono-fonts\n" in said


def test_what_a_system_does_not_need_is_not_named(tmp_path):
    assert run_elsewhere(tmp_path, "brew", "", "libatomic1") == ""


def test_an_unknown_system_gets_the_names_of_debian(tmp_path):
    assert "packages of Debian: gettext chromium" in run_elsewhere(tmp_path, "", "", "gettext", "chromium")
