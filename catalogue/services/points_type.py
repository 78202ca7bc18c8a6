"""The cost type that lists of a game are limited by."""

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import CostType


def find_points_type(data: DataSet) -> CostType | None:
    """Return the cost type that lists are limited by: the one called points, else the first visible one with a limit.

    None in a game that has no visible cost.
    """
    visible = [
        kind for catalogue in data.catalogues for kind in catalogue.cost_types if not kind.is_never_shown
    ]
    named = [kind for kind in visible if _is_called_points(kind.name) or _is_called_points(kind.id)]
    limited = [kind for kind in visible if kind.default_limit >= 0 or kind.presets]
    return next(iter([*named, *limited, *visible]), None)


def _is_called_points(text: str) -> bool:
    return text.strip().lower().startswith(("pts", "point"))
