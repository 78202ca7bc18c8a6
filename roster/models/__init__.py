from roster.models.abuse import AbuseReport
from roster.models.impact import Impact
from roster.models.missions import DeckMission, MissionDeck, MissionDraw, ObjectiveHand
from roster.models.plans import RosterPlan
from roster.models.revision import RevisionName, RosterRevision
from roster.models.roster import Roster
from roster.models.sorting import Folder, Tag

__all__ = [
    "AbuseReport",
    "DeckMission",
    "Folder",
    "Impact",
    "MissionDeck",
    "MissionDraw",
    "ObjectiveHand",
    "RevisionName",
    "Roster",
    "RosterPlan",
    "RosterRevision",
    "Tag",
]
