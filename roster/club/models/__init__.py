from roster.club.models.battles import BattleReport, ReportedSide, ReportPhoto
from roster.club.models.collections import Collection, ModelState, OwnedKind, StateChange
from roster.club.models.forces import CampaignForce, CountedGame, LedgerEntry, LedgerKind, Veteran
from roster.club.models.leagues import (
    Club,
    ClubMember,
    ClubNight,
    ClubRole,
    LadderKind,
    Meeting,
    NightPlayer,
    Season,
    SeasonFormat,
    SeasonPlayer,
)
from roster.club.models.players import BlockedPlayer, ClosedTalk, FollowedPlayer, LikedList, ListComment, PlayerPage
from roster.club.models.statistics import FactionStatistics, GameStatistics, ListSource, SliceStatistics

__all__ = [
    "BattleReport",
    "BlockedPlayer",
    "CampaignForce",
    "ClosedTalk",
    "Club",
    "ClubMember",
    "ClubNight",
    "ClubRole",
    "Collection",
    "CountedGame",
    "FactionStatistics",
    "FollowedPlayer",
    "GameStatistics",
    "LadderKind",
    "LedgerEntry",
    "LedgerKind",
    "LikedList",
    "ListComment",
    "ListSource",
    "Meeting",
    "ModelState",
    "NightPlayer",
    "OwnedKind",
    "PlayerPage",
    "ReportPhoto",
    "ReportedSide",
    "Season",
    "SeasonFormat",
    "SeasonPlayer",
    "SliceStatistics",
    "StateChange",
    "Veteran",
]
