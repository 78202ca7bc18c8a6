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

__all__ = [
    "Club",
    "ClubMember",
    "ClubRole",
    "Collection",
    "LadderKind",
    "Meeting",
    "ModelState",
    "OwnedKind",
    "Season",
    "SeasonFormat",
    "SeasonPlayer",
    "StateChange",
]
