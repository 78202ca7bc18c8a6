"""The panel below the verdict."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number, format_number
from roster import wording
from roster.engine.report import Verdict, find_cost
from roster.models import Roster
from roster.services.board import Board, UnitOffer
from roster.services.outcomes import Outcome, SavedEdit
from roster.services.outlooks import ListOutlook
from roster.services.ways import Way, WayKind, sign_way

FULL = Decimal("0.9")
"""An army that reaches this share of its limit is full."""
GO_ON = "go-on"
"""The tag of a message that offers to continue filling the list."""
MOST_PICKS = 6
"""The panel shows this many units; the picker shows them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickButton:
    """`needed` means that the unit supplies something that the list lacks."""

    entry_id: str
    name: str
    points: Number | None
    needed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WayButton:
    kind: WayKind
    words: str
    changes: tuple[str, ...]
    cost: str
    total: str
    signed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaysPanel:
    """The search for `kind` starts when the panel is shown."""

    kind: WayKind | None
    can_fill: bool
    picks: tuple[PickButton, ...] = ()

    @property
    def is_blank(self) -> bool:
        return not (self.kind or self.can_fill or self.picks)


def build_panel(board: Board, outlook: ListOutlook) -> WaysPanel:
    if board.verdict is Verdict.ILLEGAL:
        return WaysPanel(kind=WayKind.REPAIR, can_fill=False)
    has_room = board.left is None or board.left > 0
    is_legal = board.verdict is Verdict.LEGAL
    return WaysPanel(
        kind=None if is_legal or board.is_empty else WayKind.COMPLETE,
        can_fill=has_room and not (is_legal and board.left is None),
        picks=() if board.is_empty else tuple(list_best_picks(board, outlook.dead_ends, outlook.needed)),
    )


def list_best_picks(board: Board, dead_ends: Collection[str], needed: Collection[str]) -> list[PickButton]:
    fitting = [unit for unit in _list_free_units(board) if unit.entry_id not in dead_ends]
    fitting = [unit for unit in fitting if unit.blocked is None] or fitting
    fitting.sort(key=lambda unit: (unit.entry_id not in needed, -(unit.points or 0)))
    return [
        PickButton(entry_id=unit.entry_id, name=unit.name, points=unit.points, needed=unit.entry_id in needed)
        for unit in fitting[:MOST_PICKS]
    ]


def _list_free_units(board: Board) -> Iterator[UnitOffer]:
    for group in board.offered:
        yield from (unit for unit in group.units if unit.blocked is None or unit.blocked.mendable)


def list_open_units(board: Board) -> list[str]:
    return [unit.entry_id for unit in _list_free_units(board)]


def describe_ways(ways: Iterable[Way], roster: Roster) -> tuple[WayButton, ...]:
    """Describe ways as buttons that are valid only for this revision."""
    buttons = []
    for way in ways:
        points = way.evaluated_list.points
        button = WayButton(
            kind=way.kind,
            words=wording.format_way(way),
            changes=tuple(wording.list_way_changes(way)),
            cost=wording.format_signed(way.points) if way.points else "",
            total=format_number(points.value) if points else "",
            signed=sign_way(way, roster),
        )
        buttons.append(button)
    return tuple(buttons)


def tell_fullness(request: HttpRequest, outcome: Outcome) -> None:
    """Say how full a list is, and offer to continue if it is not."""
    if not isinstance(outcome, SavedEdit):
        return
    points = find_cost(outcome.evaluated_list.report.costs, outcome.evaluated_list.points_id)
    if points and points.limit and points.value < FULL * points.limit:
        figures = {"points": format_number(points.value), "limit": format_number(points.limit)}
        text = _("This army comes to %(points)s of %(limit)s so far.") % figures
        messages.info(request, text, extra_tags=GO_ON)
