"""Only one module writes the separator of composite ids."""

import ast
from pathlib import Path

import pytest

from catalogue.graph.ids import SEPARATOR

ROOT = Path(__file__).resolve().parents[2]
WRITTEN_IN = {
    "catalogue/graph/ids.py",
    # Fields of queries use the same sign between a word and an id.
    "catalogue/definitions/queries.py",
    "catalogue/formats/battlescribe/queries.py",
}


def writes_separator(source: str) -> bool:
    """Return whether a string other than a docstring contains the separator."""
    if SEPARATOR not in source:
        return False
    tree = ast.parse(source)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return any(isinstance(text.value, str) and SEPARATOR in text.value for text in texts)


@pytest.mark.parametrize(("source", "writes"), [("x.split('::')", True), ("'''l1::squad'''", False)])
def test_what_counts_as_writing_it(source: str, writes: bool) -> None:
    assert writes_separator(source) is writes


def test_the_separator_is_written_once() -> None:
    files = [path for app in ("catalogue", "roster") for path in (ROOT / app).rglob("*.py")]
    assert len(files) > 100
    writers = {str(path.relative_to(ROOT)) for path in files if writes_separator(path.read_text("utf-8"))}
    assert writers == WRITTEN_IN
