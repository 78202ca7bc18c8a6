"""The shape of the repository: which files exist, which stay empty, what needs a reason."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "armybuilder",
    "catalogue",
    "docs",
    "manage.py",
    "pyproject.toml",
    "roster",
    "static",
    "templates",
    "tests",
}
USUAL = {"CODE_OF_CONDUCT.md", "CODEOWNERS", "CITATION.cff", "Containerfile", "compose.yaml", "mkdocs.yml"}
"""Files that code hosts and tools expect at the top; they may be there."""
KEPT_EMPTY = [
    "roster/__init__.py",
    "catalogue/__init__.py",
    "catalogue/definitions/__init__.py",
    "catalogue/formats/__init__.py",
    "catalogue/graph/__init__.py",
    "roster/engine/__init__.py",
    "roster/formats/__init__.py",
]
# A silenced check: its marker, its codes, and the required reason.
SILENCED = re.compile(r"#\s*(?P<marker>noqa|type:\s*ignore|pragma|nosec|fmt:\s*(?:off|skip))(?P<rest>.*)$")
REASONED = re.compile(r"^(?::\s*[A-Z]+[0-9]+(?:,\s*[A-Z]+[0-9]+)*|\[[a-z, -]+\])\s+(?:#|-|--|–)\s*\S+.*\s\S+")


def files(*patterns: str) -> list[Path]:
    """Return the files that git tracks or would add and that still exist."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def test_top_level_is_exactly_what_the_architecture_says():
    found = {path.relative_to(ROOT).parts[0] for path in files()}
    assert {name for name in found if not name.startswith(".")} - USUAL == TOP_LEVEL


@pytest.mark.parametrize("name", KEPT_EMPTY)
def test_pure_packages_load_nothing(name):
    assert (ROOT / name).read_bytes() == b""


@pytest.mark.parametrize("app", ["catalogue", "roster"])
def test_models_package_only_imports_models(app):
    path = ROOT / app / "models" / "__init__.py"
    lines = path.read_text(encoding="utf-8").split("\n")
    code = [line for line in lines if line and not line.startswith(("#", '"""'))]
    statement = re.compile(r"from (\.|[a-z_.]*models\b).* import|__all__ = |[ \])]")
    assert [line for line in code if not statement.match(line)] == []


def test_every_silenced_check_gives_a_reason():
    bare = []
    for path in files("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = SILENCED.search(line)
            if found and path != Path(__file__) and not REASONED.match(found["rest"]):
                bare.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert bare == []


def test_nothing_is_loaded_from_another_host():
    """Templates and style sheets name no address that a browser would load by itself."""
    fetched = re.compile(
        r"""(?:<(?:script|img|iframe|source|link(?![^>]*canonical))\b[^>]*(?:src|href)=["']?|url\(["']?|@import\s+["']?)(?:https?:)?//"""
    )
    strangers = [
        str(path.relative_to(ROOT))
        for path in files("templates/*", "roster/templates/*", "catalogue/templates/*", "static/css/*", "static/js/*")
        if path.suffix in {".html", ".css", ".js", ".svg"} and fetched.search(path.read_text(encoding="utf-8"))
    ]
    assert strangers == []


def test_templates_need_no_exception_from_the_security_policy():
    """No inline script, style or handler, which the content security policy would block."""
    inline = re.compile(
        r"""<script(?![^>]*\bsrc=)(?![^>]*type="application/json")|<style\b|\sstyle=["']|\son[a-z]+=["']"""
    )
    offenders = [
        str(path.relative_to(ROOT))
        for path in files("templates/*", "roster/templates/*", "catalogue/templates/*")
        if path.suffix == ".html" and "pdf" not in path.parts and inline.search(path.read_text(encoding="utf-8"))
    ]
    assert offenders == []


def test_no_text_has_marks_of_an_unfinished_merge():
    marks = ("<<<<<<< ", ">>>>>>> ", "||||||| ")
    texts = files("*.md", "*.html", "*.css", "*.js", "*.yaml", "*.po", "*.toml", "*.txt")
    assert texts
    unfinished = {
        str(path.relative_to(ROOT))
        for path in texts
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if line.startswith(marks)
    }
    assert unfinished == set()


def test_lines_of_styles_are_short():
    """Templates have a formatter; styles have none."""
    styles = [path for path in files("static/css/*", "roster/pdf/styles/*") if path.suffix == ".css"]
    lines = [(path, line) for path in styles for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines
    assert [line for line in lines if len(line[1]) > 120] == []


def test_every_sign_that_a_template_shows_is_there():
    signs = set(re.findall(r'<symbol id="([\w-]+)"', (ROOT / "static/icons/i.svg").read_text()))
    shown = {
        (path.name, sign)
        for path in (ROOT / "templates").rglob("*.html")
        for sign in re.findall(r'{% icon "([\w-]+)" %}', path.read_text())
    }
    assert shown
    assert [(name, sign) for name, sign in sorted(shown) if sign not in signs] == []
