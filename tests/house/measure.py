"""The figures of the code: `python -m tests.house.measure` prints each beside its bound and its aim.

A bound is as good as the code has been: it moves towards the aim, never back. Product code is `armybuilder`,
`catalogue` and `roster` without migrations.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("armybuilder", "catalogue", "roster")
LONG_LINE = 120
MOST_WAYS = 10
"""So many ways through a function a reader keeps in mind."""
BANNED = frozenset({"found", "own", "made", "told", "said", "laid", "meant", "kept", "each"})
"""Names that say nothing of what they hold."""
UNNAMED_HOOKS = frozenset({"property", "cached_property", "setter"})
VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())


@dataclass(frozen=True)
class Bound:
    """How far a figure may go today, and what it is to become. A larger figure is better where `rises`."""

    today: float
    aim: float
    rises: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.today if self.rises else value <= self.today

    def is_slack(self, value: float) -> bool:
        """Whether the aim is reached and the bound is still short of it."""
        short = self.today < self.aim if self.rises else self.today > self.aim
        return short and (value >= self.aim if self.rises else value <= self.aim)


BOUNDS = {
    "mean complexity of functions": Bound(3.1, 3.1),
    "functions of a complexity above 10": Bound(0, 0),
    "% functions that begin with a verb": Bound(96, 70, rises=True),
    "% private helpers of one word": Bound(1.2, 3),
    "class names used twice": Bound(2, 10),
    "banned names": Bound(0, 0),
    "% comment lines": Bound(1.5, 1.5, rises=True),
    "% template lines over 120 columns": Bound(1, 1),
    "docstrings that do not begin with a verb": Bound(0, 0),
}
SIZES = {"product lines": 38_500, "product files": 300}
"""What the code is to come to in all, without a bound on the way."""


@dataclass(frozen=True)
class Module:
    """A file of product code."""

    path: Path
    lines: tuple[str, ...]
    tree: ast.Module


@cache
def read_modules() -> tuple[Module, ...]:
    """Return all product code but migrations; empty files count nowhere."""
    modules = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if text and "migrations" not in path.parts:
                modules.append(Module(path, tuple(text.splitlines()), ast.parse(text)))
    return tuple(modules)


def list_functions() -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for module in read_modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def list_acts() -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the functions whose names have to be verbs: not properties, not what Python calls by itself."""
    return [node for node in list_functions() if not node.name.startswith("__") and not is_property(node)]


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {getattr(item, "id", getattr(item, "attr", "")) for item in node.decorator_list}
    return bool(names & UNNAMED_HOOKS)


def begins_with_a_verb(name: str) -> bool:
    """Whether a function's name says what it does.

    >>> begins_with_a_verb("_read_page"), begins_with_a_verb("page")
    (True, False)
    """
    return name.strip("_").split("_")[0] in VERBS


def is_one_word_helper(name: str) -> bool:
    """Whether a private function's name is a single word.

    >>> is_one_word_helper("_page"), is_one_word_helper("_read_page"), is_one_word_helper("page")
    (True, False, False)
    """
    return name.startswith("_") and not name.startswith("__") and "_" not in name.strip("_")


def measure_complexity(node: ast.AST) -> int:
    """Count the ways through a function: each branch, loop, handler, operand of `and` and `or`, and comprehension.

    >>> measure_complexity(ast.parse("def f(x): return [y for y in x if y] if x and len(x) else None"))
    5
    """
    branches = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)
    total = 1
    for inner in ast.walk(node):
        if isinstance(inner, branches):
            total += 1
        elif isinstance(inner, ast.BoolOp):
            total += len(inner.values) - 1
        elif isinstance(inner, ast.comprehension):
            total += 1 + len(inner.ifs)
    return total


def list_doubled_classes() -> dict[str, list[str]]:
    """Return the names of classes that several modules define, with those modules."""
    places = defaultdict(set)
    for module in read_modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].add(str(module.path.relative_to(ROOT)))
    return {name: sorted(files) for name, files in sorted(places.items()) if len(files) > 1}


def list_banned_names() -> list[str]:
    """Return the variables, fields, arguments and functions that are called by a banned name, each with its file."""
    return [
        f"{module.path.relative_to(ROOT)}: {name}"
        for module in read_modules()
        for name in map(find_defined_name, ast.walk(module.tree))
        if name.strip("_") in BANNED
    ]


def find_defined_name(node: ast.AST) -> str:
    """Return the name that a node of a syntax tree gives to something; blank for other nodes.

    >>> [name for node in ast.walk(ast.parse("def f(x): y = x")) if (name := find_defined_name(node))]
    ['f', 'x', 'y']
    """
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name
    return ""


def count_docstrings_without_a_verb() -> int:
    """Ask ruff, which knows English."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=D401", "--output-format=concise"]
    done = subprocess.run(
        [*command, "--exclude=migrations", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return len(re.findall(r": D401 ", done.stdout))


def list_template_lines() -> list[str]:
    return [
        line for path in (ROOT / "templates").rglob("*.html") for line in path.read_text(encoding="utf-8").splitlines()
    ]


def measure_all() -> dict[str, float]:
    """Return every figure by its name."""
    modules, acts = read_modules(), list_acts()
    lines = [line for module in modules for line in module.lines]
    templates = list_template_lines()
    private = [node for node in acts if is_one_word_helper(node.name)]
    complexities = [measure_complexity(node) for node in list_functions()]
    return {
        "product lines": len(lines),
        "product files": len(modules),
        "mean complexity of functions": round(mean(complexities), 2),
        "functions of a complexity above 10": sum(ways > MOST_WAYS for ways in complexities),
        "% functions that begin with a verb": share(sum(begins_with_a_verb(node.name) for node in acts), len(acts)),
        "% private helpers of one word": share(len(private), len(acts)),
        "class names used twice": len(list_doubled_classes()),
        "banned names": len(list_banned_names()),
        "% comment lines": share(sum(line.lstrip().startswith("#") for line in lines), len(lines)),
        "% template lines over 120 columns": share(sum(len(line) > LONG_LINE for line in templates), len(templates)),
        "docstrings that do not begin with a verb": count_docstrings_without_a_verb(),
    }


def share(part: int, whole: int) -> float:
    """Return a part in hundredths of the whole.

    >>> share(1, 8)
    12.5
    """
    return round(100 * part / whole, 1)


def main() -> int:
    """Print the figures; the exit status says whether all bounds hold."""
    figures = measure_all()
    for name, value in figures.items():
        if name in SIZES:
            print(f"  {value:>9,}  {name} (aim {SIZES[name]:,})")
        else:
            mark = " " if BOUNDS[name].holds(value) else "!"
            print(f"{mark} {value:>9,}  {name} (bound {BOUNDS[name].today:,}, aim {BOUNDS[name].aim:,})")
    return 0 if all(bound.holds(figures[name]) for name, bound in BOUNDS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
