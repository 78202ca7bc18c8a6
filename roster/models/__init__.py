from roster.models.judgements import Impact, PackProofs
from roster.models.ownership import AbuseReport, ChosenLanguage, FavouriteUnit, PlayerName, SettledNames
from roster.models.roster import Folder, RevisionName, RevisionOutlook, Roster, RosterPlan, RosterRevision, Tag

__all__ = [
    "AbuseReport",
    "ChosenLanguage",
    "FavouriteUnit",
    "Folder",
    "Impact",
    "PackProofs",
    "PlayerName",
    "RevisionName",
    "RevisionOutlook",
    "Roster",
    "RosterPlan",
    "RosterRevision",
    "SettledNames",
    "Tag",
]
