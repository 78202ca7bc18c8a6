"""Limits that go with another: command points with the size of a game."""

from collections.abc import Mapping

from catalogue.definitions.numbers import Number
from catalogue.graph.ruleset import Ruleset


def find_dependent_limits(ruleset: Ruleset, limits: Mapping[str, Number]) -> dict[str, Number]:
    """The limits, by cost type id, that those in `limits` bring along; a limit that is no step brings none."""
    return {
        kind.id: steps[limits[kind.follows]]
        for kind in ruleset.binding.cost_types.values()
        if kind.follows in limits and limits[kind.follows] in (steps := dict(kind.steps))
    }
