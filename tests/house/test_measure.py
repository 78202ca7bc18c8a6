"""Banned names stay away, and the figures of the code count correctly."""

import doctest

from tests.house import measure
from tests.house.measure import list_banned_names, list_doubled_classes, trace_call

TWICE = {"Command": "Django finds a command by this name", "Meta": "Django's name for the options of a model"}
"""Names of classes that several modules define, each with its reason."""


def test_a_class_name_is_used_once_or_has_a_reason() -> None:
    assert list_doubled_classes().keys() == TWICE.keys()


def test_names_say_what_they_hold() -> None:
    assert list_banned_names() == []


def test_figures_are_counted_as_they_say() -> None:
    assert doctest.testmod(measure).failed == 0


def test_a_trace_counts_files_functions_and_depth_of_the_product_alone() -> None:
    from catalogue.definitions.numbers import shorten_number

    trace = trace_call(lambda: [shorten_number(1), shorten_number(2)])
    assert (trace.files, trace.functions) == (1, 1)
    assert trace.depth >= 1
    assert trace_call(lambda: sorted([2, 1])).functions == 0
