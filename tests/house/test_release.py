"""The developers' command that makes a release: version, changelog, tag, archive, wheel and checksums, or a refusal."""

import hashlib
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = (".ci/release", "CHANGELOG.md", "pyproject.toml")
MOST_CHANGES = 20


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with the project's own changelog and version, and a history of version 99.0.0.

    Its wheel and its list of packages are made without the package registries.
    """
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".gitignore").write_text("var/\n")
    (tmp_path / "docs" / "history").mkdir(parents=True)
    (tmp_path / "docs" / "history" / "99.0.0.md").write_text("# Changes in 99.0.0\n")
    changelog = (tmp_path / "CHANGELOG.md").read_text()
    before, _, released = changelog.partition("## [Unreleased]\n")
    _, heading, released = released.partition("\n## [0.1.0]")
    changelog = f"{before}## [Unreleased]\n\n### Added\n\n* A pond.\n{heading}{released}"
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    (tmp_path / "Makefile").write_text("wheel:\n\t@cp pyproject.toml $(WHEELS)/armybuilder.whl\n")
    (tmp_path / ".ci" / "sbom").write_text('#!/bin/sh\necho "{}" >"$1/python.cdx.json"\n')
    (tmp_path / ".ci" / "sbom").chmod(0o755)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "Somebody")
    git(tmp_path, "config", "user.email", "somebody@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def release(clone: Path, version: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [".ci/release", version, *options]
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
    assert 'version = "99.0.0"' in (folder / "armybuilder.whl").read_text()
    names = ["armybuilder-99.0.0.tar.gz", "armybuilder.whl", "python.cdx.json"]
    assert (folder / "SHA256SUMS").read_text().splitlines() == [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names
    ]


def test_a_release_without_package_registries_has_no_wheel(clone: Path) -> None:
    assert release(clone, "99.0.0", "--offline").returncode == 0
    files = (clone / "var" / "release" / "99.0.0").iterdir()
    assert sorted(path.name for path in files) == ["SHA256SUMS", "armybuilder-99.0.0.tar.gz"]


def test_the_unreleased_changes_are_few_enough_for_a_release() -> None:
    section = (ROOT / "CHANGELOG.md").read_text().partition("## [Unreleased]\n")[2].partition("\n## [")[0]
    assert len(re.findall(r"^\* ", section, re.MULTILINE)) <= MOST_CHANGES


SPOILT = {
    "empty changelog": ("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\n* Ducks.\n"),
    "long changelog": ("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n" + "* A duck.\n" * (MOST_CHANGES + 1)),
    "wheel": ("Makefile", "wheel:\n\t@false\n"),
    "SBOM": (".ci/sbom", "#!/bin/sh\nexit 2\n"),
}
"""What keeps a release from being made: the file, and what is in it."""


@pytest.mark.parametrize(
    ("version", "spoil", "reason"),
    [
        ("99", None, "99 is no version. Give one like 0.2.0."),
        ("0.0.1", None, "0.0.1 is not newer than"),
        ("99.0.1", None, "docs/history/99.0.1.md is missing"),
        ("99.0.0", "pyproject.toml", "There are uncommitted changes."),
        ("99.0.0", "tag", "The tag v99.0.0 exists."),
        ("99.0.0", "empty changelog", "CHANGELOG.md has nothing under ## [Unreleased]."),
        ("99.0.0", "long changelog", "CHANGELOG.md has 21 changes under ## [Unreleased]. Leave the 20 main ones."),
        ("99.0.0", "wheel", "make --silent wheel"),
        ("99.0.0", "SBOM", ".ci/sbom"),
    ],
)
def test_a_release_that_cannot_be_made_changes_nothing(
    clone: Path, version: str, spoil: str | None, reason: str
) -> None:
    if spoil == "tag":
        git(clone, "tag", "v99.0.0")
    elif spoil in SPOILT:
        name, text = SPOILT[spoil]
        (clone / name).write_text(text)
        git(clone, "commit", "--quiet", "--all", "--message", "Spoil it")
    elif spoil:
        (clone / spoil).write_text((clone / spoil).read_text() + "# changed\n")
    before = git(clone, "rev-parse", "HEAD"), (clone / "CHANGELOG.md").read_text()
    done = release(clone, version)
    assert done.returncode == 1
    assert reason in done.stderr
    assert (git(clone, "rev-parse", "HEAD"), (clone / "CHANGELOG.md").read_text()) == before
    assert spoil == "pyproject.toml" or not git(clone, "status", "--porcelain")
    assert git(clone, "tag", "--list") == ("v99.0.0\n" if spoil == "tag" else "")
    assert not (clone / "var" / "release" / version).exists()
