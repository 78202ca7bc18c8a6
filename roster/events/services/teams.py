"""Teams: a captain enters and submits for all members, and some rules apply across their lists."""

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass
from operator import attrgetter

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from catalogue.definitions.groups import group_by
from roster.events.models import Event, Participant, RoleKind, SubmissionStatus, Team
from roster.events.models.event import LEGAL_VERDICTS, ListVerdict
from roster.events.services.audit import name_person, record_act
from roster.events.services.events import MOST_PLAYERS, blind_player, enter_player, find_person
from roster.events.services.judging import load_event_rules
from roster.services.limits import check_name
from roster.services.outcomes import Refused

WORST_STATUS = (SubmissionStatus.MISSING, SubmissionStatus.RETURNED, SubmissionStatus.NEW, SubmissionStatus.ACCEPTED)
WORST_VERDICT = (
    ListVerdict.UNREADABLE,
    ListVerdict.ILLEGAL,
    ListVerdict.INCOMPLETE,
    ListVerdict.AS_READ,
    *LEGAL_VERDICTS,
)
WORSENED = (*LEGAL_VERDICTS, ListVerdict.AS_READ, ListVerdict.INCOMPLETE)
"""Verdicts that become illegal if the team has the army too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamState:
    """`doubled` are the armies that the team has too often, `lacking` is the number of missing players."""

    team: Team
    players: tuple[Participant, ...]
    reserves: tuple[Participant, ...]
    status: str
    verdict: str
    doubled: tuple[str, ...] = ()
    lacking: int = 0


def create_team(event: Event, captain: User, name: str) -> Team | Refused:
    """Create a team. A captain who plays without a team joins it."""
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
            blind_player(event, captain)
    except IntegrityError:
        return Refused(code="name-taken")
    event.participants.filter(user=captain, team=None).update(team=team)
    record_act(event, captain, "team", detail=team.name)
    return team


def find_or_create_team(event: Event, name: str) -> Team:
    team, _created = Team.objects.get_or_create(event=event, name=name.strip()[:100])
    return team


def add_member(team: Team, actor: User, name: str, *, is_reserve: bool) -> Participant | Refused:
    refused = check_manager(team, actor) or _check_room(team, is_reserve=is_reserve)
    if refused is not None:
        return refused
    with transaction.atomic():
        return enter_player(team.event, actor, name, team=team, is_reserve=is_reserve)


def check_manager(team: Team, actor: User) -> Refused | None:
    """Return why the actor may not change a team, or None. Organisers may always, captains until the deadline."""
    event = team.event
    if event.roles.filter(user=actor, kind=RoleKind.ORGANISER).exists():
        return None
    if team.captain_id != actor.pk:
        return Refused(code="not-captain")
    if not event.is_open:
        return Refused(code="not-open")
    return Refused(code="team-fixed") if event.is_past_deadline else None


def _check_room(team: Team, *, is_reserve: bool) -> Refused | None:
    size = team.event.team_size
    taken = team.members.filter(is_reserve=is_reserve, dropped=False).count()
    return Refused(code="team-full", allowed=size) if size and taken >= size else None


def remove_member(team: Team, actor: User, public_id: str) -> Participant | Refused:
    """Take a member out of a team, and out of the event unless they joined it themselves."""
    refused = check_manager(team, actor)
    if refused is not None:
        return refused
    member = _find_member(team, public_id)
    if member is None:
        return Refused(code="bad-change")
    member.team, member.is_reserve, member.dropped = None, False, member.user_id is None
    member.save(update_fields=["team", "is_reserve", "dropped"])
    record_act(team.event, actor, "remove-member", member, detail=team.name)
    return member


def swap_members(team: Team, actor: User, player_id: str, reserve_id: str) -> Participant | Refused:
    """Swap a player with a reserve and return the former reserve. Both keep their lists."""
    refused = check_manager(team, actor)
    if refused is not None:
        return refused
    player = _find_member(team, player_id, is_reserve=False)
    reserve = _find_member(team, reserve_id, is_reserve=True)
    if player is None or reserve is None:
        return Refused(code="bad-change")
    with transaction.atomic():
        for member in (player, reserve):
            member.is_reserve = not member.is_reserve
            member.save(update_fields=["is_reserve"])
        record_act(team.event, actor, "swap", reserve, detail=player.name)
    return reserve


def _find_member(team: Team, public_id: str, **filters: bool) -> Participant | None:
    return team.members.filter(public_id=public_id[:22], dropped=False, **filters).first()


def set_captain(team: Team, actor: User, named: str) -> Team | Refused:
    """Make the account with a mail address or player name the captain of a team.

    Organisers can choose any account. A captain can choose a player of this team, or a player without a team, who joins
    it if there is room.
    """
    refused = check_manager(team, actor)
    if refused is not None:
        return refused
    person = find_person(named)
    if person is None:
        return Refused(code="unknown-captain", subject_id=named[:100])
    playing = team.event.participants.filter(user=person, dropped=False).first()
    is_near = playing is not None and playing.team_id in (None, team.pk)
    if actor.pk == team.captain_id and not is_near:
        return Refused(code="unknown-captain", subject_id=named[:100])

    with transaction.atomic():
        team.captain = person
        team.save(update_fields=["captain"])
        blind_player(team.event, person)
        if playing is not None and playing.team_id is None and _check_room(team, is_reserve=False) is None:
            playing.team = team
            playing.save(update_fields=["team"])
        record_act(team.event, actor, "captain", detail=f"{team.name}: {name_person(person)}")
    return team


# ---- no army twice ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DoubledArmy:
    faction: str
    text: str = ""
    source: str = ""

    def __str__(self) -> str:
        return self.faction


def find_doubled(players: Iterable[Participant], most: int) -> dict[int, str]:
    """Return the armies, by player key, that a team has more often than `most`, without reserves."""
    counted = [
        player for player in players if player.team_id and player.faction and not (player.is_reserve or player.dropped)
    ]
    armies = group_by(counted, attrgetter("team_id", "faction"))
    return {one.pk: one.faction for brought in armies.values() if len(brought) > most for one in brought}


def list_doubled(event: Event) -> dict[int, str]:
    if not event.is_team:
        return {}
    return find_doubled(event.participants.filter(team__isnull=False), load_event_rules(event).rules.same_faction.most)


def find_doubled_army(player: Participant, faction: str) -> DoubledArmy | None:
    event = player.event
    if not (event.is_team and player.team_id and faction):
        return None
    playing = copy(player)
    playing.faction = faction
    mates = Participant.objects.filter(team=player.team_id).exclude(pk=player.pk)
    rules = load_event_rules(event).rules
    rule = rules.same_faction
    army = find_doubled((playing, *mates), rule.most).get(player.pk)
    return DoubledArmy(army, rule.text, rules.get_source(rule)) if army else None


def weigh_verdict(verdict: str, doubled: object) -> str:
    """Return the verdict, or illegal if the team has the army too often."""
    return str(ListVerdict.ILLEGAL) if doubled and verdict in WORSENED else verdict


# ---- a team as one ---------------------------------------------------------------------------------------------------


def judge_team(team: Team, members: list[Participant], most: int = 1) -> TeamState:
    """Return a team's state: the worst status and verdict of its lists.

    It is illegal if an army occurs too often, and incomplete if players are missing. Reserves only affect the status.
    """
    present = [member for member in members if not member.dropped]
    by_part = group_by(present, attrgetter("is_reserve"))
    players = tuple(by_part.get(False, ()))
    doubled = tuple(dict.fromkeys(find_doubled(players, most).values()))
    lacking = max(0, team.event.team_size - len(players))
    status = _find_worst(WORST_STATUS, [member.status for member in present]) or str(SubmissionStatus.MISSING)
    verdict = weigh_verdict(_find_worst(WORST_VERDICT, [player.verdict for player in players]), doubled)
    if lacking and verdict in (*LEGAL_VERDICTS, ListVerdict.AS_READ):
        verdict = str(ListVerdict.INCOMPLETE)
    return TeamState(
        team=team,
        players=players,
        reserves=tuple(by_part.get(True, ())),
        status=status,
        verdict=verdict,
        doubled=doubled,
        lacking=lacking,
    )


def _find_worst(worst_first: Iterable[str], present: Collection[str]) -> str:
    return next((str(word) for word in worst_first if word in present), "")


def list_teams(event: Event, most: int = 1) -> list[TeamState]:
    members: dict[int, list[Participant]] = {}
    for player in event.participants.filter(team__isnull=False):
        members.setdefault(player.team_id or 0, []).append(player)
    teams = list(event.teams.select_related("captain__player_name"))
    for team in teams:
        team.event = event
    return [judge_team(team, members.get(team.pk, []), most) for team in teams]
