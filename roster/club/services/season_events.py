"""Count an event's results in a season, if an organiser of the event agrees."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalogue.definitions.numbers import Number, format_number, shorten_number
from roster.club.ladder import PairResult
from roster.club.models import Season, SeasonEvent, SeasonPlayer
from roster.events.models import Event, EventStatus, Pairing
from roster.events.services.access import find_event, find_standing, list_events, may_open_event
from roster.services.outcomes import Refused

MOST_EVENTS = 20
"""The most events of a season, and the most seasons that ask for an event."""
_ADDRESS = re.compile(r"(?:^|/events/)([A-Za-z0-9_-]{22})(?:/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGame:
    """A game of two players of a season at an event. `days` are the days on which it may have been played."""

    link: SeasonEvent
    pairing: Pairing
    first: SeasonPlayer
    second: SeasonPlayer
    result: PairResult
    played: datetime
    days: frozenset[date]

    @property
    def scores(self) -> str:
        return f"{format_number(self.result.first_score)}:{format_number(self.result.second_score)}"


def list_event_games(
    season: Season, players: Mapping[int, SeasonPlayer], counting: Iterable[SeasonEvent]
) -> list[EventGame]:
    """List the results that a season takes from events.

    Only published rounds count, for players whose account plays in both. Games from after the end of the season, or
    after a player has left it, do not count.
    """
    links = {link.event_id: link for link in counting}
    if not links:
        return []
    by_account = {player.member.user_id: player for player in players.values() if player.member.user_id}
    pairings = Pairing.objects.filter(
        event__in=links,
        published__isnull=False,
        first_points__isnull=False,
        second_points__isnull=False,
        first__user__in=by_account,
        second__user__in=by_account,
    )
    games = []
    # The filter excludes None, which type checkers cannot see.
    pairing: Any
    for pairing in pairings.select_related("first", "second").order_by("published", "event", "place", "pk"):
        link, played = links[pairing.event_id], pairing.published
        first, second = by_account[pairing.first.user_id], by_account[pairing.second.user_id]
        ends = (season.ended, first.left, first.member.left, second.left, second.member.left)
        if any(end is not None and played > end for end in ends):
            continue
        first_score, second_score = shorten_number(pairing.first_points), shorten_number(pairing.second_points)
        moments = filter(None, (played, link.event.starts))
        games.append(
            EventGame(
                link=link,
                pairing=pairing,
                first=first,
                second=second,
                result=PairResult(
                    first=first.pk,
                    second=second.pk,
                    result=_compare_scores(first_score, second_score),
                    first_score=first_score,
                    second_score=second_score,
                ),
                played=played,
                days=frozenset(moment.astimezone(link.event.timezone).date() for moment in moments),
            )
        )
    return games


def _compare_scores(first: Number, second: Number) -> int:
    return (first > second) - (first < second)


def select_counting(season: Season) -> QuerySet[SeasonEvent]:
    """Select the events that count. An event that becomes a draft again counts no longer."""
    agreed = season.events.filter(agreed__isnull=False).exclude(event__status=EventStatus.DRAFT)
    return agreed.select_related("event").order_by("event__starts", "pk")


def list_own_events(season: Season, user: User) -> list[Event]:
    """List the published events of the season's game that the user organises and that the season lacks."""
    events = list_events(user).filter(roles__user=user, roles__kind="organiser", version__game=season.game_id)
    return list(events.exclude(status=EventStatus.DRAFT).exclude(pk__in=season.events.values("event"))[:MOST_EVENTS])


def attach_event(season: Season, user: User, address: str) -> SeasonEvent | Refused:
    """Let a season count the results of the event at an address. It counts at once if the user organises the event.

    Refuses `no-event-at-link`, `draft-event`, `event-of-other-game`, `same-event`, `season-over` and `no-room`.
    """
    match = _ADDRESS.search(address.strip())
    try:
        standing = find_standing(find_event(match[1] if match else ""), user)
    except Event.DoesNotExist:
        return Refused(code="no-event-at-link")
    event = standing.event
    if not may_open_event(standing):
        return Refused(code="no-event-at-link")
    if event.status == EventStatus.DRAFT:
        return Refused(code="draft-event")
    if event.version.game_id != season.game_id:
        return Refused(code="event-of-other-game")
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        if season.ended:
            return Refused(code="season-over")
        if season.events.filter(event=event).exists():
            return Refused(code="same-event", subject_id=event.name)
        asking = SeasonEvent.objects.filter(event=event, agreed=None).count()
        if max(season.events.count(), asking) >= MOST_EVENTS:
            return Refused(code="no-room", allowed=MOST_EVENTS)
        agreed = timezone.now() if standing.is_organiser else None
        return SeasonEvent.objects.create(season=season, event=event, agreed=agreed)


def agree_to_season(event: Event, link_id: int) -> Refused | None:
    """Agree, for an event's organisers, that a season counts its results. Refuses `bad-change`."""
    agreed = SeasonEvent.objects.filter(event=event, pk=link_id, agreed=None).update(agreed=timezone.now())
    return None if agreed else Refused(code="bad-change")


def detach_event(links: QuerySet[SeasonEvent], link_id: int) -> Refused | None:
    """Take an event's results out of a season again. Refuses `bad-change`."""
    deleted, _models = links.filter(pk=link_id).delete()
    return None if deleted else Refused(code="bad-change")
