"""The developers' command that makes a release: version, changelog, tag, archive and checksums, or a refusal."""

import hashlib
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = (".ci/release", "CHANGELOG.md", "pyproject.toml")


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with the project's own changelog and version, and a history of version 99.0.0."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".gitignore").write_text("var/\n")
    (tmp_path / "docs" / "history").mkdir(parents=True)
    (tmp_path / "docs" / "history" / "99.0.0.md").write_text("# Changes in 99.0.0\n")
    changelog = (tmp_path / "CHANGELOG.md").read_text()
    changelog = changelog.replace("## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n* A pond.\n", 1)
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Somebody")
    git(tmp_path, "config", "user.email", "somebody@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def release(clone: Path, version: str) -> subprocess.CompletedProcess[str]:
    command = [".ci/release", version, "--without-sbom"]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def test_a_release_has_version_changelog_tag_archive_and_checksums(clone: Path) -> None:
    done = release(clone, "99.0.0")
    assert (done.returncode, done.stderr) == (0, "")
    assert 'version = "99.0.0"' in (clone / "pyproject.toml").read_text()
    changelog = (clone / "CHANGELOG.md").read_text()
    assert re.search(r"## \[Unreleased\]\n\n## \[99\.0\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n\* A pond\.", changelog)
    assert git(clone, "log", "-1", "--format=%s").strip() == "Release 99.0.0"
    assert not git(clone, "status", "--porcelain")
    message = git(clone, "tag", "--list", "v99.0.0", "--format=%(contents)")
    assert message.startswith("99.0.0\n\n### Added\n\n* A pond.")
    assert "## [0.1.0]" not in message

    folder = clone / "var" / "release" / "99.0.0"
    archive = folder / "armybuilder-99.0.0.tar.gz"
    with tarfile.open(archive) as files:
        assert "armybuilder-99.0.0/CHANGELOG.md" in files.getnames()
    (line,) = (folder / "SHA256SUMS").read_text().splitlines()
    assert line == f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}"


@pytest.mark.parametrize(
    ("version", "spoil", "reason"),
    [
        ("99", None, "99 is no version. Give one like 0.2.0."),
        ("0.0.1", None, "0.0.1 is not newer than"),
        ("99.0.1", None, "docs/history/99.0.1.md is missing"),
        ("99.0.0", "pyproject.toml", "There are uncommitted changes."),
        ("99.0.0", "tag", "The tag v99.0.0 exists."),
        ("99.0.0", "changelog", "CHANGELOG.md has nothing under ## [Unreleased]."),
    ],
)
def test_a_release_that_cannot_be_made_changes_nothing(
    clone: Path, version: str, spoil: str | None, reason: str
) -> None:
    if spoil == "tag":
        git(clone, "tag", "v99.0.0")
    elif spoil == "changelog":
        (clone / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n* Ducks.\n")
        git(clone, "commit", "--quiet", "--all", "--message", "Forget the changes")
    elif spoil:
        (clone / spoil).write_text((clone / spoil).read_text() + "# changed\n")
    before = git(clone, "rev-parse", "HEAD"), (clone / "CHANGELOG.md").read_text()
    done = release(clone, version)
    assert done.returncode == 1
    assert reason in done.stderr
    assert (git(clone, "rev-parse", "HEAD"), (clone / "CHANGELOG.md").read_text()) == before
    assert not (clone / "var").exists()
