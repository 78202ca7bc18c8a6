"""Mail about events: receipts, returned lists, deadlines and reveals, each sent at most once.

The transaction of a change plans the mail; after the commit, a task or `manage.py send_event_mail` sends it.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, reduce
from operator import or_
from smtplib import SMTPException
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django_tasks import task

from catalogue.definitions.constraints import Severity
from catalogue.services.jobs import LETTER_PRIORITY, LETTERS
from roster.events.models import Event, EventMail, EventStatus, MailChoice, MailRefusal, Participant, SubmissionStatus
from roster.events.models.mail import Letter
from roster.events.services.teams import weigh_verdict
from roster.events.services.zones import Zoned, list_zones
from roster.services.outcomes import Refused
from roster.services.owners import get_chosen_language
from roster.wording.violation_text import Sentence

SALT = "events.mail"
STALE = timedelta(days=3)
"""Mails that have waited longer are not sent, and older reveals are not announced."""
MOST_AT_ONCE = 1_000
MOST_PROBLEMS = 10
"""The most broken rules that a receipt names."""

logger = logging.getLogger(__name__)


# ---- recipients ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """An account, or a mail address that organisers entered for a player without an account."""

    email: str
    user: User | None = None

    @property
    def key(self) -> str:
        """The address in lower case. Each gets one mail."""
        return self.email.casefold()

    @property
    def zone(self) -> str:
        return get_mail_choice(self.user).zone if self.user else ""

    @property
    def language(self) -> str:
        return (get_chosen_language(self.user) if self.user else "") or settings.LANGUAGE_CODE


def _list_recipients(participant: Participant, refused: Collection[str]) -> Iterator[tuple[Recipient, bool]]:
    """Yield a player's recipients, each with whether it is an address without an account.

    Mail for a player without an account goes to the team's captain and to the address that organisers entered.
    """
    user = participant.user or (participant.team.captain if participant.team else None)
    if user is not None and user.email and user.is_active and get_mail_choice(user).is_wanted:
        yield Recipient(email=user.email, user=user), False
    entered = Recipient(email=participant.email)
    # A captain who is also entered as a player gets one mail.
    barred = {*refused, user.email.casefold() if user else ""}
    if _uses_address(participant) and entered.key not in barred:
        yield entered, True


def find_recipient(mail: EventMail, refused: Collection[str] = ()) -> Recipient | None:
    """Return a mail's current recipient, or None if they refuse mail or have no address."""
    recipients = _list_recipients(mail.participant, refused)
    return next((recipient for recipient, by_address in recipients if by_address == mail.by_address), None)


def _uses_address(participant: Participant) -> bool:
    return participant.user_id is None and bool(participant.email)


def filter_refused(addresses: Iterable[str]) -> set[str]:
    folded = {address.casefold() for address in addresses}
    refused = MailRefusal.objects.filter(email__in=folded).values_list("email", flat=True)
    choices = MailChoice.objects.filter(is_wanted=False).annotate(address=Lower("user__email"))
    return {*refused, *choices.filter(address__in=folded).values_list("address", flat=True)}


def get_mail_choice(user: User) -> MailChoice:
    return getattr(user, "event_mail", None) or MailChoice(user=user)


def set_mail_choice(user: User, *, is_wanted: bool, zone: str) -> MailChoice | Refused:
    if zone and zone not in list_zones():
        return Refused(code="unknown-zone", subject_id=zone[:60])
    choice, _created = MailChoice.objects.update_or_create(user=user, defaults={"is_wanted": is_wanted, "zone": zone})
    return choice


def set_address_choice(email: str, *, is_wanted: bool) -> None:
    if is_wanted:
        MailRefusal.objects.filter(email=email.casefold()).delete()
    else:
        MailRefusal.objects.get_or_create(email=email.casefold())


def remember_zone(user: User, zone: str) -> None:
    """Store the time zone of a user's browser, unless the user has chosen one."""
    if zone in list_zones():
        MailChoice.objects.get_or_create(user=user, defaults={"zone": zone})


def sign_recipient(recipient: Recipient) -> str:
    """Sign a recipient for links to their mail settings, which work without signing in."""
    return signing.dumps(recipient.user.pk if recipient.user else recipient.email, salt=SALT)


def find_signed_recipient(signed: str) -> Recipient | None:
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
    """Plan a mail, once per occasion, and send it after the commit."""
    refused = filter_refused([participant.email]) if _uses_address(participant) else set()
    for _recipient, by_address in _list_recipients(participant, refused):
        mail, created = EventMail.objects.get_or_create(
            participant=participant, kind=kind, occasion=occasion, by_address=by_address
        )
        if created:
            transaction.on_commit(partial(send_in_background.enqueue, mail.pk))


def plan_due_mail() -> int:
    now = timezone.now()
    planned = 0
    for event in Event.objects.filter(status=EventStatus.OPEN, deadline__gt=now, reminder_hours__gt=0):
        assert event.deadline is not None  # noqa: S101 - asked for
        if event.deadline - timedelta(hours=event.reminder_hours) <= now:
            planned += _plan_for_all(event, filter_without_list(event), Letter.DEADLINE, event.deadline)

    recent = (Q(**{f"reveal_{part}__range": (now - STALE, now)}) for part in ("faction", "roster", "deck", "reserves"))
    for event in Event.objects.exclude(status=EventStatus.DRAFT).filter(reduce(or_, recent)):
        playing = event.participants.filter(dropped=False)
        for moment in list_reveals(event):
            if now - STALE < moment <= now:
                planned += _plan_for_all(event, playing, Letter.REVEAL, moment)
    return planned


def list_reveals(event: Event) -> dict[datetime, list[str]]:
    """Return which of `faction`, `roster`, `deck`, `reserves` become visible, by moment.

    Decks are never shown before lists, nor reserves before lists or factions.
    """
    roster, faction = event.reveal_roster, event.reveal_faction
    first = min(filter(None, (faction, roster)), default=None)
    parts: defaultdict[datetime, list[str]] = defaultdict(list)
    # Factions shown with or after the lists are no news.
    if faction is not None and faction == first and faction != roster:
        parts[faction].append("faction")
    if roster is not None:
        parts[roster].append("roster")
    if event.has_decks and event.reveal_deck and roster:
        parts[max(event.reveal_deck, roster)].append("deck")
    if event.has_reserves and event.reveal_reserves and first:
        parts[max(event.reveal_reserves, first)].append("reserves")
    return dict(parts)


def filter_without_list(event: Event) -> Any:
    return event.participants.filter(Q(current=None) | Q(status=SubmissionStatus.RETURNED), dropped=False)


def _plan_for_all(event: Event, players: Any, kind: Letter, moment: datetime) -> int:
    """Plan one mail for each recipient, and one for the team to a captain.

    A captain's mail belongs to a player who may not be among `players` in a later run, so recipients of earlier mails
    are looked up, and the event is locked against parallel runs.
    """
    occasion = _name_moment(moment)
    with transaction.atomic():
        Event.objects.select_for_update().get(pk=event.pk)
        written = EventMail.objects.filter(participant__event=event, kind=kind, occasion=occasion).select_related(
            "participant__user__event_mail", "participant__team__captain__event_mail"
        )
        recipient_keys = {recipient.key for recipient in map(find_recipient, written) if recipient}
        related = list(players.select_related("user__event_mail", "team__captain__event_mail").order_by("pk"))
        refused = filter_refused(player.email for player in related if _uses_address(player))
        mails: dict[str, EventMail] = {}
        for player in related:
            for recipient, by_address in _list_recipients(player, refused):
                if recipient.key not in recipient_keys:
                    mail = EventMail(participant=player, kind=kind, occasion=occasion, by_address=by_address)
                    mails.setdefault(recipient.key, mail)
        return len(EventMail.objects.bulk_create(mails.values()))


def _name_moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


# ---- sending ---------------------------------------------------------------------------------------------------------


@task(queue_name=LETTERS, priority=LETTER_PRIORITY)
def send_in_background(mail_id: int) -> None:
    send_mails([mail_id])


def send_waiting_mail() -> int:
    waiting = EventMail.objects.filter(sent=None, created__gt=timezone.now() - STALE)
    return send_mails(waiting.values_list("pk", flat=True)[:MOST_AT_ONCE])


def send_mails(mail_ids: Iterable[int]) -> int:
    """Send each mail once. If the mail server is down, mails wait."""
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
    if not EventMail.objects.filter(pk=mail_id, sent=None).update(sent=timezone.now()):
        return False
    mail = EventMail.objects.select_related(
        "participant__event__version__game", "participant__user__event_mail", "participant__team__captain__event_mail"
    ).get(pk=mail_id)
    refused = filter_refused([mail.participant.email]) if mail.by_address else set()
    recipient = find_recipient(mail, refused)
    if recipient is None or not _is_true_still(mail, recipient):
        return False
    with override(recipient.language):
        message = build_message(mail, recipient)
    message.connection = connection
    try:
        message.send()
    except (OSError, SMTPException):
        # It may still have arrived, so it is not sent again.
        logger.exception("Letter %s could not be sent", mail_id)
        return False
    return True


def _is_true_still(mail: EventMail, recipient: Recipient) -> bool:
    participant = mail.participant
    if mail.kind == Letter.RETURNED:
        return participant.status == SubmissionStatus.RETURNED
    if mail.kind == Letter.DEADLINE:
        return not participant.event.is_past_deadline and bool(_list_missing(participant.event, recipient))
    return mail.kind != Letter.REVEAL or bool(_list_shown(mail))


def _list_missing(event: Event, recipient: Recipient) -> list[str]:
    theirs = Q(user=None, email__iexact=recipient.email)
    if recipient.user is not None:
        theirs = Q(user=recipient.user) | Q(user=None, team__captain=recipient.user)
    return [player.name for player in filter_without_list(event).filter(theirs).order_by("pk")]


def _list_shown(mail: EventMail) -> list[str]:
    """List what a mail's moment made visible; [] if it was moved or has not come."""
    for moment, parts in list_reveals(mail.participant.event).items():
        if _name_moment(moment) == mail.occasion and moment <= timezone.now():
            return parts
    return []


def build_message(mail: EventMail, recipient: Recipient) -> EmailMultiAlternatives:
    participant = mail.participant
    event = participant.event
    context = {
        "event": event,
        "player": participant,
        "is_own": recipient.user is None or participant.user_id == recipient.user.pk,
        "has_account": recipient.user is not None,
        "deadline": describe_moment(event.deadline, event, recipient.zone) if event.deadline else "",
        "event_link": build_address(event.get_absolute_url()),
        **_collect_facts(mail, recipient),
    }
    return write_letter(f"events/mail/{mail.kind}.txt", context, recipient)


def write_letter(
    template: str, context: dict[str, Any], recipient: Recipient, stop_page: str = ""
) -> EmailMultiAlternatives:
    """Write a mail with a link to its recipient's settings. The template's first line is the subject.

    `stop_page` names a page where a POST alone stops such mails, instead of the settings of mail about events.
    """
    choice_link = build_address(reverse(stop_page or "events:mail")) + f"?who={sign_recipient(recipient)}"
    written = render_to_string(template, context | {"choice_link": choice_link}).strip()
    subject, _, text = written.partition("\n")
    subject, text = " ".join(subject.split()), text.strip()

    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    html = render_to_string(
        "events/mail/letter.html", {"subject": subject, "paragraphs": paragraphs, "language": get_language()}
    )
    headers = {"List-Unsubscribe": f"<{choice_link}>", "Auto-Submitted": "auto-generated"}
    if stop_page:
        # RFC 8058: mail programs offer a button that posts to the link.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message = EmailMultiAlternatives(
        settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject, text + "\n", to=[recipient.email], headers=headers
    )
    message.attach_alternative(html, "text/html")
    return message


def _collect_facts(mail: EventMail, recipient: Recipient) -> dict[str, Any]:
    participant = mail.participant
    event = participant.event
    match Letter(mail.kind):
        case Letter.RECEIPT:
            received = participant.submissions.filter(number=mail.occasion).first()
            if received is None:
                return {}
            # Receipt pages need an account; other recipients get a link to the event.
            address = reverse("events:receipt", args=[event.public_id, received.public_id])
            return {
                "received": received,
                "verdict": weigh_verdict(received.verdict, received.doubled),
                "problems": _list_problems(received.report),
                "receipt_link": build_address(address) if recipient.user else "",
            }

        case Letter.RETURNED:
            returned = participant.current
            # Before the deadline every list can be corrected; after it, only in windows.
            windows = event.windows.filter(ends__gt=timezone.now()) if event.is_past_deadline else ()
            return {
                "decision": returned.decisions.filter(pk=mail.occasion).first() if returned else None,
                "windows": [
                    [describe_moment(moment, event, recipient.zone) for moment in (window.starts, window.ends)]
                    for window in windows
                ],
            }

        case Letter.DEADLINE:
            return {"missing": _list_missing(event, recipient)}

        case Letter.REVEAL:
            lists_address = reverse("events:lists", args=[event.public_id])
            return {"shown": _list_shown(mail), "lists_link": build_address(lists_address)}


def _list_problems(report: dict[str, Any]) -> list[str]:
    errors = [one["sentence"] for one in report.get("violations", ()) if one["severity"] == Severity.ERROR]
    sentences = (Sentence(headline=one["headline"], where=one["where"]) for one in errors)
    return list(dict.fromkeys(sentence.located_headline for sentence in sentences))[:MOST_PROBLEMS]


def describe_moment(when: datetime, zoned: Zoned, zone: str = "") -> str:
    """Format a moment in the time zone of an event, and also in the reader's if it differs."""
    zones = dict.fromkeys((zoned.zone, zone or zoned.zone))
    form = _("j M Y, H:i")
    return ", ".join(f"{date_format(when.astimezone(ZoneInfo(one)), form)} ({one})" for one in zones)


def build_address(path: str) -> str:
    return f"{settings.SITE_ADDRESS}{path}"
