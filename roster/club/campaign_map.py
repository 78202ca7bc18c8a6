"""Read the map of a campaign from YAML that players can share, and find who holds its territories.

    map: 1
    limit: 500
    per supply: 25
    places:
    - {name: Harbour, supply: 2, next to: [Mill, Ford], held by: Ada}
    - {name: Granary, within: Harbour}

Neighbours are mutual, and a territory is next to those within it. `was` is the former name of a renamed territory.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from catalogue.documents.node import DocumentNode
from catalogue.documents.section import KeySpec, expect_section, key, need, read_section
from roster.formats.list_document import Text, Unreadable
from roster.formats.list_document.document import ListSection
from roster.formats.list_document.nodes import Media, UnreadableError, read_source, refuse_node
from roster.formats.list_document.values import COUNT, INTEGER, NAME, NOTES, WORD, WORDS, list_of

MAP_FORM = 1
MOST_TERRITORIES = 100
EXAMPLE_MAP = """\
map: 1
places:
- {name: Harbour, supply: 2, next to: [Mill, Old bridge], text: Ships land here.}
- {name: Mill, next to: [Old bridge, Quarry]}
- {name: Old bridge, next to: Citadel}
- {name: Quarry, supply: 2, next to: Citadel}
- {name: Citadel, supply: 3}
"""


class Territory(ListSection):
    short = "name"

    name: str = need("name", NAME, "its name")
    supply: int = key("supply", COUNT, "the supply that it gives its holder", 1)
    neighbours: tuple[Text, ...] = key(
        "next to", WORDS, "places from which it can be attacked, and the other way round"
    )
    parent: Text = key("within", WORD, "the place that it is a part of")
    holder: Text = key("held by", WORD, "the player who holds it before the first game")
    former: Text = key("was", WORD, "its former name")
    text: str = key("text", NOTES, "what players should know")


class CampaignMap(ListSection):
    limit: int = key("limit", INTEGER, "the limit of lists without supply")
    step: int = key("per supply", INTEGER, "what each supply adds to the limit")
    territories: tuple[Territory, ...] = key(
        "places", list_of("list of places", expect_section(Territory)), "what players fight for"
    )

    @classmethod
    def read_common_keys(cls, mapping: Any, context: Any, under: object) -> tuple[dict[str, Any], Any]:
        node: DocumentNode = mapping.need("map")
        form = INTEGER.read(node, context)
        if form != MAP_FORM:
            refuse_node("unknown-campaign-form", node, given=str(form), detail=str(MAP_FORM))
        return {}, context

    @classmethod
    def list_common_keys(cls) -> tuple[KeySpec, ...]:
        return (KeySpec("map", INTEGER, f"the form of the document: `{MAP_FORM}`", required=True),)

    def find_territory(self, name: str) -> Territory | None:
        return next((territory for territory in self.territories if territory.name == name), None)

    def find_root(self, territory: Territory) -> Territory:
        """Return the outermost territory around a territory, or itself."""
        by_name = {one.name: one for one in self.territories}
        while territory.parent:
            territory = by_name[territory.parent.value]
        return territory

    def list_neighbours(self) -> dict[str, set[str]]:
        """Return the names of each territory's neighbours.

        >>> read_map("map: 1\\nplaces: [Mill, {name: Ford, next to: Mill}]").list_neighbours()
        {'Mill': {'Ford'}, 'Ford': {'Mill'}}
        """
        neighbours: dict[str, set[str]] = {territory.name: set() for territory in self.territories}
        for territory in self.territories:
            for other in filter(None, (*territory.neighbours, territory.parent)):
                neighbours[territory.name].add(other.value)
                neighbours[other.value].add(territory.name)
        return neighbours


NO_MAP = CampaignMap()


def read_map(text: str) -> CampaignMap | Unreadable:
    """Read the map of a campaign. Players are not looked up.

    >>> read_map("map: 1\\nplaces:\\n- Mill\\n- {name: Ford, next to: Mil}").suggestions
    ('Mill',)
    """
    try:
        root = read_source(text.encode(), Media.AUTO)
        campaign_map = read_section(CampaignMap, root, None)
        if len(campaign_map.territories) > MOST_TERRITORIES:
            refuse_node("too-big", root, given=str(len(campaign_map.territories)), detail=str(MOST_TERRITORIES))
        _check_names(campaign_map)
        _check_parents(campaign_map)
    except UnreadableError as error:
        return error.unreadable
    return campaign_map


def _check_names(campaign_map: CampaignMap) -> None:
    """Refuse doubles and unknown neighbours. A former name that is still in use would be two territories."""
    taken: set[str] = set()
    for territory in campaign_map.territories:
        for name in filter(None, (territory.name, territory.former.value)):
            if name.casefold() in taken:
                refuse_node("duplicate-key", line=territory.where.line, given=name)
            taken.add(name.casefold())
    names = [territory.name for territory in campaign_map.territories]
    for territory in campaign_map.territories:
        for other in filter(None, (*territory.neighbours, territory.parent)):
            if other.value == territory.name:
                refuse_node("place-in-itself", line=other.line, column=other.column, given=other.value)
            if other.value not in names:
                likely = tuple(get_close_matches(other.value, names, n=1))
                refuse_node(
                    "unknown-place", line=other.line, column=other.column, given=other.value, suggestions=likely
                )


def _check_parents(campaign_map: CampaignMap) -> None:
    parents = {territory.name: territory.parent.value for territory in campaign_map.territories}
    for territory in campaign_map.territories:
        above, passed = territory.parent.value, set()
        while above and above not in passed:
            passed.add(above)
            above = parents[above]
        if territory.name in passed:
            refuse_node("place-in-itself", line=territory.where.line, given=territory.name)


# ---- who holds what --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Fight:
    """A counted game over a territory, by its meeting's number. `winner` is None after a draw."""

    territory: str
    number: int
    played: datetime
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A time in which a territory has one holder, or none. The next hold of the territory ends it.

    The first hold is from the map, without `since`. A `fight` gave the territory to the holder; without one, the holder
    before has left.
    """

    holder: int | None
    since: datetime | None = None
    fight: Fight | None = None


def fold_holds(
    starts: Mapping[str, int | None], fights: Iterable[Fight], gone: Mapping[int, datetime]
) -> dict[str, list[Hold]]:
    """Return the holds of each territory of `starts`, from fights in the order in which they were played.

    The winner takes or keeps the territory, and a draw leaves it. A territory is free once its holder left, at a
    moment in `gone`. Fights over other territories are ignored.
    """
    holds = {name: [Hold(holder=holder)] for name, holder in starts.items()}
    for fight in fights:
        past = holds.get(fight.territory)
        if past is None:
            continue
        _free_territory(past, gone, fight.played)
        if fight.winner not in (None, past[-1].holder):
            past.append(Hold(holder=fight.winner, since=fight.played, fight=fight))
    for past in holds.values():
        _free_territory(past, gone, None)
    return holds


def _free_territory(past: list[Hold], gone: Mapping[int, datetime], before: datetime | None) -> None:
    """End the last hold if its holder left, at any time or `before` a moment."""
    last = past[-1]
    left = gone.get(last.holder) if last.holder is not None else None
    if left is not None and (before is None or left < before):
        past.append(Hold(holder=None, since=max(left, last.since or left)))


def sum_supply(campaign_map: CampaignMap, holders: Mapping[str, int]) -> dict[int, int]:
    """Return the supply of each player who holds a territory."""
    supply: dict[int, int] = {}
    for territory in campaign_map.territories:
        holder = holders.get(territory.name)
        if holder is not None:
            supply[holder] = supply.get(holder, 0) + territory.supply
    return supply


def find_obstacle(
    neighbours: Mapping[str, set[str]], holders: Mapping[str, int], contested: Collection[str], player: int, name: str
) -> str:
    """Return why a player cannot attack a territory, or "".

    `unknown-place`, `own-place`, `contested-place`, or `far-place` if they hold no neighbour. Players without a
    territory can attack any, and all can attack a territory without neighbours.
    """
    if name not in neighbours:
        return "unknown-place"
    if holders.get(name) == player:
        return "own-place"
    if name in contested:
        return "contested-place"
    held = {territory for territory, holder in holders.items() if holder == player}
    if held and neighbours[name] and not neighbours[name] & held:
        return "far-place"
    return ""
