"""Mail about events: a receipt, a list that is returned, the deadline, the reveal; never the same letter twice.

A letter is planned in the transaction of what it tells of, and sent by a task once that is kept. Where no worker runs,
or the mail server could not be reached, `manage.py send_event_mail` sends it later.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, override
from django_tasks import task

from roster.events.models import Event, EventMail, EventStatus, MailChoice, Participant, SubmissionStatus
from roster.events.models.mail import Letter
from roster.services.outcomes import Refused
from roster.services.owners import get_chosen_language

SALT = "events.mail"
STALE = timedelta(days=3)
"""What could not be sent for so long is not sent any more, and so old a reveal is no news."""
MOST_AT_ONCE = 1_000

logger = logging.getLogger(__name__)


# ---- who gets it -----------------------------------------------------------------------------------------------------


def find_recipient(participant: Participant) -> User | None:
    """Return who gets the mail of a player: the player, else the captain of the team; None for nobody who wants it."""
    user = participant.user or (participant.team.captain if participant.team else None)
    if user is None or not user.email or not user.is_active:
        return None
    return user if get_mail_choice(user).is_wanted else None


def get_mail_choice(user: User) -> MailChoice:
    """Return what somebody chose about mail; who chose nothing gets it."""
    return getattr(user, "event_mail", None) or MailChoice(user=user)


def set_mail_choice(user: User, *, is_wanted: bool, zone: str) -> MailChoice | Refused:
    """Keep whether somebody wants mail about events, and in what zone it tells times; blank for the event's alone."""
    if zone and zone not in available_timezones():
        return Refused(code="unknown-zone", subject_id=zone[:60])
    choice, _created = MailChoice.objects.update_or_create(user=user, defaults={"is_wanted": is_wanted, "zone": zone})
    return choice


def remember_zone(user: User, zone: str) -> None:
    """Keep the time zone that somebody's browser is in, unless they chose one."""
    if zone in available_timezones():
        MailChoice.objects.get_or_create(user=user, defaults={"zone": zone})


def sign_recipient(user: User) -> str:
    """Return what leads to the mail settings of somebody without signing in."""
    return signing.dumps(user.pk, salt=SALT)


def find_signed_recipient(signed: str) -> User | None:
    """Return whose mail settings a link leads to; None for a link that is none of ours."""
    try:
        return User.objects.filter(pk=signing.loads(signed, salt=SALT)).first()
    except signing.BadSignature:
        return None


# ---- planning --------------------------------------------------------------------------------------------------------


def plan_mail(participant: Participant, kind: Letter, occasion: str) -> None:
    """Have a letter sent once the transaction is over, unless there was one on this occasion."""
    if find_recipient(participant) is None:
        return
    mail, created = EventMail.objects.get_or_create(participant=participant, kind=kind, occasion=occasion)
    if created:
        transaction.on_commit(partial(send_in_background.enqueue, mail.pk))


def plan_due_mail() -> int:
    """Plan reminders and news of reveals that are due by now; how many."""
    now = timezone.now()
    reminded = Event.objects.filter(status=EventStatus.OPEN, deadline__gt=now, reminder_hours__gt=0)
    shown = Event.objects.exclude(status=EventStatus.DRAFT).filter(
        reveal_roster__lte=now, reveal_roster__gt=now - STALE
    )
    planned = 0
    for event in reminded:
        assert event.deadline is not None  # noqa: S101 - asked for
        if event.deadline - timedelta(hours=event.reminder_hours) <= now:
            planned += _plan_for_all(event, filter_without_list(event), Letter.DEADLINE, event.deadline)
    for event in shown:
        assert event.reveal_roster is not None  # noqa: S101 - asked for
        playing = event.participants.filter(dropped=False)
        planned += _plan_for_all(event, playing, Letter.REVEAL, event.reveal_roster)
    return planned


def filter_without_list(event: Event) -> Any:
    """Return the players who have to submit a list yet, or to submit another one."""
    return event.participants.filter(Q(current=None) | Q(status=SubmissionStatus.RETURNED), dropped=False)


def _plan_for_all(event: Event, players: Any, kind: Letter, moment: datetime) -> int:
    """Plan a letter for each recipient who has none on this occasion: a captain gets one for the whole team.

    The letter of a captain is kept at one player, and that player may be out of `players` when the next round comes:
    so it is asked who was written to, and the event is locked, so that two rounds at once do not both write.
    """
    occasion = moment.isoformat(timespec="seconds")
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        written = event.participants.filter(mails__kind=kind, mails__occasion=occasion)
        known = {user.pk for user, _player in _pair_recipients(written)}
        mails: dict[int, EventMail] = {}
        for user, player in _pair_recipients(players):
            if user.pk not in known:
                mails.setdefault(user.pk, EventMail(participant=player, kind=kind, occasion=occasion))
        return len(EventMail.objects.bulk_create(mails.values()))


def _pair_recipients(players: Any) -> list[tuple[User, Participant]]:
    """Return players with who gets their mail, without those whose mail nobody gets."""
    related = players.select_related("user__event_mail", "team__captain__event_mail").order_by("pk")
    return [(user, player) for player in related if (user := find_recipient(player)) is not None]


# ---- sending ---------------------------------------------------------------------------------------------------------


@task()
def send_in_background(mail_id: int) -> None:
    """Send one letter."""
    send_mails([mail_id])


def send_waiting_mail() -> int:
    """Send the letters that wait; how many."""
    waiting = EventMail.objects.filter(sent=None, created__gt=timezone.now() - STALE)
    return send_mails(waiting.values_list("pk", flat=True)[:MOST_AT_ONCE])


def send_mails(mail_ids: Iterable[int]) -> int:
    """Send letters that nobody has sent yet; how many. They wait on if the mail server cannot be reached."""
    connection = get_connection()
    try:
        connection.open()
    except (OSError, SMTPException):
        logger.exception("The mail server could not be reached, so letters wait")
        return 0
    try:
        return sum(_send_once(mail_id, connection) for mail_id in list(mail_ids))
    finally:
        connection.close()


def _send_once(mail_id: int, connection: Any) -> bool:
    """Send a letter, marked as sent before: if this process dies now, the letter is lost, and never sent twice."""
    if not EventMail.objects.filter(pk=mail_id, sent=None).update(sent=timezone.now()):
        return False
    mail = EventMail.objects.select_related(
        "participant__event__version__game", "participant__user__event_mail", "participant__team__captain__event_mail"
    ).get(pk=mail_id)
    recipient = find_recipient(mail.participant)
    if recipient is None or not _is_true_still(mail):
        return False
    with override(get_chosen_language(recipient) or settings.LANGUAGE_CODE):
        message = build_message(mail, recipient)
    message.connection = connection
    try:
        message.send()
    except (OSError, SMTPException):
        # It may have arrived all the same: it is not sent again.
        logger.exception("Letter %s could not be sent", mail_id)
        return False
    return True


def _is_true_still(mail: EventMail) -> bool:
    """Return whether a letter that waited tells the truth: it may have been overtaken."""
    participant = mail.participant
    if mail.kind == Letter.RETURNED:
        return participant.status == SubmissionStatus.RETURNED
    if mail.kind == Letter.DEADLINE:
        return not participant.event.is_past_deadline
    return mail.kind != Letter.REVEAL or participant.event.shows_publicly("roster")


def build_message(mail: EventMail, recipient: User) -> EmailMultiAlternatives:
    """Build a letter as plain text and as HTML of the same words; the template's first line is the subject."""
    choice_link = build_address(reverse("events:mail")) + f"?who={sign_recipient(recipient)}"
    context = _collect_facts(mail, recipient) | {"choice_link": choice_link}
    written = render_to_string(f"events/mail/{mail.kind}.txt", context).strip()
    subject, _, text = written.partition("\n")
    subject, text = " ".join(subject.split()), text.strip()
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    html = render_to_string(
        "events/mail/letter.html", {"subject": subject, "paragraphs": paragraphs, "language": get_language()}
    )
    message = EmailMultiAlternatives(
        settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject,
        text + "\n",
        to=[recipient.email],
        headers={"List-Unsubscribe": f"<{choice_link}>", "Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(html, "text/html")
    return message


def _collect_facts(mail: EventMail, recipient: User) -> dict[str, Any]:
    """Collect what a letter tells: the event and its moments, the player, the submission or the decision."""
    participant = mail.participant
    event = participant.event
    zone = get_mail_choice(recipient).zone
    submissions = participant.submissions.order_by("-number")
    received = submissions.filter(number=mail.occasion).first() if mail.kind == Letter.RECEIPT else participant.current
    returned = mail.kind == Letter.RETURNED
    return {
        "event": event,
        "player": participant,
        "is_own": participant.user_id == recipient.pk,
        "received": received,
        "decision": received.decisions.filter(pk=mail.occasion).first() if received and returned else None,
        "windows": [
            (describe_moment(window.starts, event, zone), describe_moment(window.ends, event, zone))
            for window in event.windows.filter(ends__gt=timezone.now())
        ]
        if returned and event.is_past_deadline
        else [],
        "deadline": describe_moment(event.deadline, event, zone) if event.deadline else "",
        "missing": [player.name for player in _list_missing(event, recipient)] if mail.kind == Letter.DEADLINE else [],
        "event_link": build_address(event.get_absolute_url()),
        "lists_link": build_address(reverse("events:lists", args=[event.public_id])),
        "receipt_link": build_address(reverse("events:receipt", args=[event.public_id, received.public_id]))
        if received
        else "",
    }


def _list_missing(event: Event, recipient: User) -> Any:
    """Return the players whose lists somebody still has to submit."""
    theirs = Q(user=recipient) | Q(user=None, team__captain=recipient)
    return filter_without_list(event).filter(theirs).order_by(F("pk"))


def describe_moment(when: datetime, event: Event, zone: str) -> str:
    """Say a moment in the zone of an event, and in the reader's own where that is known and another."""
    zones = dict.fromkeys((event.zone, zone or event.zone))
    return ", ".join(f"{date_format(when.astimezone(ZoneInfo(one)), 'j M Y, H:i')} ({one})" for one in zones)


def build_address(path: str) -> str:
    """Return the address of a page for who reads it elsewhere."""
    return f"{settings.SITE_ADDRESS}{path}"
