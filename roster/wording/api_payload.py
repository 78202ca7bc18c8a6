"""Serialise an evaluated list and its sentences, for the API and `check_list --json`. Exact numbers are strings."""

from collections.abc import Iterable
from typing import Any

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import format_number
from roster.engine.offers import OfferedGroup, OfferedOption, Offers
from roster.engine.report import CostTotal, Location, PlaceKind, Verdict, Violation
from roster.engine.tree import Force, Selection
from roster.formats.list_document import Unreadable
from roster.formats.ros import ReadError
from roster.services.deeds import Deed, propose_deeds
from roster.services.evaluation import EvaluatedList
from roster.services.history import HistoryRow
from roster.services.ledger import LedgerRule
from roster.services.rulesets import Publications
from roster.services.upgrade_data import Comparison
from roster.wording.comparison import describe_differences, describe_missing, summarize_comparison
from roster.wording.deeds import format_deed
from roster.wording.documents import explain_unreadable
from roster.wording.figures import format_citation
from roster.wording.refusals import describe_act
from roster.wording.sentences import format_remark, format_violation, get_verdict_word

Json = dict[str, Any]


def serialize_list(evaluated_list: EvaluatedList, *, deeds: bool = False) -> Json:
    """Return verdict, costs, violations (with `deeds` if requested) and what was not checked."""
    report, books = evaluated_list.report, evaluated_list.books
    violations = [serialize_violation(violation, books) for violation in report.violations]
    if deeds:
        offered = propose_deeds(evaluated_list)
        for violation, written in zip(report.violations, violations, strict=True):
            written["deeds"] = [serialize_deed(deed) for deed in offered.get(violation.key, ())]
    return {
        "verdict": evaluated_list.verdict.value,
        "word": get_verdict_word(evaluated_list.verdict, evaluated_list.homebrew),
        # Programs must not take a list for legal by the book if a player's rules make it so.
        "legal": evaluated_list.verdict is Verdict.LEGAL and not evaluated_list.homebrew,
        "house_rules": evaluated_list.homebrew,
        "empty": evaluated_list.is_empty,
        "finished": report.is_finished,
        "costs": [serialize_cost(total) for total in report.costs if not total.hidden],
        "violations": violations,
        "unchosen": [serialize_place(place) for place in evaluated_list.open_choices],
        "unchecked": [serialize_note(note, books) for note in report.unchecked],
    }


def serialize_deed(deed: Deed) -> Json:
    return {"text": format_deed(deed), "points": format_number(deed.points), "change": deed.fields}


def serialize_cost(total: CostTotal) -> Json:
    limit = None if total.limit is None else format_number(total.limit)
    return {"type": total.type_id, "name": total.name, "value": format_number(total.value), "limit": limit}


def serialize_part(part: Force | Selection) -> Json:
    """Return a detachment or selection and all inside it. Edits name parts by id."""
    inner: tuple[Force | Selection, ...] = part.selections
    if isinstance(part, Force):
        inner = (*part.forces, *part.selections)
    return {
        "id": part.id,
        "kind": "detachment" if isinstance(part, Force) else "selection",
        "entry": part.entry_id,
        "name": part.custom_name or part.name,
        "number": 1 if isinstance(part, Force) else part.number,
        "parts": [serialize_part(child) for child in inner],
    }


def serialize_offer(offer: OfferedOption | OfferedGroup, books: Publications) -> Json:
    most = None if offer.max is None else format_number(offer.max)
    bounds = {"name": offer.name, "min": format_number(offer.min), "max": most}
    if isinstance(offer, OfferedGroup):
        inner = [serialize_offer(item, books) for item in offer.items if not _is_out_of_sight(item)]
        count = format_number(offer.count)
        return {"kind": "group", "group": offer.group_id, **bounds, "number": count, "offers": inner}
    return {
        "kind": "option",
        "entry": offer.entry_id,
        **bounds,
        "number": format_number(offer.number),
        "costs": [serialize_cost(total) for total in offer.costs if not total.hidden],
        "blocked": str(format_violation(offer.blocked, books)) if offer.blocked else "",
        "parts": list(offer.selection_ids),
    }


def serialize_offers(offers: Offers, books: Publications) -> list[Json]:
    return [serialize_offer(item, books) for item in offers.items if not _is_out_of_sight(item)]


def _is_out_of_sight(offer: OfferedOption | OfferedGroup) -> bool:
    return offer.hidden and not (offer.count if isinstance(offer, OfferedGroup) else offer.number)


def serialize_violation(violation: Violation, books: Publications) -> Json:
    sentence = format_violation(violation, books)
    return {
        "code": violation.code,
        "severity": violation.severity.value,
        "stage": violation.stage.value,
        "mendable": violation.mendable,
        "rule": violation.rule,
        "on": serialize_place(violation.on),
        "counted": {"id": violation.counted_id, "name": violation.counted},
        "measured": format_number(violation.measured),
        "allowed": format_number(violation.allowed),
        "cause": [serialize_place(place) for place in violation.cause],
        "sentence": {
            "headline": sentence.headline,
            "text": sentence.text,
            "detail": sentence.detail,
            "where": sentence.where,
            "hint": sentence.hint,
        },
        "citation": serialize_citation(violation.citation, books),
    }


def serialize_place(place: Location) -> Json:
    return {"kind": place.kind.value, "id": place.id, "entry": place.entry_id, "name": place.name}


def group_serialized(violations: Iterable[Json]) -> list[tuple[Json, int]]:
    """Return the first of the violations that say the same about equal places, and their number."""
    groups: dict[object, list[Json]] = {}
    for violation in violations:
        on = violation["on"]
        key = tuple(str(violation.get(name)) for name in ("code", "counted", "measured", "allowed", "sentence"))
        is_equal_place = on["kind"] == PlaceKind.SELECTION.value
        groups.setdefault((*key, on["entry"] if is_equal_place else len(groups)), []).append(violation)
    return [(group[0], len(group)) for group in groups.values()]


def serialize_note(note: Unchecked, books: Publications) -> Json:
    return {
        "code": note.code,
        "text": format_remark(note),
        "on": note.subject_id,
        "citation": serialize_citation(note.citation, books),
    }


def serialize_rule(rule: LedgerRule, books: Publications) -> Json:
    entry = rule.entry
    return {
        "id": entry.id,
        "name": entry.name,
        "text": entry.text,
        "kind": entry.kind.value,
        "stage": entry.stage.value,
        "state": rule.state.value,
        "reading": entry.reading,
        "caveat": entry.caveat,
        "part_of": list(entry.part_of),
        "clauses": [
            {
                "id": f"{evaluated_list.rule_id}/{evaluated_list.clause.id}",
                "text": evaluated_list.clause.text,
                "implemented": not evaluated_list.gap,
                "open": evaluated_list.clause.open,
                "broken_by": [proof.name for proof in evaluated_list.breaking],
                "kept_by": [proof.name for proof in evaluated_list.keeping],
            }
            for evaluated_list in rule.clauses
            if evaluated_list.clause.id
        ],
        "broken_by": [proof.name for proof in rule.breaking],
        "kept_by": [proof.name for proof in rule.keeping],
        "citation": serialize_citation(entry.citation, books),
    }


def serialize_citation(place: Citation, books: Publications) -> Json | None:
    if not place:
        return None
    book = books.get(place.publication_id)
    return {
        "text": format_citation(place, books),
        "book": book.name if book else "",
        "section": place.section,
        "page": place.page,
    }


def serialize_error(error: Unreadable | ReadError) -> Json:
    complaint = explain_unreadable(error)
    return {
        "code": error.code,
        "line": complaint.line,
        "column": complaint.column,
        "reason": complaint.reason,
        "mend": complaint.mend,
        "suggestions": list(error.suggestions) if isinstance(error, Unreadable) else [],
    }


def serialize_history_row(row: HistoryRow) -> Json:
    revision = row.revision
    return {
        "revision": revision.number,
        "parent": revision.parent,
        "standing": row.standing.value,
        "name": row.name,
        "act": describe_act(revision.act, revision.subject),
        "points": revision.points,
        "verdict": row.verdict,
        "house_rules": row.homebrew,
        "hash": revision.content_hash,
        "created": revision.created,
    }


def serialize_comparison(comparison: Comparison) -> Json:
    return {
        "summary": summarize_comparison(comparison),
        "differences": [{"kind": kind.value, "text": text} for kind, text in describe_differences(comparison)],
        "costs": [
            {
                "type": cost.type_id,
                "name": cost.name,
                "before": format_number(cost.before),
                "after": format_number(cost.after),
            }
            for cost in comparison.costs
        ],
        "verdicts": [verdict.value for verdict in comparison.verdicts],
        "house_rules": [one.evaluated_list.homebrew for one in (comparison.before, comparison.after)],
        "new": [serialize_violation(one, comparison.after.evaluated_list.books) for one in comparison.new],
        "gone": [serialize_violation(one, comparison.before.evaluated_list.books) for one in comparison.gone],
        "missing": list(map(describe_missing, comparison.missing)),
    }
