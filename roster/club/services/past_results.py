"""Enter the results of games that were played before, from a table."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from roster.club.models import Meeting, Season, SeasonFormat, SeasonPlayer
from roster.club.services.clubs import ClubStanding
from roster.club.services.results import enter_scores
from roster.club.services.seasons import MOST_MEETINGS, SeasonBoard, load_season_board, lock_season
from roster.events.services.pairing_tables import PairingTableError, read_table
from roster.formats.column_headings import (
    BYES,
    DAY,
    DRAWS,
    EVENT,
    FIRST,
    FIRST_POINTS,
    LOSSES,
    PAST_RESULTS,
    RESULT,
    ROUND,
    SECOND,
    SECOND_POINTS,
    STAKE,
    WINS,
    make_heading_key,
    map_columns,
)
from roster.formats.list_text import simplify_name
from roster.play.services.game_records import read_score
from roster.services.outcomes import Refused, RefusedChange

MOST_RESULTS = 300
"""The most results that are entered at once."""
MOST_ROUNDS = 99
EARLIEST = timedelta(days=2 * 366)
"""Days that are longer before the season are probably typing mistakes."""
OWN_HEADING = "counts"
"""The season's own files have this column. In other tables, a column of events can name what all results are of."""
_WORDS = {**dict.fromkeys(WINS, ("1", "0")), **dict.fromkeys(DRAWS, ("0", "0")), **dict.fromkeys(LOSSES, ("0", "1"))}
"""Results of the first player in words, as scores."""
_SCORES = re.compile(r"(-?\d{1,6})\s*[:/–-]\s*(-?\d{1,6})", re.ASCII)
# Spreadsheets write 1.0. A minus sign is a typing mistake, a hyphen after a word is not.
_ROUND = re.compile(r"(?!'?[-−–])\D{0,20}?(\d{1,2})(?:[.,]0)?\D{0,3}", re.ASCII)
# A spreadsheet may add the time of day.
_ISO_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?", re.ASCII)
_DAY = re.compile(r"(\d{1,2})\s*([./-])\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})(?:,? .*)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredResults:
    """How many results were entered. The `waiting` ones count once the other player confirms them."""

    entered: int
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _PastGame:
    """A game to be entered. `meeting` is None if the players have not been paired for it."""

    day: date
    round: int
    first: SeasonPlayer
    second: SeasonPlayer
    scores: tuple[str, str]
    stake: str
    meeting: Meeting | None = None


def enter_past_results(
    standing: ClubStanding, season: Season, text: str
) -> EnteredResults | Refused | list[RefusedChange]:
    """Enter results of earlier games from a table with headings, all of them or none.

    A game takes the open meeting of its players in its round. In a round robin, that is their only meeting, whatever
    the round. Other games get a new meeting, with which players confirm, and organisers correct, as usual.
    Rows without a day and scores are left out, and so are the results of events in the season's own files.

    Refuses the whole table with `no-results`, `too-many-results`, `no-room`, `season-over`, `unknown-game`, and
    `not-started` for a round robin. Otherwise, returns each refused line with its number in the text: `unread-day`,
    `unclear-day`, `future-day`, `early-day`, `bad-round`, `no-player`, `not-in-season`, `gone-player`, `same-player`,
    `unread-scores`, `unknown-place`, `contested-place`, `no-round`, `round-taken`, `no-meeting`, `same-game`, and
    `same-day`.
    """
    try:
        table = read_table(text, PAST_RESULTS)
    except PairingTableError:
        return Refused(code="no-results")
    places = {meaning: table.keys.index(key) for meaning, key in map_columns(table.keys, PAST_RESULTS).items()}
    has_scores = RESULT in places or {FIRST_POINTS, SECOND_POINTS} <= places.keys()
    if not ({DAY, FIRST, SECOND} <= places.keys() and has_scores):
        return Refused(code="no-results")
    rows: dict[int, dict[str, str]] = {}
    for number, line in zip(table.numbers, table.lines, strict=True):
        row = {meaning: line[place] if place < len(line) else "" for meaning, place in places.items()}
        is_unplayed = not any(row.get(meaning) for meaning in (DAY, FIRST_POINTS, SECOND_POINTS, RESULT))
        # The season's own files also have the results of its events.
        is_of_event = bool(row.get(EVENT)) and OWN_HEADING in table.keys
        if not (is_unplayed or is_of_event):
            rows[number] = row
    if not rows:
        return Refused(code="no-results")
    if len(rows) > MOST_RESULTS:
        return Refused(code="too-many-results", measured=len(rows), allowed=MOST_RESULTS)
    with transaction.atomic():
        season = lock_season(season)
        if season.ended:
            return Refused(code="season-over")
        if season.format == SeasonFormat.ROUND_ROBIN and not season.started:
            return Refused(code="not-started")
        # Players enter results under the lock of their meeting only.
        list(season.meetings.select_for_update().values_list("pk"))
        board = load_season_board(season)
        if len(board.meetings) + len(rows) > MOST_MEETINGS:
            return Refused(code="no-room", allowed=MOST_MEETINGS)
        reader = _GameReader(board, has_day_first=_find_day_order(row[DAY] for row in rows.values()))
        games = [reader.read_row(row) for row in rows.values()]
        refused_rows = [
            RefusedChange(
                code=game.code, subject_id=game.subject_id, measured=game.measured, allowed=game.allowed, number=number
            )
            for number, game in zip(rows, games, strict=True)
            if isinstance(game, Refused)
        ]
        if refused_rows:
            return refused_rows
        keys: list[int] = []
        now = timezone.localtime()
        noon = now.replace(hour=12, minute=0, second=0, microsecond=0)
        stored_on: Counter[date] = Counter()
        past_games = [game for game in games if isinstance(game, _PastGame)]
        # Ratings and places follow the times, so games of one day are a second apart, by their rounds and rows.
        for game in sorted(past_games, key=lambda game: (game.day, game.round)):
            played = noon.replace(year=game.day.year, month=game.day.month, day=game.day.day)
            played += timedelta(seconds=stored_on[game.day])
            stored_on[game.day] += 1
            outcome = _store_game(standing, season, game, min(played, now))
            if isinstance(outcome, Refused):
                transaction.set_rollback(True)
                return outcome
            keys.append(outcome)
        waiting = Meeting.objects.filter(pk__in=keys).exclude(first_confirmed=F("second_confirmed")).count()
    return EnteredResults(entered=len(keys), waiting=waiting)


def _store_game(standing: ClubStanding, season: Season, game: _PastGame, played: datetime) -> int | Refused:
    """Store a game and return its meeting's key. Refuses as `enter_scores` does."""
    meeting, scores = game.meeting, game.scores
    if meeting is None:
        meeting = Meeting.objects.create(
            season=season, round=game.round, first=game.first, second=game.second, stake=game.stake
        )
    elif game.stake:
        Meeting.objects.filter(pk=meeting.pk).update(stake=game.stake)
    if meeting.first_id != game.first.pk:
        scores = scores[::-1]
    return enter_scores(standing, season, meeting.pk, *scores, played=played) or meeting.pk


class _GameReader:
    """Reads rows against a season's players, meetings and map, and against the rows before.

    `has_day_first` says how days such as 3/4/2026 are written, None if the table does not tell.
    """

    def __init__(self, board: SeasonBoard, *, has_day_first: bool | None) -> None:
        self.board, self.has_day_first = board, has_day_first
        self.players: dict[str, list[SeasonPlayer]] = defaultdict(list)
        for player in board.players.values():
            self.players[_make_name_key(player.member.name)].append(player)
        self.territories = {territory.name.casefold(): territory.name for territory in board.map.territories}
        self.open: dict[frozenset[int], list[Meeting]] = defaultdict(list)
        self.days: dict[tuple[frozenset[int], date], str] = {}
        self.rounds: dict[tuple[frozenset[int], int], str] = {}
        self.busy: set[tuple[int, int]] = set()
        for shown_meeting in board.meetings:
            meeting = shown_meeting.meeting
            pair = frozenset(filter(None, (meeting.first_id, meeting.second_id)))
            self.busy |= {(meeting.round, key) for key in pair}
            if meeting.game is not None:
                played = timezone.localtime(meeting.game.played).date()
                self._remember(pair, meeting.round, played, f"{meeting} {shown_meeting.scores}".strip())
            elif meeting.round:
                self.open[pair].append(meeting)

    def _remember(self, pair: frozenset[int], number: int, day: date, text: str) -> None:
        self.days[pair, day] = self.rounds[pair, number] = text
        self.busy |= {(number, key) for key in pair}

    def read_row(self, cells: Mapping[str, str]) -> _PastGame | Refused:
        """Read a game and find the meeting that it takes, if there is one."""
        game = self._read_game(cells)
        if isinstance(game, Refused):
            return game
        season, number = self.board.season, game.round
        pair = frozenset((game.first.pk, game.second.pk))
        meetings = self.open[pair]
        if season.format == SeasonFormat.ROUND_ROBIN:
            if not meetings:
                # Two players meet once, so that meeting has a result. A player who came back may have no meetings.
                text = next((entered for (other, _number), entered in self.rounds.items() if other == pair), "")
                if not text:
                    return Refused(code="no-meeting", subject_id=f"{game.first} : {game.second}")
                return Refused(code="same-game", subject_id=text)
            number = meetings[0].round
        elif number and (pair, number) in self.rounds:
            return Refused(code="same-game", subject_id=self.rounds[pair, number])
        elif not number and (pair, game.day) in self.days:
            return Refused(code="same-day", subject_id=self.days[pair, game.day])
        meeting = next((one for one in meetings if number in (0, one.round)), None)
        if season.format == SeasonFormat.SWISS and meeting is None:
            if not number:
                return Refused(code="no-round")
            for player in (game.first, game.second):
                if (number, player.pk) in self.busy:
                    return Refused(code="round-taken", subject_id=str(player), measured=number)
        fight = self.board.contested.get(game.stake)
        if fight is not None and fight.meeting != meeting:
            return Refused(code="contested-place", subject_id=game.stake)
        if meeting is not None:
            meetings.remove(meeting)
            number = meeting.round
        self._remember(pair, number, game.day, f"{game.first} : {game.second} {':'.join(game.scores)}")
        return replace(game, round=number, meeting=meeting)

    def _read_game(self, cells: Mapping[str, str]) -> _PastGame | Refused:
        day = self._read_day(cells[DAY])
        if isinstance(day, Refused):
            return day
        written = cells.get(ROUND, "")
        match = _ROUND.fullmatch(written)
        # The season's own files have 0 for challenges.
        number = int(match[1]) if match else 0
        if written and match is None:
            return Refused(code="bad-round", subject_id=written[:40], measured=1, allowed=MOST_ROUNDS)
        players = [self._find_player(cells[meaning]) for meaning in (FIRST, SECOND)]
        for player in players:
            if isinstance(player, Refused):
                return player
        first, second = (player for player in players if isinstance(player, SeasonPlayer))
        if first == second:
            return Refused(code="same-player", subject_id=str(first))
        scores = _read_scores(cells)
        if isinstance(scores, Refused):
            return scores
        stake = cells.get(STAKE, "").removeprefix("'")
        # Without a map, the column may be the venue.
        if stake and self.territories and stake.casefold() not in self.territories:
            return Refused(code="unknown-place", subject_id=stake[:100])
        stake = self.territories.get(stake.casefold(), "")
        return _PastGame(day=day, round=number, first=first, second=second, scores=scores, stake=stake)

    def _read_day(self, text: str) -> date | Refused:
        if match := _ISO_DAY.fullmatch(text):
            year, month, day = (int(part) for part in match.groups())
        elif match := _DAY.fullmatch(text):
            day, month, year = int(match[1]), int(match[3]), int(match[4])
            if match[2] != ".":
                has_day_first = day > 12 if max(day, month) > 12 else self.has_day_first
                if has_day_first is None and day != month:
                    return Refused(code="unclear-day", subject_id=text[:40])
                if not has_day_first:
                    day, month = month, day
            year += 2000 if year < 100 else 0
        else:
            return Refused(code="unread-day", subject_id=text[:40])
        try:
            played = date(year, month, day)
        except ValueError:
            return Refused(code="unread-day", subject_id=text[:40])
        if played > timezone.localdate():
            return Refused(code="future-day", subject_id=text[:40])
        season = self.board.season
        if played < timezone.localtime(season.started or season.created).date() - EARLIEST:
            return Refused(code="early-day", subject_id=text[:40])
        return played

    def _find_player(self, text: str) -> SeasonPlayer | Refused:
        # `protect_cell` writes the apostrophes.
        name = text.removeprefix("'").strip()
        alike = self.players.get(_make_name_key(name), [])
        same = [player for player in alike if player.member.name.casefold() == name.casefold()] or alike
        if len(same) != 1:
            code = "no-player" if make_heading_key(name) in BYES else "not-in-season"
            return Refused(code=code, subject_id=name[:40])
        return Refused(code="gone-player", subject_id=str(same[0])) if same[0].is_gone else same[0]


def _make_name_key(name: str) -> str:
    """Return what equal names have in common. A name of signs only equals none but itself."""
    return simplify_name(name) or name.casefold()


def _read_scores(cells: Mapping[str, str]) -> tuple[str, str] | Refused:
    first, second = cells.get(FIRST_POINTS, ""), cells.get(SECOND_POINTS, "")
    written = f"{first} : {second}"
    if not first and not second:
        written = cells.get(RESULT, "")
        if match := _SCORES.fullmatch(written):
            first, second = match.groups()
        else:
            first, second = _WORDS.get(make_heading_key(written), ("", ""))
    # Spreadsheets write 18.0, and `protect_cell` an apostrophe before a negative number.
    first, second = (score.removeprefix("'").removesuffix(".0").removesuffix(",0") for score in (first, second))
    if read_score(first) is None or read_score(second) is None:
        return Refused(code="unread-scores", subject_id=written[:40])
    return first, second


def _find_day_order(days: Iterable[str]) -> bool | None:
    """Return whether days such as 21/3/2026 have the day first. None if no day tells, or if they differ."""
    orders = set()
    for text in days:
        match = _DAY.fullmatch(text)
        if match and match[2] != "." and max(int(match[1]), int(match[3])) > 12:
            orders.add(int(match[1]) > 12)
    return orders.pop() if len(orders) == 1 else None
