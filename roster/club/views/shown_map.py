from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from roster.club.campaign_map import Territory, find_obstacle
from roster.club.models import SeasonFormat, SeasonPlayer
from roster.club.services.seasons import SeasonBoard, ShownMeeting

MAP_KEYS = (
    ("supply", _("what the place gives its holder, 1 if it is missing")),
    ("next to", _("places from which it can be attacked, and the other way round")),
    ("within", _("the place that it is a part of")),
    ("held by", _("the player who holds it before the first game")),
    ("was", _("its former name, so that its games follow")),
    ("text", _("what players should know")),
    ("limit", _("before the places: what lists may cost")),
    ("per supply", _("before the places: how much more lists may cost for each supply")),
)
"""The keys of a map's text and what they mean, for organisers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHold:
    """A time in which a player or nobody holds a territory. `before` held it until then; `won` is the game about it."""

    holder: SeasonPlayer | None
    since: datetime | None
    before: SeasonPlayer | None
    won: ShownMeeting | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTerritory:
    """A territory on a season's page. `fight` is the open meeting about it; `inner` are all territories within it.

    `neighbours` are names, without those that `within` and `inner` show. `holds` are newest first.
    """

    territory: Territory
    within: str
    holder: SeasonPlayer | None
    is_mine: bool
    fight: ShownMeeting | None
    neighbours: Sequence[str]
    holds: Sequence[ShownHold]
    inner: Sequence["ShownTerritory"] = ()


def list_shown_territories(board: SeasonBoard, mine: SeasonPlayer | None) -> list[ShownTerritory]:
    """Return the outermost territories of a map, in its order, with the ones inside them."""
    by_root: dict[str, list[Territory]] = {}
    for territory in board.map.territories:
        root = board.map.find_root(territory)
        inner = by_root.setdefault(root.name, [])
        if territory is not root:
            inner.append(territory)
    meetings = {shown_meeting.meeting.pk: shown_meeting for shown_meeting in board.meetings}

    def show_territory(territory: Territory, inner: Sequence[ShownTerritory] = ()) -> ShownTerritory:
        holder = board.holders.get(territory.name)
        near = board.neighbours[territory.name] - {territory.parent.value}
        return ShownTerritory(
            territory=territory,
            within=territory.parent.value,
            holder=board.players[holder] if holder else None,
            is_mine=mine is not None and mine.pk == holder,
            fight=board.contested.get(territory.name),
            neighbours=[
                one.name for one in board.map.territories if one.name in near and one.parent.value != territory.name
            ],
            holds=list_holds(territory),
            inner=inner,
        )

    def list_holds(territory: Territory) -> list[ShownHold]:
        shown_holds: list[ShownHold] = []
        before = None
        for hold in board.holds[territory.name]:
            holder = board.players[hold.holder] if hold.holder else None
            won = meetings[hold.fight.number] if hold.fight else None
            shown_holds.insert(0, ShownHold(holder=holder, since=hold.since, before=before, won=won))
            before = holder
        return shown_holds

    return [
        show_territory(territory, [show_territory(one) for one in by_root[territory.name]])
        for territory in board.map.territories
        if not territory.parent
    ]


def list_targets(board: SeasonBoard, mine: SeasonPlayer | None) -> list[tuple[str, SeasonPlayer | None]]:
    """Return the names of territories that a player can attack, with their holders."""
    season = board.season
    if mine is None or mine.is_gone or not season.is_running or season.format != SeasonFormat.CHALLENGE:
        return []
    return [
        (territory.name, board.players.get(board.holders.get(territory.name, 0)))
        for territory in board.map.territories
        if not find_obstacle(board.neighbours, board.holders, board.contested, mine.pk, territory.name)
    ]
