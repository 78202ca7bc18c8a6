"""The audit log of an event: every act of organisers and judges, and every look at a list."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from roster.events.models import AuditRecord, Event, Participant
from roster.services.accounts import get_player_name

DETAIL_LENGTH = 400
LOOK = "look"
LOOK_AGAIN = timedelta(hours=1)
ABOUT_PLACES = ("enter", "drop", "return-player", "remove-member", "swap", "submit", "late-pass", "late-pass-removed")
"""What is done about players and tells nothing of their lists: who is blind reads no other acts about players."""


def record_act(
    event: Event, actor: User | None, act: str, participant: Participant | None = None, detail: str = ""
) -> AuditRecord:
    """Keep that somebody did something; `act` is a code that `roster.events.wording` makes a sentence of."""
    return AuditRecord.objects.create(
        event=event,
        actor=actor,
        actor_name=name_person(actor),
        act=act,
        participant=participant,
        detail=detail[:DETAIL_LENGTH],
    )


def record_look(event: Event, actor: User | None, act: str, detail: str = "") -> None:
    """Keep that somebody looked at what tells of many lists at once; the same again only after `LOOK_AGAIN`."""
    since = timezone.now() - LOOK_AGAIN
    if not event.audit.filter(actor=actor, act=act, detail=detail[:DETAIL_LENGTH], created__gt=since).exists():
        record_act(event, actor, act, detail=detail)


def list_acts(event: Event, *, blind: bool) -> QuerySet[AuditRecord]:
    """Return all acts in an event, the newest first; to who is `blind` not what was decided about lists."""
    acts = event.audit.select_related("participant")
    return acts.filter(Q(participant=None) | Q(act__in=ABOUT_PLACES)) if blind else acts


def list_looks(participant: Participant) -> QuerySet[AuditRecord]:
    """Return who looked at a player's list, and when."""
    return participant.audit.filter(act=LOOK)


def name_person(user: User | None) -> str:
    """Return what others call somebody: the name that they chose, else that of the account; blank for nobody."""
    if user is None:
        return ""
    return get_player_name(user) or user.get_username()
