from roster.club.models.battles import BattleReport, ReportedSide, ReportPhoto
from roster.club.models.collections import Collection, KindPhoto, ModelState, OwnedKind, StateChange
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
from roster.club.models.players import BlockedPlayer, ClosedTalk, FollowedPlayer, LikedList, ListComment, PlayerPage
from roster.club.models.statistics import FactionStatistics, GameStatistics, ListSource, SliceStatistics

__all__ = [
    "BattleReport",
    "BlockedPlayer",
    "CampaignForce",
    "ClosedTalk",
    "Club",
    "ClubMember",
    "ClubRole",
    "Collection",
    "CountedGame",
    "FactionStatistics",
    "FollowedPlayer",
    "GameStatistics",
    "KindPhoto",
    "LadderKind",
    "LedgerEntry",
    "LedgerKind",
    "LikedList",
    "ListComment",
    "ListSource",
    "Meeting",
    "ModelState",
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
