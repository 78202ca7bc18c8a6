from roster.events.models.checking import (
    Assignment,
    AuditRecord,
    CorrectionWindow,
    EventComment,
    LatePass,
    Penalty,
    PlayerAlias,
)
from roster.events.models.event import (
    Event,
    EventHomebrew,
    EventRole,
    EventStatus,
    Participant,
    RoleKind,
    SubmissionStatus,
    Team,
)
from roster.events.models.mail import EventMail, MailChoice, MailRefusal
from roster.events.models.pairing import Pairing
from roster.events.models.submission import Decision, Recheck, Submission

__all__ = [
    "Assignment",
    "AuditRecord",
    "CorrectionWindow",
    "Decision",
    "Event",
    "EventComment",
    "EventHomebrew",
    "EventMail",
    "EventRole",
    "EventStatus",
    "LatePass",
    "MailChoice",
    "MailRefusal",
    "Pairing",
    "Participant",
    "Penalty",
    "PlayerAlias",
    "Recheck",
    "RoleKind",
    "Submission",
    "SubmissionStatus",
    "Team",
]
