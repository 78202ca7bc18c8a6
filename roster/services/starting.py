"""Games for a new list, and a game's grouped factions."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from catalogue.models import Faction, GameSystem
from catalogue.services.published_games import select_own_shelf, select_readable_games, select_shelf
from catalogue.services.search import split_words
from catalogue.services.texts import fold_text
from roster.services.owners import Visitor
from roster.services.rosters import list_rosters

MOST_EMBLEMS, FEWEST_EMBLEMS = 12, 4
MANY_GAMES = 36
"""Above this number of games on a page, each shows fewer emblems."""
MOST_PLAYED = 4
LISTS_LOOKED_AT = 40
"""How many of a visitor's last lists decide which games count as played."""

_LEGENDS = ("[legends]", "(legends)")
_BETWEEN = " - "
_THOUSANDS = re.compile(r"(\d+)[,. ]?000\b")
_NAME_PART = re.compile(r"(\d+)\w*|(\w)\w*")
"""A number with its suffix, or a word, which players shorten to its first letter."""


@dataclass(frozen=True, slots=True)
class GameTile:
    """`about` distinguishes games of one name. A search matched `faction`."""

    game: GameSystem
    faction_count: int
    about: str = ""
    faction: Faction | None = None


@dataclass(frozen=True, slots=True)
class GameShelf:
    """`total` counts all matches, even if fewer are shown."""

    played: list[GameTile]
    others: list[GameTile]
    total: int

    @property
    def tiles(self) -> list[GameTile]:
        return [*self.played, *self.others]


@dataclass(frozen=True, slots=True)
class FactionChoice:
    """`name` is the players' name; `about` distinguishes factions of one name."""

    row: Faction
    name: str
    about: str = ""
    renown: list["FactionChoice"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FactionGroup:
    title: str
    factions: list[FactionChoice]

    @property
    def choices(self) -> list[FactionChoice]:
        return [choice for faction in self.factions for choice in (faction, *faction.renown)]


def list_available_games(reader: int | None = None) -> QuerySet[GameSystem]:
    return select_readable_games(reader).order_by("example", "name", "edition", "slug")


def arrange_games(played: Iterable[int], text: str = "", most: int | None = None) -> GameShelf:
    """List games for a new list, `played` games (ids) first."""
    words = split_words(text)
    rows = _search_games(words).values_list("pk", "title", "name", "edition")
    names = {pk: (title or name, edition) for pk, title, name, edition in rows}
    first = [pk for pk in dict.fromkeys(played) if pk in names][:MOST_PLAYED]
    # "aos" is also part of "Chaos": prefer games of that name.
    ranked = sorted(names, key=lambda pk: not all(is_game_called(names[pk][0], word) for word in words))
    visible = list(dict.fromkeys((*first, *ranked)))[:most]
    tiles = _build_tiles(visible, names, words)
    return GameShelf(tiles[: len(first)], tiles[len(first) :], len(names))


def _build_tiles(visible: Sequence[int], names: Mapping[int, tuple[str, str]], words: list[str]) -> list[GameTile]:
    emblems = FEWEST_EMBLEMS if len(visible) > MANY_GAMES else MOST_EMBLEMS
    twins = Counter(names.values())
    factions = _find_searched_factions({pk: names[pk][0] for pk in visible}, words) if words else {}
    games = {game.pk: game for game in select_shelf(emblems).filter(pk__in=visible)}
    tiles = []
    for pk in visible:
        game, about = games[pk], ""
        if twins[names[pk]] > 1:
            # Source, version and slug distinguish games with the same name.
            source = game.publisher or (_("Community data") if game.shown_version.is_community else "")
            parts = (source, game.shown_version.label or game.shown_version.short_hash, game.slug)
            about = ", ".join(part for part in parts if part)
        tiles.append(GameTile(game, game.faction_count, about, factions.get(pk)))
    return tiles


def list_own_tiles(reader: int | None) -> list[GameTile]:
    games = select_own_shelf(reader, MOST_EMBLEMS)
    return [
        GameTile(game, game.faction_count, game.shown_version.label or game.shown_version.short_hash) for game in games
    ]


def list_played_games(visitor: Visitor) -> list[int]:
    rows = list_rosters(visitor).values_list("version__game_id", flat=True)[:LISTS_LOOKED_AT]
    return list(dict.fromkeys(rows))


def _search_games(words: Sequence[str]) -> QuerySet[GameSystem]:
    games = list_available_games()
    names = list(games.values_list("pk", "name", "title")) if words else []
    for word in words:
        called = [pk for pk, *titles in names if any(is_game_called(title, word) for title in titles)]
        named = Q(pk__in=called) | Q(name__icontains=word) | Q(title__icontains=word) | Q(edition__icontains=word)
        of_faction = Faction.objects.filter(name__icontains=word).values("version_id")
        games = games.filter(named | Q(publisher__icontains=word) | Q(current__in=of_faction))
    return games


def _find_searched_factions(names: Mapping[int, str], words: list[str]) -> dict[int, Faction]:
    left = {pk: [word for word in words if not is_game_called(name, word)] for pk, name in names.items()}
    factions = Faction.objects.filter(version__current_of__in=[pk for pk in left if left[pk]])
    first_factions: dict[int, Faction] = {}
    for faction in factions.select_related("version").order_by("-position"):
        pk, name = faction.version.game_id, fold_text(faction.name)
        if all(word in name for word in left[pk]):
            first_factions[pk] = faction
    return first_factions


def is_game_called(name: str, word: str) -> bool:
    """Return whether a word is part of a game's name or abbreviation: initials, numbers, thousands as "k".

    >>> is_game_called("Warhammer The Old World", "tow"), is_game_called("Warhammer 40,000 10th Edition", "40k")
    (True, True)
    >>> is_game_called("Age of Sigmar 4.0", "aos4"), is_game_called("Age of Sigmar 4.0", "a")
    (True, False)
    """
    plain = _THOUSANDS.sub(r"\1k", fold_text(name))
    initials = "".join(number or letter for number, letter in _NAME_PART.findall(plain))
    return len(word) > 1 and (word in plain or word in initials)


def group_factions(factions: Iterable[Faction]) -> list[FactionGroup]:
    """Group factions by alliance, armies of renown below their faction, legends last.

    "Imperium - Space Marines" is of the alliance Imperium if other factions are; "Seraphon - Star Host" is an army of
    renown.
    """
    rows = list(factions)
    names = {row.name.strip() for row in rows}
    # A prefix that only one faction has may be part of its name.
    heads = Counter(_get_head(row.name) for row in rows)
    alliances = {head for head, times in heads.items() if times > 1} - names
    # Factions without an alliance come first.
    groups: dict[str, list[FactionChoice]] = {"": []}
    renown: dict[str, list[FactionChoice]] = {}
    legends: list[FactionChoice] = []
    twins = Counter(_name_faction(row) for row in rows)
    for row in rows:
        head, name = _get_head(row.name), _name_faction(row)
        of_faction = head if head in names else ""
        # Legends first, because an army of renown may be a legend.
        if row.name.strip().casefold().endswith(_LEGENDS):
            legends.append(FactionChoice(row, name, of_faction))
        elif of_faction:
            renown.setdefault(of_faction, []).append(FactionChoice(row, name, of_faction))
        else:
            group = groups.setdefault(head if head in alliances else "", [])
            group.append(FactionChoice(row, name, row.name.strip() if twins[name] > 1 else ""))
    for group in groups.values():
        for choice in group:
            choice.renown.extend(renown.pop(choice.row.name.strip(), ()))
    legends += [choice for choices in renown.values() for choice in choices]
    titled = (*groups.items(), (_("Legends"), legends))
    return [FactionGroup(title, choices) for title, choices in titled if choices]


def _name_faction(row: Faction) -> str:
    name = row.heading
    return name[: -len(_LEGENDS[0])].strip() if name.strip().casefold().endswith(_LEGENDS) else name


def _get_head(name: str) -> str:
    head, between, _rest = name.strip().partition(_BETWEEN)
    return head if between else ""
