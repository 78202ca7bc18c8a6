"""Log helpers' actions, and every view of a list."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from roster.events.models import AuditRecord, Event, Participant
from roster.models.webhooks import Topic
from roster.services.accounts import get_player_name
from roster.services.webhooks import announce

DETAIL_LENGTH = 400
LOOK = "look"
TOPICS = {"submit": Topic.SUBMITTED, "accepted": Topic.DECIDED, "returned": Topic.DECIDED, "publish": Topic.PUBLISHED}
"""What webhooks are told of."""
LOOK_AGAIN = timedelta(hours=1)
ABOUT_PLACES = ("enter", "drop", "return-player", "remove-member", "swap", "submit", "late-pass", "late-pass-removed")
"""Actions that reveal nothing about a list. Blind helpers see no other actions on players."""


def record_act(
    event: Event, actor: User | None, act: str, participant: Participant | None = None, detail: str = ""
) -> AuditRecord:
    """Log an action, and notify the helpers' webhooks. `roster.events.wording` has the sentence for the code `act`."""
    if act in TOPICS:
        # Blind helpers learn nothing about lists before everything is revealed.
        helpers = event.roles.filter(is_blind=False).values_list("user", flat=True)
        about = {"player": participant.public_id} if participant else {"round": detail}
        announce(TOPICS[act], {"event": event.public_id, "act": act, **about}, helpers)
    return AuditRecord.objects.create(
        event=event,
        actor=actor,
        actor_name=name_person(actor),
        act=act,
        participant=participant,
        detail=detail[:DETAIL_LENGTH],
    )


def record_look(event: Event, actor: User | None, act: str, detail: str = "") -> None:
    """Log a view of many lists, at most once per `LOOK_AGAIN`."""
    since = timezone.now() - LOOK_AGAIN
    if not event.audit.filter(actor=actor, act=act, detail=detail[:DETAIL_LENGTH], created__gt=since).exists():
        record_act(event, actor, act, detail=detail)


def list_acts(event: Event, *, blind: bool) -> QuerySet[AuditRecord]:
    """List the logged actions; a `blind` helper gets no decisions about lists."""
    acts = event.audit.select_related("participant")
    return acts.filter(Q(participant=None) | Q(act__in=ABOUT_PLACES)) if blind else acts


def list_looks(participant: Participant) -> QuerySet[AuditRecord]:
    return participant.audit.filter(act=LOOK)


def name_person(user: User | None) -> str:
    if user is None:
        return ""
    return get_player_name(user) or user.get_username()
