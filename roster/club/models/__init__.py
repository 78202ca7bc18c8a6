from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange
from roster.club.models.forces import CampaignForce, CountedGame, LedgerEntry, LedgerKind, Veteran
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
    "CampaignForce",
    "Club",
    "ClubMember",
    "ClubRole",
    "Collection",
    "CountedGame",
    "FactionStatistics",
    "GameStatistics",
    "LadderKind",
    "LedgerEntry",
    "LedgerKind",
    "ListSource",
    "Meeting",
    "ModelState",
    "OwnedKind",
    "Season",
    "SeasonFormat",
    "SeasonPlayer",
    "SliceStatistics",
    "StateChange",
    "Veteran",
]
