import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.services.published_games import select_games
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import PLAYER_NAME_LENGTH
from roster.play.game_score import count_shares
from roster.play.game_state import are_allies
from roster.play.models import Game, GameSide
from roster.play.models.games import NOTE_LENGTH
from roster.play.services.game_log import name_item
from roster.play.services.game_rules import load_rules
from roster.play.services.game_standings import score_sides
from roster.play.services.games import find_places, list_games
from roster.services.limits import check_room, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor

MOST_GAMES = 500
_SCORE = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    game: Game
    mine: GameSide
    others: list[GameSide]

    @property
    def opponents(self) -> list[GameSide]:
        if len(self.others) == 1:
            return self.others
        teams = load_rules(self.game).teams
        return [side for side in self.others if not are_allies(teams, self.mine.place, side.place)]

    @property
    def result(self) -> int:
        """1 for a win, -1 for a loss, 0 for a draw; by points if no result is stored."""
        if self.mine.rank is not None:
            return -1 if self.mine.rank > 1 else int(self.game.winner is not None)
        if self.game.winner is not None:
            return 1 if self.game.winner == self.mine.place else -1
        if self.game.ending:
            return 0
        difference = (self.mine.score or 0) - max(other.score or 0 for other in self.others)
        return (difference > 0) - (difference < 0)


@dataclass(frozen=True, slots=True)
class RecordLine:
    """`share` is the percentage won."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> int:
        return round(100 * self.wins / self.games)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A player's results. `rounds` are mean points by round: the player's, then the opponents'."""

    played: list[PlayedGame]
    lists: list[RecordLine]
    factions: list[RecordLine]
    opponents: list[RecordLine]
    rounds: list[tuple[int, float, float]]
    scored: list[tuple[str, int]]


def list_played(visitor: Visitor) -> list[PlayedGame]:
    """List the visitor's last finished games, at most `MOST_GAMES`."""
    games = list(list_games(visitor).filter(ended__isnull=False).order_by("-played")[:MOST_GAMES])
    places = find_places(games, visitor)
    return [see_game(game, places[game.pk]) for game in games]


def see_game(game: Game, place: int) -> PlayedGame:
    """Return a game as the side at `place` sees it."""
    sides = sorted(game.sides.all(), key=lambda side: side.place)
    return PlayedGame(game, sides[place], sides[:place] + sides[place + 1 :])


def compute_record(visitor: Visitor) -> GameRecord:
    played = list_played(visitor)
    mine: Counter[int] = Counter()
    theirs: Counter[int] = Counter()
    opposing = 0
    scored: Counter[str] = Counter()
    # Results entered by hand have no rounds.
    counted = [one for one in played if one.game.last]
    for one in counted:
        rules = load_rules(one.game)
        rows = sorted((one.mine, *one.others), key=lambda side: side.place)
        scores = score_sides(rules, rows, one.game.now)
        mine.update(scores[one.mine.place].by_round)
        for opponent in one.opponents:
            theirs.update(scores[opponent.place].by_round)
            opposing += 1
        for item_id, points in scores[one.mine.place].by_item.items():
            scored[name_item(rules, item_id)] += points
    last = max([0, *mine, *theirs])
    means = [
        (number, round(mine[number] / len(counted), 1), round(theirs[number] / opposing, 1))
        for number in range(1, last + 1)
    ]
    return GameRecord(
        played=played,
        lists=_count_by(played, lambda one: [one.mine.list_name]),
        factions=_count_by(played, lambda one: [other.faction_name for other in one.opponents]),
        opponents=_count_by(played, lambda one: [other.player for other in one.opponents]),
        rounds=means,
        scored=scored.most_common(),
    )


def _count_by(played: Iterable[PlayedGame], list_names: Callable[[PlayedGame], list[str]]) -> list[RecordLine]:
    results: dict[str, list[int]] = {}
    for one in played:
        for name in set(filter(None, list_names(one))):
            results.setdefault(name, []).append(one.result)
    lines = [RecordLine(key, *count_shares(counted)) for key, counted in results.items()]
    return sorted(lines, key=lambda line: (-line.games, line.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntry:
    """A result entered by hand. `played` is a day such as 2026-11-23, blank for today."""

    game: str
    mission: str = ""
    list_name: str = ""
    faction: str = ""
    opponent: str = ""
    their_faction: str = ""
    points: str = ""
    their_points: str = ""
    notes: str = ""
    played: str = ""


TEXT_FIELDS = {
    "mission": NAME_LENGTH,
    "list_name": NAME_LENGTH,
    "faction": NAME_LENGTH,
    "opponent": PLAYER_NAME_LENGTH,
    "their_faction": NAME_LENGTH,
    "notes": NOTE_LENGTH,
}


def enter_result(visitor: Visitor, entry: HandEntry) -> Game | Refused:
    """Store only the result of a game that was played elsewhere."""
    row = select_games().filter(slug=entry.game).first()
    if row is None:
        return Refused(code="unknown-game")
    points, theirs = read_score(entry.points), read_score(entry.their_points)
    if points is None or theirs is None:
        return Refused(code="bad-number")
    played = _read_day(entry.played)
    if played is None:
        return Refused(code="bad-day", subject_id=entry.played[:20])
    texts = {}
    for field, length in TEXT_FIELDS.items():
        cleaned = check_text(getattr(entry, field), length, lines=field == "notes")
        if isinstance(cleaned, Refused):
            return cleaned
        texts[field] = cleaned
    if full := check_room(visitor, Game):
        return full

    game = Game(
        name=texts["list_name"] or _("A game"),
        version=row.shown_version,
        mission_name=texts["mission"],
        notes=texts["notes"],
        played=played,
        ended=timezone.now(),
        **visitor.fields,
    )
    mine = GameSide(game=game, place=0, list_name=texts["list_name"], faction_name=texts["faction"], score=points)
    other = GameSide(game=game, place=1, player=texts["opponent"], faction_name=texts["their_faction"], score=theirs)
    with transaction.atomic():
        game.save()
        GameSide.objects.bulk_create([mine, other])
    return game


def read_score(text: str) -> int | None:
    """Return a typed score, None for other texts and for numbers that are too long."""
    return int(text) if _SCORE.fullmatch(text.strip()) else None


def _read_day(text: str) -> datetime | None:
    """Return noon of a day, now for "", or None for future or invalid days."""
    now = timezone.localtime()
    if not text:
        return now
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    if day > now.date():
        return None
    return now.replace(year=day.year, month=day.month, day=day.day, hour=12)
