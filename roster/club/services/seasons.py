from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from catalogue.services.published_games import select_games
from roster.club.campaign_map import NO_MAP, CampaignMap, Fight, Hold, find_obstacle, fold_holds, read_map, sum_supply
from roster.club.ladder import LadderLine, PairResult, PointsRule, count_points, rate_players
from roster.club.models import Club, ClubMember, LadderKind, Meeting, Season, SeasonEvent, SeasonFormat, SeasonPlayer
from roster.club.models.leagues import CLUB_TEXT_LENGTH
from roster.club.rounds import Pair, pair_by_table, pair_each_with_each
from roster.club.services.league_news import announce_challenge, announce_round
from roster.club.services.season_events import EventGame, list_event_games, select_counting
from roster.play.models import Game
from roster.play.services.game_records import PlayedGame
from roster.services.limits import check_name, check_text
from roster.services.outcomes import Refused
from roster.services.owners import is_public_id

MOST_SEASONS = 100
MOST_IN_ROUND_ROBIN = 40
MOST_CHALLENGES = 5
"""The most challenges of a player that wait to be played."""
MOST_MEETINGS = 5_000
NUMBERS = {"win": 99, "draw": 99, "loss": 99, "factor": 200, "days": 365}
"""The highest value of each number of a season."""
SAME_GAME_DAYS = 7
"""An event's result is the game of a meeting with equal scores, if at most this many days are between them."""
KEPT_MAPS = 64
"""How many maps a process keeps: reading a map of a hundred territories takes 50 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDraft:
    """A season's form as typed. `game` is a slug; `numbers` has texts by the keys of NUMBERS."""

    name: str
    text: str
    game: str
    format: str
    ladder: str
    numbers: Mapping[str, str]


def find_season(public_id: str) -> Season:
    """Return a season with its club, without checking who may read it. Raises Season.DoesNotExist."""
    if not is_public_id(public_id):
        raise Season.DoesNotExist
    return Season.objects.select_related("club__webhook", "game", "homebrew__origin__homebrew_set").get(
        public_id=public_id
    )


def create_season(club: Club, draft: SeasonDraft) -> Season | Refused:
    """Create a season that players can enter.

    Refuses `no-name`, `too-long`, `unknown-game`, `bad-change`, `no-room`, `bad-number` with the number's key, and
    `bad-points` if a loss is worth more than a draw, or a draw more than a win.
    """
    name, text = check_name(draft.name), check_text(draft.text, CLUB_TEXT_LENGTH, lines=True, subject="text")
    if isinstance(name, Refused):
        return name
    if isinstance(text, Refused):
        return text
    if not name:
        return Refused(code="no-name")
    game = select_games().filter(slug=draft.game).first()
    if game is None:
        return Refused(code="unknown-game")
    if draft.format not in SeasonFormat.values or draft.ladder not in LadderKind.values:
        return Refused(code="bad-change")
    numbers = {}
    for key, most in NUMBERS.items():
        typed = draft.numbers[key].strip()
        number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else -1
        least = 1 if key in ("factor", "days") else 0
        if not least <= number <= most:
            return Refused(code="bad-number", subject_id=key, measured=least, allowed=most)
        numbers[key] = number
    if not numbers["win"] >= numbers["draw"] >= numbers["loss"]:
        return Refused(code="bad-points")
    if club.seasons.count() >= MOST_SEASONS:
        return Refused(code="no-room", allowed=MOST_SEASONS)
    return Season.objects.create(
        club=club,
        name=name,
        text=text,
        game=game,
        game_name=str(game),
        format=draft.format,
        ladder=draft.ladder,
        **numbers,
    )


def enter_season(season: Season, members: Iterable[ClubMember]) -> Refused | None:
    """Enter members as players; players who left can re-enter.

    Refuses `season-over`, and `season-full` for new players once a round robin has started.
    """
    with transaction.atomic():
        season = lock_season(season)
        if season.ended:
            return Refused(code="season-over")
        players = {player.member_id: player for player in season.players.all()}
        for member in members:
            player = players.get(member.pk)
            if player is not None:
                SeasonPlayer.objects.filter(pk=player.pk).update(left=None)
            elif season.format == SeasonFormat.ROUND_ROBIN and season.started:
                return Refused(code="season-full")
            else:
                SeasonPlayer.objects.create(season=season, member=member)
    return None


def leave_season(season: Season, member_id: int) -> Refused | None:
    """Take a player out. Their played games stay. Refuses `bad-change`."""
    with transaction.atomic():
        season = lock_season(season)
        player = season.players.filter(member=member_id, left=None).first()
        if player is None or season.ended:
            return Refused(code="bad-change")
        # Results of earlier games may be entered before the start.
        has_met = season.meetings.filter(Q(first=player) | Q(second=player)).exists()
        if season.started is None and not has_met:
            player.delete()
        else:
            player.left = timezone.now()
            player.save(update_fields=["left"])
    return None


def start_season(season: Season) -> Refused | None:
    """Start a season: pair all rounds of a round robin, or the first of a Swiss system.

    Refuses `bad-change`, `too-few-players` and `too-many-players`.
    """
    with transaction.atomic():
        season = lock_season(season)
        if season.started:
            return Refused(code="bad-change")
        players = list_active_players(season)
        if len(players) < 2:
            return Refused(code="too-few-players")
        if season.format == SeasonFormat.ROUND_ROBIN and len(players) > MOST_IN_ROUND_ROBIN:
            return Refused(code="too-many-players", allowed=MOST_IN_ROUND_ROBIN)
        season.started = timezone.now()
        season.save(update_fields=["started"])
        if season.format == SeasonFormat.ROUND_ROBIN:
            for number, pairs in enumerate(pair_each_with_each([player.pk for player in players]), 1):
                # A player without an opponent sits out: by the end, each player has sat out once.
                _store_round(season, number, [pair for pair in pairs if pair[1] is not None])
            announce_round(season, 1)
    if season.format == SeasonFormat.SWISS:
        return draw_round(season)
    return None


def draw_round(season: Season) -> Refused | None:
    """Pair the next round of a Swiss system by the table. Refuses `bad-change` and `too-few-players`."""
    with transaction.atomic():
        season = lock_season(season)
        if not season.is_running or season.format != SeasonFormat.SWISS:
            return Refused(code="bad-change")
        board = load_season_board(season)
        active = {player.pk for player in board.players.values() if not player.is_gone}
        players = [line.player for line in board.lines if line.player in active]
        if len(players) < 2:
            return Refused(code="too-few-players")
        if len(board.meetings) + len(players) > MOST_MEETINGS:
            return Refused(code="no-room", allowed=MOST_MEETINGS)
        met = [
            frozenset((shown_meeting.meeting.first_id, shown_meeting.meeting.second_id))
            for shown_meeting in board.meetings
            if shown_meeting.meeting.second_id is not None
        ]
        byes = [shown_meeting.meeting.first_id for shown_meeting in board.meetings if shown_meeting.is_bye]
        number = board.last_round + 1
        _store_round(season, number, pair_by_table(players, met, byes))
        announce_round(season, number)
    return None


def _store_round(season: Season, number: int, pairs: Sequence[Pair]) -> None:
    # The rounds of a round robin follow each other, a Swiss round begins today.
    lasts = season.days * (number if season.format == SeasonFormat.ROUND_ROBIN else 1)
    until = timezone.localdate() + timedelta(days=lasts)
    Meeting.objects.bulk_create(
        Meeting(season=season, round=number, first_id=first, second_id=second, until=until) for first, second in pairs
    )


def challenge_player(season: Season, member: ClubMember, opponent_id: int, stake: str = "") -> Meeting | Refused:
    """Challenge another player of the season, for a territory if `stake` names one.

    The opponent is the territory's holder, so `opponent_id` can then be 0. Refuses `bad-change`, `season-over`,
    `no-opponent`, `challenged` if both have an open meeting, `too-many-challenges`, the codes of `find_obstacle`,
    `held-place` if someone else holds the territory, and `free-place` if nobody holds it and no opponent is chosen.
    """
    with transaction.atomic():
        season = lock_season(season)
        players = {player.pk: player for player in list_active_players(season)}
        mine = next((player for player in players.values() if player.member_id == member.pk), None)
        if season.ended:
            return Refused(code="season-over")
        if stake and mine:
            board = load_season_board(season)
            if code := find_obstacle(board.neighbours, board.holders, board.contested, mine.pk, stake):
                return Refused(code=code, subject_id=stake)
            holder_id = board.holders.get(stake, 0)
            if holder_id and opponent_id not in (0, holder_id):
                return Refused(code="held-place", subject_id=str(players[holder_id]))
            if not holder_id and not opponent_id:
                return Refused(code="free-place")
            opponent_id = holder_id or opponent_id
        if not opponent_id:
            return Refused(code="no-opponent")
        other = players.get(opponent_id)
        is_possible = season.is_running and season.format == SeasonFormat.CHALLENGE
        if not is_possible or mine is None or other is None or mine == other:
            return Refused(code="bad-change")
        waiting = season.meetings.filter(game=None)
        if waiting.filter(Q(first=mine, second=other) | Q(first=other, second=mine)).exists():
            return Refused(code="challenged")
        if waiting.filter(Q(first=mine) | Q(second=mine), night=None).count() >= MOST_CHALLENGES:
            return Refused(code="too-many-challenges", allowed=MOST_CHALLENGES)
        if season.meetings.count() >= MOST_MEETINGS:
            return Refused(code="no-room", allowed=MOST_MEETINGS)
        until = timezone.localdate() + timedelta(days=season.days)
        meeting = Meeting.objects.create(season=season, first=mine, second=other, until=until, stake=stake)
        announce_challenge(meeting)
    return meeting


def move_deadline(season: Season, number: int, day: date) -> Refused | None:
    """Set the last day of a round's paired meetings and remind players again. Refuses `no-last-day`."""
    meetings = season.meetings.filter(round=number).exclude(round=0)
    # Past results have no last day, and organisers can remove their games. What a club night took over keeps its date.
    moved = meetings.filter(night=None, until__isnull=False).update(until=day, reminded=None)
    if not moved + meetings.exclude(night=None).update(until_before=day):
        return Refused(code="no-last-day", measured=number)
    return None


def end_season(season: Season) -> Refused | None:
    """End a season. Its table stays; open meetings are void. Refuses `bad-change`."""
    if not Season.objects.filter(pk=season.pk, ended=None).exclude(started=None).update(ended=timezone.now()):
        return Refused(code="bad-change")
    return None


def reopen_season(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(ended=None)


def delete_season(season: Season) -> None:
    """Delete a season with its pairings. Players keep their games at the table."""
    season.delete()


def list_active_players(season: Season) -> list[SeasonPlayer]:
    active = season.players.filter(left=None, member__left=None)
    return list(active.select_related("member").order_by("pk"))


def find_last_round(season: Season) -> int:
    last: int | None = season.meetings.aggregate(last=Max("round"))["last"]
    return last or 0


def lock_season(season: Season) -> Season:
    """Lock a season, so that only one of two requests pairs its players."""
    return Season.objects.select_for_update(of=("self",)).select_related("club__webhook", "homebrew").get(pk=season.pk)


# ---- the board -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMeeting:
    """A meeting with its known result. `scores` is a text such as "18:11", or "" before the game has ended.

    `outcome` is what players confirm: the result and the scores, such as "1 18:11". It `counts` once both have
    confirmed it.
    """

    meeting: Meeting
    result: PairResult | None
    is_void: bool

    @property
    def is_bye(self) -> bool:
        return self.meeting.second_id is None

    @property
    def scores(self) -> str:
        return f"{self.result.first_score}:{self.result.second_score}" if self.result else ""

    @property
    def outcome(self) -> str:
        # A side that conceded has lost, whatever the scores.
        return f"{self.result.result} {self.scores}" if self.result else ""

    @property
    def counts(self) -> bool:
        meeting = self.meeting
        return bool(self.scores) and meeting.first_confirmed == meeting.second_confirmed == self.outcome

    @property
    def is_open(self) -> bool:
        return not (self.counts or self.is_void or self.is_bye)

    @property
    def is_late(self) -> bool:
        return self.is_open and self.meeting.until is not None and self.meeting.until < timezone.localdate()

    def find_side(self, member: ClubMember | None) -> str:
        """Return `first` or `second` for a member who plays in the meeting, else ""."""
        for side in ("first", "second"):
            player: SeasonPlayer | None = getattr(self.meeting, side)
            if member is not None and player is not None and player.member_id == member.pk:
                return side
        return ""

    def lacks(self, side: str) -> bool:
        """Return whether a result awaits this side's confirmation."""
        return bool(side and self.scores) and getattr(self.meeting, f"{side}_confirmed") != self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedResult:
    """A result in the table. `number` is the meeting's or, at an event, the pairing's. Only meetings have a stake."""

    played: datetime
    number: int
    stake: str
    result: PairResult


@dataclass(frozen=True)
class SeasonBoard:
    """A season's players by key, its meetings in order, its table, and who holds what on its map.

    `event_games` are the results of its events, `links`. They count unless a meeting has the same game.
    """

    season: Season
    players: Mapping[int, SeasonPlayer]
    meetings: Sequence[ShownMeeting]
    links: Sequence[SeasonEvent] = ()
    event_games: Sequence[EventGame] = ()

    @cached_property
    def lines(self) -> list[LadderLine]:
        """The table. It has players who left if one of their games counts."""
        games = [one.result for one in self.counted]
        byes = [shown_meeting.meeting.first_id for shown_meeting in self.meetings if shown_meeting.is_bye]
        played = {player for game in games for player in (game.first, game.second)} | {*byes}
        keys = [player.pk for player in self.players.values() if not player.is_gone or player.pk in played]
        if self.season.ladder == LadderKind.ELO:
            return rate_players(keys, games, self.season.factor)
        supply = self.supply if self.season.ladder == LadderKind.SUPPLY else None
        return count_points(keys, games, byes, read_points_rule(self.season), supply)

    @cached_property
    def counted(self) -> list[CountedResult]:
        """The results that count, in the order in which they were played."""
        counted = [
            CountedResult(
                played=shown_meeting.meeting.game.played,
                number=shown_meeting.meeting.pk,
                stake=shown_meeting.meeting.stake,
                result=result,
            )
            for shown_meeting in self.meetings
            if shown_meeting.counts and (result := shown_meeting.result) and shown_meeting.meeting.game
        ]
        counted += [
            CountedResult(played=one.played, number=one.pairing.pk, stake="", result=one.result)
            for one in self.event_games
            if one not in self.doubled
        ]
        # Two games may have the same time.
        return sorted(counted, key=lambda one: (one.played, one.number))

    @cached_property
    def doubled(self) -> dict[EventGame, ShownMeeting]:
        """The results of events that a meeting has, too, with the meeting that counts instead.

        They are games of the same players, on the same day or with the same scores in the same week.
        """
        doubled: dict[EventGame, ShownMeeting] = {}
        for shown_meeting in self.meetings:
            game = shown_meeting.meeting.game
            if game is None or not shown_meeting.counts or shown_meeting.result is None:
                continue
            same = (
                one for one in self.event_games if one not in doubled and is_same_game(one, shown_meeting.result, game)
            )
            if event_game := next(same, None):
                doubled[event_game] = shown_meeting
        return doubled

    @property
    def events(self) -> list[tuple[SeasonEvent, list[tuple[EventGame, ShownMeeting | None]]]]:
        """The events, each with its games and the meetings that count instead."""
        games = [(one, self.doubled.get(one)) for one in self.event_games]
        return [(link, [pair for pair in games if pair[0].link == link]) for link in self.links]

    @cached_property
    def map(self) -> CampaignMap:
        return load_map(self.season.map)

    @cached_property
    def neighbours(self) -> dict[str, set[str]]:
        return self.map.list_neighbours()

    @cached_property
    def holds(self) -> dict[str, list[Hold]]:
        """Who held each territory of the map, by its name, from the start until now."""
        by_name = {player.member.name.casefold(): key for key, player in self.players.items()}
        starts = {territory.name: by_name.get(territory.holder.value.casefold()) for territory in self.map.territories}
        fights = [
            Fight(territory=one.stake, number=one.number, played=one.played, winner=one.result.winner)
            for one in self.counted
            if one.stake
        ]
        gone = {
            key: min(filter(None, (player.left, player.member.left)))
            for key, player in self.players.items()
            if player.is_gone
        }
        return fold_holds(starts, fights, gone)

    @cached_property
    def holders(self) -> dict[str, int]:
        """The holders of territories, by name. What players who left would hold is free."""
        last = {name: past[-1].holder for name, past in self.holds.items()}
        return {name: holder for name, holder in last.items() if holder is not None}

    @cached_property
    def contested(self) -> dict[str, ShownMeeting]:
        """The open meetings about territories, by the territory's name."""
        return {
            shown_meeting.meeting.stake: shown_meeting
            for shown_meeting in self.meetings
            if shown_meeting.is_open and shown_meeting.meeting.stake
        }

    @cached_property
    def supply(self) -> dict[int, int]:
        return sum_supply(self.map, self.holders)

    def find_limit(self, player_id: int) -> int:
        """Return how much a player's lists may cost, or 0 without a limit."""
        return self.map.limit + self.map.step * self.supply.get(player_id, 0) if self.map.limit else self.season.limit

    @property
    def last_round(self) -> int:
        return max((shown_meeting.meeting.round for shown_meeting in self.meetings), default=0)

    @property
    def rounds(self) -> dict[int, list[ShownMeeting]]:
        """The meetings by round, challenges in 0, without those that club nights made."""
        rounds: dict[int, list[ShownMeeting]] = {}
        for shown_meeting in self.meetings:
            if not shown_meeting.meeting.is_of_night:
                rounds.setdefault(shown_meeting.meeting.round, []).append(shown_meeting)
        return rounds


def load_season_board(season: Season) -> SeasonBoard:
    """Load a season in five queries, and one more if it counts events."""
    players = {player.pk: player for player in season.players.select_related("member").order_by("pk")}
    meetings = list(_with_games(season.meetings.order_by("round", "pk")))
    for meeting in meetings:
        meeting.season = season
        meeting.first = players[meeting.first_id]
        meeting.second = players[meeting.second_id] if meeting.second_id else None
    links = list(select_counting(season))
    return SeasonBoard(
        season=season,
        players=players,
        meetings=[show_meeting(meeting) for meeting in meetings],
        links=links,
        event_games=list_event_games(season, players, links),
    )


def is_same_game(event_game: EventGame, result: PairResult, game: Game) -> bool:
    """Return whether a meeting's result is probably the game that two players played at an event."""
    first, second = event_game.result, result
    if first.first != second.first:
        second = PairResult(
            first=second.second,
            second=second.first,
            result=-second.result,
            first_score=second.second_score,
            second_score=second.first_score,
        )
    if (first.first, first.second) != (second.first, second.second):
        return False
    day = game.played.astimezone(event_game.link.event.timezone).date()
    if day in event_game.days:
        return True
    is_near = any(abs((day - other).days) <= SAME_GAME_DAYS for other in event_game.days)
    return is_near and first == second


@lru_cache(maxsize=KEPT_MAPS)
def load_map(text: str) -> CampaignMap:
    """Return a stored map; an empty one without a map, or if an older version of the site stored it differently."""
    campaign_map = read_map(text) if text else NO_MAP
    return campaign_map if isinstance(campaign_map, CampaignMap) else NO_MAP


def find_meeting(season: Season, number: int) -> ShownMeeting:
    """Return a meeting of a season. Raises Meeting.DoesNotExist."""
    meetings = _with_games(season.meetings.select_related("first__member__user", "second__member__user", "night"))
    meeting = meetings.get(pk=number)
    meeting.season = season
    return show_meeting(meeting)


def find_list_limit(season: Season, player_id: int) -> int:
    """Return how much a player's lists may cost, or 0. Loads the board only if it depends on places."""
    return load_season_board(season).find_limit(player_id) if load_map(season.map).limit else season.limit


def show_meeting(meeting: Meeting) -> ShownMeeting:
    """Return a meeting with its result. Its game with sides, players and members must be loaded."""
    result = _read_result(meeting)
    gone = meeting.first.is_gone or bool(meeting.second and meeting.second.is_gone)
    is_void = meeting.second_id is not None and result is None and (gone or meeting.season.ended is not None)
    return ShownMeeting(meeting=meeting, result=result, is_void=is_void)


def _with_games(meetings: QuerySet[Meeting]) -> QuerySet[Meeting]:
    return meetings.select_related("game").prefetch_related("game__sides")


def _read_result(meeting: Meeting) -> PairResult | None:
    """Return the game's result; None before its end, or if it no longer has two sides."""
    game: Game | None = meeting.game
    if game is None or game.ended is None or meeting.second_id is None:
        return None
    sides = {side.place: side for side in game.sides.all()}
    first, second = sides.get(meeting.first_place), sides.get(1 - meeting.first_place)
    if first is None or second is None:
        return None
    return PairResult(
        first=meeting.first_id,
        second=meeting.second_id,
        result=PlayedGame(game, first, [second]).result,
        first_score=first.score or 0,
        second_score=second.score or 0,
    )


def read_points_rule(season: Season) -> PointsRule:
    return PointsRule(win=season.win, draw=season.draw, loss=season.loss)
