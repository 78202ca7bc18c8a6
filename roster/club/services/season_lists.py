"""Let players choose a list for a meeting. The copy is judged by the season's rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalogue.models import Faction
from roster.club.models import ChosenList, ClubMember, ListReveal, Meeting, Season, SeasonPlayer
from roster.club.services.seasons import ShownMeeting, find_list_limit, find_meeting
from roster.engine.evaluation import OverdueError
from roster.engine.tree import Limit, RosterTree, copy_with
from roster.events.services.judging import judge_tree, load_rules, summarize_judgement
from roster.models import Roster
from roster.services.evaluation import EvaluatedList, decode_tree, encode_tree, summarize_list
from roster.services.limits import get_judging_seconds, start_deadline
from roster.services.outcomes import Refused
from roster.services.owners import Visitor
from roster.services.rosters import list_rosters

MOST_OFFERED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingSide:
    """A player of a meeting with the list that they chose. `is_shown` says whether the reader may see it now."""

    player: SeasonPlayer
    chosen: ChosenList | None
    is_mine: bool
    is_shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLists:
    """`may_choose` says whether the reader can choose a list, or another one, now."""

    sides: Sequence[MeetingSide]
    may_choose: bool

    @property
    def has_any(self) -> bool:
        return any(side.chosen for side in self.sides)

    @property
    def mine(self) -> ChosenList | None:
        return next((side.chosen for side in self.sides if side.is_mine), None)

    def find_shown(self, player_id: int) -> ChosenList | None:
        return next((side.chosen for side in self.sides if side.is_shown and side.player.pk == player_id), None)


def load_meeting_lists(shown_meeting: ShownMeeting, member: ClubMember | None) -> MeetingLists:
    """Return a meeting's lists as a member sees them.

    The season says when others see a list; all see both once the result counts. Lists are settled once every player
    with an account has chosen, or once there is a game.
    """
    meeting, season = shown_meeting.meeting, shown_meeting.meeting.season
    players = [player for player in (meeting.first, meeting.second) if player is not None]
    chosen = {one.player_id: one for one in meeting.lists.select_related("version__game", "homebrew")}
    all_chosen = bool(chosen) and all(player.pk in chosen for player in players if player.member.user_id)
    is_shown = shown_meeting.counts or season.reveal == ListReveal.CHOSEN
    is_shown |= season.reveal == ListReveal.BOTH and all_chosen
    sides = []
    for player in players:
        is_mine = member is not None and player.member_id == member.pk
        sides.append(
            MeetingSide(
                player=player,
                chosen=chosen.get(player.pk),
                is_mine=is_mine,
                is_shown=player.pk in chosen and (is_mine or is_shown),
            )
        )
    is_open = season.is_running and shown_meeting.is_open and meeting.game_id is None and not all_chosen
    return MeetingLists(sides=sides, may_choose=is_open and any(side.is_mine for side in sides))


def list_offered_lists(season: Season, user: User) -> QuerySet[Roster]:
    """List the user's last lists of the season's game."""
    return list_rosters(Visitor(user_id=user.pk)).filter(version__game=season.game_id)[:MOST_OFFERED]


def choose_list(season: Season, member: ClubMember, user: User, number: int, roster_id: str) -> Refused | None:
    """Choose a copy of the user's list for a meeting, judged by the season's rules with the current data.

    Refuses `no-list-chosen`, `unknown-game`, `faction-gone`, `too-slow`, and `lists-settled` if it is too late.
    """
    rosters = list_rosters(Visitor(user_id=user.pk)).defer(None)
    roster = rosters.filter(version__game=season.game_id, public_id=roster_id).first()
    if roster is None:
        return Refused(code="no-list-chosen")
    version = season.game.shown_version if season.game else None
    if version is None:
        return Refused(code="unknown-game")
    faction = Faction.objects.filter(version=version, faction_id=roster.faction_id).first()
    if faction is None:
        return Refused(code="faction-gone")
    shown_meeting = find_meeting(season, number)
    side = shown_meeting.find_side(member)
    if not side:
        return Refused(code="bad-change")
    player: SeasonPlayer = getattr(shown_meeting.meeting, side)
    limit = find_list_limit(season, player.pk)
    rules, tree = load_rules(version, "", season.homebrew), limit_points(roster.tree, version.points_id, limit)
    try:
        evaluated_list = judge_tree(rules, faction.faction_id, tree, deadline=start_deadline(has_account=True))
    except OverdueError:
        return Refused(code="too-slow", allowed=get_judging_seconds(has_account=True))
    with transaction.atomic():
        season.meetings.select_for_update().get(pk=number)
        if not load_meeting_lists(find_meeting(season, number), member).may_choose:
            return Refused(code="lists-settled")
        ChosenList.objects.update_or_create(
            meeting_id=number,
            player=player,
            defaults={
                "owner": user,
                "name": roster.name,
                "document": encode_tree(tree),
                "faction_id": faction.faction_id,
                "faction": faction.heading,
                "units": summarize_list(evaluated_list)["units"],
                "version": version,
                "rules_hash": rules.key,
                "homebrew": season.homebrew,
                "limit": limit if version.points_id else 0,
                **summarize_judgement(evaluated_list).columns,
            },
        )
    return None


def limit_points(tree: RosterTree, points_id: str, limit: int) -> RosterTree:
    """Return a list with a season's limit instead of its own, if the season has one and the game has points."""
    if not limit or not points_id:
        return tree
    others = (one for one in tree.limits if one.type_id != points_id)
    return copy_with(tree, limits=(*others, Limit(type_id=points_id, value=limit)))


def release_lists(season: Season, number: int) -> Refused | None:
    """Remove both lists of a meeting, so that the players choose again. Refuses `bad-change` once there is a game."""
    with transaction.atomic():
        meeting: Meeting = season.meetings.select_for_update().get(pk=number)
        if meeting.game_id is not None or season.ended or not meeting.lists.exists():
            return Refused(code="bad-change")
        meeting.lists.all().delete()
    return None


def evaluate_chosen(chosen: ChosenList) -> EvaluatedList:
    """Evaluate a chosen list with the data and house rules of its verdict. Hidden house rules no longer count."""
    assert chosen.version is not None  # noqa: S101 - every chosen list has one
    tree = copy_with(decode_tree(chosen.document), faction=chosen.faction_id)
    return judge_tree(load_rules(chosen.version, "", chosen.homebrew), chosen.faction_id, tree, tree=True)
