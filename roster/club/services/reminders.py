"""Remind players of due meetings by mail, each at most once."""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from roster.club.models import Meeting, SeasonPlayer
from roster.events.services.mail import MOST_AT_ONCE, Recipient, build_address, get_mail_choice, write_letter

REMINDED_DAYS = 2
"""How many days before the last day players are reminded."""

logger = logging.getLogger(__name__)


def send_due_reminders() -> int:
    """Mail the players of open meetings that are due in two days or less, and return the number of mails.

    A meeting is marked first: a crash loses a mail rather than sending it twice.
    """
    today = timezone.localdate()
    due = Meeting.objects.filter(
        game=None,
        reminded=None,
        second__isnull=False,
        until__range=(today, today + timedelta(days=REMINDED_DAYS)),
        season__ended=None,
    )
    numbers = list(due.order_by("until", "pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    if not numbers:
        return 0
    connection = get_connection()
    try:
        connection.open()
    except (OSError, SMTPException):
        logger.exception("The mail server could not be reached, so reminders wait")
        return 0
    sent = 0
    try:
        for number in numbers:
            # Two runs at once send a reminder once.
            if Meeting.objects.filter(pk=number, reminded=None).update(reminded=timezone.now()):
                sent += _remind_players(Meeting.objects.get(pk=number), connection)
    finally:
        connection.close()
    return sent


def _remind_players(meeting: Meeting, connection: BaseEmailBackend) -> int:
    both = SeasonPlayer.objects.filter(pk__in=filter(None, (meeting.first_id, meeting.second_id)))
    players = list(both.select_related("member__user__event_mail", "member__user__chosen_language"))
    if any(player.is_gone for player in players):
        return 0
    return sum(_write_to(player, other, meeting, connection) for player, other in (players, players[::-1]))


def _write_to(player: SeasonPlayer, opponent: SeasonPlayer, meeting: Meeting, connection: BaseEmailBackend) -> bool:
    user = player.member.user
    if user is None or not user.email or not user.is_active or not get_mail_choice(user).is_wanted:
        return False
    recipient = Recipient(email=user.email, user=user)
    with override(recipient.language):
        context = {
            "event": meeting.season,
            "opponent": opponent.member.name,
            "day": date_format(meeting.until) if meeting.until else "",
            "link": build_address(meeting.get_absolute_url()),
        }
        message = write_letter("club/mail/meeting.txt", context, recipient)
    message.connection = connection
    try:
        message.send()
    except (OSError, SMTPException):
        logger.exception("The reminder of meeting %s could not be sent", meeting.pk)
        return False
    return True
