"""A test that asserts only inside a loop passes if the loop never runs, so it must also assert that there are items."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("test_*.py"))
KEEPS_SIZE = {
    "combinations",
    "enumerate",
    "list",
    "pairwise",
    "product",
    "reversed",
    "shorten",
    "sorted",
    "tuple",
    "zip",
}
"""Functions whose result is not empty if their arguments are not."""
CHECKS = ("raises", "num_queries")
"""A `with` of one of these asserts as well."""

Values = dict[str, ast.expr]


def read_values(statements: list[ast.stmt]) -> Values:
    """Return the values of plain names, so that a loop over a constant is known to run."""
    values: Values = {}
    for statement in statements:
        if isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
            values[statement.target.id] = statement.value
        if not isinstance(statement, ast.Assign):
            continue
        for target in statement.targets:
            if isinstance(target, ast.Name):
                values[target.id] = statement.value
            elif isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                named = zip(target.elts, statement.value.elts, strict=False)
                values |= {name.id: value for name, value in named if isinstance(name, ast.Name)}
    return values


def has_items(value: ast.expr, values: Values) -> bool:
    """Return whether the source shows that a loop over a value runs at least once."""
    match value:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            return bool(items)
        case ast.Constant(value=constant):
            return bool(constant)
        case ast.Name(id=name) if name in values:
            return has_items(values[name], {key: known for key, known in values.items() if key != name})
        case ast.Call(func=ast.Attribute(value=mapping, attr="items" | "keys" | "values")):
            return has_items(mapping, values)
        case ast.Call(func=ast.Name(id="range"), args=[stop]):
            return has_items(stop, values)
        case ast.Call(func=ast.Name(id="range"), args=bounds):
            return all(isinstance(bound, ast.Constant) for bound in bounds)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in KEEPS_SIZE:
            return all(has_items(argument, values) for argument in arguments)
    return False


def find_checks(node: ast.AST, values: Values, may_not_run: bool = False) -> list[bool]:
    """Return for each assertion below a node whether it is in a loop that may not run."""
    checks = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.Lambda):
            continue
        is_check = isinstance(child, ast.Assert) or (
            isinstance(child, ast.With) and any(word in ast.unparse(child.items[0]) for word in CHECKS)
        )
        if is_check:
            checks.append(may_not_run)
        is_unsure = isinstance(child, ast.For) and not has_items(child.iter, values)
        checks += find_checks(child, values, may_not_run or is_unsure)
    return checks


def find_hollow_tests(source: str) -> list[str]:
    """Return the names of tests whose assertions are all in loops that may not run."""
    tree = ast.parse(source)
    constants = read_values(tree.body)
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            checks = find_checks(node, constants | read_values(node.body))
            if checks and all(checks):
                names.append(node.name)
    return names


def test_no_test_asserts_only_inside_a_loop_that_may_not_run() -> None:
    assert len(FILES) > 100
    hollow = {path.relative_to(TESTS).as_posix(): find_hollow_tests(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: tests for name, tests in hollow.items() if tests} == {}


@pytest.mark.parametrize(
    ("body", "is_hollow"),
    [
        ("for page in read_pages(): assert page", True),
        ("pages = read_pages()\n assert pages\n for page in pages: assert page", False),
        ("for page in ('/', '/games/'): assert page", False),
        ("for page in PAGES: assert page", False),
        ("for page in NONE: assert page", True),
        ("for number, page in enumerate(PAGES.items()): assert page", False),
        ("for page in PAGES:\n  for line in page: assert line", True),
        ("for page in read_pages():\n  with pytest.raises(ValueError): read(page)", True),
        ("read_pages()", False),
    ],
)
def test_a_loop_that_may_not_run_is_told_apart(body: str, is_hollow: bool) -> None:
    source = f"PAGES, NONE = {{'/': 1}}, ()\n\ndef test_pages():\n {body}\n"
    assert find_hollow_tests(source) == (["test_pages"] if is_hollow else [])
