from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import QuerySet

from catalogue.definitions.numbers import Number, parse_number
from catalogue.graph.ids import get_target_id
from catalogue.models import UnitEntry
from roster.engine.tree import Force
from roster.events.models import Participant
from roster.events.services.access import EventStanding, filter_public_entries
from roster.services.evaluation import decode_tree

MOST_STEPS = 8


@dataclass(frozen=True, slots=True)
class UnitPick:
    name: str
    lists: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventNumbers:
    """Factions and units by frequency, and points in ascending steps."""

    lists: int
    factions: Sequence[tuple[str, int]]
    units: Sequence[UnitPick] = ()
    points: Sequence[tuple[str, int]] = ()


def filter_counted(standing: EventStanding) -> tuple[QuerySet[Participant], bool]:
    """Return the players to count for a reader, and whether the reader may see more than factions."""
    event = standing.event
    if standing.sees_all:
        return event.participants.filter(dropped=False, current__isnull=False), True
    return filter_public_entries(event), event.shows_publicly("roster")


def count_numbers(players: QuerySet[Participant], *, in_full: bool) -> EventNumbers:
    rows = list(players.values_list("faction", "points"))
    factions = _sort_counts(Counter(faction for faction, _points in rows if faction))
    if not in_full:
        return EventNumbers(lists=len(rows), factions=factions)
    points = []
    for _faction, text in rows:
        try:
            points.append(parse_number(text))
        except ValueError:
            continue
    return EventNumbers(
        lists=len(rows), factions=factions, units=_count_units(players), points=_count_by_points(points)
    )


def _sort_counts(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda line: (-line[1], line[0]))


def _count_units(players: QuerySet[Participant]) -> list[UnitPick]:
    lists: list[Counter[str]] = []
    versions: dict[int, set[str]] = defaultdict(set)
    documents = players.exclude(current__document="").values_list("current__version", "current__document")
    for version, document in documents.iterator(chunk_size=100):
        taken = Counter(_list_entry_ids(decode_tree(document).forces))
        lists.append(taken)
        versions[version] |= taken.keys()

    # Only units get a name here, so decks, cards and settings are not counted.
    names: dict[str, str] = {}
    for version, entry_ids in versions.items():
        units = UnitEntry.objects.filter(faction__version=version).values_list("entry_id", "name")
        names |= {target: name for entry_id, name in units if (target := get_target_id(entry_id)) in entry_ids}

    in_lists: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for taken in lists:
        by_name: Counter[str] = Counter()
        for entry_id, number in taken.items():
            if entry_id in names:
                by_name[names[entry_id]] += number
        in_lists.update(by_name.keys())
        times.update(by_name)
    return [UnitPick(name, number, times[name]) for name, number in _sort_counts(in_lists)]


def _list_entry_ids(forces: Iterable[Force]) -> Iterator[str]:
    for force in forces:
        yield from (get_target_id(one.entry_id) for one in force.selections for _time in range(one.number))
        yield from _list_entry_ids(force.forces)


def _count_by_points(points: Sequence[Number]) -> list[tuple[str, int]]:
    if not points:
        return []
    lowest = int(min(points))
    width = max(1, ceil((int(max(points)) - lowest + 1) / MOST_STEPS))
    counts = Counter((int(number) - lowest) // width for number in points)
    steps = []
    for step in range(max(counts) + 1):
        start = lowest + step * width
        steps.append((str(start) if width == 1 else f"{start}–{start + width - 1}", counts[step]))
    return steps
