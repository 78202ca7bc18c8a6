"""The rule ledger: every rule of a game's book, and whether it is carried out.

That is never claimed, only shown. Each rule names its clauses; a clause counts while a worked list that breaks it is
found to break just the rules it says, and one that keeps it is found to keep them. A rule counts as implemented when
every clause of it does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.conf import settings

from catalogue.definitions.rulebook import Clause, RuleEntry, RuleKind, RuleStage
from catalogue.formats.packs.load import LISTS, PROOFS, REAL, UNITS, find_pack, read_pack
from catalogue.models import PackVersion
from catalogue.services.documents import dataset_for
from catalogue.services.lru import Lru
from roster.engine.compile import compile_ruleset
from roster.engine.report import Report
from roster.formats.list_document import ListDocument, Media, Unreadable
from roster.services.list_check import check_document
from roster.services.rulesets import Books
from roster.services.worked_lists import departure_of, worked_lists

JUDGED = (RuleStage.LIST, RuleStage.MATCH, RuleStage.SETUP)
"""The stages whose rules a list, or a list with its game plan, can break."""


class State(StrEnum):
    """Carried out and shown to be, in part or not at all; or nothing that a list could break."""

    IMPLEMENTED = "implemented"
    PARTLY = "partly"
    OPEN = "open"
    SHOWN = "shown"


class Gap(StrEnum):
    """Why a clause does not count as implemented."""

    DECLARED = "the pack says that it is not carried out yet"
    UNBROKEN = "no list breaks it"
    UNKEPT = "no list keeps it"
    BOTH = "no list is about it"
    NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A worked list and how it was judged. `holds`: just as it says of itself.

    `breaks` and `keeps` are claims, `rule/clause` or `rule`; what a list is warned of counts as broken.
    """

    name: str
    file: str
    why: str
    breaks: frozenset[str]
    keeps: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerClause:
    """A clause with the lists that show it broken and kept. `rule_id` is the rule whose clause it is."""

    rule_id: str
    clause: Clause
    gap: Gap
    breaking: tuple[Proof, ...]
    keeping: tuple[Proof, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRule:
    """A rule with its clauses; a rule that no list could break has none."""

    entry: RuleEntry
    state: State
    clauses: tuple[LedgerClause, ...] = ()

    @property
    def breaking(self) -> tuple[Proof, ...]:
        return tuple(dict.fromkeys(proof for clause in self.clauses for proof in clause.breaking))

    @property
    def keeping(self) -> tuple[Proof, ...]:
        return tuple(dict.fromkeys(proof for clause in self.clauses for proof in clause.keeping))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """All rules of a version, and the lists that are not judged as they say."""

    rules: tuple[LedgerRule, ...]
    failing: tuple[Proof, ...]
    books: Books

    @property
    def tally(self) -> Counter[State]:
        return Counter(rule.state for rule in self.rules)


_ledgers: Lru[str, Ledger] = Lru(16)


def read_ledger(version: PackVersion) -> Ledger:
    """Return the ledger of a version, made once per process and content; empty for data that lists no rules."""
    return _ledgers.get(version.content_hash, lambda: _build_ledger(version))


def forget_ledgers() -> None:
    """Let all ledgers go, for tests."""
    _ledgers.clear()


def _build_ledger(version: PackVersion) -> Ledger:
    system = dataset_for(version).game_system
    packs: Path = settings.ARMYBUILDER["PACKS_DIR"]
    pack = find_pack(version.game.slug, packs) if system.rulebook else None
    proofs = (*_evaluate_pack_lists(version, pack), *_evaluate_invented_lists(pack)) if pack else ()
    return Ledger(
        rules=evaluate_rules(system.rulebook, proofs),
        failing=tuple(proof for proof in proofs if not proof.holds),
        books={book.id: book for book in system.publications},
    )


def _evaluate_pack_lists(version: PackVersion, pack: Path) -> Iterator[Proof]:
    """Judge the pack's lists of its own units by the rules of this version."""
    for folder in (pack / LISTS, pack / PROOFS / REAL):
        for path in sorted(folder.glob("*.yaml")):
            checked = check_document(path.read_bytes(), Media.YAML)
            if not isinstance(checked, Unreadable) and checked.version.pk == version.pk:
                yield build_proof(checked.document, checked.judged.report, path)


def _evaluate_invented_lists(pack: Path) -> Iterator[Proof]:
    """Judge the pack's lists of invented units, for rules that no printed unit can break."""
    data = read_pack(pack, pack / PROOFS / UNITS).data if (pack / PROOFS).is_dir() else None
    if data is None:
        return
    for worked in worked_lists(compile_ruleset(data), pack / PROOFS):
        if worked.document and worked.report:
            yield build_proof(worked.document, worked.report, worked.path)


def build_proof(document: ListDocument, report: Report, path: Path) -> Proof:
    """Return what a list shows: the claims that it makes of itself, and whether its report bears them out."""
    expected = document.expected
    return Proof(
        name=document.name or path.stem,
        file=path.name,
        why=expected.why,
        breaks=frozenset((*expected.breaks, *expected.warns)),
        keeps=frozenset(expected.keeps),
        holds=departure_of(expected, report) is None,
    )


def evaluate_rules(rulebook: Iterable[RuleEntry], proofs: Sequence[Proof]) -> tuple[LedgerRule, ...]:
    """Return each rule of a book with its state, as far as the lists show it."""
    entries = {entry.id: entry for entry in rulebook}
    return tuple(_evaluate_rule(entry, entries, proofs) for entry in entries.values())


def _evaluate_rule(entry: RuleEntry, entries: dict[str, RuleEntry], proofs: Sequence[Proof]) -> LedgerRule:
    if entry.kind is RuleKind.SHOW or entry.stage not in JUDGED:
        return LedgerRule(entry=entry, state=State.SHOWN)
    # A rule that is part of others, and has nothing of its own to show, is shown by their clauses.
    shown_by = [entries[rule] for rule in entry.part_of] if entry.part_of and not entry.clauses else [entry]
    clauses = tuple(clause for rule in shown_by for clause in _evaluate_clauses(rule, proofs))
    gaps = sum(bool(clause.gap) for clause in clauses)
    state = State.IMPLEMENTED if not gaps else State.OPEN if gaps == len(clauses) else State.PARTLY
    return LedgerRule(entry=entry, state=state, clauses=clauses)


def _evaluate_clauses(entry: RuleEntry, proofs: Sequence[Proof]) -> Iterator[LedgerClause]:
    """Judge the clauses of a rule; a rule that names none is one clause itself."""
    for clause in entry.clauses or (Clause(id="", text=entry.text),):
        claims = {f"{entry.id}/{clause.id}" if clause.id else entry.id}
        if len(entry.clauses) == 1:
            claims.add(entry.id)
        breaking = tuple(proof for proof in proofs if proof.holds and claims & proof.breaks)
        keeping = tuple(proof for proof in proofs if proof.holds and claims & proof.keeps)
        yield LedgerClause(
            rule_id=entry.id,
            clause=clause,
            gap=Gap.DECLARED if clause.open else _find_gap(breaking, keeping),
            breaking=breaking,
            keeping=keeping,
        )


def _find_gap(breaking: Sequence[Proof], keeping: Sequence[Proof]) -> Gap:
    if breaking and keeping:
        return Gap.NONE
    if not breaking and not keeping:
        return Gap.BOTH
    return Gap.UNKEPT if breaking else Gap.UNBROKEN
