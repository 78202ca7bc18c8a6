"""Mail players about due meetings and changed rules, each at most once."""

import logging
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import override

from roster.club.models import Meeting, Season, SeasonPlayer
from roster.club.services.league_news import describe_rules
from roster.events.services.mail import MOST_AT_ONCE, Recipient, build_address, get_mail_choice, write_letter

REMINDED_DAYS = 2
"""How many days before the last day players are reminded."""

RECIPIENTS = ("member__user__event_mail", "member__user__chosen_language")

logger = logging.getLogger(__name__)


def send_due_reminders() -> int:
    """Mail the players of open meetings that are due in two days or less, and of seasons with changed rules.

    Returns the number of mails. A meeting or season is marked first: a crash loses a mail rather than sending it twice.
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
    seasons = list(Season.objects.filter(rules_untold=True).values_list("pk", flat=True)[:MOST_AT_ONCE])
    if not numbers and not seasons:
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
        for key in seasons:
            if Season.objects.filter(pk=key, rules_untold=True).update(rules_untold=False):
                sent += _tell_rules(
                    Season.objects.select_related("homebrew__origin__homebrew_set").get(pk=key), connection
                )
    finally:
        connection.close()
    return sent


def _remind_players(meeting: Meeting, connection: BaseEmailBackend) -> int:
    both = SeasonPlayer.objects.filter(pk__in=filter(None, (meeting.first_id, meeting.second_id)))
    players = list(both.select_related(*RECIPIENTS))
    if any(player.is_gone for player in players):
        return 0
    link = build_address(meeting.get_absolute_url())
    context = {"event": meeting.season, "day": meeting.until or "", "link": link}
    pairs = (players, players[::-1])
    return sum(
        _write_to(player, "club/mail/meeting.txt", context | {"opponent": other.member.name}, connection)
        for player, other in pairs
    )


def _tell_rules(season: Season, connection: BaseEmailBackend) -> int:
    players = season.players.filter(left=None, member__left=None).select_related(*RECIPIENTS)
    link = build_address(season.get_absolute_url())
    # Lazy, because each player reads it in another language.
    context = {"event": season, "rules": lazy(describe_rules, str)(season), "link": link}
    return sum(_write_to(player, "club/mail/rules.txt", context, connection) for player in players)


def _write_to(player: SeasonPlayer, template: str, context: dict[str, Any], connection: BaseEmailBackend) -> bool:
    user = player.member.user
    if user is None or not user.email or not user.is_active or not get_mail_choice(user).is_wanted:
        return False
    recipient = Recipient(email=user.email, user=user)
    with override(recipient.language):
        message = write_letter(template, context, recipient)
    message.connection = connection
    try:
        message.send()
    except (OSError, SMTPException):
        logger.exception("The mail %s could not be sent to player %s", template, player.pk)
        return False
    return True
