"""Who may do and see what in an event. What somebody may not see does not exist for them: pages answer 404."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet

from roster.events.models import Assignment, Event, EventRole, EventStatus, Participant, RoleKind, Team
from roster.services.owners import is_public_id

Person = User | AnonymousUser
COMING = 3
"""So many events that are to come are shown beside other things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStanding:
    """What somebody is in an event: their role, their own entry, the teams they are captain of."""

    event: Event
    user: User | None = None
    role: EventRole | None = None
    participant: Participant | None = None
    teams: tuple[Team, ...] = ()

    @property
    def is_organiser(self) -> bool:
        return self.role is not None and self.role.kind == RoleKind.ORGANISER

    @property
    def is_judge(self) -> bool:
        """Whether somebody may decide about lists: every organiser may, too."""
        return self.role is not None

    @property
    def sees_all(self) -> bool:
        """Whether somebody runs the event and sees every list in it."""
        return self.is_judge and not self.is_blind

    @property
    def is_blind(self) -> bool:
        """Whether somebody who runs the event sees no more of the lists of others than everybody does.

        That ends when everything is shown: decks and reserves may be later than rosters.
        """
        return self.role is not None and self.role.is_blind and not self.event.shows_all

    @property
    def takes_part(self) -> bool:
        return self.role is not None or self.participant is not None or bool(self.teams)


def find_event(public_id: str) -> Event:
    """Return the event at an address, whoever asks; raises Event.DoesNotExist."""
    if not is_public_id(public_id):
        raise Event.DoesNotExist
    return Event.objects.select_related("version__game").get(public_id=public_id)


def find_standing(event: Event, person: Person) -> EventStanding:
    """Return what somebody is in an event."""
    if not isinstance(person, User):
        return EventStanding(event=event)
    return EventStanding(
        event=event,
        user=person,
        role=event.roles.filter(user=person).first(),
        participant=event.participants.filter(user=person).select_related("team", "current").first(),
        teams=tuple(event.teams.filter(captain=person)) if event.is_team else (),
    )


def may_open_event(standing: EventStanding) -> bool:
    """Return whether somebody who has the address may open an event: a draft is its organisers' alone."""
    return standing.event.status != EventStatus.DRAFT or standing.is_judge


def may_manage_list(standing: EventStanding, participant: Participant) -> bool:
    """Return whether a list is one that somebody submits: their own, or one of a team that they are captain of."""
    if standing.user is None or participant.event_id != standing.event.pk:
        return False
    return participant.user_id == standing.user.pk or participant.team_id in {team.pk for team in standing.teams}


def filter_visible(standing: EventStanding) -> QuerySet[Participant]:
    """Return the players of an event whose lists somebody may see now.

    Which these are is asked in one query, so that a list that is hidden takes as long to be not there as one that
    never was.
    """
    players = standing.event.participants.all()
    if standing.sees_all:
        return players
    visible = _match_public(standing.event)
    if standing.user is not None:
        visible |= Q(user=standing.user) | Q(team__in=[team.pk for team in standing.teams])
        if not standing.is_judge:
            visible |= Q(pk__in=filter_assigned(Assignment.objects.all(), standing).values("participant"))
    return players.filter(visible)


def _match_public(event: Event) -> Q:
    """Match the players whose lists everybody may see by now."""
    if not event.shows_publicly("roster"):
        return Q(pk__in=())
    shown = Q(dropped=False, current__isnull=False)
    return shown if event.shows_publicly("reserves") else shown & Q(is_reserve=False)


def may_see_list(standing: EventStanding, participant: Participant) -> bool:
    """Return whether somebody may see a player's list now."""
    return filter_visible(standing).filter(pk=participant.pk).exists()


def may_see_decks(standing: EventStanding, participant: Participant) -> bool:
    """Return whether somebody who may see a player's list may see its decks, too."""
    if standing.event.shows_publicly("deck") or may_manage_list(standing, participant):
        return True
    # What a blind one was given to check before is no way round it.
    return not standing.is_blind if standing.is_judge else is_checker(standing, participant)


def is_logged_look(standing: EventStanding, participant: Participant) -> bool:
    """Return whether a look at a list is written down: at what is not one's own, and not shown to everybody yet."""
    if may_manage_list(standing, participant):
        return False
    event = standing.event
    sees_secret_decks = not event.shows_publicly("deck") and may_see_decks(standing, participant) and event.has_decks
    return sees_secret_decks or not is_shown_publicly(participant, event)


def is_checker(standing: EventStanding, participant: Participant) -> bool:
    """Return whether a list was given to somebody, or to a team of theirs, to be checked."""
    return filter_assigned(participant.assignments.all(), standing).exists()


def filter_assigned(assignments: QuerySet[Assignment], standing: EventStanding) -> QuerySet[Assignment]:
    """Return those of some assignments that are somebody's own, or their team's."""
    if standing.user is None:
        return assignments.none()
    teams = {team.pk for team in standing.teams}
    if standing.participant is not None and standing.participant.team_id:
        teams.add(standing.participant.team_id)
    return assignments.filter(Q(checker=standing.user) | Q(team__in=teams))


def is_shown_publicly(participant: Participant, event: Event) -> bool:
    """Return whether everybody may see a player's list by now."""
    if participant.current_id is None or participant.dropped:
        return False
    return event.shows_publicly("roster") and (not participant.is_reserve or event.shows_publicly("reserves"))


def filter_public_entries(event: Event) -> QuerySet[Participant]:
    """Return the players whose factions everybody may see by now; none before."""
    if not event.shows_publicly("faction"):
        return event.participants.none()
    shown = event.participants.filter(dropped=False, current__isnull=False)
    return shown if event.shows_publicly("reserves") else shown.filter(is_reserve=False)


def list_coming_events(person: Person) -> list[tuple[Event, Participant | None]]:
    """Return the events of somebody that are not closed, the next deadline first, with their entry where they play."""
    if not isinstance(person, User):
        return []
    events = list_events(person).exclude(status=EventStatus.CLOSED).order_by(F("deadline").asc(nulls_last=True), "-pk")
    coming = list(events[:COMING])
    entries = Participant.objects.filter(event__in=coming, user=person, dropped=False) if coming else ()
    by_event = {entry.event_id: entry for entry in entries}
    return [(event, by_event.get(event.pk)) for event in coming]


def list_events(person: Person) -> QuerySet[Event]:
    """Return the events that somebody runs or plays in, the latest first."""
    if not isinstance(person, User):
        return Event.objects.none()
    mine = Q(roles__user=person) | Q(teams__captain=person)
    playing = Q(participants__user=person) & ~Q(status=EventStatus.DRAFT)
    return Event.objects.filter(mine | playing).select_related("version__game").distinct()
