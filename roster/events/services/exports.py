import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from roster.events.models import Decision, Event, EventComment, Pairing, Penalty, Recheck, Submission
from roster.events.services.audit import name_person, record_act
from roster.events.services.judging import load_event_rules
from roster.events.services.pairings import TableLine, count_standings
from roster.events.services.teams import list_doubled, list_teams
from roster.formats.text.csv_table import protect_cell

Row = dict[str, Any]
NESTED = ("document", "report", "rules", "text")
"""Columns that are too large for a cell, so only JSON has them."""


def export_event(event: Event, user: User) -> dict[str, Any]:
    """Return all data of an event by table. The log records it, because it shows every list."""
    record_act(event, user, "export")
    submissions = Submission.objects.filter(participant__event=event).select_related("participant", "version")
    roles = event.roles.select_related("user__player_name")
    aliases = event.aliases.select_related("participant").order_by("alias")
    return {
        "event": _describe_event(event),
        "players": _list_players(event),
        "teams": _list_teams(event),
        "roles": [
            {"name": name_person(role.user), "role": role.kind, "blind": role.is_blind, "since": role.created}
            for role in roles
        ],
        "aliases": [
            {"alias": one.alias, "player": one.participant.public_id, "name": one.participant.name} for one in aliases
        ],
        "submissions": [_describe_submission(one) for one in submissions],
        "rechecks": list(_list_rechecks(event)),
        "decisions": list(_list_decisions(event)),
        "penalties": list(_list_penalties(event)),
        "pairings": [describe_pairing(one) for one in event.pairings.select_related("first", "second")],
        "standings": [describe_standing(line) for line in count_standings(event, event.pairings.all())],
        "comments": list(_list_comments(event)),
        "checks": list(_list_checks(event)),
        "log": list(_list_log(event)),
    }


def write_event_json(exported: Mapping[str, Any]) -> bytes:
    return json.dumps(exported, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()


def write_event_tables(exported: Mapping[str, Any]) -> bytes:
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("event.csv", write_csv([exported["event"]]))
        for name, rows in exported.items():
            if name != "event":
                archive.writestr(f"{name}.csv", write_csv(rows))
    return archived.getvalue()


def write_csv(rows: Iterable[Row]) -> str:
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        # Players write the names in lists, and a spreadsheet would run a cell that begins with `=`.
        cells = {name: protect_cell(_format_value(value)) for name, value in row.items() if name not in NESTED}
        if writer is None:
            writer = csv.DictWriter(out, cells.keys())
            writer.writeheader()
        writer.writerow(cells)
    return out.getvalue()


def _format_value(value: Any) -> str:
    match value:
        case None:
            return ""
        case dict():
            return "; ".join(f"{name}: {one}" for name, one in value.items())
        case list() | tuple():
            return "; ".join(map(str, value))
        case date():
            return value.isoformat()
    return str(value)


def _describe_event(event: Event) -> Row:
    fields = (
        *("public_id", "name", "text", "place", "starts", "status", "rules", "rules_hash", "zone", "deadline"),
        *("reveal_faction", "reveal_roster", "reveal_deck", "reveal_reserves", "is_team", "team_size", "seats"),
        *("accepts_late", "shares_numbers", "reminder_hours", "penalty_table", "mapping", "created", "updated"),
    )
    row = {name: getattr(event, name) for name in fields}
    row["windows"] = [f"{window.starts.isoformat()}/{window.ends.isoformat()}" for window in event.windows.all()]
    homebrew = {"homebrew": event.homebrew.key, "homebrew_name": event.homebrew.name} if event.homebrew else {}
    return row | {"game": event.version.game.slug, "version": event.version.content_hash} | homebrew


def _list_players(event: Event) -> list[Row]:
    columns = (
        *("public_id", "name", "email", "is_reserve", "dropped", "status", "verdict", "faction", "points", "claimed"),
        *("violations", "unchecked", "late_seconds", "uncovered", "received"),
    )
    # One call for all players, because it compares the lists of whole teams.
    doubled = list_doubled(event)
    rows = []
    for player in event.participants.select_related("team", "current", "locked", "late_pass"):
        row = {name: getattr(player, name) for name in columns}
        late_pass = getattr(player, "late_pass", None)
        row |= {
            "team": player.team_name,
            "doubled": doubled.get(player.pk, ""),
            "current": player.current.number if player.current else None,
            "locked": player.locked.number if player.locked else None,
            "late_pass": late_pass.expires if late_pass else None,
        }
        rows.append(row)
    return rows


def _list_teams(event: Event) -> list[Row]:
    return [
        {
            "public_id": state.team.public_id,
            "name": state.team.name,
            "captain": name_person(state.team.captain),
            "status": state.status,
            "verdict": state.verdict,
            "doubled": state.doubled,
            "lacking": state.lacking,
            "players": [member.name for member in state.players],
            "reserves": [member.name for member in state.reserves],
        }
        for state in list_teams(event, load_event_rules(event).rules.same_faction.most)
    ]


def _describe_submission(submission: Submission) -> Row:
    return {
        "player": submission.participant.public_id,
        "name": submission.participant.name,
        "number": submission.number,
        "received": submission.created,
        "source": submission.source,
        "faction": submission.faction,
        "points": submission.points,
        "claimed": submission.claimed,
        "verdict": submission.verdict,
        "doubled": submission.doubled,
        "violations": submission.violations,
        "unchecked": submission.unchecked,
        "units": [f"{count} {name}" for name, count, _emblem in submission.units],
        "differences": submission.differences,
        "correction": [text for text, _covered in submission.correction],
        "uncovered": [text for text, covered in submission.correction if not covered],
        "remarks": submission.remarks,
        "compared": [f"{name}: {claimed} / {computed}" for name, claimed, computed in submission.compared],
        "late_seconds": submission.late_seconds,
        "received_hash": submission.received_hash,
        "content_hash": submission.content_hash,
        "version": submission.version.content_hash if submission.version else "",
        "rules_hash": submission.rules_hash,
        "rules": submission.rules,
        "document": json.loads(submission.document) if submission.document else None,
        "text": submission.text,
        "report": submission.report,
    }


def _list_rechecks(event: Event) -> Iterable[Row]:
    rechecks = Recheck.objects.filter(submission__participant__event=event)
    for one in rechecks.select_related("submission__participant", "version").order_by("pk"):
        yield {
            **_name_submission(one.submission),
            "verdict": one.verdict,
            "points": one.points,
            "version": one.version.content_hash if one.version else "",
            "rules_hash": one.rules_hash,
            "when": one.created,
            "report": one.report,
        }


def _name_submission(submission: Submission) -> Row:
    return {
        "player": submission.participant.public_id,
        "name": submission.participant.name,
        "number": submission.number,
    }


def _list_decisions(event: Event) -> Iterable[Row]:
    decisions = Decision.objects.filter(submission__participant__event=event)
    for one in decisions.select_related("submission__participant", "author__player_name").order_by("pk"):
        yield {
            **_name_submission(one.submission),
            "status": one.status,
            "reason": one.reason,
            "covers": one.covers,
            "by": name_person(one.author),
            "when": one.created,
        }


def _list_penalties(event: Event) -> Iterable[Row]:
    penalties: QuerySet[Penalty] = Penalty.objects.filter(participant__event=event)
    for one in penalties.select_related("participant", "decided_by__player_name"):
        yield {
            "player": one.participant.public_id,
            "name": one.participant.name,
            "offence": one.offence,
            "severity": one.severity,
            "points": one.points,
            "rule": one.rule,
            "reason": one.reason,
            "state": one.state,
            "by": name_person(one.decided_by),
            "when": one.decided,
        }


def describe_pairing(pairing: Pairing) -> Row:
    return {
        "round": pairing.round,
        "table": pairing.table,
        "player": pairing.first.public_id,
        "name": pairing.first.name,
        "opponent": pairing.second.public_id if pairing.second else "",
        "opponent_name": pairing.second.name if pairing.second else "",
        "points": pairing.first_points,
        "opponent_points": pairing.second_points,
        "published": pairing.published,
    }


def describe_standing(line: TableLine) -> Row:
    return {
        "place": line.place,
        "player": line.player.public_id,
        "name": line.player.name,
        "team": line.player.team_name,
        "played": line.played,
        "wins": line.wins,
        "draws": line.draws,
        "losses": line.losses,
        "points": line.scored,
        "penalty": line.penalty,
        "total": line.total,
    }


def _list_comments(event: Event) -> Iterable[Row]:
    comments = EventComment.objects.filter(participant__event=event)
    for one in comments.select_related("participant", "author__player_name"):
        yield {
            "player": one.participant.public_id,
            "name": one.participant.name,
            "for": one.audience,
            "comment": one.text,
            "by": name_person(one.author),
            "when": one.created,
        }


def _list_checks(event: Event) -> Iterable[Row]:
    for player in event.participants.prefetch_related("assignments__checker", "assignments__team"):
        for one in player.assignments.all():
            yield {
                "player": player.public_id,
                "name": player.name,
                "checker": one.shown_checker,
                "due": one.due,
                "done": one.done,
                "remark": one.remark,
            }


def _list_log(event: Event) -> Iterable[Row]:
    for one in event.audit.select_related("participant").order_by("pk"):
        yield {
            "when": one.created,
            "by": one.actor_name,
            "act": one.act,
            "player": one.participant.public_id if one.participant else "",
            "name": one.participant.name if one.participant else "",
            "detail": one.detail,
        }
