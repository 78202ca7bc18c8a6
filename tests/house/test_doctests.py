"""The examples in docstrings say what their functions do."""

import doctest
from importlib import import_module

import pytest

from tests.house.measure import ROOT, read_modules

MODULES = [
    ".".join(module.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for module in read_modules()
    if any(">>>" in line for line in module.lines)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert results.failed == 0
