from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange
from roster.club.models.leagues import (
    Club,
    ClubMember,
    ClubRole,
    LadderKind,
    Meeting,
    Season,
    SeasonFormat,
    SeasonPlayer,
)
from roster.club.models.statistics import FactionStatistics, GameStatistics, ListSource, SliceStatistics

__all__ = [
    "Club",
    "ClubMember",
    "ClubRole",
    "Collection",
    "FactionStatistics",
    "GameStatistics",
    "LadderKind",
    "ListSource",
    "Meeting",
    "ModelState",
    "OwnedKind",
    "Season",
    "SeasonFormat",
    "SeasonPlayer",
    "SliceStatistics",
    "StateChange",
]
