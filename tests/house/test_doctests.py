"""The examples in docstrings are right."""

import doctest
from importlib import import_module

import pytest

from tests.house.measure import FOLDERS, ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts and ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert results.failed == 0
