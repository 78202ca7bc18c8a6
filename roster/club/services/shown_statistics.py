import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.models import Faction, GameSystem
from catalogue.services.edge import CATALOGUE, STATISTICS
from catalogue.services.published_games import identify_catalogue
from roster.club.models import FactionStatistics, GameStatistics, ListSource, SliceStatistics
from roster.club.tallies import EVERYTHING, FEWEST_PLAYERS, WonShare
from roster.formats.text.csv_table import protect_cell

HEADINGS = ("faction", "what", "name", "players", "of", "won", "drawn", "lost", "share", "low", "high")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStatistics:
    """A page's content: one slice of one source, and one of its factions. `missing` means that the requested slice is
    unknown or no longer shown.
    """

    game: GameSystem
    statistics: GameStatistics
    slices: Sequence[SliceStatistics]
    slice: SliceStatistics | None
    factions: Sequence[FactionStatistics]
    faction: FactionStatistics | None
    source: str
    missing: bool

    def list_slices(self, kind: str) -> list[SliceStatistics]:
        return [one for one in self.slices if one.source == self.source and one.kind == kind]

    @property
    def wholes(self) -> list[SliceStatistics]:
        """The slice of all lists of each source, for its sample size."""
        wholes = [one for one in self.slices if one.kind == EVERYTHING.kind]
        return sorted(wholes, key=lambda one: ListSource.values.index(one.source))


def list_statistics() -> list[SliceStatistics]:
    """Return each game's main slice: of public lists, or else of events, or else of recorded games."""
    wholes = SliceStatistics.objects.filter(
        kind=EVERYTHING.kind, source__in=ListSource.values, statistics__game__current__isnull=False
    )
    wholes = wholes.select_related("statistics__game").order_by("statistics__game__name", "statistics__game__edition")
    by_game: dict[int, SliceStatistics] = {}
    for whole in wholes:
        game = whole.statistics.game_id
        before = by_game.setdefault(game, whole)
        by_game[game] = min(before, whole, key=lambda one: ListSource.values.index(one.source))
    return list(by_game.values())


def identify_statistics(game: str = "") -> dict[str, object]:
    """Return values that change with the statistics of one game or of all, and with the catalogue."""
    counted = GameStatistics.objects.filter(game__slug=game) if game else GameStatistics.objects.all()
    return {STATISTICS: tuple(counted.order_by("pk").values_list("pk", "counted")), CATALOGUE: identify_catalogue()}


def find_shown(game: GameSystem, source: str, key: str, faction_id: str) -> ShownStatistics | None:
    """Return a game's statistics, or None if it was never counted.

    An unknown source, slice or faction gives the first one.
    """
    statistics = GameStatistics.objects.filter(game=game).first()
    if statistics is None:
        return None
    slices = list(statistics.slices.filter(source__in=ListSource.values))
    sources = [one.source for one in slices]
    shown_source = source if source in sources else min(sources, key=ListSource.values.index, default="")
    slice_key = key or EVERYTHING.kind
    of_source = [one for one in slices if one.source == shown_source]
    part = next((one for one in of_source if one.key == slice_key), None)
    missing = bool(sources) and (part is None or (bool(source) and source != shown_source))
    part = part or next(iter(of_source), None)
    factions = list(part.factions.defer("report")) if part else []
    faction = next((one for one in factions if one.faction_id == faction_id), next(iter(factions), None))
    return ShownStatistics(
        game=game,
        statistics=statistics,
        slices=slices,
        slice=part,
        factions=factions,
        # Only one report is read: together they may be large.
        faction=FactionStatistics.objects.get(pk=faction.pk) if faction else None,
        source=shown_source,
        missing=missing,
    )


def load_faces(shown_statistics: ShownStatistics) -> dict[str, Faction]:
    """Return the current factions by id, for their colours."""
    ids = [one.faction_id for one in shown_statistics.factions]
    return {
        faction.faction_id: faction
        for faction in shown_statistics.game.shown_version.factions.filter(faction_id__in=ids)
    }


# ---- files -----------------------------------------------------------------------------------------------------------


def write_statistics_json(shown_statistics: ShownStatistics, part: SliceStatistics) -> str:
    """Write one slice. Counts are players; shares and their limits are 95 % intervals by Wilson."""
    content = {
        "statistics": 1,
        "game": shown_statistics.game.slug,
        "counted": shown_statistics.statistics.counted.isoformat(),
        "source": part.source,
        "sources": [
            {"source": whole.source, "players": whole.players, "lists": whole.lists, "games": whole.games}
            for whole in shown_statistics.wholes
        ],
        "slice": {"kind": part.kind, "value": part.value, "name": part.label},
        "fewest_players": FEWEST_PLAYERS,
        "players": part.players,
        "lists": part.lists,
        "games": part.games,
        "others": {"factions": part.folded, "lists": part.others},
        "factions": [_describe_faction(row) for row in part.factions.iterator(chunk_size=20)],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _describe_faction(row: FactionStatistics) -> dict[str, Any]:
    described: dict[str, Any] = {"id": row.faction_id, "name": row.name, "players": row.players}
    report = row.read_report()
    if report is None:
        return described | {"is_being_renewed": True}
    return described | {
        "won": _describe_won(report.won),
        "units": [
            {
                "name": unit.name,
                "players": unit.players,
                "options": [{"name": name, "players": number} for name, number in unit.options],
                "won": _describe_won(unit.won),
            }
            for unit in report.units
        ],
        "choices": [{"group": group, "name": name, "players": number} for group, name, number in report.choices],
        "points": [{"from": low, "below": high, "players": number} for low, high, number in report.points],
    }


def _describe_won(won: WonShare | None) -> dict[str, Any] | None:
    """Describe results. Too few games have no share."""
    if won is None:
        return None
    counts: dict[str, Any] = {"won": won.wins, "drawn": won.draws, "lost": won.losses}
    if won.is_few:
        return counts | {"few": True}
    low, high = won.interval
    return counts | {"share": round(won.share, 4), "low": round(low, 4), "high": round(high, 4)}


def write_statistics_csv(part: SliceStatistics) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADINGS)
    for row in part.factions.iterator(chunk_size=20):
        for cells in _list_cells(row, part):
            writer.writerow([protect_cell(str(cell)) for cell in cells])
    return out.getvalue()


def _list_cells(row: FactionStatistics, part: SliceStatistics) -> Iterator[tuple[object, ...]]:
    report = row.read_report()
    won = report.won if report else None
    yield (row.name, "faction", row.name, row.players, part.lists, *_list_won_cells(won))
    if report is None:
        return
    for unit in report.units:
        yield (row.name, "unit", unit.name, unit.players, row.players, *_list_won_cells(unit.won))
        for name, number in unit.options:
            yield (row.name, "option", f"{unit.name}: {name}", number, unit.players)
    for group, name, number in report.choices:
        yield (row.name, "choice", f"{group}: {name}" if group else name, number, row.players)
    for low, high, number in report.points:
        yield (row.name, "points", f"{low:g}–{high:g}", number, row.players)


def _list_won_cells(won: WonShare | None) -> tuple[object, ...]:
    described = _describe_won(won) or {}
    return tuple(described.get(name, "") for name in ("won", "drawn", "lost", "share", "low", "high"))
