from roster.models.abuse import AbuseReport
from roster.models.folders import Folder, Tag
from roster.models.impact import Impact
from roster.models.plans import RosterPlan
from roster.models.proofs import PackProofs
from roster.models.revision import RevisionName, RosterRevision
from roster.models.roster import Roster

__all__ = [
    "AbuseReport",
    "Folder",
    "Impact",
    "PackProofs",
    "RevisionName",
    "Roster",
    "RosterPlan",
    "RosterRevision",
    "Tag",
]
