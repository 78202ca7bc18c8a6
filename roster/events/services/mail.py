"""Mail about events: a receipt, a list that is returned, the deadline, the reveal; never the same letter twice.

A letter is planned in the transaction of what it tells of, and sent by a task once that is kept. Where no worker runs,
or the mail server could not be reached, `manage.py send_event_mail` sends it later.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, reduce
from operator import or_
from smtplib import SMTPException
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, override
from django_tasks import task

from roster.events.models import Event, EventMail, EventStatus, MailChoice, MailRefusal, Participant, SubmissionStatus
from roster.events.models.mail import Letter
from roster.events.services.teams import weigh_verdict
from roster.services.outcomes import Refused
from roster.services.owners import get_chosen_language

SALT = "events.mail"
STALE = timedelta(days=3)
"""What could not be sent for so long is not sent any more, and so old a reveal is no news."""
MOST_AT_ONCE = 1_000

logger = logging.getLogger(__name__)


# ---- who gets it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Who gets a letter: somebody with an account, or the mail address that organisers entered a player with."""

    email: str
    user: User | None = None

    @property
    def key(self) -> str:
        """What tells recipients apart: one address gets one letter, however it is written."""
        return self.email.casefold()

    @property
    def zone(self) -> str:
        return get_mail_choice(self.user).zone if self.user else ""

    @property
    def language(self) -> str:
        return (get_chosen_language(self.user) if self.user else "") or settings.LANGUAGE_CODE


def _list_recipients(participant: Participant, refused: Collection[str]) -> Iterator[tuple[Recipient, bool]]:
    """Yield who gets the mail of a player and wants it, each with whether it goes to an address without an account.

    That is the player, or for one without an account the captain of the team and the address that organisers entered.
    """
    user = _find_reader(participant)
    if user is not None and _wants_mail(user):
        yield Recipient(email=user.email, user=user), False
    entered = Recipient(email=participant.email)
    # A captain who is entered as a player as well gets one letter, not two.
    barred = {*refused, user.email.casefold() if user else ""}
    if _uses_address(participant) and entered.key not in barred:
        yield entered, True


def _find_reader(participant: Participant) -> User | None:
    """Return whose account the mail of a player goes to: the player's, else that of the captain of the team."""
    if participant.user:
        return participant.user
    return participant.team.captain if participant.team else None


def _wants_mail(user: User) -> bool:
    """Return whether somebody can be written to, and did not decline."""
    return bool(user.email) and user.is_active and get_mail_choice(user).is_wanted


def find_recipient(mail: EventMail, refused: Collection[str] = ()) -> Recipient | None:
    """Return who gets a letter; None for nobody who wants it."""
    recipients = _list_recipients(mail.participant, refused)
    return next((recipient for recipient, by_address in recipients if by_address == mail.by_address), None)


def _uses_address(participant: Participant) -> bool:
    """Return whether a player can be written to by the address that organisers entered alone."""
    return participant.user_id is None and bool(participant.email)


def filter_refused(addresses: Iterable[str]) -> set[str]:
    """Return those of some addresses that want no mail about events: they said so, or their account did."""
    wanted = {address.casefold() for address in addresses}
    refused = MailRefusal.objects.filter(email__in=wanted).values_list("email", flat=True)
    choices = MailChoice.objects.filter(is_wanted=False).annotate(address=Lower("user__email"))
    return {*refused, *choices.filter(address__in=wanted).values_list("address", flat=True)}


def get_mail_choice(user: User) -> MailChoice:
    """Return what somebody chose about mail; who chose nothing gets it."""
    return getattr(user, "event_mail", None) or MailChoice(user=user)


def set_mail_choice(user: User, *, is_wanted: bool, zone: str) -> MailChoice | Refused:
    """Keep whether somebody wants mail about events, and in what zone it tells times; blank for the event's alone."""
    if zone and zone not in available_timezones():
        return Refused(code="unknown-zone", subject_id=zone[:60])
    choice, _created = MailChoice.objects.update_or_create(user=user, defaults={"is_wanted": is_wanted, "zone": zone})
    return choice


def set_address_choice(email: str, *, is_wanted: bool) -> None:
    """Keep whether an address without an account wants mail about events, of whichever event."""
    if is_wanted:
        MailRefusal.objects.filter(email=email.casefold()).delete()
    else:
        MailRefusal.objects.get_or_create(email=email.casefold())


def remember_zone(user: User, zone: str) -> None:
    """Keep the time zone that somebody's browser is in, unless they chose one."""
    if zone in available_timezones():
        MailChoice.objects.get_or_create(user=user, defaults={"zone": zone})


def sign_recipient(recipient: Recipient) -> str:
    """Return what leads to the mail settings of somebody without signing in."""
    return signing.dumps(recipient.user.pk if recipient.user else recipient.email, salt=SALT)


def find_signed_recipient(signed: str) -> Recipient | None:
    """Return whose mail settings a link leads to; None for a link that is none of ours."""
    try:
        named: int | str = signing.loads(signed, salt=SALT)
    except signing.BadSignature:
        return None
    if isinstance(named, str):
        return Recipient(email=named)
    user = User.objects.filter(pk=named).first()
    return Recipient(email=user.email, user=user) if user else None


# ---- planning --------------------------------------------------------------------------------------------------------


def plan_mail(participant: Participant, kind: Letter, occasion: str) -> None:
    """Have a letter sent once the transaction is over, unless there was one on this occasion."""
    refused = filter_refused([participant.email]) if _uses_address(participant) else set()
    for _recipient, by_address in _list_recipients(participant, refused):
        mail, created = EventMail.objects.get_or_create(
            participant=participant, kind=kind, occasion=occasion, by_address=by_address
        )
        if created:
            transaction.on_commit(partial(send_in_background.enqueue, mail.pk))


def plan_due_mail() -> int:
    """Plan reminders and news of reveals that are due by now; how many."""
    now = timezone.now()
    return _plan_reminders(now) + _plan_reveals(now)


def _plan_reminders(now: datetime) -> int:
    planned = 0
    for event in Event.objects.filter(status=EventStatus.OPEN, deadline__gt=now, reminder_hours__gt=0):
        assert event.deadline is not None  # noqa: S101 - asked for
        if event.deadline - timedelta(hours=event.reminder_hours) <= now:
            planned += _plan_for_all(event, filter_without_list(event), Letter.DEADLINE, event.deadline)
    return planned


def _plan_reveals(now: datetime) -> int:
    recent = (Q(**{f"reveal_{part}__range": (now - STALE, now)}) for part in ("faction", "roster", "deck", "reserves"))
    planned = 0
    for event in Event.objects.exclude(status=EventStatus.DRAFT).filter(reduce(or_, recent)):
        playing = event.participants.filter(dropped=False)
        for moment in list_reveals(event):
            if now - STALE < moment <= now:
                planned += _plan_for_all(event, playing, Letter.REVEAL, moment)
    return planned


def list_reveals(event: Event) -> dict[datetime, list[str]]:
    """Return what others see of all lists from which moment on: `faction`, `roster`, `deck`, `reserves`.

    Who sees lists sees factions; decks and reserves are shown with or after what they belong to.
    """
    parts: defaultdict[datetime, list[str]] = defaultdict(list)
    for part, moment in _find_moments(event).items():
        if moment is not None:
            parts[moment].append(part)
    return dict(parts)


def _find_moments(event: Event) -> dict[str, datetime | None]:
    """Return when each part of lists is shown; None for what is shown with another part, or never."""
    roster, faction = event.reveal_roster, event.reveal_faction
    first = min(filter(None, (faction, roster)), default=None)
    return {
        # What is shown with the lists or after them is no news.
        "faction": faction if faction == first and faction != roster else None,
        "roster": roster,
        "deck": _find_later(event.reveal_deck, roster) if event.has_decks else None,
        "reserves": _find_later(event.reveal_reserves, first) if event.has_reserves else None,
    }


def _find_later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(one, other) if one and other else None


def filter_without_list(event: Event) -> Any:
    """Return the players who have to submit a list yet, or to submit another one."""
    return event.participants.filter(Q(current=None) | Q(status=SubmissionStatus.RETURNED), dropped=False)


def _plan_for_all(event: Event, players: Any, kind: Letter, moment: datetime) -> int:
    """Plan a letter for each recipient who has none on this occasion: a captain gets one for the whole team.

    The letter of a captain is kept at one player, and that player may be out of `players` when the next round comes:
    so it is asked who was written to, and the event is locked, so that two rounds at once do not both write.
    """
    occasion = _name_moment(moment)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        known = {recipient.key for recipient in map(find_recipient, _list_written(event, kind, occasion)) if recipient}
        mails: dict[str, EventMail] = {}
        for recipient, by_address, player in _pair_recipients(players):
            if recipient.key not in known:
                mail = EventMail(participant=player, kind=kind, occasion=occasion, by_address=by_address)
                mails.setdefault(recipient.key, mail)
        return len(EventMail.objects.bulk_create(mails.values()))


def _list_written(event: Event, kind: Letter, occasion: str) -> Iterable[EventMail]:
    written = EventMail.objects.filter(participant__event=event, kind=kind, occasion=occasion)
    return written.select_related("participant__user__event_mail", "participant__team__captain__event_mail")


def _name_moment(moment: datetime) -> str:
    """Return the occasion of a letter that tells of a moment."""
    return moment.isoformat(timespec="seconds")


def _pair_recipients(players: Any) -> list[tuple[Recipient, bool, Participant]]:
    """Return players with who gets their mail, without those whose mail nobody gets."""
    related = list(players.select_related("user__event_mail", "team__captain__event_mail").order_by("pk"))
    refused = filter_refused(player.email for player in related if _uses_address(player))
    return [
        (recipient, by_address, player)
        for player in related
        for recipient, by_address in _list_recipients(player, refused)
    ]


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
    refused = filter_refused([mail.participant.email]) if mail.by_address else set()
    recipient = find_recipient(mail, refused)
    if recipient is None or not _is_true_still(mail):
        return False
    with override(recipient.language):
        message = build_message(mail, recipient)
    message.connection = connection
    return _send_message(message, mail_id)


def _send_message(message: EmailMultiAlternatives, mail_id: int) -> bool:
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
    return mail.kind != Letter.REVEAL or bool(_list_shown(mail))


def _list_shown(mail: EventMail) -> list[str]:
    """Return what is shown since the moment that a letter tells of; nothing where that was moved, or is to come."""
    reveals = list_reveals(mail.participant.event).items()
    named = (parts for moment, parts in reveals if _name_moment(moment) == mail.occasion and moment <= timezone.now())
    return next(named, [])


def build_message(mail: EventMail, recipient: Recipient) -> EmailMultiAlternatives:
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


def _collect_facts(mail: EventMail, recipient: Recipient) -> dict[str, Any]:
    """Collect what a letter tells: the event and its deadline, the player, and what letters of its kind tell."""
    participant = mail.participant
    event = participant.event
    facts = {
        "event": event,
        "player": participant,
        "is_own": recipient.user is None or participant.user_id == recipient.user.pk,
        "has_account": recipient.user is not None,
        "deadline": describe_moment(event.deadline, event, recipient.zone) if event.deadline else "",
        "event_link": build_address(event.get_absolute_url()),
    }
    return facts | _FACTS[Letter(mail.kind)](mail, recipient)


def _collect_receipt_facts(mail: EventMail, recipient: Recipient) -> dict[str, Any]:
    """Collect what a receipt tells of the submission; nothing of one that is gone."""
    participant = mail.participant
    received = participant.submissions.filter(number=mail.occasion).first()
    if received is None:
        return {}
    # Receipts are pages of accounts: who is written to at a bare address gets the event's page instead.
    address = reverse("events:receipt", args=[participant.event.public_id, received.public_id])
    return {
        "received": received,
        "verdict": weigh_verdict(received.verdict, received.doubled),
        "receipt_link": build_address(address) if recipient.user else "",
    }


def _collect_return_facts(mail: EventMail, recipient: Recipient) -> dict[str, Any]:
    """Collect why a list was returned, and when it can be corrected: until the deadline, after it in windows."""
    returned, event = mail.participant.current, mail.participant.event
    windows = event.windows.filter(ends__gt=timezone.now()) if event.is_past_deadline else ()
    return {
        "decision": returned.decisions.filter(pk=mail.occasion).first() if returned else None,
        "windows": [
            [describe_moment(moment, event, recipient.zone) for moment in (window.starts, window.ends)]
            for window in windows
        ],
    }


def _collect_deadline_facts(mail: EventMail, recipient: Recipient) -> dict[str, Any]:
    """Collect whose lists are missing: a captain reads of all players of the team at once."""
    return {"missing": [player.name for player in _list_missing(mail.participant.event, recipient)]}


def _collect_reveal_facts(mail: EventMail, _recipient: Recipient) -> dict[str, Any]:
    """Collect what is shown of lists from now on, and where."""
    lists_address = reverse("events:lists", args=[mail.participant.event.public_id])
    return {"shown": _list_shown(mail), "lists_link": build_address(lists_address)}


_FACTS: Mapping[Letter, Callable[[EventMail, Recipient], dict[str, Any]]] = {
    Letter.RECEIPT: _collect_receipt_facts,
    Letter.RETURNED: _collect_return_facts,
    Letter.DEADLINE: _collect_deadline_facts,
    Letter.REVEAL: _collect_reveal_facts,
}
"""What letters of each kind tell beside what all of them do."""


def _list_missing(event: Event, recipient: Recipient) -> Any:
    """Return the players whose lists somebody still has to submit, or to send to an organiser."""
    theirs = Q(user=None, email__iexact=recipient.email)
    if recipient.user is not None:
        theirs = Q(user=recipient.user) | Q(user=None, team__captain=recipient.user)
    return filter_without_list(event).filter(theirs).order_by(F("pk"))


def describe_moment(when: datetime, event: Event, zone: str) -> str:
    """Say a moment in the zone of an event, and in the reader's own where that is known and another."""
    zones = dict.fromkeys((event.zone, zone or event.zone))
    return ", ".join(f"{date_format(when.astimezone(ZoneInfo(one)), 'j M Y, H:i')} ({one})" for one in zones)


def build_address(path: str) -> str:
    """Return the address of a page for who reads it elsewhere."""
    return f"{settings.SITE_ADDRESS}{path}"
