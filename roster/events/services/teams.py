"""Teams: a captain enters and submits for all of them, and rules hold across their lists."""

from collections import defaultdict
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from roster.events.models import Event, Participant, SubmissionStatus, Team
from roster.events.models.event import ListVerdict
from roster.events.services.audit import record_act
from roster.events.services.events import MOST_PLAYERS, enter_player
from roster.events.services.judging import load_event_rules
from roster.services.limits import check_name
from roster.services.outcomes import Refused

WORST_STATUS = (SubmissionStatus.MISSING, SubmissionStatus.RETURNED, SubmissionStatus.NEW, SubmissionStatus.ACCEPTED)
WORST_VERDICT = (ListVerdict.UNREADABLE, ListVerdict.ILLEGAL, ListVerdict.INCOMPLETE, ListVerdict.LEGAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamState:
    """A team with its players and reserves, what it comes to as one, and the armies that it has twice."""

    team: Team
    players: tuple[Participant, ...]
    reserves: tuple[Participant, ...]
    status: str
    verdict: str
    doubled: tuple[str, ...] = ()


def create_team(event: Event, captain: User, name: str) -> Team | Refused:
    """Make a team whose captain is the one who makes it; who plays already plays for it."""
    cleaned = check_name(name)
    if isinstance(cleaned, Refused):
        return cleaned
    if not cleaned:
        return Refused(code="no-name")
    if not (event.is_team and event.is_open):
        return Refused(code="not-open")
    if event.teams.count() >= MOST_PLAYERS:
        return Refused(code="full", allowed=MOST_PLAYERS)
    try:
        with transaction.atomic():
            team = Team.objects.create(event=event, name=cleaned, captain=captain)
    except IntegrityError:
        return Refused(code="name-taken")
    event.participants.filter(user=captain, team=None).update(team=team)
    record_act(event, captain, "team", detail=team.name)
    return team


def find_or_create_team(event: Event, name: str) -> Team:
    """Return the team of a name, made anew without a captain where there is none."""
    team, _created = Team.objects.get_or_create(event=event, name=name.strip()[:100])
    return team


def add_member(team: Team, captain: User, name: str, *, is_reserve: bool) -> Participant | Refused:
    """Enter a player or a reserve of a team; the captain submits for them."""
    event = team.event
    if team.captain_id != captain.pk:
        return Refused(code="not-captain")
    if not event.is_open:
        return Refused(code="not-open")
    taken = team.members.filter(is_reserve=is_reserve, dropped=False).count()
    if event.team_size and taken >= event.team_size:
        return Refused(code="team-full", allowed=event.team_size)
    with transaction.atomic():
        member = enter_player(event, captain, name, team=team)
        if isinstance(member, Participant) and is_reserve:
            member.is_reserve = True
            member.save(update_fields=["is_reserve"])
    return member


# ---- no army twice ---------------------------------------------------------------------------------------------------


def find_doubled(players: Iterable[Participant], most: int) -> dict[int, str]:
    """Return the players whose team has their army more often than it may, by key, each with that army.

    Reserves do not count: they play in somebody's place.
    """
    armies: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for player in players:
        if player.team_id and player.faction and not (player.is_reserve or player.dropped):
            armies[player.team_id, player.faction].append(player.pk)
    return {pk: faction for (_team, faction), keys in armies.items() if len(keys) > most for pk in keys}


def list_doubled(event: Event) -> dict[int, str]:
    """Return all players of an event whose team has their army more often than it may."""
    if not event.is_team:
        return {}
    return find_doubled(event.participants.filter(team__isnull=False), load_event_rules(event).rules.same_faction)


def find_doubled_army(player: Participant, faction: str) -> str:
    """Return the army that a player's team has too often once they play it; blank for none."""
    event = player.event
    if not (event.is_team and player.team_id and faction):
        return ""
    playing = copy(player)
    playing.faction = faction
    mates = Participant.objects.filter(team=player.team_id).exclude(pk=player.pk)
    return find_doubled((playing, *mates), load_event_rules(event).rules.same_faction).get(player.pk, "")


def weigh_verdict(verdict: str, doubled: object) -> str:
    """Return what a verdict comes to where the team has the army too often: nothing is legal then."""
    return str(ListVerdict.ILLEGAL) if doubled and verdict in (ListVerdict.LEGAL, ListVerdict.INCOMPLETE) else verdict


# ---- a team as one ---------------------------------------------------------------------------------------------------


def judge_team(team: Team, members: list[Participant], most: int = 1) -> TeamState:
    """Return what a team comes to as one: the worst of its lists, and illegal where it has an army too often.

    Reserves count for the status, because they submit too, but not among the armies: they play in somebody's place.
    """
    present = [member for member in members if not member.dropped]
    players = tuple(member for member in present if not member.is_reserve)
    reserves = tuple(member for member in present if member.is_reserve)
    doubled = tuple(dict.fromkeys(find_doubled(players, most).values()))
    verdicts = [player.verdict for player in players if player.verdict]
    verdict = next((str(word) for word in WORST_VERDICT if word in verdicts), "")
    verdict = weigh_verdict(verdict, doubled)
    statuses = [member.status for member in present]
    status = next((str(word) for word in WORST_STATUS if word in statuses), str(SubmissionStatus.MISSING))
    return TeamState(team=team, players=players, reserves=reserves, status=status, verdict=verdict, doubled=doubled)


def list_teams(event: Event, most: int = 1) -> list[TeamState]:
    """Return all teams of an event with what each comes to."""
    members: dict[int, list[Participant]] = {}
    for player in event.participants.filter(team__isnull=False):
        members.setdefault(player.team_id or 0, []).append(player)
    teams = event.teams.select_related("captain__player_name")
    return [judge_team(team, members.get(team.pk, []), most) for team in teams]
