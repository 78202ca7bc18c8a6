"""The examples in the docstrings of definitions, graph and engine."""

import doctest
import pkgutil
from importlib import import_module

import pytest

PACKAGES = ("catalogue.definitions", "catalogue.graph", "roster.engine")
MODULES = [
    module.name
    for package in PACKAGES
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
