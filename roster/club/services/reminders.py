"""Mail players about due meetings and changed rules, each at most once."""

from datetime import timedelta
from functools import partial

from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django.utils.formats import date_format

from roster.club.models import Meeting, Season, SeasonPlayer
from roster.club.services.league_news import describe_rules
from roster.club.services.letters import describe_night, open_connection, send_member_letter
from roster.events.services.mail import MOST_AT_ONCE, build_address

REMINDED_DAYS = 2
"""How many days before the last day players are reminded."""

RECIPIENTS = ("member__user__event_mail", "member__user__chosen_language")


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
    sent = 0
    with open_connection() as connection:
        if connection is None:
            return 0
        for number in numbers:
            # Two runs at once send a reminder once.
            if Meeting.objects.filter(pk=number, reminded=None).update(reminded=timezone.now()):
                sent += _remind_players(Meeting.objects.select_related("night").get(pk=number), connection)
        for key in seasons:
            if Season.objects.filter(pk=key, rules_untold=True).update(rules_untold=False):
                season = Season.objects.select_related("homebrew__origin__homebrew_set").get(pk=key)
                sent += _tell_rules(season, connection)
    return sent


def _remind_players(meeting: Meeting, connection: BaseEmailBackend) -> int:
    both = SeasonPlayer.objects.filter(pk__in=filter(None, (meeting.first_id, meeting.second_id)))
    players = list(both.select_related(*RECIPIENTS))
    if any(player.is_gone for player in players):
        return 0
    return sum(_write_to(player, other, meeting, connection) for player, other in (players, players[::-1]))


def _write_to(player: SeasonPlayer, opponent: SeasonPlayer, meeting: Meeting, connection: BaseEmailBackend) -> bool:
    context = {
        "event": meeting.season,
        "opponent": opponent.member.name,
        "day": partial(date_format, meeting.until) if meeting.until else "",
        "night": meeting.night,
        "moment": partial(describe_night, meeting.night, player.member.user) if meeting.night else "",
        "link": build_address(meeting.get_absolute_url()),
    }
    return send_member_letter(player.member.user, "club/mail/meeting.txt", context, connection)


def _tell_rules(season: Season, connection: BaseEmailBackend) -> int:
    players = season.players.filter(left=None, member__left=None).select_related(*RECIPIENTS)
    link = build_address(season.get_absolute_url())
    context = {"event": season, "rules": partial(describe_rules, season), "link": link}
    return sum(send_member_letter(player.member.user, "club/mail/rules.txt", context, connection) for player in players)
