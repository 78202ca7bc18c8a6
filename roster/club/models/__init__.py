from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange
from roster.club.models.statistics import FactionStatistics, GameStatistics, ListSource, SliceStatistics

__all__ = [
    "Collection",
    "FactionStatistics",
    "GameStatistics",
    "ListSource",
    "ModelState",
    "OwnedKind",
    "SliceStatistics",
    "StateChange",
]
