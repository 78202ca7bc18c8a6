from roster.models.plans import RosterPlan
from roster.models.revision import RosterRevision
from roster.models.roster import Roster

__all__ = ["Roster", "RosterPlan", "RosterRevision"]
