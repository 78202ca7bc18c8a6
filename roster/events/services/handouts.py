from dataclasses import dataclass
from enum import StrEnum

from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from roster.events.models import Event, Pairing, Participant, Submission
from roster.events.models.event import LEGAL_VERDICTS, ListVerdict
from roster.events.models.submission import is_for_judges
from roster.events.services.teams import list_doubled, weigh_verdict
from roster.formats.list_text import make_sort_key


class Handout(StrEnum):
    PAIRINGS = "pairings"
    RESULTS = "results"
    SEATING = "seating"
    TENTS = "tents"
    CHECKLIST = "checklist"

    @property
    def shows_lists(self) -> bool:
        """Whether it reveals something about lists that blind helpers may not see."""
        return self in (Handout.PAIRINGS, Handout.CHECKLIST)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSeat:
    name: str
    team: str = ""
    faction: str = ""
    emblem: str = ""
    list_name: str = ""
    points: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTable:
    """A round's table. A bye has one player. `link` leads to the table on the pairings page."""

    name: str
    seats: tuple[EventSeat, ...]
    link: str

    @property
    def is_bye(self) -> bool:
        return len(self.seats) < 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ListToCheck:
    """A player's line in the judges' checklist."""

    seat: EventSeat
    table: str
    verdict: str
    is_legal: bool
    open_notes: tuple[str, ...]


def make_table_anchor(table: str) -> str:
    return f"table-{slugify(table, allow_unicode=True)}"


def list_tables(event: Event, number: int, site: str) -> tuple[GameTable, ...]:
    pairings = event.pairings.filter(round=number).select_related(
        "first__team", "second__team", "first__current", "second__current"
    )
    return tuple(_describe_table(event, pairing, site) for pairing in pairings)


def _describe_table(event: Event, pairing: Pairing, site: str) -> GameTable:
    players = filter(None, (pairing.first, pairing.second))
    page = f"{reverse('events:pairings', args=[event.public_id])}?round={pairing.round}"
    return GameTable(
        name=pairing.table,
        seats=tuple(_describe_seat(player, player.current) for player in players),
        link=f"{site}{page}#{make_table_anchor(pairing.table)}",
    )


def _describe_seat(player: Participant, submission: Submission | None) -> EventSeat:
    seat = EventSeat(name=player.name, team=player.team_name)
    if submission is None or not submission.document:
        return seat
    return EventSeat(
        name=player.name,
        team=player.team_name,
        faction=submission.faction,
        emblem=submission.emblem,
        list_name=submission.tree.name,
        points=submission.points,
        code=submission.paper_hash,
    )


def list_checks(event: Event, number: int) -> tuple[ListToCheck, ...]:
    tables: dict[int, str] = {}
    for pairing in event.pairings.filter(round=number):
        for player_id in filter(None, (pairing.first_id, pairing.second_id)):
            tables[player_id] = pairing.table
    doubled = list_doubled(event) if event.is_team else {}
    players = event.participants.filter(dropped=False, current__isnull=False).select_related("team", "current")
    checks = []
    for player in sorted(players, key=lambda one: (make_sort_key(one.name), one.pk)):
        submission = player.current
        if submission is None:
            continue
        verdict = ListVerdict(weigh_verdict(player.verdict, player.pk in doubled))
        notes = submission.report.get("unchecked", ())
        checks.append(
            ListToCheck(
                seat=_describe_seat(player, submission),
                table=tables.get(player.pk, ""),
                verdict=str(verdict.label),
                is_legal=verdict in LEGAL_VERDICTS,
                open_notes=tuple(dict.fromkeys(note["text"] for note in notes if is_for_judges(note))),
            )
        )
    return tuple(checks)


def name_opponent(table: GameTable, seat: EventSeat) -> str:
    if table.is_bye:
        return pgettext("no opponent", "Bye")
    other = table.seats[1] if seat is table.seats[0] else table.seats[0]
    return _("against %(name)s") % {"name": other.name}
