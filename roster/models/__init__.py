from roster.models.judgements import Impact, PackProofs
from roster.models.ownership import AbuseReport, ChosenLanguage, PlayerName, SettledNames
from roster.models.revision import RevisionName, RevisionOutlook, RosterRevision
from roster.models.roster import Folder, Roster, RosterPlan, Tag

__all__ = [
    "AbuseReport",
    "ChosenLanguage",
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
