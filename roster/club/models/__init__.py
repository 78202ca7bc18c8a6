from roster.club.models.battles import BattleReport, ReportedSide, ReportPhoto
from roster.club.models.collections import Collection, KindPhoto, ModelState, OwnedKind, StateChange
from roster.club.models.forces import CampaignForce, CountedGame, LedgerEntry, LedgerKind, Veteran
from roster.club.models.leagues import (
    Club,
    ClubMember,
    ClubNight,
    ClubRole,
    LadderKind,
    ListReveal,
    Meeting,
    NightPlayer,
    Season,
    SeasonFormat,
    SeasonPlayer,
)
from roster.club.models.players import BlockedPlayer, ClosedTalk, FollowedPlayer, LikedList, ListComment, PlayerPage
from roster.club.models.season_parts import ChosenList, SeasonEvent, SeasonHomebrew
from roster.club.models.statistics import FactionStatistics, GameStatistics, ListSource, SliceStatistics

__all__ = [
    "BattleReport",
    "BlockedPlayer",
    "CampaignForce",
    "ChosenList",
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
    "KindPhoto",
    "LadderKind",
    "LedgerEntry",
    "LedgerKind",
    "LikedList",
    "ListComment",
    "ListReveal",
    "ListSource",
    "Meeting",
    "ModelState",
    "NightPlayer",
    "OwnedKind",
    "PlayerPage",
    "ReportPhoto",
    "ReportedSide",
    "Season",
    "SeasonEvent",
    "SeasonFormat",
    "SeasonHomebrew",
    "SeasonPlayer",
    "SliceStatistics",
    "StateChange",
    "Veteran",
]
