"""Count a game's lists, and store what may be shown. Pages read only stored numbers.

Documents are read in batches, so memory grows with the counts, not with the number of lists.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice

import msgspec
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from catalogue.definitions.numbers import Number, format_number, parse_number
from catalogue.graph.ids import get_target_id
from catalogue.models import DeckRule, Faction, GameSystem, PackVersion, UnitEntry
from catalogue.services.documents import load_data_set
from catalogue.services.published_games import select_games
from catalogue.services.texts import shorten
from roster.club.models import FactionStatistics, GameStatistics, ListSource, SliceStatistics
from roster.club.tallies import (
    EVERYTHING,
    DatedList,
    GameSeatList,
    ListPicks,
    Slice,
    Tally,
    choose_newest,
    report_slice,
    select_slices,
)
from roster.engine.report import Verdict
from roster.engine.tree import RosterTree, Selection, copy_with, walk_forces
from roster.events.models import Event, EventStatus, Pairing, Participant
from roster.events.models.event import ListVerdict
from roster.models import Roster, RosterRevision
from roster.models.ownership import Visibility
from roster.play.models import Game, GameSide
from roster.services.evaluation import decode_tree
from roster.services.list_search import select_public_lists

AT_ONCE = 200
"""Documents in memory."""
UNIT_TYPES = ("unit", "model")
COUNTED_VERDICTS = (ListVerdict.LEGAL, ListVerdict.AS_READ)


@dataclass(slots=True)
class _Choice:
    name: str
    emblem: str
    is_unit: bool


class _VersionChoices:
    """Each version's direct choices, by target id, without decks, which events may hide."""

    def __init__(self) -> None:
        self._versions: dict[int, dict[str, _Choice]] = {}
        self.emblems: dict[str, str] = {}
        """By name of the unit."""

    def load(self, version: int) -> Mapping[str, _Choice]:
        if version not in self._versions:
            decks = _list_decks(version)
            rows = UnitEntry.objects.filter(faction__version=version).order_by()
            choices: dict[str, _Choice] = {}
            for entry_id, name, emblem, kind, models, points in rows.values_list(
                "entry_id", "name", "emblem", "type", "models_min", "points"
            ).iterator():
                target = get_target_id(entry_id)
                if target not in decks:
                    # Some community data types units as upgrades. Choices for the whole list cost no points.
                    is_unit = kind in UNIT_TYPES or models is not None or bool(points)
                    choices[target] = _Choice(name, emblem, is_unit)
                    self.emblems.setdefault(name, emblem)
            self._versions[version] = choices
        return self._versions[version]

    def read_picks(self, version: int, tree: RosterTree) -> ListPicks:
        """Return a list's units with their options, its detachments, and choices for the whole list.

        Units have the data's names; units that the data lacks are left out.
        """
        choices = self.load(version)
        units: dict[str, frozenset[str]] = {}
        chosen: set[tuple[str, str]] = set()
        for force in walk_forces(tree):
            if force.name:
                chosen.add(("", shorten(force.name)))
            for selection in force.selections:
                choice = choices.get(get_target_id(selection.entry_id))
                if choice is None:
                    continue
                options = frozenset(_list_option_names(selection))
                if choice.is_unit:
                    units[choice.name] = units.get(choice.name, frozenset()) | options
                else:
                    chosen |= {(choice.name, option) for option in options}
        return ListPicks(units=units, choices=frozenset(chosen))


def _list_decks(version: int) -> set[str]:
    # Only packs have decks, and their data is small.
    if not DeckRule.objects.filter(faction__version=version).exists():
        return set()
    data = load_data_set(PackVersion.objects.get(pk=version))
    return {deck.entry_id for catalogue in data.catalogues for deck in catalogue.decks}


def _list_option_names(selection: Selection) -> Iterator[str]:
    for inner in selection.selections:
        if inner.name:
            yield shorten(inner.name)
        yield from _list_option_names(inner)


# ---- which lists count -----------------------------------------------------------------------------------------------


def select_counted_lists(game: GameSystem) -> QuerySet[Roster]:
    """Return the accounts' public lists that count: legal without house rules, shown in full, and not withdrawn."""
    lists = select_public_lists().filter(version__game=game, version__game__owner=None, owner__isnull=False)
    return lists.filter(verdict=Verdict.LEGAL.value, homebrew="", is_secret=False, is_uncounted=False)


def select_counted_events(game: GameSystem) -> QuerySet[Event]:
    """Return the events whose organisers publish the numbers, once lists are closed and the event has begun."""
    events = Event.objects.filter(version__game=game, version__game__owner=None, shares_numbers=True)
    return events.filter(status=EventStatus.CLOSED, starts__lte=timezone.now())


def select_counted_players(game: GameSystem) -> QuerySet[Participant]:
    """Return these events' players with a legal list, without reserves, which may be secret."""
    players = Participant.objects.filter(event__in=select_counted_events(game), is_reserve=False)
    players = players.filter(verdict__in=COUNTED_VERDICTS, current__isnull=False, current__version__isnull=False)
    return players.exclude(current__document="")


def select_counted_sides(game: GameSystem) -> QuerySet[GameSide]:
    """Return the sides of recorded games whose lists count.

    A game counts if it ended at the table with a list on each side, and is not private. Its lists count if they belong
    to accounts, were legal without house rules, and are neither hidden, private nor withdrawn.
    """
    games = Game.objects.filter(version__game=game, version__game__owner=None, ended__isnull=False, taken_down=False)
    games = games.exclude(state="").exclude(visibility=Visibility.PRIVATE)
    lists = Roster.objects.filter(owner__isnull=False, homebrew="", is_secret=False, is_uncounted=False)
    lists = lists.filter(binned=None, taken_down=False).exclude(visibility=Visibility.PRIVATE)
    others = GameSide.objects.filter(game=OuterRef("game")).exclude(pk=OuterRef("pk"))
    return GameSide.objects.filter(
        Exists(others.exclude(document="")),
        ~Exists(others.filter(document="")),
        Exists(_select_played_states().filter(verdict=Verdict.LEGAL.value)),
        game__in=games,
        roster__in=lists,
        version__isnull=False,
        conceals=False,
    ).exclude(document="")


def _select_played_states() -> QuerySet[RosterRevision]:
    """Return the states of lists that a query's sides of games copied."""
    return RosterRevision.objects.filter(roster=OuterRef("roster"), number=OuterRef("revision")).order_by()


def _list_public(game: GameSystem, versions: Mapping[int, PackVersion]) -> Iterator[DatedList]:
    """Yield the lists that count by player, newest first."""
    rows = select_counted_lists(game).order_by("owner", "-updated", "-pk")
    columns = ("pk", "owner", "faction_id", "version", "limit", "points", "updated")
    for pk, owner, faction_id, version, limit, points, updated in rows.values_list(*columns).iterator():
        yield DatedList(
            key=pk,
            player=owner,
            faction=faction_id,
            version=version,
            points=_read_points(points) if version in versions and versions[version].points_id else None,
            slices=_list_slices(limit, version, updated),
        )


def _list_slices(limit: str, version: int, moment: datetime, event: str = "") -> tuple[Slice, ...]:
    slices = [EVERYTHING, Slice("version", str(version)), Slice("month", f"{timezone.localtime(moment):%Y-%m}")]
    if limit:
        slices.append(Slice("size", limit))
    if event:
        slices.append(Slice("event", event))
    return tuple(slices)


def _read_points(text: str) -> Number | None:
    with suppress(ValueError):
        return parse_number(text)
    return None


def _list_event_lists(game: GameSystem, versions: Mapping[int, PackVersion]) -> Iterator[tuple[DatedList, RosterTree]]:
    """Yield events' lists by player, newest event first, without lists that players withdrew."""
    withdrawn = _list_withdrawn(game)
    players = select_counted_players(game).order_by(F("user").asc(nulls_first=True), "-event__starts", "-pk")
    columns = ("pk", "user", "event__public_id", "event__starts", "points", "current__content_hash")
    stream = players.values_list(*columns).iterator()
    while rows := list(islice(stream, AT_ONCE)):
        trees = _read_submissions([row[0] for row in rows])
        for pk, user, event, starts, points, content_hash in rows:
            # A player may have been deleted since.
            if pk not in trees or (user, content_hash) in withdrawn:
                continue
            version, tree = trees[pk]
            points_id = versions[version].points_id if version in versions else ""
            limit = tree.find_limit(points_id) if points_id else None
            yield (
                DatedList(
                    key=pk,
                    # Players without an account count as a different player in each event.
                    player=f"player-{pk}" if user is None else user,
                    faction=tree.faction,
                    version=version,
                    points=_read_points(points) if points_id else None,
                    slices=_list_slices("" if limit is None else format_number(limit), version, starts, event),
                ),
                tree,
            )


def _list_recorded(game: GameSystem, versions: Mapping[int, PackVersion]) -> Iterator[tuple[DatedList, RosterTree]]:
    """Yield the lists of recorded games by player, newest game first."""
    sides = select_counted_sides(game).annotate(points=Subquery(_select_played_states().values("points")[:1]))
    columns = ("pk", "roster__owner", "faction_id", "version", "points", "game__played", "document")
    rows = sides.order_by("roster__owner", "-game__played", "-pk").values_list(*columns)
    for pk, owner, faction_id, version, points, played, document in rows.iterator(chunk_size=AT_ONCE):
        tree = decode_tree(document)
        points_id = versions[version].points_id if version in versions else ""
        limit = tree.find_limit(points_id) if points_id else None
        dated = DatedList(
            key=pk,
            player=owner,
            faction=faction_id,
            version=version,
            points=_read_points(points) if points_id else None,
            slices=_list_slices("" if limit is None else format_number(limit), version, played),
        )
        yield dated, tree


def _list_withdrawn(game: GameSystem) -> set[tuple[int, str]]:
    """Return accounts and hashes of all states of their withdrawn lists, because submitted lists are copies."""
    revisions = RosterRevision.objects.filter(roster__is_uncounted=True, roster__version__game=game)
    revisions = revisions.filter(roster__owner__isnull=False).order_by()
    return set(revisions.values_list("roster__owner", "content_hash").iterator())


def _read_submissions(keys: Iterable[int]) -> dict[int, tuple[int, RosterTree]]:
    rows = Participant.objects.filter(pk__in=keys).order_by()
    columns = ("pk", "current__version", "current__faction_id", "current__document")
    return {
        pk: (version, copy_with(decode_tree(document), faction=faction))
        for pk, version, faction, document in rows.values_list(*columns)
        if faction and document
    }


# ---- counting --------------------------------------------------------------------------------------------------------


def count_public_lists(game: GameSystem, tally: Tally, choices: _VersionChoices) -> int:
    """Count each player's newest public lists. Return the number of lists."""
    versions = {version.pk: version for version in game.versions.all()}
    total = 0
    waiting: list[tuple[DatedList, list[Slice]]] = []
    for player, lists in groupby(_list_public(game, versions), key=lambda dated: dated.player):
        dated_lists = list(lists)
        total += len(dated_lists)
        chosen = list(choose_newest(dated_lists))
        tally.count_player({key for _dated, slices in chosen for key in slices}, player)
        waiting += chosen
        if len(waiting) >= AT_ONCE:
            _count_waiting(tally, choices, waiting)
            waiting = []
    _count_waiting(tally, choices, waiting)
    return total


def _count_waiting(tally: Tally, choices: _VersionChoices, waiting: Iterable[tuple[DatedList, list[Slice]]]) -> None:
    rows = Roster.objects.filter(pk__in=[dated.key for dated, _slices in waiting]).order_by()
    documents = dict(rows.values_list("pk", "document"))
    for dated, slices in waiting:
        # A list may have been deleted since.
        if dated.key in documents:
            tally.count_list(dated, slices, choices.read_picks(dated.version, decode_tree(documents[dated.key])))


def count_event_lists(game: GameSystem, tally: Tally, choices: _VersionChoices) -> int:
    """Count events' lists and their results. Return the number of lists."""
    versions = {version.pk: version for version in game.versions.all()}
    total = 0
    seats: dict[int, GameSeatList] = {}
    for player, lists in groupby(_list_event_lists(game, versions), key=lambda pair: pair[0].player):
        for dated, picks in _count_player(tally, choices, player, lists):
            total += 1
            units = tuple(picks.units)
            seats[dated.key] = GameSeatList(player=player, faction=dated.faction, units=units, slices=dated.slices)
    results = Pairing.objects.filter(event__in=select_counted_events(game), published__isnull=False).order_by()
    for first, second, mine, other in results.values_list(
        "first", "second", "first_points", "second_points"
    ).iterator():
        if first in seats and second in seats and mine is not None and other is not None:
            tally.count_game(seats[first], seats[second], (mine > other) - (mine < other))
    return total


def count_recorded_lists(game: GameSystem, tally: Tally, choices: _VersionChoices) -> int:
    """Count the lists of recorded games, without results. Return the number of sides."""
    versions = {version.pk: version for version in game.versions.all()}
    by_player = groupby(_list_recorded(game, versions), key=lambda pair: pair[0].player)
    return sum(len(_count_player(tally, choices, player, lists)) for player, lists in by_player)


def _count_player(
    tally: Tally, choices: _VersionChoices, player: Hashable, lists: Iterable[tuple[DatedList, RosterTree]]
) -> list[tuple[DatedList, ListPicks]]:
    """Count a player's newest lists. Return all lists with their picks."""
    read = [(dated, choices.read_picks(dated.version, tree)) for dated, tree in lists]
    picks = {dated.key: picks for dated, picks in read}
    chosen = list(choose_newest(dated for dated, _picks in read))
    tally.count_player({key for _dated, slices in chosen for key in slices}, player)
    for dated, slices in chosen:
        tally.count_list(dated, slices, picks[dated.key])
    return read


def count_game(game: GameSystem) -> GameStatistics:
    """Count a game's lists, and replace the stored numbers."""
    choices = _VersionChoices()
    tallies = {source: Tally() for source in ListSource}
    public_lists = count_public_lists(game, tallies[ListSource.PUBLIC], choices)
    event_lists = count_event_lists(game, tallies[ListSource.EVENTS], choices)
    game_lists = count_recorded_lists(game, tallies[ListSource.GAMES], choices)
    counts = {"public_lists": public_lists, "event_lists": event_lists, "game_lists": game_lists}
    names = _SliceNames(game)
    with transaction.atomic():
        statistics, _is_new = GameStatistics.objects.update_or_create(
            game=game, defaults=counts | {"counted": timezone.now()}
        )
        statistics.slices.all().delete()
        for source, tally in tallies.items():
            for place, key in enumerate(select_slices(tally)):
                _store_slice(statistics, source, place, key, tally, names, choices.emblems)
    return statistics


def count_all_games() -> int:
    """Count all published games, and delete other games' statistics. Return the number of games."""
    games = list(select_games())
    GameStatistics.objects.exclude(game__in=games).delete()
    for game in games:
        count_game(game)
    return len(games)


class _SliceNames:
    def __init__(self, game: GameSystem) -> None:
        self._versions = {str(version.pk): version.label or version.short_hash for version in game.versions.all()}
        self._events = dict(select_counted_events(game).values_list("public_id", "name"))
        self._factions: dict[str, tuple[str, str]] = {}
        # Of several versions, the newest names a faction.
        for faction in Faction.objects.filter(version__game=game).order_by("version__created", "version", "pk"):
            self._factions[faction.faction_id] = faction.heading, faction.identity.emblem

    def name_slice(self, key: Slice) -> str:
        return {"version": self._versions, "event": self._events}.get(key.kind, {}).get(key.value, key.value)

    def find_faction(self, faction_id: str) -> tuple[str, str]:
        return self._factions.get(faction_id, (faction_id, ""))


def _store_slice(
    statistics: GameStatistics,
    source: ListSource,
    place: int,
    key: Slice,
    tally: Tally,
    names: _SliceNames,
    emblems: Mapping[str, str],
) -> None:
    report = report_slice(tally.slices[key])
    row = SliceStatistics.objects.create(
        statistics=statistics,
        source=source,
        kind=key.kind,
        value=key.value,
        label=names.name_slice(key),
        place=place,
        players=report.players,
        lists=report.lists,
        games=report.games,
        folded=report.folded,
        others=report.others,
    )
    factions = []
    for number, (faction_id, faction) in enumerate(report.factions.items()):
        name, emblem = names.find_faction(faction_id)
        units = tuple(copy_with(line, emblem=emblems.get(line.name, "")) for line in faction.units)
        factions.append(
            FactionStatistics(
                slice=row,
                faction_id=faction_id,
                name=name,
                emblem=emblem,
                place=number,
                players=faction.players,
                won=msgspec.to_builtins(faction.won),
                report=msgspec.to_builtins(copy_with(faction, units=units)),
            )
        )
    FactionStatistics.objects.bulk_create(factions, batch_size=100)
