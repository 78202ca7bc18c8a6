"""Serialise a pasted list for the API and the command line."""

from typing import Any

from catalogue.definitions.numbers import Number, format_number
from roster.formats.text.line_answers import make_line_key
from roster.formats.text.pasted import AS_READ, PastedItem, PastedUnit
from roster.services.pasted_lists import ReadPaste
from roster.wording.api_payload import serialize_error, serialize_list
from roster.wording.pasted import explain_doubt, explain_force, name_edition, name_paste_verdict


def serialize_paste(read: ReadPaste) -> dict[str, Any]:
    """Return one pasted list. Verdict and names need its game to be installed."""
    claims = read.pasted.claims
    return {
        "layout": read.pasted.layout.value,
        "claims": {
            "name": claims.title,
            "game": claims.game,
            "faction": claims.faction,
            "detachments": claims.detachments,
            "size": claims.size,
            "limit": _format(claims.limit),
            "total": _format(claims.total),
            "units": claims.units,
            "player": claims.player,
            "made_with": claims.made_with,
        },
        "units": [_serialize_unit(unit) for unit in read.pasted.units],
        "lines": [
            {
                "line": line.number,
                "text": line.text,
                "kind": line.kind.value,
                "reading": line.reading.value,
                "key": make_line_key(line.text) if line.text.strip() else "",
            }
            for line in read.lines
        ],
        "sums": [
            {
                "kind": check.kind.value,
                "line": check.line,
                "name": check.name,
                "stated": format_number(check.stated),
                "computed": format_number(check.computed),
                "holds": check.holds,
            }
            for check in read.sums
        ],
        "names": [
            {
                "line": name.line,
                "written": name.written,
                "meant": name.resolved,
                "reading": name.reading.value,
                "key": name.key,
                "settled": name.settled,
                "choices": [{"value": value, "name": label} for value, label in name.choices],
            }
            for name in read.names or ()
        ],
        "points": [
            {
                "line": unit.line,
                "name": unit.name,
                "claimed": format_number(unit.claimed),
                "computed": format_number(unit.computed),
            }
            for unit in read.points or ()
        ],
        "edition": _serialize_editions(read),
        "force": _serialize_forces(read),
        "game": read.faction.version.game.slug if read.faction else "",
        "faction": read.faction.faction_id if read.faction else "",
        "verdict": read.verdict or None,
        "word": name_paste_verdict(read),
        "doubts": [
            {"kind": doubt.kind.value, "line": doubt.line, "text": explain_doubt(doubt)} for doubt in read.pasted.doubts
        ],
        "unreadable": serialize_error(read.unreadable) if read.unreadable else None,
        "judged": serialize_judged(read),
    }


def serialize_judged(read: ReadPaste) -> dict[str, Any] | None:
    """Return the evaluated list, which is not legal unless all of its text was read."""
    if read.checked is None:
        return None
    payload = serialize_list(read.checked.evaluated_list)
    if read.verdict == AS_READ:
        payload |= {"verdict": AS_READ, "word": name_paste_verdict(read), "legal": False}
    return payload


def _serialize_editions(read: ReadPaste) -> dict[str, Any]:
    editions = read.editions
    return {
        "key": read.edition_key,
        "value": editions.chosen.value if editions.chosen else "",
        "sure": editions.is_sure,
        "settled": editions.is_settled,
        "choices": [
            {
                "value": edition.value,
                "name": name_edition(edition),
                "units": edition.names,
                "known": edition.matches,
                "equal": edition.equal,
            }
            for edition in editions.offered
        ],
    }


def _serialize_forces(read: ReadPaste) -> dict[str, Any]:
    forces = read.forces
    return {
        "key": read.force_key,
        "value": forces.chosen.entry.id if forces.chosen else "",
        "sure": forces.is_sure,
        "settled": forces.is_settled,
        "choices": [
            {
                "value": fit.entry.id,
                "name": fit.entry.name,
                "units": fit.units,
                "placed": fit.placed,
                "note": explain_force(fit),
            }
            for fit in forces.offered
        ],
    }


def _format(number: Number | None) -> str | None:
    return None if number is None else format_number(number)


def _serialize_unit(unit: PastedUnit) -> dict[str, Any]:
    return {
        "line": unit.line,
        "name": unit.name,
        "points": _format(unit.points),
        "models": unit.count,
        "section": unit.section,
        "options": [_serialize_item(item) for item in unit.items],
    }


def _serialize_item(item: PastedItem) -> dict[str, Any]:
    return {
        "name": item.name,
        "count": item.count,
        "role": item.role.value,
        "options": [_serialize_item(inner) for inner in item.items],
    }
