from roster.models.abuse import AbuseReport
from roster.models.folders import Folder, Tag
from roster.models.impact import Impact
from roster.models.missions import DeckMission, MissionDeck, MissionDraw, ObjectiveHand
from roster.models.plans import RosterPlan
from roster.models.proofs import PackProofs
from roster.models.revision import RevisionName, RosterRevision
from roster.models.roster import Roster

__all__ = [
    "AbuseReport",
    "DeckMission",
    "Folder",
    "Impact",
    "MissionDeck",
    "MissionDraw",
    "ObjectiveHand",
    "PackProofs",
    "RevisionName",
    "Roster",
    "RosterPlan",
    "RosterRevision",
    "Tag",
]
