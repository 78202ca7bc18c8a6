from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.functions import Abs
from django.utils import timezone

from roster.events.models import Event, Pairing, Participant, Penalty
from roster.events.models.checking import PenaltyState
from roster.events.services.access import EventStanding
from roster.events.services.audit import record_act
from roster.events.services.pairing_tables import (
    NEEDED,
    PairingRow,
    PairingTableError,
    WrittenTable,
    read_juggler,
    read_rows,
    read_table,
)
from roster.events.services.players import index_players, remember_alias
from roster.formats.column_headings import PAIRINGS, map_columns
from roster.formats.list_text import NAME_LENGTH
from roster.services.outcomes import Refused

RESULTS_A_RECORD = 6
"""The most results in a log entry."""
MOST_ROUNDS = 100
LEFT_OUT = "-"
"""The choice that a name does not belong to a player, so that its pairing is skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuestion:
    """A table's name that matches several players or none. `key` is its line and side, `row` its line from 1."""

    key: str
    row: int
    name: str
    table: str
    players: Sequence[Participant]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingDraft:
    """A table of pairings as far as it was read. `table` is None for JSON."""

    table: WrittenTable | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[PairingRow] = ()
    seats: Sequence[tuple[Participant, Participant | None] | None] = ()
    questions: Sequence[NameQuestion] = ()
    aliases: Mapping[str, Participant] = field(default_factory=dict)

    @property
    def lacks_columns(self) -> bool:
        return self.table is not None and any(meaning not in self.mapping for meaning in NEEDED)

    @property
    def is_open(self) -> bool:
        return self.lacks_columns or bool(self.questions)


def draft_pairings(
    event: Event, text: str, columns: Mapping[str, str], answers: Mapping[str, str]
) -> PairingDraft | Refused:
    """Read a table without storing it. `columns` maps meanings to columns, `answers` question keys to players."""
    table, mapping = None, {}
    try:
        rows = read_juggler(text)
        if rows is None:
            table = read_table(text)
            mapping = map_columns(table.keys, PAIRINGS, columns, event.mapping)
            if any(meaning not in mapping for meaning in NEEDED):
                return PairingDraft(table=table, mapping=mapping)
            rows = read_rows(table, mapping)
    except PairingTableError as error:
        return Refused(code=str(error))
    return replace(seat_rows(event, rows, answers), table=table, mapping=mapping)


def seat_rows(event: Event, rows: Sequence[PairingRow], answers: Mapping[str, str]) -> PairingDraft:
    """Find the players of rows by their ids or names, without storing them. `answers` maps question keys to players."""
    settler = _NameSettler(event, answers)
    seats = [settler.seat_row(number, row) for number, row in enumerate(rows)]
    return PairingDraft(rows=rows, seats=seats, questions=settler.questions, aliases=settler.settled)


class _NameSettler:
    """Finds the players behind names. Each occurrence of a shared name is a separate question.

    An unknown name is asked once, and the answer is remembered.
    """

    def __init__(self, event: Event, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.players = index_players(event)
        self.everybody = sorted(
            (player for named in self.players.named.values() for player in named), key=lambda one: (one.name, one.pk)
        )
        self.by_id = {player.public_id: player for player in self.everybody}
        self.settled: dict[str, Participant] = {}
        self.questions: list[NameQuestion] = []
        self._settled_strangers: set[str] = set()
        """Unknown names that were already asked or skipped."""

    def seat_row(self, number: int, row: PairingRow) -> tuple[Participant, Participant | None] | None:
        first = self._find_player(number, 0, row.first, row)
        second = self._find_player(number, 1, row.second, row) if row.second else None
        if first is None or (row.second and second is None):
            return None
        return first, second

    def _find_player(self, number: int, side: int, name: str, row: PairingRow) -> Participant | None:
        # Ids come first, so that nobody takes another player's place by calling themselves like an id.
        namesakes = [self.by_id[name]] if name in self.by_id else self.players.find_players(name)
        if len(namesakes) == 1:
            return namesakes[0]
        key, players = f"{number}-{side}", namesakes or self.everybody
        question = NameQuestion(key=key, row=number + 1, name=name, table=row.table, players=players)
        answer = self.answers.get(key, "")

        if namesakes:
            chosen = next((player for player in namesakes if player.public_id == answer), None)
            if chosen is None and answer != LEFT_OUT:
                self.questions.append(question)
            return chosen

        chosen = self.by_id.get(answer) or self.settled.get(name)
        if chosen is not None:
            self.settled[name] = chosen
        if name in self._settled_strangers:
            return None
        if answer == LEFT_OUT:
            self._settled_strangers.add(name)
        elif chosen is None:
            self._settled_strangers.add(name)
            self.questions.append(question)
        return chosen


@transaction.atomic
def keep_pairings(
    event: Event, user: User, draft: PairingDraft, default_round: int | None = None
) -> list[Pairing] | Refused:
    """Replace the pairings of the draft's rounds. Published rounds stay published.

    Rows without a round are of `default_round`, or of the next one. Answers about names and columns are remembered.
    """
    if draft.is_open:
        return Refused(code="bad-change")
    # The lock keeps two requests from storing the same round.
    Event.objects.select_for_update().get(pk=event.pk)
    pairings = _build_pairings(event, draft, default_round or find_next_round(event))
    if not pairings:
        return Refused(code="no-pairings")
    if refused := _check_pairings(pairings):
        return refused

    rounds = {pairing.round for pairing in pairings}
    published_by_round = dict(event.pairings.filter(round__in=rounds).values_list("round").annotate(Max("published")))
    event.pairings.filter(round__in=rounds).delete()
    for pairing in pairings:
        pairing.published = published_by_round.get(pairing.round)
    Pairing.objects.bulk_create(pairings)
    for name, player in draft.aliases.items():
        remember_alias(event, name[:NAME_LENGTH], player)
    if draft.table is not None:
        event.mapping = dict(draft.mapping)
        event.save(update_fields=["mapping"])
    record_act(event, user, "pairings", detail=", ".join(map(str, sorted(rounds))))
    return pairings


def _build_pairings(event: Event, draft: PairingDraft, default_round: int) -> list[Pairing]:
    rows = enumerate(zip(draft.rows, draft.seats, strict=True), 1)
    seated = [(place, row, seat) for place, (row, seat) in rows if seat is not None]
    named: dict[int, set[str]] = defaultdict(set)
    for _place, row, _seat in seated:
        named[row.round or default_round].add(row.table)
    taken: dict[int, set[str]] = defaultdict(set)
    pairings = []
    for place, row, seat in seated:
        number = row.round or default_round
        # A table without a unique name gets the next free number.
        table = row.table
        if not table or table in taken[number]:
            table = next(name for name in map(str, count(1)) if name not in taken[number] | named[number])
        taken[number].add(table)
        pairings.append(
            Pairing(
                event=event,
                round=number,
                table=table,
                place=place,
                first=seat[0],
                second=seat[1],
                first_points=row.points[0],
                second_points=row.points[1] if seat[1] else None,
            )
        )
    return pairings


def _check_pairings(pairings: Iterable[Pairing]) -> Refused | None:
    seen: set[tuple[int, int]] = set()
    for pairing in pairings:
        if not 1 <= pairing.round <= MOST_ROUNDS:
            return Refused(code="bad-round", allowed=MOST_ROUNDS)
        for player in filter(None, (pairing.first, pairing.second)):
            if (pairing.round, player.pk) in seen:
                return Refused(code="paired-twice", subject_id=player.name, measured=pairing.place)
            seen.add((pairing.round, player.pk))
    return None


def publish_round(event: Event, user: User, number: int, *, is_shown: bool) -> None:
    event.pairings.filter(round=number).update(published=timezone.now() if is_shown else None)
    record_act(event, user, "publish" if is_shown else "unpublish", detail=str(number))


def delete_round(event: Event, user: User, number: int) -> None:
    event.pairings.filter(round=number).delete()
    record_act(event, user, "delete-round", detail=str(number))


def set_results(event: Event, user: User, number: int, scored: Mapping[int, Sequence[Decimal | None]]) -> None:
    """Set the points of pairings by primary key. The log records the changes."""
    pairings = list(event.pairings.filter(round=number, pk__in=scored))
    changed = []
    for pairing in pairings:
        before = (pairing.first_points, pairing.second_points)
        pairing.first_points, pairing.second_points = after = tuple(scored[pairing.pk])
        if before != after:
            changed.append(f"{pairing.table}: {_write_result(before)} → {_write_result(after)}")
    Pairing.objects.bulk_update(pairings, ["first_points", "second_points"])
    for start in range(0, len(changed), RESULTS_A_RECORD):
        detail = "; ".join(changed[start : start + RESULTS_A_RECORD])
        record_act(event, user, "results", detail=f"{number}; {detail}")


def may_report(standing: EventStanding, pairing: Pairing) -> bool:
    """Return whether the user plays at this table and its score is not entered yet."""
    player = standing.participant
    if player is None or pairing.published is None or pairing.second_id is None:
        return False
    is_open = pairing.first_points is None and pairing.second_points is None
    return is_open and player.pk in (pairing.first_id, pairing.second_id)


def report_result(standing: EventStanding, pairing_id: int, points: Sequence[Decimal | None]) -> Refused | None:
    """Store the score of the user's own game, once. Raises Pairing.DoesNotExist."""
    if standing.user is None or standing.participant is None:
        raise Pairing.DoesNotExist
    if None in points:
        return Refused(code="bad-number")
    with transaction.atomic():
        # The lock keeps both players from reporting at once.
        is_own = Q(first=standing.participant) | Q(second=standing.participant)
        pairings = filter_shown_pairings(standing).select_related(None)
        pairing = pairings.select_for_update().get(is_own, pk=pairing_id)
        if not may_report(standing, pairing):
            return Refused(code="reported")
        set_results(standing.event, standing.user, pairing.round, {pairing.pk: points})
    return None


def _write_result(points: Sequence[Decimal | None]) -> str:
    return ":".join("–" if value is None else f"{value.normalize():f}" for value in points)


def filter_shown_pairings(standing: EventStanding) -> QuerySet[Pairing]:
    """Return all pairings for helpers, and published ones for other users."""
    pairings = standing.event.pairings.select_related("first__team", "second__team")
    return pairings if standing.is_judge else pairings.filter(published__isnull=False)


def list_rounds(standing: EventStanding) -> list[int]:
    return sorted(set(filter_shown_pairings(standing).order_by().values_list("round", flat=True)))


def find_next_round(event: Event) -> int:
    last: int | None = event.pairings.aggregate(last=Max("round"))["last"]
    return (last or 0) + 1


# ---- standings -------------------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class TableLine:
    """A player's line in the standings. `scored` are points of games, `penalty` confirmed penalties."""

    player: Participant
    place: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    scored: Decimal = Decimal(0)
    penalty: Decimal = Decimal(0)

    @property
    def total(self) -> Decimal:
        return self.scored - self.penalty

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    def count_game(self, mine: Decimal, other: Decimal | None) -> None:
        """Count a game. `other` is None for a bye."""
        self.scored += mine
        if other is None or mine > other:
            self.wins += 1
        elif mine == other:
            self.draws += 1
        else:
            self.losses += 1


def count_standings(event: Event, pairings: Iterable[Pairing]) -> list[TableLine]:
    """Order the players by points minus confirmed penalties, then by wins. Equal players share a place.

    Only games with complete results count. Reserves and dropped players have no line.
    """
    players = event.participants.filter(is_reserve=False, dropped=False).select_related("team")
    lines = {player.pk: TableLine(player=player) for player in players}
    for pairing in pairings:
        first, second = pairing.first_points, pairing.second_points
        if first is None or (second is None and pairing.second_id is not None):
            continue
        player, opponent = lines.get(pairing.first_id), lines.get(pairing.second_id or 0)
        if player:
            player.count_game(first, second)
        if opponent and second is not None:
            opponent.count_game(second, first)

    confirmed = Penalty.objects.filter(participant__event=event, state=PenaltyState.CONFIRMED)
    for player_id, points in confirmed.order_by().values_list("participant").annotate(off=Sum(Abs("points"))):
        if player_id in lines:
            lines[player_id].penalty = points

    ordered = sorted(lines.values(), key=lambda line: (-line.total, -line.wins, line.player.name, line.player.pk))
    places: dict[tuple[Decimal, int], int] = {}
    for number, line in enumerate(ordered, 1):
        line.place = places.setdefault((line.total, line.wins), number)
    return ordered


def list_shown_standings(standing: EventStanding) -> list[TableLine]:
    """Return the visible rounds' standings. Players get none before their first round."""
    pairings = list(filter_shown_pairings(standing))
    return count_standings(standing.event, pairings) if pairings or standing.is_judge else []
