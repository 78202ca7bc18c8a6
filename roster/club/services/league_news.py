"""Post league news to a club's chat.

Chats with webhooks read a sentence from `content` (Discord) or `text` (Slack, Mattermost and others).
"""

from collections.abc import Iterable

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from roster.club.models import Club, ClubNight, Meeting, Season, SeasonPlayer
from roster.club.services.letters import describe_night
from roster.models.webhooks import Topic
from roster.services.webhooks import send_message

LONGEST_NEWS = 1_900
"""Characters. Discord takes 2,000."""


def announce_round(season: Season, number: int) -> None:
    """Post a round's pairings."""
    if season.club.webhook is None:
        return
    meetings = list(season.meetings.filter(round=number).select_related("first__member", "second__member"))
    with override(settings.LANGUAGE_CODE):
        title = _("%(season)s: round %(number)s") % {"season": season, "number": number}
        bye = _("bye")
        lines = [f"{meeting.first} – {meeting.second or bye}" for meeting in meetings]
        if meetings and meetings[0].until:
            lines.append(_("Play until %(day)s.") % {"day": date_format(meetings[0].until)})
    _send(season.club, season, "\n".join([title, *lines]))


def announce_challenge(meeting: Meeting) -> None:
    with override(settings.LANGUAGE_CODE):
        fields = {"first": meeting.first, "second": meeting.second, "season": meeting.season}
        text = _("%(season)s: %(first)s challenges %(second)s.") % fields
        if meeting.stake:
            text = _("%(season)s: %(first)s challenges %(second)s for %(place)s.") % (fields | {"place": meeting.stake})
    _send(meeting.season.club, meeting.season, text)


def announce_night(night: ClubNight) -> None:
    with override(settings.LANGUAGE_CODE):
        text = _("%(season)s: club night, %(moment)s. Can you come?")
        text = text % {"season": night.season, "moment": describe_night(night)}
    _send(night.season.club, night.season, "\n".join(filter(None, [text, night.place])))


def announce_night_pairs(night: ClubNight, meetings: Iterable[Meeting], lonely: Iterable[SeasonPlayer]) -> None:
    """Post who plays whom at a club night."""
    with override(settings.LANGUAGE_CODE):
        title = _("%(season)s: club night, %(moment)s")
        title = title % {"season": night.season, "moment": describe_night(night)}
        idle = _("no opponent")
        lines = [f"{meeting.first} – {meeting.second}" for meeting in meetings]
        lines += [f"{player} – {idle}" for player in lonely]
    _send(night.season.club, night.season, "\n".join(filter(None, [title, night.place, *lines])))


def announce_result(meeting: Meeting, scores: str) -> None:
    stake = f" · {meeting.stake}" if meeting.stake else ""
    text = f"{meeting.season}: {meeting.first} – {meeting.second} {scores}{stake}"
    _send(meeting.season.club, meeting.season, text)


def announce_rules(season: Season) -> None:
    """Post by what lists are judged from now on."""
    with override(settings.LANGUAGE_CODE):
        text = _("%(season)s: lists are now judged by %(rules)s.") % {"season": season, "rules": describe_rules(season)}
    _send(season.club, season, text)


def describe_rules(season: Season) -> str:
    """Return what a season's lists are judged by: "“Sluice club rules”, version 2, up to 500 points"."""
    homebrew = season.homebrew
    rules = _("the data’s values")
    if homebrew and not homebrew.is_hidden:
        rules = _("“%(name)s”, version %(number)s") % {"name": homebrew.name, "number": homebrew.number}
    if season.limit:
        return _("%(rules)s, up to %(limit)s points") % {"rules": rules, "limit": season.limit}
    return rules


def greet_chat(club: Club) -> None:
    """Post a first message, so that organisers see whether the address works."""
    with override(settings.LANGUAGE_CODE):
        text = _("News of “%(club)s” will be written here.") % {"club": club}
    _send(club, None, text)


def _send(club: Club, season: Season | None, text: str) -> None:
    if club.webhook is None:
        return
    address = settings.SITE_ADDRESS + (season or club).get_absolute_url()
    # A name must not call everybody in the chat.
    harmless = text[:LONGEST_NEWS].replace("@", "@\u200b").replace("<", "\u2039")
    written = f"{harmless}\n{address}"
    about = {"club": club.public_id} | ({"season": season.public_id} if season else {})
    send_message(club.webhook, Topic.LEAGUE, about | {"content": written, "text": written})
