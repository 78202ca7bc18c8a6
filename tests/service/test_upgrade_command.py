"""docs/deploy/upgrade as in docs/self-hosting.md: forward, back, and unchanged if a step fails."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bench.databases import ROOT
from tests.service.manual import HOME, read_blocks
from tests.service.site import put_empty_database

pytestmark = [pytest.mark.slow, pytest.mark.complete]

MIGRATION = """
from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("roster", "{before}")]
    operations = [migrations.RunSQL("{statement}", "{undo}")]
"""
FIRST = ("CREATE TABLE novelty (number integer)", "DROP TABLE novelty")
BROKEN = ("CREATE TABLE no table at all", "")
SYSTEMCTL = """#!/bin/sh
echo "$*" >>"$HOME/systemctl"
[ ! -e "$HOME/may-not" ]
"""


@dataclass
class Clone:
    """A site in a clone, and its origin."""

    home: Path
    origin: Path

    def run(self, mark: str, *, succeeds: bool = True) -> str:
        [commands] = [text.replace(HOME, str(self.home)) for found, text in read_blocks() if found == mark]
        environment = {
            "PATH": f"{self.home}/bin:{os.environ['PATH']}",
            "HOME": str(self.home),
            # Packages are not downloaded; other tests check whether the site answers.
            "PIP_NO_INDEX": "1",
            "READY": (self.home / "environment").as_uri(),
        }
        run = subprocess.run(
            ["sh", "-c", commands],
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        printed = run.stdout + run.stderr
        assert (run.returncode == 0) == succeeds, printed[-3000:]
        return printed

    def publish(self, **files: str) -> str:
        for name, text in files.items():
            path = self.origin / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git(self.origin, "add", "--all")
        git(self.origin, "commit", "--quiet", "--message", "Another version")
        return git(self.origin, "rev-parse", "HEAD")

    @property
    def head(self) -> str:
        assert git(self.home / "app", "status", "--porcelain") == ""
        assert git(self.home / "app", "branch", "--show-current") == "main"
        return git(self.home / "app", "rev-parse", "HEAD")

    def ask(self, statement: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.home / "var" / "armybuilder.sqlite3")) as opened, opened:
            return opened.execute(statement).fetchall()

    def sign_up(self, name: str) -> None:
        self.ask(
            "INSERT INTO auth_user (username, password, email, first_name, last_name, is_superuser, is_staff,"
            f" is_active, date_joined) VALUES ('{name}', '', '', '', '', 0, 0, 1, '2026-01-01 00:00:00')"
        )

    @property
    def users(self) -> list[str]:
        return [str(name) for (name,) in self.ask("SELECT username FROM auth_user ORDER BY id")]

    @property
    def has_novelty(self) -> bool:
        tables = self.ask("SELECT 1 FROM sqlite_master WHERE name = 'novelty'")
        assert len(tables) == len(self.ask("SELECT 1 FROM django_migrations WHERE name LIKE '9%'"))
        return bool(tables)


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    run = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture(scope="module")
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an origin and the var folder of its site: this code with the smallest pack."""
    folder = tmp_path_factory.mktemp("installed")
    origin = folder / "origin"
    origin.mkdir()
    files = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in files:
        is_left_out = name.startswith(("tests/", "docs/pictures", "catalogue/packs/")) and "reeds_and_rust" not in name
        if not is_left_out and (ROOT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, origin / name)
    git(origin, "init", "--quiet")
    git(origin, "add", "--all")
    git(origin, "commit", "--quiet", "--message", "First version")
    environment = write_environment(folder)
    (folder / "var").mkdir()
    put_empty_database(request.config, folder / "var" / "armybuilder.sqlite3")
    for command in ("createcachetable", "load_packs"):
        run = [sys.executable, "manage.py", command]
        subprocess.run(run, cwd=origin, env={**os.environ, **environment}, check=True, capture_output=True)
    return folder


def write_environment(home: Path) -> dict[str, str]:
    environment = {
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings.production",
        "SECRET_KEY": "x" * 30 + "".join(map(str, range(20))),
        "ALLOWED_HOSTS": "lists.example.org",
        "ARMYBUILDER_VAR": f"{home}/var",
        "DATABASE_URL": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    (home / "environment").write_text("".join(f"{name}={value}\n" for name, value in environment.items()))
    return environment


@pytest.fixture
def clone(installed: Path, tmp_path: Path) -> Clone:
    home = tmp_path / "home"
    shutil.copytree(installed / "var", home / "var")
    shutil.copytree(installed / "origin", tmp_path / "origin")
    git(home, "clone", "--quiet", str(tmp_path / "origin"), "app")
    (home / "app" / ".venv").symlink_to(Path(sys.executable).parent.parent)
    write_environment(home)
    (home / "bin").mkdir()
    for name in ("systemctl", "sudo"):
        (home / "bin" / name).write_text(SYSTEMCTL)
        (home / "bin" / name).chmod(0o755)
    site = Clone(home, tmp_path / "origin")
    site.sign_up("ada")
    return site


def get_last_migration() -> str:
    return max(path.stem for path in (ROOT / "roster" / "migrations").glob("0*.py"))


def write_migrations(*changes: tuple[str, str]) -> dict[str, str]:
    files, before = {}, get_last_migration()
    for number, (statement, undo) in enumerate(changes, start=9000):
        name = f"{number}_trial"
        text = MIGRATION.format(before=before, statement=statement, undo=undo)
        files[f"roster/migrations/{name}.py"] = text
        before = name
    return files


def test_a_site_is_upgraded_and_taken_back(clone: Clone) -> None:
    old = clone.head
    new = clone.publish(**write_migrations(FIRST))
    clone.run("upgrade")
    assert (clone.head, clone.has_novelty, clone.users) == (new, True, ["ada"])
    assert "restart armybuilder armybuilder-worker" in (clone.home / "systemctl").read_text()
    assert (clone.home / "var" / "static" / "staticfiles.json").exists()
    assert "already" in clone.run("upgrade")
    clone.sign_up("later")
    clone.run("back")
    assert (clone.head, clone.has_novelty, clone.users) == (old, False, ["ada"])
    assert len(list((clone.home / "backups").iterdir())) == 2, "what came later is in the second"
    # Only the last upgrade can be undone, and only once.
    assert "no upgrade" in clone.run("back", succeeds=False)


def test_one_of_several_machines_never_replaces_the_database(clone: Clone) -> None:
    # Settings of one machine, because several need PostgreSQL and a bucket; only the command reads this.
    with (clone.home / "environment").open("a") as environment:
        environment.write("DJANGO_SETTINGS_MODULE=armybuilder.settings.local\nMACHINES=several\n")
    old = clone.head
    new = clone.publish(**write_migrations(FIRST))
    clone.run("upgrade")
    clone.sign_up("later")
    assert "Name --code-back" in clone.run("back", succeeds=False)
    assert (clone.head, clone.has_novelty, clone.users) == (new, True, ["ada", "later"])
    clone.run("codeback")
    assert (clone.head, clone.has_novelty, clone.users) == (old, True, ["ada", "later"])
    assert (clone.home / "systemctl").read_text().count("restart armybuilder armybuilder-worker") == 2
    # After a failure it keeps what others wrote since its backup.
    [pack] = (clone.origin / "catalogue" / "packs" / "reeds_and_rust").glob("*/pack.yaml")
    clone.publish(**{str(pack.relative_to(clone.origin)): "nonsense: 1\n"})
    assert "The migrated database stays" in clone.run("upgrade", succeeds=False)
    assert (clone.head, clone.has_novelty, clone.users) == (old, True, ["ada", "later"])


def test_a_migration_that_fails_takes_the_others_back_and_loses_nothing(clone: Clone) -> None:
    old = clone.head
    clone.publish(**write_migrations(FIRST, BROKEN))
    assert "Failed: Migrate" in clone.run("upgrade", succeeds=False)
    assert (clone.head, clone.has_novelty, clone.users) == (old, False, ["ada"])
    assert not (clone.home / "systemctl").exists(), "the site went on serving"
    assert sorted(path.name for path in (clone.home / "app" / ".upgrade").iterdir()) == ["lock"]
    # The next version fixes it; a user who may not restart the site is told how.
    (clone.home / "may-not").touch()
    git(clone.origin, "rm", "--quiet", "roster/migrations/9001_trial.py")
    new = clone.publish(mended="")
    assert "As root: systemctl restart armybuilder armybuilder-worker" in clone.run("upgrade")
    assert (clone.head, clone.has_novelty) == (new, True)


def test_a_pack_that_is_refused_brings_the_backup_back(clone: Clone) -> None:
    old = clone.head
    [pack] = (clone.origin / "catalogue" / "packs" / "reeds_and_rust").glob("*/pack.yaml")
    name = str(pack.relative_to(clone.origin))
    clone.publish(**write_migrations(FIRST), **{name: "nonsense: 1\n"})
    assert "Failed: Load packs" in clone.run("upgrade", succeeds=False)
    assert (clone.head, clone.has_novelty, clone.users) == (old, False, ["ada"])
    assert len(list((clone.home / "backups").iterdir())) == 2
    assert (clone.home / "systemctl").read_text().splitlines()[-1].endswith("restart armybuilder armybuilder-worker")


def test_what_cannot_be_installed_or_checked_changes_nothing(clone: Clone) -> None:
    old = clone.head
    packages = os.path.realpath(clone.home / "app" / ".venv")
    lock = clone.origin / ".ci" / "requirements.txt"
    clone.publish(**{".ci/requirements.txt": lock.read_text() + f"no-such-package==1 --hash=sha256:{'0' * 64}\n"})
    assert "Failed: Install" in clone.run("upgrade", succeeds=False)
    # The upgrade fails, because the new packages lack everything that the code needs.
    clone.publish(**{".ci/requirements.txt": "", ".ci/requirements-s3.txt": ""})
    assert "Failed: Check" in clone.run("upgrade", succeeds=False)
    assert (clone.head, clone.users) == (old, ["ada"])
    assert os.path.realpath(clone.home / "app" / ".venv") == packages
    assert not (clone.home / "backups").exists()


def test_new_packages_take_the_place_of_the_old_ones_and_are_taken_back(clone: Clone) -> None:
    app = clone.home / "app"
    # As in a first installation, packages are in a folder; here they are those of these tests.
    packages = os.path.realpath(app / ".venv")
    (app / ".venv").unlink()
    make_packages(app / ".venv", Path(packages))
    clone.publish(**{".ci/requirements.txt": "# Others.\n"})
    python = clone.home / "bin" / "python3"
    python.write_text(f'#!/bin/sh\nfor folder; do :; done\ncp -r "{app}/.venv" "$folder"\n')
    python.chmod(0o755)
    clone.run("upgrade")
    installed = os.path.realpath(app / ".venv")
    assert (app / ".venv").is_symlink()
    assert installed.endswith(clone.head)
    clone.run("back")
    assert os.path.realpath(app / ".venv").endswith(clone.head)
    assert Path(installed).exists()


def make_packages(folder: Path, packages: Path) -> None:
    """Make a folder with the packages of another, and without an installer."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [library] = folder.glob("lib/python*/site-packages")
    [other] = packages.glob("lib/python*/site-packages")
    (library / "others.pth").write_text(f"{other}\n")


def test_a_clone_with_changes_of_its_own_is_left_alone(clone: Clone) -> None:
    clone.publish(**write_migrations(FIRST))
    readme = clone.home / "app" / "README.md"
    before = readme.read_text()
    readme.write_text("Changed")
    assert "changed" in clone.run("upgrade", succeeds=False)
    readme.write_text(before)
    git(clone.home / "app", "commit", "--quiet", "--allow-empty", "--message", "Of its own")
    assert "commits that origin/main lacks" in clone.run("upgrade", succeeds=False)
    assert not clone.has_novelty
