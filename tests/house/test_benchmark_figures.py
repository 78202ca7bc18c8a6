import pytest

from tests.bench.__main__ import line
from tests.bench.benchmark import Figure, Times, Yardstick, measure


def test_percentiles_are_measured_values():
    times = Times(tuple(n / 1000 for n in range(1, 101)))
    assert (times.p50, times.p99) == (0.050, 0.099)
    assert (Times((0.5,)).p50, Times((0.5,)).p99) == (0.5, 0.5)


def test_measure_calls_so_many_times_after_warming_up():
    calls = []
    assert len(measure(lambda: calls.append(1), times=5, warm_up=2).seconds) == 5
    assert len(calls) == 7


@pytest.mark.parametrize(("at_most", "kept"), [(None, True), (4, True), (2, True), (1.9, False)])
def test_aim_is_counted_in_bare_views(at_most, kept):
    assert line(Figure("x", Times((0.02,)), at_most), bare=0.01)[1] is kept


def test_figure_may_bring_its_own_yardstick():
    text, kept = line(Figure("x", Times((1.0,)), 5, Yardstick("warm Chromium", 0.25)), bare=0.001)
    assert kept
    assert "4.00 warm Chromium" in text
