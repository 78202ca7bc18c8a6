"""Export an account's data in events."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from roster.events.models import (
    Assignment,
    AuditRecord,
    Event,
    EventComment,
    EventMail,
    EventRole,
    MailChoice,
    Pairing,
    Participant,
    Penalty,
    RoleKind,
    Submission,
    Team,
)
from roster.events.models.checking import Audience, PenaltyState


def list_held(user: User) -> Iterator[QuerySet[Any]]:
    yield Event.objects.filter(roles__user=user, roles__kind=RoleKind.ORGANISER)
    yield EventRole.objects.filter(user=user)
    yield Team.objects.filter(captain=user)
    yield Participant.objects.filter(user=user)
    yield Submission.objects.filter(Q(participant__user=user) | Q(sender=user, participant__user=None))
    yield EventComment.objects.filter(Q(author=user) | Q(participant__user=user, audience=Audience.PLAYER))
    yield Penalty.objects.filter(participant__user=user, state=PenaltyState.CONFIRMED)
    yield Assignment.objects.filter(checker=user)
    yield AuditRecord.objects.filter(actor=user)
    yield EventMail.objects.filter(participant__user=user)
    yield Pairing.objects.filter(Q(first__user=user) | Q(second__user=user), published__isnull=False)
    yield MailChoice.objects.filter(user=user)
