"""Which modules are mutated, and which tests run first for each."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
AREAS = {
    "roster/services": (
        "tests/roster/test_services_board.py",
        "tests/roster/test_services_edits.py",
        "tests/roster/test_views_builder.py",
        "tests/roster/test_views_deck.py",
    ),
    "roster/engine/completion": (
        "tests/engine/test_look_ahead.py",
        "tests/roster/test_lists_fill.py",
        "tests/roster/test_views_ways.py",
    ),
    "roster/views/builder": (
        "tests/roster/test_views_edits.py",
        "tests/roster/test_views_builder.py",
        "tests/roster/test_fragment_keys.py",
        "tests/roster/test_views_ways.py",
    ),
    "catalogue/services": (
        "tests/catalogue/test_services_install.py",
        "tests/catalogue/test_services_rows.py",
        "tests/catalogue/test_services_cards.py",
        "tests/catalogue/test_views_units.py",
    ),
}
"""The mutated packages, each with tests for modules that few test files import."""
MOST_FILES = 6
"""At most this many test files that import a module are run for it."""
FEW_FILES = 3
"""A module that fewer test files import is also tried with the tests of its area."""
LEFT_OUT = re.compile(r"^pytestmark = .*\bpytest\.mark\.(slow|complete)\b", re.MULTILINE)


def list_modules(areas: list[str]) -> list[Path]:
    files = (path for area in areas for path in sorted((ROOT / area).rglob("*.py")))
    return [path.relative_to(ROOT) for path in files if path.read_text(encoding="utf-8").strip()]


def choose_test_files(module: Path) -> list[str]:
    """Return the test files that mention a module most often; if these are few, those of its area as well."""
    dotted = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
    stem = dotted.rpartition(".")[2]
    mentions = {name: imports[dotted] for name, imports in read_test_imports().items() if imports[dotted]}
    chosen = sorted(mentions, key=lambda name: (stem not in name, -mentions[name], name))[:MOST_FILES]
    if len(chosen) < FEW_FILES:
        chosen += next(tests for area, tests in AREAS.items() if module.is_relative_to(area))
    return list(dict.fromkeys(chosen))


@cache
def read_test_imports() -> dict[str, Counter[str]]:
    """Return how often each test file, except slow and browser ones, mentions each module."""
    imports = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "browser" and not LEFT_OUT.search(text):
            imports[path.relative_to(ROOT).as_posix()] = count_mentions(text)
    return imports


def count_mentions(source: str) -> Counter[str]:
    tree = ast.parse(source)
    imported = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imported.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
    mentions: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in imported:
            package, name = imported[node.id]
            mentions.update([package, f"{package}.{name}"])
    return mentions
