"""What a list can be started with: games, those played last first, and the factions of one in groups."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from catalogue.definitions.numbers import Number
from catalogue.models import Faction, GameSystem
from catalogue.services.published_games import select_games, select_shelf
from catalogue.services.search import split_words
from roster.engine.offers import OfferedGroup, OfferedOption, list_offers
from roster.services.changes import Choose
from roster.services.evaluation import EvaluatedList
from roster.services.owners import Visitor
from roster.services.rosters import list_rosters

MOST_EMBLEMS, FEWEST_EMBLEMS = 12, 4
MANY_GAMES = 36
"""Where more games than that stand on a page, each shows the fewest emblems of its factions."""
MOST_PLAYED = 4
LISTS_LOOKED_AT = 40
"""So many of the last lists tell which games somebody plays."""

_LEGENDS = ("[legends]", "(legends)")
_BETWEEN = " - "
_STATED_LIMIT = re.compile(r"(?:(\d+)\s*[-–]\s*)?(\d+)[\s-]*(?:points?|pts)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GameTile:
    """A game to start a list in; `about` tells it from another of its name, blank where there is none."""

    game: GameSystem
    faction_count: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class GameShelf:
    """The games to choose from; `total` counts those that were found, also where fewer are shown."""

    played: list[GameTile]
    others: list[GameTile]
    total: int

    @property
    def tiles(self) -> list[GameTile]:
        return [*self.played, *self.others]


@dataclass(frozen=True, slots=True)
class FactionChoice:
    """A faction as people call it."""

    row: Faction
    name: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class FactionGroup:
    """Factions under a heading; the first group of a game may have none."""

    title: str
    factions: list[FactionChoice]


def list_available_games() -> QuerySet[GameSystem]:
    """Return the games that have data, examples last."""
    return select_games().order_by("example", "name", "edition", "slug")


def arrange_games(played: Iterable[int], text: str = "", most: int | None = None) -> GameShelf:
    """Return the games to start a list in: those `played`, by their ids, first.

    `text` is searched in names and factions. At most so many are returned as `most` says.
    """
    columns = ("pk", "title", "name", "edition")
    names = {pk: (title or name, edition) for pk, title, name, edition in _search_games(text).values_list(*columns)}
    first = [pk for pk in dict.fromkeys(played) if pk in names][:MOST_PLAYED]
    shown = list(dict.fromkeys((*first, *names)))[:most]
    emblems = FEWEST_EMBLEMS if len(shown) > MANY_GAMES else MOST_EMBLEMS
    twins = Counter(names.values())
    tiles = {
        game.pk: GameTile(game, game.faction_count, _tell_apart(game) if twins[names[game.pk]] > 1 else "")
        for game in select_shelf(emblems).filter(pk__in=shown)
    }
    rows = [tiles[pk] for pk in shown]
    return GameShelf(rows[: len(first)], rows[len(first) :], len(names))


def list_played_games(visitor: Visitor) -> list[int]:
    """List the ids of the games that somebody has lists of, the last changed first."""
    rows = list_rosters(visitor).values_list("version__game_id", flat=True)[:LISTS_LOOKED_AT]
    return list(dict.fromkeys(rows))


def _search_games(text: str) -> QuerySet[GameSystem]:
    games = list_available_games()
    for word in split_words(text):
        named = Q(name__icontains=word) | Q(title__icontains=word) | Q(edition__icontains=word)
        of_faction = Faction.objects.filter(name__icontains=word).values("version_id")
        games = games.filter(named | Q(publisher__icontains=word) | Q(current__in=of_faction))
    return games


def _tell_apart(game: GameSystem) -> str:
    """Say what tells a game from others of its name: where it comes from, and which state of it that is."""
    source = game.publisher or (_("Community data") if game.shown.is_community else "")
    return ", ".join(part for part in (source, game.shown.label or game.shown.short_hash, game.slug) if part)


def group_factions(factions: Iterable[Faction]) -> list[FactionGroup]:
    """Group factions as their names tell: by alliance, then armies of renown, then those that are legends.

    "Imperium - Space Marines" is of the alliance Imperium, if others are; "Seraphon - Star Host" is an army of renown
    of the faction Seraphon.
    """
    rows = list(factions)
    names = {row.name.strip() for row in rows}
    heads = [_get_head(row.name) for row in rows]
    alliances = _find_alliances(heads) - names
    groups: dict[str, list[FactionChoice]] = {"": []}
    renown: list[FactionChoice] = []
    legends: list[FactionChoice] = []
    for row, head in zip(rows, heads, strict=True):
        choice = _build_choice(row, head if head in names else "")
        if _is_legend(row.name):
            legends.append(choice)
        elif head in names:
            renown.append(choice)
        else:
            groups.setdefault(head if head in alliances else "", []).append(choice)
    titled = [FactionGroup(title, choices) for title, choices in groups.items()]
    titled += [FactionGroup(_("Armies of renown"), renown), FactionGroup(_("Legends"), legends)]
    return [group for group in titled if group.factions]


def _find_alliances(heads: Iterable[str]) -> set[str]:
    """Return what several factions begin with; in the name of one alone, the dash may be a part of that name."""
    return {head for head, times in Counter(heads).items() if times > 1}


def _get_head(name: str) -> str:
    """Return what stands before the last part of a name, or only before the first: the alliance or the faction."""
    head, between, _rest = name.strip().partition(_BETWEEN)
    return head if between else ""


def _is_legend(name: str) -> bool:
    return name.strip().casefold().endswith(_LEGENDS)


def _build_choice(row: Faction, about: str) -> FactionChoice:
    name = row.heading
    if _is_legend(name):
        name = name[: -len(_LEGENDS[0])].strip()
    return FactionChoice(row, name, about)


def find_size_choice(judged: EvaluatedList, limit: Number) -> Choose | None:
    """Return the choice, in the settings that a new list came with, whose name states its limit; None without one.

    Community data asks for the size a second time: "Strike Force (2000 Point limit)".
    """
    for force in judged.tree.forces:
        for selection in force.selections:
            for group in list_offers(judged.evaluation, selection.id).items:
                option = _find_stated(group, limit) if isinstance(group, OfferedGroup) else None
                if option and isinstance(group, OfferedGroup):
                    return Choose(node=selection.id, group=group.group_id, entry=option.entry_id)
    return None


def _find_stated(group: OfferedGroup, limit: Number) -> OfferedOption | None:
    """Return the only option of a group that states this limit, unless it is taken."""
    options = [option for option in group.items if isinstance(option, OfferedOption) and not option.hidden]
    stated = [option for option in options if is_limit_stated(option.name, limit)]
    return stated[0] if len(stated) == 1 and not stated[0].number else None


def is_limit_stated(name: str, limit: Number) -> bool:
    """Return whether a name says that it is for lists of so many points.

    >>> is_limit_stated("2. Strike Force (2000 Point limit)", 2000), is_limit_stated("501-1000 Points", 750)
    (True, True)
    >>> is_limit_stated("Strike Force (2000 Point limit)", 1000)
    False
    """
    stated = _STATED_LIMIT.search(name)
    return stated is not None and int(stated[1] or stated[2]) <= limit <= int(stated[2])
