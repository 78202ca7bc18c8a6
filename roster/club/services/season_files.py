"""Write a season's table, results and places as files."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from catalogue.definitions.numbers import Number
from roster.club.models import LadderKind
from roster.club.services.seasons import SeasonBoard, ShownMeeting
from roster.formats.text.csv_table import protect_cell

Row = dict[str, Any]


def list_table_rows(board: SeasonBoard) -> list[Row]:
    """List the table's lines in their order, with points or with ratings."""
    is_elo = board.season.ladder == LadderKind.ELO
    return [
        {
            "place": line.place,
            "player": str(board.players[line.player]),
            "played": len(line.results),
            "won": line.results.count(1),
            "drawn": line.results.count(0),
            "lost": line.results.count(-1),
            "difference": _write_number(line.difference),
            "supply": board.supply.get(line.player, 0),
            "points": None if is_elo else line.points,
            "rating": line.rounded_rating if is_elo else None,
            "left": board.players[line.player].is_gone,
        }
        for line in board.lines
    ]


def list_result_rows(board: SeasonBoard) -> list[Row]:
    """List the meetings with their scores, then the results of events. `counts` says whether the table has them."""
    return [*map(describe_meeting, board.meetings), *list_event_rows(board)]


def describe_meeting(shown_meeting: ShownMeeting) -> Row:
    meeting, result = shown_meeting.meeting, shown_meeting.result
    return {
        "event": "",
        "round": meeting.round,
        "first": str(meeting.first),
        "second": str(meeting.second or ""),
        "first_score": _write_number(result.first_score) if result else None,
        "second_score": _write_number(result.second_score) if result else None,
        "result": result.result if result else None,
        "played": meeting.game.played.date().isoformat() if result and meeting.game else None,
        "until": meeting.until.isoformat() if meeting.until else None,
        "place": meeting.stake,
        "counts": shown_meeting.counts or shown_meeting.is_bye,
    }


def list_event_rows(board: SeasonBoard) -> list[Row]:
    return [
        {
            "event": link.event.name,
            "round": game.pairing.round,
            "first": str(game.first),
            "second": str(game.second),
            "first_score": _write_number(game.result.first_score),
            "second_score": _write_number(game.result.second_score),
            "result": game.result.result,
            "played": min(game.days).isoformat(),
            "until": None,
            "place": "",
            "counts": doubled is None,
        }
        for link, games in board.events
        for game, doubled in games
    ]


def list_place_rows(board: SeasonBoard) -> list[Row]:
    """List who held each place of the map, from the start until now; the last line of a place has no `until`.

    `how` is "map" before the first game, "won", or "left" if the holder before left the season.
    """
    meetings = {shown_meeting.meeting.pk: shown_meeting for shown_meeting in board.meetings}
    rows: list[Row] = []
    for place, holds in board.holds.items():
        ends = [hold.since for hold in holds[1:]]
        for hold, until in zip(holds, [*ends, None], strict=True):
            row: Row = {
                "place": place,
                "player": str(board.players[hold.holder]) if hold.holder else "",
                "since": hold.since.date().isoformat() if hold.since else None,
                "until": until.date().isoformat() if until else None,
                "how": "won" if hold.fight else "left" if hold.since else "map",
                "round": None,
                "opponent": "",
                "score": None,
                "opponent_score": None,
            }
            result = meetings[hold.fight.number].result if hold.fight else None
            if hold.fight and result:
                scores = _write_number(result.first_score), _write_number(result.second_score)
                is_first = result.first == hold.holder
                row["round"] = meetings[hold.fight.number].meeting.round
                row["opponent"] = str(board.players[result.second if is_first else result.first])
                row["score"], row["opponent_score"] = scores if is_first else scores[::-1]
            rows.append(row)
    return rows


def _write_number(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)


TABLES: Mapping[str, Callable[[SeasonBoard], list[Row]]] = {
    "table": list_table_rows,
    "results": list_result_rows,
    "places": list_place_rows,
}


def write_season_csv(board: SeasonBoard, table: str) -> str:
    out = io.StringIO()
    rows = TABLES[table](board)
    writer = csv.writer(out)
    writer.writerow(rows[0] if rows else ())
    for row in rows:
        # Numbers stay numbers: only text can be a formula.
        writer.writerow(protect_cell(cell) if isinstance(cell, str) else cell for cell in row.values())
    return out.getvalue()


def write_season_json(board: SeasonBoard, table: str) -> str:
    season = board.season
    content = {
        "season": 1,
        "name": season.name,
        "club": season.club.name,
        "game": season.game.slug if season.game else season.game_name,
        table: TABLES[table](board),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
