from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalogue.definitions.groups import group_by
from catalogue.models import UnitEntry
from roster import wording
from roster.engine.report import Verdict
from roster.formats.text.force_fit import ForceFit
from roster.formats.text.line_answers import NOTE, make_line_key
from roster.formats.text.pasted import LineKind, PastedLine, Reading
from roster.formats.text.unit_filler import ResolvedName
from roster.services.pasted_editions import Edition
from roster.services.pasted_lists import ReadPaste
from roster.wording.pasted import (
    READINGS,
    explain_doubt,
    explain_edition,
    explain_force,
    explain_guess,
    explain_missing_game,
    explain_sum,
    name_layout,
    name_paste_verdict,
    summarize_reading,
)

KINDS: Mapping[LineKind, Any] = {
    LineKind.TITLE: gettext_lazy("read as the name of the list"),
    LineKind.CLAIM: gettext_lazy("read as a statement about the list"),
    LineKind.SECTION: gettext_lazy("read as a heading"),
    LineKind.UNIT: gettext_lazy("read as a unit"),
    LineKind.OPTION: gettext_lazy("read as an option of the unit above"),
    LineKind.NOTE: gettext_lazy("read as a note"),
}
MOST_ASKED = 60
SHOWN_FORCES = 3


def present_paste(one: ReadPaste, answers: Mapping[str, str]) -> dict[str, Any]:
    evaluated_list = one.checked.evaluated_list if one.checked else None
    why_not = ""
    if not one.checked:
        why_not = str(wording.explain_unreadable(one.unreadable)) if one.unreadable else explain_missing_game(one)
    lines = [line for line in one.lines if line.text.strip()]
    names = group_by(one.open_names, lambda name: name.line)
    is_note = {line.number: answers.get(make_line_key(line.text)) == NOTE for line in lines}
    unread = [line for line in lines if line.reading is Reading.UNREAD]
    guesses = [name for name in one.open_names if name.settled or name.reading is Reading.GUESSED]
    # Names have their own questions, and sums may cast doubt on correct lines.
    settled_here = one.pasted.doubted | {name.line for name in one.open_names}
    guessed_lines = [line for line in lines if line.reading is Reading.GUESSED and line.number not in settled_here]
    compared = one.points or []
    return {
        "number": one.number,
        "title": one.pasted.claims.title or _("List without a name"),
        "layout": name_layout(one.pasted.layout),
        "summary": summarize_reading(one),
        "faction": one.faction,
        "lines": [_present_line(line, names.get(line.number, ())) for line in lines],
        "editions": _present_editions(one),
        "forces": _present_forces(one),
        "guesses": _present_guesses(one, guesses[:MOST_ASKED]),
        "open_guesses": sum(not name.settled for name in guesses),
        "unread": [_present_line(line, names.get(line.number, ())) for line in unread[:MOST_ASKED]],
        "guessed_lines": [_present_line(line, ()) for line in guessed_lines[:MOST_ASKED]],
        "open_lines": len(guessed_lines),
        "notes": [_present_line(line, ()) for line in lines if is_note[line.number]],
        "named": [
            _present_line(line, ()) | {"means": answers[make_line_key(line.text)]}
            for line in lines
            if answers.get(make_line_key(line.text)) and not is_note[line.number]
        ],
        "unit_names": one.unit_names if unread or guessed_lines else [],
        "counts": {reading.value: one.counts[reading] for reading in Reading},
        "sums": [(check.holds, explain_sum(check)) for check in one.sums],
        "points": one.differing_points,
        "equal_prices": len(compared) - len(one.differing_points),
        "prices": len(compared),
        "evaluated_list": evaluated_list,
        "verdict": one.verdict,
        "word": name_paste_verdict(one),
        "notes_make_legal": _is_legal_without(one, unread),
        "doubts": [explain_doubt(doubt) for doubt in one.pasted.doubts],
        "sentences": list(wording.format_violations(evaluated_list)) if evaluated_list else [],
        "why_not": why_not,
    }


def _present_line(line: PastedLine, names: Iterable[ResolvedName]) -> dict[str, Any]:
    return {
        "number": line.number,
        "text": line.text,
        "reading": line.reading.value,
        "word": READINGS[line.reading],
        "kind": KINDS.get(line.kind, ""),
        "key": make_line_key(line.text),
        # A name without similar ones in the unit may be a unit's. Settled names can be reset.
        "names": [_present_name(name) for name in names if name.choices or name.settled],
    }


def _present_name(name: ResolvedName) -> dict[str, Any]:
    choices = [(f"{name.key}={value}", label) for value, label in name.choices]
    agreed = next((value for value, label in choices if label == name.resolved), "")
    if name.settled:
        choices.append((f"{name.key}=", _("Look it up again")))
    return {
        "line": name.line,
        "written": name.written,
        "resolved": name.resolved,
        "choices": choices,
        "settled": name.settled,
        "agreed": "" if name.settled else agreed,
        "taken_back": f"{name.key}=",
    }


def _present_guesses(one: ReadPaste, names: Sequence[ResolvedName]) -> list[dict[str, Any]]:
    rows = UnitEntry.objects.filter(faction=one.faction, name__in={name.resolved for name in names})
    emblems = dict(rows.values_list("name", "emblem"))
    return [
        _present_name(name)
        | {
            "emblem": emblems.get(name.resolved, "") if name.key.startswith("unit:") else "",
            "reason": "" if name.settled else explain_guess(name.written, name.resolved),
        }
        for name in names
    ]


def _present_editions(one: ReadPaste) -> dict[str, Any]:
    editions = one.editions
    games = len({edition.faction.version_id for edition in editions.offered})
    is_sure = editions.chosen is not None and editions.is_sure
    if editions.is_settled:
        note = _("you chose")
    elif games > 1:
        note = _("the likeliest") if is_sure else _("several games here have these names")
    elif len(editions.offered) > 1:
        note = _("the likeliest") if is_sure else _("several factions have these units")
    else:
        note = ""
    return {
        "question": _("Which game?") if games != 1 or len(editions.offered) == 1 else _("Which faction?"),
        "note": note,
        "settled": editions.is_settled,
        "taken_back": f"{one.edition_key}=",
        "offered": [_present_edition(one, edition) for edition in editions.offered],
    }


def _present_edition(one: ReadPaste, edition: Edition) -> dict[str, Any]:
    matches, equal = explain_edition(edition)
    return {
        "choice": f"{one.edition_key}={edition.value}",
        "faction": edition.faction,
        "game": edition.faction.version.game,
        "is_community": edition.faction.version.is_community,
        "known": matches,
        "equal": equal,
        "chosen": edition is one.editions.chosen,
    }


def _present_forces(one: ReadPaste) -> dict[str, Any]:
    forces = one.forces
    if forces.is_settled:
        note = _("you chose")
    elif forces.chosen and forces.chosen.is_named:
        note = _("the text names it")
    else:
        note = _("the text doesn’t say") if len(forces.offered) > 1 else ""
    offered = sorted(forces.offered, key=lambda fit: fit is not forces.chosen)
    rows = [_present_force(one, fit) for fit in offered]
    return {
        "note": note,
        "settled": forces.is_settled,
        "taken_back": f"{one.force_key}=",
        "offered": rows[:SHOWN_FORCES],
        "more": rows[SHOWN_FORCES:],
    }


def _present_force(one: ReadPaste, fit: ForceFit) -> dict[str, Any]:
    return {
        "choice": f"{one.force_key}={fit.entry.id}",
        "name": fit.entry.name,
        "note": explain_force(fit),
        "placed": fit.placed,
        "units": fit.units,
        "fits": not (fit.short or fit.over) and fit.placed == fit.units,
        "chosen": fit is one.forces.chosen,
    }


def _is_legal_without(one: ReadPaste, unread: Iterable[PastedLine]) -> bool:
    """Return whether a list would be "Legal" if the unread lines were only notes."""
    if one.checked is None or one.checked.evaluated_list.verdict is not Verdict.LEGAL or one.pasted.doubts:
        return False
    open_lines = one.open_lines
    return bool(open_lines[Reading.UNREAD]) and not open_lines[Reading.GUESSED] and not one.misses_total and any(unread)
