"""Store results of meetings: a game at the table, or scores by hand, confirmed by both players or an organiser."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from roster.club.models import (
    ChosenList,
    Club,
    ClubMember,
    ClubRole,
    CommentMail,
    Meeting,
    NightPlayer,
    Season,
    SeasonPlayer,
)
from roster.club.services.clubs import ClubStanding
from roster.club.services.league_news import announce_result
from roster.club.services.seasons import ShownMeeting, find_meeting
from roster.models.ownership import PLAYER_NAME_LENGTH, Visibility
from roster.play.game_state import SIDES
from roster.play.models import Game, GameSeat, GameSide
from roster.play.services.game_records import read_score
from roster.play.services.games import find_places, list_confirmations, list_games
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, match_unowned

MOST_OFFERED = 20
"""The most games at the table that are offered as a result."""
OTHER = {"first": "second", "second": "first"}


def may_act(standing: ClubStanding, shown_meeting: ShownMeeting) -> bool:
    return standing.is_organiser or bool(shown_meeting.find_side(standing.member))


def may_withdraw(standing: ClubStanding, shown_meeting: ShownMeeting) -> bool:
    """Return whether a member can withdraw a challenge. Holders cannot keep a territory by declining every fight.

    Who plays at a club night withdraws from the night. Organisers can also remove a past game of a round.
    """
    meeting = shown_meeting.meeting
    if meeting.night_id:
        return False
    if meeting.round:
        # Paired rounds have a last day, past results do not.
        return standing.is_organiser and meeting.until is None
    side = shown_meeting.find_side(standing.member)
    return standing.is_organiser or side == "first" or (side == "second" and not meeting.stake)


def enter_scores(
    standing: ClubStanding, season: Season, number: int, first: str, second: str, played: datetime | None = None
) -> Refused | None:
    """Enter scores by hand. The result is a game without taps.

    `played` is when an earlier game was played, None means now. Results of earlier games are not posted to the chat.

    Refuses `bad-score`, `unknown-game`, `bad-change` for void meetings, `has-result` with the scores of an entered
    result, and `running-result` if the attached game is running. An organiser can replace an entered result.
    """
    scores = read_score(first), read_score(second)
    if None in scores:
        return Refused(code="bad-score")
    version = season.game.shown_version if season.game else None
    if version is None:
        return Refused(code="unknown-game")
    with transaction.atomic():
        shown_meeting = _lock_meeting(season, number)
        if refused := _check_free(standing, shown_meeting):
            return refused
        meeting = shown_meeting.meeting
        # The game belongs to neither player, so it stays if one of them deletes their account.
        moment = played or timezone.now()
        game = Game.objects.create(
            name=str(season)[:PLAYER_NAME_LENGTH],
            version=version,
            visibility=Visibility.PRIVATE,
            played=moment,
            ended=moment,
        )
        for place, (player, score) in enumerate(zip((meeting.first, meeting.second), scores, strict=True)):
            assert player is not None  # noqa: S101 - no bye has scores
            side = GameSide.objects.create(game=game, place=place, player=player.member.name, score=score)
            if player.member.user_id:
                GameSeat.objects.create(side=side, owner_id=player.member.user_id)
        _store_result(standing, shown_meeting, game, 0, is_posted=played is None)
    return None


def attach_game(standing: ClubStanding, user: User, season: Season, number: int, game_id: str) -> Refused | None:
    """Use a game at the table, played by the user, as a meeting's result.

    Refuses `has-result`, `bad-change` for void meetings or games that are not offered, and `other-player` if another
    account played the opponent's side.
    """
    with transaction.atomic():
        shown_meeting = _lock_meeting(season, number)
        if refused := _check_free(standing, shown_meeting):
            return refused
        side = shown_meeting.find_side(standing.member)
        game = _select_offered(season, user).filter(public_id=game_id).first()
        if game is None or not side:
            return Refused(code="bad-change")
        place = find_places([game], Visitor(user_id=user.pk))[game.pk]
        opponent: SeasonPlayer = getattr(shown_meeting.meeting, OTHER[side])
        if not {*_list_accounts(game, 1 - place)} <= {opponent.member.user_id}:
            return Refused(code="other-player", subject_id=opponent.member.name)
        _store_result(standing, shown_meeting, game, place if side == "first" else 1 - place)
    return None


def list_offered_games(season: Season, user: User) -> list[Game]:
    """List the user's last finished games of two players, of the season's game, that are not a result yet."""
    return list(_select_offered(season, user).order_by("-played")[:MOST_OFFERED])


def confirm_outcome(standing: ClubStanding, season: Season, number: int, outcome: str) -> Refused | None:
    """Confirm an outcome that the user saw. Refuses `bad-change`, and `scores-changed` with the current scores."""
    with transaction.atomic():
        shown_meeting = _lock_meeting(season, number)
        if not shown_meeting.scores or not may_act(standing, shown_meeting):
            return Refused(code="bad-change")
        if shown_meeting.outcome != outcome:
            return Refused(code="scores-changed", subject_id=shown_meeting.scores)
        _confirm(standing, shown_meeting)
    return None


def clear_scores(season: Season, number: int) -> None:
    """Remove a result. Players keep a game at the table."""
    with transaction.atomic():
        shown_meeting = _lock_meeting(season, number)
        Meeting.objects.filter(pk=number).update(game=None, first_confirmed="", second_confirmed="")
        drop_entered_game(shown_meeting.meeting.game_id)


def withdraw_meeting(standing: ClubStanding, season: Season, number: int) -> Refused | None:
    """Withdraw or decline a challenge without a result, or remove a past game of a round.

    Refuses `bad-change`, also for meetings at club nights and of paired rounds, and `attacked` if the opponent declines
    a fight for a territory.
    """
    with transaction.atomic():
        shown_meeting = _lock_meeting(season, number)
        meeting = shown_meeting.meeting
        if meeting.game or not may_act(standing, shown_meeting):
            return Refused(code="bad-change")
        if not may_withdraw(standing, shown_meeting):
            code = "bad-change" if meeting.round or meeting.night else "attacked"
            return Refused(code=code, subject_id=str(meeting.first))
        meeting.delete()
    return None


def _lock_meeting(season: Season, number: int) -> ShownMeeting:
    """Lock a meeting, so that the first of two results counts. Raises Meeting.DoesNotExist."""
    season.meetings.select_for_update().get(pk=number)
    return find_meeting(season, number)


def _check_free(standing: ClubStanding, shown_meeting: ShownMeeting) -> Refused | None:
    if (
        shown_meeting.is_bye
        or shown_meeting.is_void
        or shown_meeting.meeting.season.ended
        or not may_act(standing, shown_meeting)
    ):
        return Refused(code="bad-change")
    if shown_meeting.meeting.game and not standing.is_organiser:
        return Refused(code="has-result" if shown_meeting.scores else "running-result", subject_id=shown_meeting.scores)
    return None


def _store_result(
    standing: ClubStanding, shown_meeting: ShownMeeting, game: Game, first_place: int, *, is_posted: bool = True
) -> None:
    meeting, before = shown_meeting.meeting, shown_meeting.meeting.game
    meeting.game, meeting.first_place = game, first_place
    meeting.first_confirmed = meeting.second_confirmed = ""
    meeting.save()
    if before and before != game:
        drop_entered_game(before.pk)
    stored = find_meeting(meeting.season, meeting.pk)
    # Players who confirmed at the table need not do so again.
    for one in list_confirmations(game):
        if one.confirmed and stored.scores:
            side = "first" if one.side.place == first_place else "second"
            setattr(stored.meeting, f"{side}_confirmed", stored.outcome)
    _confirm(standing, stored, is_posted=is_posted)


def _confirm(standing: ClubStanding, shown_meeting: ShownMeeting, *, is_posted: bool = True) -> None:
    """Confirm for the user's side, or for both sides if the user is an organiser who does not play.

    An organiser who plays also confirms for an opponent without an account.
    """
    side, meeting, before = shown_meeting.find_side(standing.member), shown_meeting.meeting, shown_meeting.counts
    opponent: SeasonPlayer | None = getattr(meeting, OTHER[side]) if side else None
    sides = [side] if side else list(OTHER)
    if opponent is not None and standing.is_organiser and opponent.member.user_id is None:
        sides = list(OTHER)
    for one in sides:
        setattr(meeting, f"{one}_confirmed", shown_meeting.outcome)
    meeting.save(update_fields=["first_confirmed", "second_confirmed"])
    if shown_meeting.counts and not before and is_posted:
        announce_result(meeting, shown_meeting.scores)


def _select_offered(season: Season, user: User) -> QuerySet[Game]:
    games = list_games(Visitor(user_id=user.pk)).filter(version__game=season.game_id, ended__isnull=False)
    taken = Meeting.objects.exclude(game=None).values("game")
    others = GameSide.objects.filter(place__gte=SIDES).values("game")
    return games.exclude(pk__in=taken).exclude(pk__in=others).exclude(state="")


def _list_accounts(game: Game, place: int) -> Iterator[int | None]:
    if place == 0:
        yield game.owner_id
    yield from GameSeat.objects.filter(side__game=game, side__place=place).values_list("owner_id", flat=True)


def drop_entered_game(game_id: int | None) -> None:
    """Delete a game with scores entered by hand, once no meeting has it."""
    if game_id is not None:
        Game.objects.filter(match_unowned(), pk=game_id).delete()


# ---- what others delete ----------------------------------------------------------------------------------------------


def keep_result(game: Game) -> None:
    """Keep a meeting's result before its game is deleted with an account or by its owner.

    If both players have confirmed it, a copy without lists and taps replaces the game.
    """
    meeting = Meeting.objects.select_related("season").filter(game=game).first()
    if meeting is None:
        return
    shown_meeting = find_meeting(meeting.season, meeting.pk)
    stored = shown_meeting.meeting.game
    if stored is None or not shown_meeting.counts:
        return
    copied = Game.objects.create(
        name=stored.name,
        version_id=stored.version_id,
        mission_name=stored.mission_name,
        visibility=Visibility.PRIVATE,
        played=stored.played,
        ended=stored.ended,
        ending=stored.ending,
        winner=stored.winner,
    )
    GameSide.objects.bulk_create(
        GameSide(
            game=copied,
            place=side.place,
            player=side.player,
            faction_name=side.faction_name,
            score=side.score,
            rank=side.rank,
        )
        for side in stored.sides.all()
    )
    # The opponent keeps it among their games. Only the player of the first side can delete it.
    for seat in GameSeat.objects.filter(side__game=game, side__place__gt=0, owner__isnull=False).select_related("side"):
        GameSeat.objects.create(side=copied.sides.get(place=seat.side.place), owner_id=seat.owner_id)
    Meeting.objects.filter(pk=meeting.pk).update(game=copied)


def list_held_rows(user: User) -> Iterator[QuerySet[Any]]:
    """Yield an account's data in clubs, for its export."""
    yield Club.objects.filter(members__user=user, members__role=ClubRole.ORGANISER)
    yield ClubMember.objects.filter(user=user)
    yield SeasonPlayer.objects.filter(member__user=user)
    yield NightPlayer.objects.filter(player__member__user=user)
    yield Meeting.objects.filter(Q(first__member__user=user) | Q(second__member__user=user))
    yield ChosenList.objects.filter(owner=user)
    yield CommentMail.objects.filter(user=user)
