"""The cost type that lists of a game are limited by."""

from catalogue.definitions.catalogues import DataSet
from catalogue.definitions.entries import CostType


def find_points_type(data: DataSet) -> CostType | None:
    """Return the cost type that lists are limited by: the one called points, else the first visible one with a limit.

    None in a game that has no visible cost.
    """
    kinds = [kind for catalogue in data.catalogues for kind in catalogue.cost_types]
    visible = [kind for kind in kinds if not kind.is_never_shown]
    named = filter(_is_points, visible)
    limited = filter(_has_limit, visible)
    return next(iter([*named, *limited, *visible]), None)


def _is_points(kind: CostType) -> bool:
    return _is_called_points(kind.name) or _is_called_points(kind.id)


def _has_limit(kind: CostType) -> bool:
    return kind.default_limit >= 0 or bool(kind.presets)


def _is_called_points(text: str) -> bool:
    return text.strip().lower().startswith(("pts", "point"))
