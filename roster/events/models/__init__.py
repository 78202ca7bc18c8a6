from roster.events.models.checking import (
    Assignment,
    AuditRecord,
    CorrectionWindow,
    EventComment,
    LatePass,
    Penalty,
    PlayerAlias,
)
from roster.events.models.event import Event, EventRole, EventStatus, Participant, RoleKind, SubmissionStatus, Team
from roster.events.models.submission import Decision, Recheck, Submission

__all__ = [
    "Assignment",
    "AuditRecord",
    "CorrectionWindow",
    "Decision",
    "Event",
    "EventComment",
    "EventRole",
    "EventStatus",
    "LatePass",
    "Participant",
    "Penalty",
    "PlayerAlias",
    "Recheck",
    "RoleKind",
    "Submission",
    "SubmissionStatus",
    "Team",
]
