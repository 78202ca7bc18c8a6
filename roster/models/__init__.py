from roster.models.abuse import AbuseReport
from roster.models.impact import Impact
from roster.models.plans import RosterPlan
from roster.models.revision import RevisionName, RosterRevision
from roster.models.roster import Roster

__all__ = ["AbuseReport", "Impact", "RevisionName", "Roster", "RosterPlan", "RosterRevision"]
