"""A judged list as plain JSON values, sentences included: what the API and `check_list --json` answer with.

Numbers that must stay exact are texts.
"""

from typing import Any

from catalogue.definitions.catalogues import Unchecked
from catalogue.definitions.citations import Citation
from catalogue.definitions.numbers import format_number
from roster.engine.report import CostTotal, Verdict, Violation
from roster.formats.list_document import Unreadable
from roster.formats.ros import ReadError
from roster.services.evaluation import EvaluatedList
from roster.services.ledger import LedgerClause, LedgerRule
from roster.services.rulesets import Publications
from roster.wording.citations import citation
from roster.wording.documents import unreadable
from roster.wording.sentences import sentence, verdict_word

Json = dict[str, Any]


def answer(judged: EvaluatedList) -> Json:
    """Verdict, costs, violations and what was not checked."""
    report, books = judged.report, judged.books
    return {
        "verdict": report.verdict.value,
        "word": verdict_word(report.verdict),
        "legal": report.verdict is Verdict.LEGAL,
        "costs": [cost(total) for total in report.costs if not total.hidden],
        "violations": [violation(found, books) for found in report.violations],
        "unchecked": [not_checked(note, books) for note in report.unchecked],
    }


def cost(total: CostTotal) -> Json:
    limit = None if total.limit is None else format_number(total.limit)
    return {"type": total.type_id, "name": total.name, "value": format_number(total.value), "limit": limit}


def violation(found: Violation, books: Publications) -> Json:
    said = sentence(found, books)
    return {
        "code": found.code,
        "severity": found.severity.value,
        "stage": found.stage.value,
        "mendable": found.mendable,
        "rule": found.rule,
        "on": {
            "kind": found.on.kind.value,
            "id": found.on.id,
            "entry": found.on.entry_id,
            "name": found.on.name,
        },
        "counted": {"id": found.counted_id, "name": found.counted},
        "measured": format_number(found.measured),
        "allowed": format_number(found.allowed),
        "cause": [
            {"kind": p.kind.value, "id": p.id, "entry": p.entry_id, "name": p.name} for p in found.cause
        ],
        "sentence": {
            "headline": said.headline,
            "text": said.text,
            "detail": said.detail,
            "where": said.where,
            "hint": said.hint,
        },
        "citation": cited(found.citation, books),
    }


def not_checked(note: Unchecked, books: Publications) -> Json:
    return {
        "code": note.code,
        "text": note.text,
        "on": note.subject_id,
        "citation": cited(note.citation, books),
    }


def rule_answer(rule: LedgerRule, books: Publications) -> Json:
    """A rule of the ledger, with the lists that show it broken and kept."""
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
        "clauses": [_clause(clause) for clause in rule.clauses if clause.clause.id],
        "broken_by": [proof.name for proof in rule.breaking],
        "kept_by": [proof.name for proof in rule.keeping],
        "citation": cited(entry.citation, books),
    }


def _clause(judged: LedgerClause) -> Json:
    return {
        "id": f"{judged.rule_id}/{judged.clause.id}",
        "text": judged.clause.text,
        "implemented": not judged.gap,
        "open": judged.clause.open,
        "broken_by": [proof.name for proof in judged.breaking],
        "kept_by": [proof.name for proof in judged.keeping],
    }


def cited(place: Citation, books: Publications) -> Json | None:
    """A citation in words and in parts; None for none."""
    if not place:
        return None
    book = books.get(place.publication_id)
    return {
        "text": citation(place, books),
        "book": book.name if book else "",
        "section": place.section,
        "page": place.page,
    }


def complaint(found: Unreadable | ReadError) -> Json:
    """Why a document cannot be read."""
    said = unreadable(found)
    return {
        "code": found.code,
        "line": said.line,
        "column": said.column,
        "reason": said.reason,
        "mend": said.mend,
        "suggestions": list(found.suggestions) if isinstance(found, Unreadable) else [],
    }
