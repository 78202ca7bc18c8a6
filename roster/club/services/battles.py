"""Battle reports: a player's story of a game at the table, with a copy of what the game recorded.

Whenever the author saves the report, it copies what spectators of the game may see.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import IO, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from catalogue.models.base import ID_LENGTH
from roster.club.models import BattleReport, BlockedPlayer, PlayerPage, ReportedSide, ReportPhoto
from roster.club.models.battles import STORY_LENGTH
from roster.club.services import captioned_photos
from roster.club.services.captioned_photos import select_shown_photos
from roster.club.services.players import select_followed_pages
from roster.models import Roster
from roster.models.ownership import PLAYER_NAME_LENGTH, Visibility
from roster.play.game_state import OUT, Kind
from roster.play.game_victory import Ending, Outcome
from roster.play.losses import COMMANDER
from roster.play.models import Game, GameOperation, GameSeat, GameSide
from roster.play.services.game_board import build_game_board
from roster.play.services.game_log import PLACE, LogLine, list_log
from roster.play.services.games import describe_outcome, describe_side, find_place
from roster.services.limits import check_name, check_room, check_text
from roster.services.outcomes import Refused
from roster.services.owners import Visitor, filter_owned, find_own, find_readable, is_owner
from roster.services.sharing import filter_public

MOST_MOMENTS = 200
"""The most lines of the log in a report."""
MOST_PHOTOS = 12
"""The most photos of a report."""
ONCE = "once:"
"""Key prefix, by unit: abilities that a unit used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDraft:
    """The form of a report, as typed. `moments` are the ids of chosen lines of the log."""

    name: str = ""
    text: str = ""
    moments: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedMoment:
    """A line of the log that a report may have. `is_turning` lines are chosen in a new report."""

    id: str
    round: int
    place: int
    text: str
    is_turning: bool

    @property
    def fields(self) -> dict[str, Any]:
        return {"id": self.id, "round": self.round, "place": self.place, "text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSide:
    """A side as readers of a report see it. `roster` is its list if the list is public."""

    side: ReportedSide
    name: str
    list_name: str
    roster: Roster | None
    is_unnamed: bool

    @property
    def points(self) -> list[int]:
        points: list[int] = self.side.points
        return points


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownReport:
    """A report for a reader. `moments` are who did what, by round. `place` is the side that the reader played."""

    report: BattleReport
    sides: list[ShownSide]
    outcome: str
    moments: list[tuple[int, list[tuple[str, str]]]]
    place: int | None = None
    photos: list[ReportPhoto] = field(default_factory=list)

    @property
    def result(self) -> list[tuple[str, int]]:
        return [(shown.name, shown.side.score) for shown in self.sides]

    @property
    def holds_points(self) -> bool:
        return any(shown.side.held for shown in self.sides)

    @property
    def reader_side(self) -> ShownSide | None:
        """The reader's side, if the reader is another player of the game."""
        return next((shown for shown in self.sides if shown.side.place == self.place), None)


# ---- finding ---------------------------------------------------------------------------------------------------------


def list_own_reports(visitor: Visitor) -> QuerySet[BattleReport]:
    return _join_authors(filter_owned(visitor, BattleReport.objects.all()))


def select_public_reports(page: PlayerPage | None = None) -> QuerySet[BattleReport]:
    """Select public reports, the last changed first. Given a player's page, those that it shows."""
    reports = filter_public(_join_authors(BattleReport.objects.all()))
    if page is None:
        return reports
    return reports.filter(owner=page.owner_id) if page.shows_reports else reports.none()


def select_followed_reports(user: User) -> QuerySet[BattleReport]:
    """Select public reports of the followed players whose pages show reports, the last changed first."""
    return select_public_reports().filter(owner__in=select_followed_pages(user, "shows_reports").values("owner"))


def _join_authors(reports: QuerySet[BattleReport]) -> QuerySet[BattleReport]:
    return reports.select_related("owner__player_name", "game").prefetch_related("photos").defer("text", "moments")


def find_own_report(public_id: str, visitor: Visitor) -> BattleReport:
    """Find the visitor's report. Raises BattleReport.DoesNotExist."""
    return find_own(visitor, BattleReport.objects.select_related("game", "played_game__version__game"), public_id)


def find_readable_report(link_id: str, visitor: Visitor) -> BattleReport:
    """Find a report that the visitor may read. Raises BattleReport.DoesNotExist."""
    reports = BattleReport.objects.select_related("game", "owner__player_name", "played_game")
    return find_readable(visitor, reports, link_id)


def find_report_of(game: Game, user: User) -> BattleReport | None:
    """Find the user's report of a game; a player writes at most one."""
    return BattleReport.objects.filter(played_game=game, owner=user).first()


# ---- writing ---------------------------------------------------------------------------------------------------------


def find_source(report: BattleReport) -> Game | None:
    """Return the game that a report can copy again: it exists, has ended, and the author still plays in it."""
    game = report.played_game
    if game is None or game.ended is None or find_place(game, Visitor(user_id=report.owner_id)) is None:
        return None
    return game


def list_stored_moments(report: BattleReport) -> list[OfferedMoment]:
    return [OfferedMoment(**moment, is_turning=True) for moment in report.moments]


def list_moments(game: Game) -> list[OfferedMoment]:
    """List the lines of a game's log that a report may have, oldest first.

    Steps through the game and private acts are left out.
    """
    if game.is_by_hand:
        return []
    marks = [_mark_name(place) for place in range(game.sides.count())]
    return [
        OfferedMoment(
            id=line.id,
            round=line.round,
            place=line.operation.actor,
            text=line.text,
            is_turning=_is_turning(line.operation),
        )
        for line in reversed(list_log(game, None, marks))
        if line.stands and _is_offered(line)
    ]


def _is_offered(line: LogLine) -> bool:
    operation = line.operation
    if operation.kind == Kind.SET:
        return operation.key.startswith((PLACE, ONCE)) or operation.key in (COMMANDER, OUT)
    return operation.kind in (Kind.COUNT, Kind.TICK, Kind.HAND, Kind.END)


def _is_turning(operation: GameOperation) -> bool:
    """Return whether an action was a turning point: a unit or commander was lost, or a side gave up or was out."""
    if operation.kind == Kind.END:
        return operation.side is not None
    is_loss = operation.key.startswith(PLACE) and operation.text.startswith("dead")
    return operation.kind == Kind.SET and (is_loss or (operation.key in (COMMANDER, OUT) and bool(operation.text)))


def list_names(report: BattleReport | None, game: Game | None) -> list[str]:
    """List the sides' names for a report's author: as the game has them, or as they were copied."""
    if game is not None:
        return [describe_side(side) for side in game.sides.select_related("game").order_by("place")]
    return [name_side(side) for side in report.sides.all()] if report else []


def write_report(user: User, game: Game, draft: ReportDraft) -> BattleReport | Refused:
    """Store a user's report of a finished game, or change the one that exists.

    Refuses `game-running`, `no-room`, `no-name`, `too-long`, `too-many-moments`.
    """
    if game.ended is None:
        return Refused(code="game-running")
    with transaction.atomic():
        # A form that is sent twice at once must not become two reports.
        if not Game.objects.select_for_update().filter(pk=game.pk).values("pk"):
            return Refused(code="unknown-game")
        report = find_report_of(game, user)
        if report is None:
            if full := check_room(Visitor(user_id=user.pk), BattleReport):
                return full
            report = BattleReport(owner=user, played_game=game)
        return change_report(report, draft) or report


def change_report(report: BattleReport, draft: ReportDraft) -> Refused | None:
    """Store title, text and moments, and copy the game again if possible.

    Refuses `no-name`, `too-long` and `too-many-moments`.
    """
    name = check_name(draft.name, subject="name")
    if isinstance(name, Refused):
        return name
    if not name:
        return Refused(code="no-name")
    text = check_text(draft.text, STORY_LENGTH, lines=True, subject="text")
    if isinstance(text, Refused):
        return text
    source, chosen = find_source(report), {*draft.moments}
    offered = list_moments(source) if source else list_stored_moments(report)
    moments = [moment.fields for moment in offered if moment.id in chosen]
    if len(moments) > MOST_MOMENTS:
        return Refused(code="too-many-moments", measured=len(moments), allowed=MOST_MOMENTS)
    report.name, report.text, report.moments = name, text, moments
    with transaction.atomic():
        if source:
            _copy_game(report, source)
        report.save()
    return None


def _copy_game(report: BattleReport, game: Game) -> None:
    board = build_game_board(game, None)
    rounds = 0 if game.is_by_hand else board.rounds
    report.game, report.game_name = game.version.game, str(game.version.game)[:ID_LENGTH]
    report.mission_name, report.map_name = game.mission_name, game.map_name
    report.played, report.ending, report.winner, report.rounds = game.played, game.ending, game.winner, rounds
    report.save()
    seats = GameSeat.objects.filter(side__game=game, owner__isnull=False)
    accounts = dict(seats.values_list("side__place", "owner_id"))
    if game.owner_id is not None:
        accounts[0] = game.owner_id
    before = {side.place: side for side in report.sides.all()}
    for seen in board.by_place:
        side = before.get(seen.place) or ReportedSide(report=report, place=seen.place)
        # A player who left the game can still remove their name.
        side.player_id = accounts.get(seen.place, side.player_id)
        side.faction_name, side.score, side.rank = seen.side.faction_name, seen.score.total, seen.side.rank
        side.points, side.held = seen.list_rounds(rounds), seen.score.held
        if not side.is_unnamed:
            side.name = (seen.side.player or seen.side.list_name)[:PLAYER_NAME_LENGTH]
            side.list_name, side.roster = seen.side.list_name, seen.side.roster
        side.save()


# ---- reading ---------------------------------------------------------------------------------------------------------


def show_report(report: BattleReport, reader: Visitor) -> ShownReport:
    rows = list(report.sides.select_related("roster"))
    blocking = _list_blocking(report, rows)
    sides = [_show_side(side, is_unnamed=side.is_unnamed or side.player_id in blocking) for side in rows]
    names = [shown.name for shown in sides]
    moments = [
        (moment["round"], names[moment["place"]], write_names(moment["text"], names)) for moment in report.moments
    ]
    ranks = [side.rank for side in rows if side.rank is not None]
    named = [GameSide(place=shown.side.place, player=shown.name) for shown in sides]
    outcome = Outcome(Ending(report.ending), report.winner, tuple(ranks) if len(ranks) == len(rows) else ())
    return ShownReport(
        report=report,
        sides=sides,
        outcome=describe_outcome(outcome, named),
        moments=[
            (number, [(who, text) for _round, who, text in lines]) for number, lines in groupby(moments, itemgetter(0))
        ],
        place=_find_reader_place(report, rows, reader),
        photos=list(select_shown_photos(report.photos.all(), report, reader)),
    )


def _list_blocking(report: BattleReport, sides: Iterable[ReportedSide]) -> set[int | None]:
    """List the players of the game who blocked the author."""
    players = {side.player_id for side in sides} - {None, report.owner_id}
    if not players:
        return set()
    return {*BlockedPlayer.objects.filter(owner__in=players, player=report.owner_id).values_list("owner_id", flat=True)}


def name_side(side: ReportedSide, *, is_unnamed: bool = False) -> str:
    return ("" if is_unnamed else side.name) or _("Player %(n)s") % {"n": side.place + 1}


def _show_side(side: ReportedSide, *, is_unnamed: bool) -> ShownSide:
    roster = side.roster
    # The address of a list by link is for those who got it from its owner.
    is_open = roster is not None and roster.visibility == Visibility.PUBLIC and not roster.taken_down
    return ShownSide(
        side=side,
        name=name_side(side, is_unnamed=is_unnamed),
        list_name="" if is_unnamed else side.list_name,
        roster=roster if roster and is_open and roster.binned is None and not is_unnamed else None,
        is_unnamed=is_unnamed,
    )


def _find_reader_place(report: BattleReport, sides: Iterable[ReportedSide], reader: Visitor) -> int | None:
    if is_owner(reader, report) or not reader.may_own:
        return None
    place = next((side.place for side in sides if reader.user_id and side.player_id == reader.user_id), None)
    # Guests, and players who joined after the report was saved.
    return find_place(report.played_game, reader) if place is None and report.played_game else place


def _mark_name(place: int) -> str:
    """Return what replaces a side's name in a stored line.

    >>> _mark_name(1)
    '⟪2⟫'
    """
    return f"⟪{place + 1}⟫"


def write_names(text: str, names: Sequence[str]) -> str:
    for place, name in enumerate(names):
        text = text.replace(_mark_name(place), name)
    return text


# ---- other players ---------------------------------------------------------------------------------------------------


def remove_name(report: BattleReport, reader: Visitor) -> Refused | None:
    """Remove the name and the list of a player who is not the author, for good. Refuses `bad-change`."""
    place = _find_reader_place(report, report.sides.all(), reader)
    if place is None:
        return Refused(code="bad-change")
    _remove_names(report.sides.filter(place=place))
    return None


def remove_names_of(user: User) -> None:
    """Remove a player from other players' reports, before their account is deleted."""
    _remove_names(ReportedSide.objects.filter(player=user))


def _remove_names(sides: QuerySet[ReportedSide]) -> None:
    sides.update(is_unnamed=True, name="", list_name="", roster=None)


# ---- photos ----------------------------------------------------------------------------------------------------------


def add_photo(report: BattleReport, file: IO[bytes], caption: str) -> ReportPhoto | Refused:
    """Add a photo to a report. Refuses as `captioned_photos.add_photo` does."""
    photo, photos = ReportPhoto(report=report), report.photos.all()
    return captioned_photos.add_photo(photo, report, photos, file, caption, user_id=report.owner_id, most=MOST_PHOTOS)


def find_photo(report: BattleReport, photo_id: int, reader: Visitor) -> ReportPhoto:
    """Find a photo of a readable report. Raises ReportPhoto.DoesNotExist."""
    return select_shown_photos(report.photos.all(), report, reader).get(pk=photo_id)
