"""Decide what a user may see and do in an event. Pages respond with 404 to everything else."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet

from roster.events.models import Assignment, Event, EventRole, EventStatus, Participant, RoleKind, Team
from roster.services.owners import is_public_id

Person = User | AnonymousUser
COMING = 3
"""How many coming events pages about other things show."""
ORGANISED = 10
"""How many organised events pages about other things show, last ones first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStanding:
    """A user's role in an event, their own entry, and the teams that they are captain of."""

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
        return self.role is not None

    @property
    def sees_all(self) -> bool:
        return self.is_judge and not self.is_blind

    @property
    def is_blind(self) -> bool:
        """Whether the user is a helper who sees only public lists until everything is revealed."""
        return self.role is not None and self.role.is_blind and not self.event.shows_all


def find_event(public_id: str) -> Event:
    """Return an event without checking access. Raises Event.DoesNotExist."""
    if not is_public_id(public_id):
        raise Event.DoesNotExist
    return Event.objects.select_related("version__game").get(public_id=public_id)


def find_standing(event: Event, person: Person) -> EventStanding:
    """Return a person's standing. A visitor without an account has no user, role or entry."""
    (standing,) = find_standings([event], person)
    return standing


def find_standings(events: Sequence[Event], person: Person) -> list[EventStanding]:
    """Return a user's standing in each event, in at most three queries."""
    if not isinstance(person, User):
        return [EventStanding(event=event) for event in events]
    roles = {role.event_id: role for role in EventRole.objects.filter(user=person, event__in=events)}
    entries = Participant.objects.filter(user=person, event__in=events).select_related("team", "current")
    participants = {entry.event_id: entry for entry in entries}
    in_teams = [event for event in events if event.is_team]
    teams = list(Team.objects.filter(captain=person, event__in=in_teams)) if in_teams else []
    return [
        EventStanding(
            event=event,
            user=person,
            role=roles.get(event.pk),
            participant=participants.get(event.pk),
            teams=tuple(team for team in teams if team.event_id == event.pk),
        )
        for event in events
    ]


def may_open_event(standing: EventStanding) -> bool:
    """Return whether a user with the address may open the event. Only helpers may open a draft."""
    return standing.event.status != EventStatus.DRAFT or standing.is_judge


def may_manage_list(standing: EventStanding, participant: Participant) -> bool:
    if standing.user is None or participant.event_id != standing.event.pk:
        return False
    return participant.user_id == standing.user.pk or participant.team_id in {team.pk for team in standing.teams}


def filter_visible(standing: EventStanding) -> QuerySet[Participant]:
    """Return the players whose lists the user may see now, in a single query.

    A 404 must take as long for a hidden list as for a missing one.
    """
    event = standing.event
    players = event.participants.all()
    if standing.sees_all:
        return players
    visible = Q(pk__in=())
    if event.shows_publicly("roster"):
        visible = Q(dropped=False, current__isnull=False)
        if not event.shows_publicly("reserves"):
            visible &= Q(is_reserve=False)
    if standing.user is not None:
        visible |= Q(user=standing.user) | Q(team__in=[team.pk for team in standing.teams])
        if not standing.is_judge:
            visible |= Q(pk__in=filter_assigned(Assignment.objects.all(), standing).values("participant"))
    return players.filter(visible)


def may_see_list(standing: EventStanding, participant: Participant) -> bool:
    return filter_visible(standing).filter(pk=participant.pk).exists()


def may_see_decks(standing: EventStanding, participant: Participant) -> bool:
    if standing.event.shows_publicly("deck") or may_manage_list(standing, participant):
        return True
    # A blind helper sees no decks, even if they were given the list to check earlier.
    return not standing.is_blind if standing.is_judge else is_checker(standing, participant)


def is_logged_look(standing: EventStanding, participant: Participant) -> bool:
    """Return whether to log a view: the list is another player's and not public yet."""
    if may_manage_list(standing, participant):
        return False
    event = standing.event
    sees_secret_decks = not event.shows_publicly("deck") and may_see_decks(standing, participant) and event.has_decks
    return sees_secret_decks or not is_shown_publicly(participant, event)


def is_checker(standing: EventStanding, participant: Participant) -> bool:
    return filter_assigned(participant.assignments.all(), standing).exists()


def filter_assigned(assignments: QuerySet[Assignment], standing: EventStanding) -> QuerySet[Assignment]:
    if standing.user is None:
        return assignments.none()
    teams = {team.pk for team in standing.teams}
    if standing.participant is not None and standing.participant.team_id:
        teams.add(standing.participant.team_id)
    return assignments.filter(Q(checker=standing.user) | Q(team__in=teams))


def is_shown_publicly(participant: Participant, event: Event) -> bool:
    if participant.current_id is None or participant.dropped:
        return False
    return event.shows_publicly("roster") and (not participant.is_reserve or event.shows_publicly("reserves"))


def filter_public_entries(event: Event) -> QuerySet[Participant]:
    if not event.shows_publicly("faction"):
        return event.participants.none()
    public = event.participants.filter(dropped=False, current__isnull=False)
    return public if event.shows_publicly("reserves") else public.filter(is_reserve=False)


def list_coming_events(person: Person) -> list[tuple[Event, Participant | None]]:
    if not isinstance(person, User):
        return []
    events = list_events(person).exclude(status=EventStatus.CLOSED).order_by(F("deadline").asc(nulls_last=True), "-pk")
    coming = list(events[:COMING])
    entries = Participant.objects.filter(event__in=coming, user=person, dropped=False) if coming else ()
    by_event = {entry.event_id: entry for entry in entries}
    return [(event, by_event.get(event.pk)) for event in coming]


def list_events(person: Person) -> QuerySet[Event]:
    if not isinstance(person, User):
        return Event.objects.none()
    mine = Q(roles__user=person) | Q(teams__captain=person)
    playing = Q(participants__user=person) & ~Q(status=EventStatus.DRAFT)
    return Event.objects.filter(mine | playing).select_related("version__game").distinct()


def list_organised_events(person: Person, game_id: int) -> list[Event]:
    """List some events that `select_organised_events` selects, with the names of their house rules."""
    if not isinstance(person, User):
        return []
    events = select_organised_events(person, game_id).select_related("homebrew__origin__homebrew_set")
    names = ("key", "name", "number", "origin__homebrew_set__taken_down")
    return list(events.only("public_id", "name", "starts", *(f"homebrew__{name}" for name in names))[:ORGANISED])


def select_organised_events(user: User, game_id: int) -> QuerySet[Event]:
    """Select the events of a game that a user organises and that are not closed."""
    mine = Event.objects.filter(roles__user=user, roles__kind=RoleKind.ORGANISER, version__game=game_id)
    return mine.exclude(status=EventStatus.CLOSED)
