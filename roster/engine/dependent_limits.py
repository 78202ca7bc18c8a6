"""Limits that go with another: command points with the size of a game."""

from collections.abc import Mapping

from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset


def find_dependent_limits(ruleset: Ruleset, limits: Mapping[str, Number]) -> dict[str, Number]:
    """Return the limits, by cost type id, that depend on those in `limits`; one that is no step has none."""
    return {
        kind.id: steps[limits[kind.follows]]
        for kind in ruleset.binding.cost_types.values()
        if kind.follows in limits and limits[kind.follows] in (steps := dict(kind.steps))
    }
