"""The figures of the code only get better, and names that say nothing do not come back."""

import doctest
from functools import cache

import pytest

from tests.house import measure
from tests.house.measure import BOUNDS, SIZES, list_banned_names, list_doubled_classes, measure_all

TWICE = {"Command": "Django finds a command by this name", "Meta": "Django's name for the options of a model"}
"""Names of classes that several modules define, each with its reason."""
figures = cache(measure_all)


@pytest.mark.parametrize("name", BOUNDS)
def test_a_figure_keeps_its_bound(name: str) -> None:
    value = figures()[name]
    assert BOUNDS[name].holds(value), f"{name}: {value}, bound {BOUNDS[name].today}"


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_is_the_aim_once_that_is_reached(name: str) -> None:
    assert not BOUNDS[name].is_slack(figures()[name])


def test_each_figure_has_a_bound_or_a_size() -> None:
    assert figures().keys() == BOUNDS.keys() | SIZES.keys()


def test_a_class_name_is_used_once_or_has_a_reason() -> None:
    assert list_doubled_classes().keys() == TWICE.keys()


def test_names_say_what_they_hold() -> None:
    assert list_banned_names() == []


def test_figures_are_counted_as_they_say() -> None:
    assert doctest.testmod(measure).failed == 0
