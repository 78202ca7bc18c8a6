"""Club nights: who can come, and who plays whom."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from roster.club.models import ClubMember, ClubNight, Meeting, NightPlayer, Season, SeasonFormat, SeasonPlayer
from roster.club.models.leagues import NIGHT_LENGTH
from roster.club.rounds import pair_night
from roster.club.services.league_news import announce_night, announce_night_pairs
from roster.club.services.letters import NightNews, list_organisers, plan_night_letters
from roster.club.services.reminders import REMINDED_DAYS
from roster.club.services.seasons import MOST_MEETINGS, SeasonBoard, ShownMeeting, load_season_board, lock_season
from roster.events.services.zones import list_zones
from roster.services.limits import check_name
from roster.services.outcomes import Refused

MOST_NIGHTS = 100
MOST_TABLES = 150
MOST_DAYS_AHEAD = 730


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDraft:
    """A club night's form as typed. Moments are like "2026-12-05T19:00", in the time zone `zone`."""

    starts: str
    closes: str
    zone: str
    place: str
    tables: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNight:
    """A club night with its meetings, and the players who come in the order of their entry."""

    night: ClubNight
    players: Sequence[SeasonPlayer]
    meetings: Sequence[ShownMeeting]

    @property
    def lonely(self) -> list[SeasonPlayer]:
        """The players without an opponent, once the night was paired. Nobody has one after the season."""
        if self.night.paired is None or self.night.season.ended:
            return []
        playing = {
            player
            for shown_meeting in self.meetings
            if not shown_meeting.is_void
            for player in (shown_meeting.meeting.first_id, shown_meeting.meeting.second_id)
        }
        return [player for player in self.players if player.pk not in playing]

    @property
    def has_results(self) -> bool:
        return any(shown_meeting.meeting.game_id for shown_meeting in self.meetings)

    def has_player(self, player: SeasonPlayer | None) -> bool:
        return player is not None and any(player.pk == one.pk for one in self.players)


def list_nights(board: SeasonBoard) -> list[ShownNight]:
    """Return a season's club nights in two queries. Players who left the season do not come."""
    nights = board.season.nights.order_by("starts", "pk").prefetch_related("players")
    shown = []
    for night in nights:
        night.season = board.season
        meetings = [one for one in board.meetings if one.meeting.night_id == night.pk]
        players = [board.players[one.player_id] for one in night.players.all()]
        active = [player for player in players if not player.is_gone]
        shown.append(ShownNight(night=night, players=active, meetings=meetings))
    return shown


def show_night(board: SeasonBoard, number: int) -> ShownNight:
    """Return a club night. Raises ClubNight.DoesNotExist."""
    night = next((night for night in list_nights(board) if night.night.pk == number), None)
    if night is None:
        raise ClubNight.DoesNotExist
    return night


# ---- opening and coming ----------------------------------------------------------------------------------------------


def open_night(season: Season, draft: NightDraft) -> ClubNight | Refused:
    """Open a club night.

    Refuses, with the field as `subject_id`: `bad-moment`, `past-night`, `far-night`, `late-closing` after the start,
    `past-closing`, `bad-number`, `too-long`. Also `unknown-zone` with the zone, `season-over` and `no-room`.
    """
    if draft.zone not in list_zones():
        return Refused(code="unknown-zone", subject_id=draft.zone[:60])
    zone, now = ZoneInfo(draft.zone), timezone.now()
    starts, closes = (_parse_moment(text, zone) for text in (draft.starts, draft.closes))
    if starts is None:
        return Refused(code="bad-moment", subject_id="starts")
    if closes is None and draft.closes.strip():
        return Refused(code="bad-moment", subject_id="closes")
    if starts <= now:
        return Refused(code="past-night", subject_id="starts")
    if starts > now + timedelta(days=MOST_DAYS_AHEAD):
        return Refused(code="far-night", subject_id="starts")
    if closes and closes > starts:
        return Refused(code="late-closing", subject_id="closes")
    if closes and closes <= now:
        return Refused(code="past-closing", subject_id="closes")
    typed, tables = draft.tables.strip(), None
    if typed:
        tables = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else 0
        if not 1 <= tables <= MOST_TABLES:
            return Refused(code="bad-number", subject_id="tables", measured=1, allowed=MOST_TABLES)
    place = check_name(draft.place, subject="place")
    if isinstance(place, Refused):
        return place
    with transaction.atomic():
        season = lock_season(season)
        if season.ended:
            return Refused(code="season-over")
        if season.nights.count() >= MOST_NIGHTS:
            return Refused(code="no-room", allowed=MOST_NIGHTS)
        night = ClubNight.objects.create(
            season=season, starts=starts, closes=closes, zone=draft.zone, place=place, tables=tables
        )
        announce_night(night)
    return night


def _parse_moment(text: str, zone: ZoneInfo) -> datetime | None:
    """Parse a form's day and time; None for anything else."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    # A day alone would start at midnight.
    is_complete = "T" in text and moment.tzinfo is None and 1970 <= moment.year <= 2200
    return moment.replace(tzinfo=zone) if is_complete else None


def enter_night(season: Season, number: int, members: Iterable[int], *, by_organiser: bool = False) -> Refused | None:
    """Note that players can come to a club night; organisers can add players until it is over.

    Refuses `season-over`, `night-over`, `night-closed`, `bad-change` for members who do not play in the season, and
    `other-night` with the player's name if they come to another night at the same time. Raises ClubNight.DoesNotExist.
    """
    keys = {*members}
    with transaction.atomic():
        season = lock_season(season)
        night = season.nights.get(pk=number)
        if season.ended:
            return Refused(code="season-over")
        if night.is_over:
            return Refused(code="night-over")
        if not (by_organiser or night.is_open):
            return Refused(code="night-closed")
        players = list(_select_active(season).filter(member__in=keys))
        if len(players) < len(keys):
            return Refused(code="bad-change")
        # Two nights of different seasons must not take the same person at the same moment.
        same = Q(pk__in=keys) | Q(user__in=[player.member.user_id for player in players if player.member.user_id])
        list(ClubMember.objects.select_for_update(of=("self",)).filter(same).order_by("pk"))
        elsewhere = _find_elsewhere(night, players)
        for player in players:
            if player.pk in elsewhere:
                return Refused(code="other-night", subject_id=str(player))
            NightPlayer.objects.get_or_create(night=night, player=player)
    return None


def leave_night(season: Season, number: int, member_id: int) -> Refused | None:
    """Withdraw a player from a club night. If it was paired, the opponent and the organisers are told.

    Refuses `night-played` if the player's game has a result, and `bad-change`. Raises ClubNight.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        night = season.nights.get(pk=number)
        coming = night.players.filter(player__member=member_id).select_related("player").first()
        if coming is None:
            return Refused(code="bad-change")
        meetings = list(_select_meetings(night, [coming.player]))
        if any(meeting.game_id for meeting in meetings):
            return Refused(code="night-played")
        coming.delete()
        release_meetings(meetings)
        both = {player for meeting in meetings for player in (meeting.first, meeting.second) if player is not None}
        for other in both - {coming.player}:
            if not night.is_over and not other.is_gone:
                users = {*list_organisers(season), *filter(None, [other.member.user_id])}
                plan_night_letters(night, NightNews.LEFT, dict.fromkeys(sorted(users), str(other)))
    return None


def delete_night(season: Season, number: int) -> Refused | None:
    """Delete a club night, and tell everyone who wanted to come.

    Refuses `night-played` if a game has a result. Raises ClubNight.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        shown_night = show_night(load_season_board(season), number)
        if shown_night.has_results:
            return Refused(code="night-played")
        release_meetings(one.meeting for one in shown_night.meetings)
        if not shown_night.night.is_over:
            names = {one.member.user_id: "" for one in shown_night.players if one.member.user_id}
            plan_night_letters(shown_night.night, NightNews.CANCELLED, names)
        shown_night.night.delete()
    return None


# ---- pairing ---------------------------------------------------------------------------------------------------------


def close_night(season: Season, number: int, least: int = 2) -> Refused | None:
    """Pair the players who come to a club night, once.

    Players who have not met come first, then the nearest in the table; open challenges and games of rounds are played
    before others. In a round robin, there are no others. Refuses `bad-change` if the season does not run or the night
    was paired, `night-over`, `too-few-players` with fewer than `least`, and `no-room`. Raises
    ClubNight.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        board = load_season_board(season)
        nights = list_nights(board)
        shown_night = next((night for night in nights if night.night.pk == number), None)
        if shown_night is None:
            raise ClubNight.DoesNotExist
        night = shown_night.night
        if night.paired or not season.is_running:
            return Refused(code="bad-change")
        if night.is_over:
            return Refused(code="night-over")
        free = {player.pk for player in shown_night.players} - _find_elsewhere(night, shown_night.players, paired=True)
        players = [line.player for line in board.lines if line.player in free]
        if len(players) < least:
            return Refused(code="too-few-players")
        if len(board.meetings) + len(players) > MOST_MEETINGS:
            return Refused(code="no-room", allowed=MOST_MEETINGS)
        due = _list_due_meetings(board)
        met = Counter(
            frozenset((one.meeting.first_id, one.meeting.second_id))
            for one in board.meetings
            if one.meeting.second_id and not one.is_void
        )
        rests = [player.pk for other in nights for player in other.lonely]
        for first, second in pair_night(players, {**met, **dict.fromkeys(due, -1)}, rests, night.tables):
            if second is not None and _may_meet(season, first, second, due):
                _store_pair(night, board.players[first], board.players[second], due)
        night.paired = timezone.now()
        night.save(update_fields=["paired"])
        shown_night = show_night(load_season_board(season), number)
        announce_night_pairs(night, [one.meeting for one in shown_night.meetings], shown_night.lonely)
        idle = {player.member.user_id: "" for player in shown_night.lonely if player.member.user_id}
        plan_night_letters(night, NightNews.IDLE, idle)
    return None


def close_due_nights() -> int:
    """Pair all club nights whose closing time has passed, and return their number."""
    now = timezone.now()
    due = ClubNight.objects.filter(paired=None, closes__lte=now, starts__gt=now - NIGHT_LENGTH, season__ended=None)
    closed = 0
    for night in due.exclude(season__started=None).select_related("season").order_by("closes", "pk"):
        # An organiser may have deleted it meanwhile.
        with suppress(ClubNight.DoesNotExist):
            closed += close_night(night.season, night.pk, least=0) is None
    return closed


def reopen_night(season: Season, number: int) -> Refused | None:
    """Undo a club night's pairings, and tell the players. It has no closing time then, so an organiser pairs it anew.

    Refuses `night-played` if a game has a result, and `bad-change`. Raises ClubNight.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        shown_night = show_night(load_season_board(season), number)
        night = shown_night.night
        if night.paired is None:
            return Refused(code="bad-change")
        if shown_night.has_results:
            return Refused(code="night-played")
        release_meetings(one.meeting for one in shown_night.meetings)
        night.paired = night.closes = None
        night.save(update_fields=["paired", "closes"])
        names = {player.member.user_id: "" for player in shown_night.players if player.member.user_id}
        plan_night_letters(night, NightNews.REOPENED, names)
    return None


def pair_by_hand(season: Season, number: int, first_id: int, second_id: int) -> Refused | None:
    """Pair two players of a club night who have no opponent. They do not need a free table.

    Refuses `bad-change` if a player has an opponent by now, `night-over`, `other-night`, `no-room`, and `no-rematch` in
    a round robin. Raises ClubNight.DoesNotExist.
    """
    with transaction.atomic():
        season = lock_season(season)
        board = load_season_board(season)
        shown_night = show_night(board, number)
        night, lonely = shown_night.night, {player.pk: player for player in shown_night.lonely}
        first, second = lonely.get(first_id), lonely.get(second_id)
        if first is None or second is None or first == second or not season.is_running:
            return Refused(code="bad-change")
        if night.is_over:
            return Refused(code="night-over")
        for player in (first, second):
            if _find_elsewhere(night, [player], paired=True):
                return Refused(code="other-night", subject_id=str(player))
        if len(board.meetings) >= MOST_MEETINGS:
            return Refused(code="no-room", allowed=MOST_MEETINGS)
        due = _list_due_meetings(board)
        if not _may_meet(season, first_id, second_id, due):
            return Refused(code="no-rematch")
        # A former opponent who left the season may come back, but not to this game.
        release_meetings(_select_meetings(night, [first, second]))
        _store_pair(night, first, second, due)
    return None


def _list_due_meetings(board: SeasonBoard) -> dict[frozenset[int], Meeting]:
    """Return the meetings that two players could play at a club night, by the players."""
    return {
        frozenset((one.meeting.first_id, one.meeting.second_id)): one.meeting
        for one in reversed(board.meetings)
        if one.is_open and one.meeting.second_id and not one.meeting.game_id and not one.meeting.night_id
    }


def _may_meet(season: Season, first: int, second: int, due: Collection[frozenset[int]]) -> bool:
    """Return False for a second meeting of two players in a round robin."""
    return season.format != SeasonFormat.ROUND_ROBIN or frozenset((first, second)) in due


def _store_pair(
    night: ClubNight, first: SeasonPlayer, second: SeasonPlayer, due: dict[frozenset[int], Meeting]
) -> None:
    """Let two players meet at a club night, and tell them."""
    meeting = due.get(frozenset((first.pk, second.pk)))
    if meeting is None:
        meeting = Meeting(season=night.season, first=first, second=second)
    else:
        meeting.until_before = meeting.until or night.day
    meeting.night, meeting.until = night, night.day
    # The mail about the pairing reminds them as well, if the night is near.
    is_near = night.day <= timezone.localdate() + timedelta(days=REMINDED_DAYS)
    meeting.reminded = timezone.now() if is_near else None
    meeting.save()
    names = {
        player.member.user_id: str(other)
        for player, other in ((first, second), (second, first))
        if player.member.user_id
    }
    plan_night_letters(night, NightNews.PAIRED, names)


def release_meetings(meetings: Iterable[Meeting]) -> None:
    """Take meetings off their club night: delete those made for it, and give others their last day again."""
    for meeting in meetings:
        if meeting.is_of_night:
            meeting.delete()
        else:
            meeting.night, meeting.until, meeting.until_before = None, meeting.until_before, None
            meeting.reminded = None
            meeting.save(update_fields=["night", "until", "until_before", "reminded"])


def _select_active(season: Season) -> QuerySet[SeasonPlayer]:
    return season.players.filter(left=None, member__left=None).select_related("member")


def _select_meetings(night: ClubNight, players: Collection[SeasonPlayer]) -> QuerySet[Meeting]:
    theirs = night.meetings.filter(Q(first__in=players) | Q(second__in=players))
    return theirs.select_related("first__member", "second__member")


def _find_elsewhere(night: ClubNight, players: Collection[SeasonPlayer], *, paired: bool = False) -> set[int]:
    """Return the keys of players who come to another club night at the same time, of any season.

    If `paired`, only nights that were paired count.
    """
    span = (night.starts - NIGHT_LENGTH, night.starts + NIGHT_LENGTH)
    members = [player.member_id for player in players]
    users = [player.member.user_id for player in players if player.member.user_id]
    others = NightPlayer.objects.filter(
        Q(player__member__in=members) | Q(player__member__user__in=users),
        night__starts__gt=span[0],
        night__starts__lt=span[1],
        night__season__ended=None,
        player__left=None,
        player__member__left=None,
    ).exclude(night=night)
    if paired:
        others = others.exclude(night__paired=None)
    busy = set(others.values_list("player__member_id", "player__member__user_id"))
    busy_members, busy_users = {member for member, _user in busy}, {user for _member, user in busy if user}
    return {player.pk for player in players if player.member_id in busy_members or player.member.user_id in busy_users}
