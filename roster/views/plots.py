from collections.abc import Iterable
from dataclasses import dataclass

WIDTH = 75
"""Percent of the plot."""
BAR = 24


@dataclass(frozen=True, slots=True)
class PlotBar:
    """A bar with its label and formatted value, in SVG units; `draw_bars` gives `width` in percent."""

    x: float
    y: float
    width: float
    height: float
    label: str
    figure: str


@dataclass(frozen=True, slots=True)
class BarPlot:
    bars: tuple[PlotBar, ...]

    @property
    def height(self) -> int:
        return BAR * len(self.bars)


def draw_bars(lines: Iterable[tuple[str, float, str]], most: float) -> BarPlot:
    """Draw a bar for each label, value and text; the value `most` has full width."""
    return BarPlot(
        tuple(
            PlotBar(0, number * BAR, WIDTH * value / (most or 1), BAR - 6, label, figure)
            for number, (label, value, figure) in enumerate(lines)
        )
    )
