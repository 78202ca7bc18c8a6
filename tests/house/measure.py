"""Print the figures of the code next to those of model projects: `python -m tests.house.measure`.

The figures are for reviews; no test holds them. Product code is `armybuilder`, `catalogue` and `roster` without
migrations.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean, median
from types import FrameType

import django
from django.core.management import call_command
from django.test import Client
from django.test.utils import setup_test_environment

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("armybuilder", "catalogue", "roster")
LONG_LINE = 120
MOST_WAYS = 15
"""Ruff's bound on complexity."""
BANNED = frozenset({"found", "own", "made", "told", "said", "laid", "meant", "kept", "each"})
"""Names that do not say what they hold."""
UNNAMED_HOOKS = frozenset({"property", "cached_property", "setter"})
VERBS = frozenset((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())


@dataclass(frozen=True)
class Module:
    path: Path
    lines: tuple[str, ...]
    tree: ast.Module


@cache
def read_modules() -> tuple[Module, ...]:
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
    """Return the functions whose names should be verbs: no properties, no special methods."""
    return [
        node
        for node in list_functions()
        if not node.name.startswith("__")
        and not {getattr(item, "id", getattr(item, "attr", "")) for item in node.decorator_list} & UNNAMED_HOOKS
    ]


def is_one_word_helper(name: str) -> bool:
    """Return whether a private function's name is a single word.

    >>> is_one_word_helper("_page"), is_one_word_helper("_read_page"), is_one_word_helper("page")
    (True, False, False)
    """
    return name.startswith("_") and not name.startswith("__") and "_" not in name.strip("_")


def measure_complexity(node: ast.AST) -> int:
    """Count the ways through a function: branches, loops, handlers, operands of `and` and `or`, comprehensions.

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


def list_helpers_used_once(tree: ast.Module) -> list[str]:
    """Return the private functions and methods that a module names exactly once.

    >>> list_helpers_used_once(ast.parse("def _a(): return _b() + _b()\\ndef _b(): pass\\nprint(_a())"))
    ['_a']
    """
    uses = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    return [
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("_")
        and not node.name.startswith("__")
        and uses[node.name] == 1
    ]


def count_words_of_docstrings() -> int:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return sum(
        len((ast.get_docstring(node) or "").split())
        for module in read_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, documented)
    )


def list_doubled_classes() -> dict[str, list[str]]:
    """Return the names of classes that several modules define, with these modules."""
    places = defaultdict(set)
    for module in read_modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].add(str(module.path.relative_to(ROOT)))
    return {name: sorted(files) for name, files in sorted(places.items()) if len(files) > 1}


def list_banned_names() -> list[str]:
    return [
        f"{module.path.relative_to(ROOT)}: {name}"
        for module in read_modules()
        for name in map(find_defined_name, ast.walk(module.tree))
        if name.strip("_") in BANNED
    ]


def find_defined_name(node: ast.AST) -> str:
    """Return the name that a node of a syntax tree defines, or "".

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
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=D401", "--output-format=concise"]
    done = subprocess.run(
        [*command, "--exclude=migrations", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return len(re.findall(r": D401 ", done.stdout))


@dataclass(frozen=True)
class Trace:
    """The product's files and functions that a call entered, and their depth."""

    files: int
    functions: int
    depth: int


def trace_call(act: Callable[[], object]) -> Trace:
    codes = set()
    depth = deepest = 0

    def note_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, deepest
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in FOLDERS:
            return
        if event == "call":
            codes.add(frame.f_code)
            depth += 1
            deepest = max(deepest, depth)
        elif event == "return":
            depth -= 1

    before = sys.getprofile()
    sys.setprofile(note_call)
    try:
        act()
    finally:
        sys.setprofile(before)
    return Trace(len({code.co_filename for code in codes}), len(codes), deepest)


def trace_edit() -> Trace:
    """Add a unit to a small list twice, and return what the second edit entered. Needs Django and its database."""
    from tests.roster.views_cast import HTMX, started

    setup_test_environment()
    owner = started(Client())
    column = owner.roster.tree.forces[0].id
    form = {"do": "add-unit", "node": column, "entry": "cutters"}
    # The first edit loads templates.
    owner.edit(headers=HTMX, **form)
    revision = str(owner.roster.head)
    return trace_call(lambda: owner.edit(headers=HTMX, revision=revision, **form))


def share(part: int, whole: int) -> float:
    """Return a part as a percentage of the whole.

    >>> share(1, 8)
    12.5
    """
    return round(100 * part / whole, 1)


def measure_all() -> list[tuple[float, str, str]]:
    """Return each figure with its name and the models' figures: pretalx, Wagtail, healthchecks, datasette,
    openfisca.
    """
    modules, acts, functions = read_modules(), list_acts(), list(list_functions())
    lines = [line for module in modules for line in module.lines]
    templates = [
        line for path in (ROOT / "templates").rglob("*.html") for line in path.read_text(encoding="utf-8").splitlines()
    ]
    complexities = [measure_complexity(node) for node in functions]
    once = sum(len(list_helpers_used_once(module.tree)) for module in modules)
    verbs = sum(node.name.strip("_").split("_")[0] in VERBS for node in acts)
    one_word = sum(is_one_word_helper(node.name) for node in acts)
    edit = trace_edit()
    return [
        (len(lines), "product lines", ""),
        (len(modules), "product files", ""),
        (share(once, len(functions)), "% private helpers that their file uses once", "2 to 13"),
        (edit.functions, "functions that adding a unit enters", ""),
        (edit.depth, "depth of the calls of adding a unit", ""),
        (edit.files, "files that adding a unit enters", ""),
        (round(count_words_of_docstrings() / len(lines), 2), "words of docstring a line", "0.2 to 0.5"),
        (median(node.end_lineno - node.lineno + 1 for node in functions), "lines of a function, median", "6 to 9"),
        (round(mean(complexities), 2), "mean complexity of functions", "2.3 to 5"),
        (sum(ways > MOST_WAYS for ways in complexities), f"functions of a complexity above {MOST_WAYS}", ""),
        (share(verbs, len(acts)), "% functions that begin with a verb", "46 to 82"),
        (share(one_word, len(acts)), "% private helpers of one word", "0 to 3"),
        (len(list_doubled_classes()), "class names used twice", ""),
        (share(sum(line.lstrip().startswith("#") for line in lines), len(lines)), "% comment lines", "1.4 to 5"),
        (share(sum(len(line) > LONG_LINE for line in templates), len(templates)), "% long template lines", "0 to 1"),
        (count_docstrings_without_a_verb(), "docstrings that do not begin with a verb", ""),
    ]


def main() -> None:
    """Print the figures; the traced edit uses a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARMYBUILDER_VAR"] = folder
        django.setup()
        call_command("migrate", verbosity=0)
        for value, name, models in measure_all():
            print(f"{value:>9,}  {name}{f' (models: {models})' if models else ''}")


if __name__ == "__main__":
    main()
