"""The rule ledger: which rules of a game's book are implemented.

A clause counts if one worked list breaks exactly its rules and another keeps them. A rule is implemented if all clauses
count and it has no caveat. Without results of the running code, rules are unproven.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from catalogue.definitions.rulebook import Clause, RuleEntry, RuleKind, RuleStage
from catalogue.models import PackVersion
from catalogue.services.documents import load_game_system
from catalogue.services.lru import Lru
from roster.services.proofs import Proof, find_source_hash, read_proofs
from roster.services.rulesets import Publications

OUTLOOK_SHARES = Path(__file__).with_name("outlook_shares.json")
"""Written by `python -m tests.outlook --write`."""
JUDGED = (RuleStage.LIST, RuleStage.MATCH, RuleStage.SETUP)
"""A list, or a list with its game plan, can break rules of these stages."""


class State(StrEnum):
    """A rule's state. A list cannot break a SHOWN rule. The lists of an UNPROVEN rule have not been evaluated."""

    IMPLEMENTED = "implemented"
    PARTLY = "partly"
    OPEN = "open"
    SHOWN = "shown"
    UNPROVEN = "unproven"


class Gap(StrEnum):
    DECLARED = "the pack says that it is not carried out yet"
    UNBROKEN = "no list breaks it"
    UNKEPT = "no list keeps it"
    BOTH = "no list is about it"
    UNJUDGED = "its lists were not judged"
    NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerClause:
    rule_id: str
    clause: Clause
    gap: Gap
    breaking: tuple[Proof, ...]
    keeping: tuple[Proof, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRule:
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
    """A version's rules and `failing` worked lists, whose verdict is wrong."""

    rules: tuple[LedgerRule, ...]
    failing: tuple[Proof, ...]
    books: Publications

    @property
    def tally(self) -> Counter[State]:
        return Counter(rule.state for rule in self.rules)


class OutlookShare(msgspec.Struct, frozen=True):
    """How many partial lists can be completed, or provably cannot (`lost`)."""

    id: str
    name: str
    lists: int
    completed: int
    lost: int
    unknown: int


@cache
def read_outlook_shares() -> tuple[OutlookShare, ...]:
    return msgspec.json.decode(OUTLOOK_SHARES.read_bytes(), type=tuple[OutlookShare, ...])


_ledgers: Lru[tuple[str, str], Ledger] = Lru(16)


def read_ledger(version: PackVersion) -> Ledger:
    source_hash = find_source_hash(version)
    return _ledgers.get((version.content_hash, source_hash), lambda: _build_ledger(version, source_hash))


def _build_ledger(version: PackVersion, source_hash: str) -> Ledger:
    system = load_game_system(version)
    proofs = read_proofs(version) if source_hash else None
    return Ledger(
        rules=evaluate_rules(system.rulebook, proofs),
        failing=tuple(proof for proof in proofs or () if not proof.holds),
        books={book.id: book for book in system.publications},
    )


def evaluate_rules(rulebook: Iterable[RuleEntry], proofs: Sequence[Proof] | None) -> tuple[LedgerRule, ...]:
    """Judge rules; all are unproven if `proofs` is None."""
    entries = {entry.id: entry for entry in rulebook}
    return tuple(_evaluate_rule(entry, entries, proofs) for entry in entries.values())


def _evaluate_rule(entry: RuleEntry, entries: dict[str, RuleEntry], proofs: Sequence[Proof] | None) -> LedgerRule:
    if entry.kind is RuleKind.SHOW or entry.stage not in JUDGED:
        return LedgerRule(entry=entry, state=State.SHOWN)
    shown_by = [entry]
    if entry.part_of and not entry.clauses:
        # Its parents' clauses show it.
        shown_by = [entries[rule] for rule in entry.part_of]
    clauses = tuple(
        _evaluate_clause(rule, clause, proofs)
        for rule in shown_by
        # A rule without clauses is a single clause.
        for clause in rule.clauses or (Clause(id="", text=rule.text),)
    )
    state = _sum_up(clauses)
    if state is State.IMPLEMENTED and entry.caveat:
        state = State.PARTLY
    return LedgerRule(entry=entry, state=state, clauses=clauses)


def _sum_up(clauses: Sequence[LedgerClause]) -> State:
    gaps = [clause.gap for clause in clauses if clause.gap]
    if Gap.UNJUDGED in gaps:
        return State.UNPROVEN
    if not gaps:
        return State.IMPLEMENTED
    return State.OPEN if len(gaps) == len(clauses) else State.PARTLY


def _evaluate_clause(entry: RuleEntry, clause: Clause, proofs: Sequence[Proof] | None) -> LedgerClause:
    # Lists may name the rule instead of its only clause.
    claims = {f"{entry.id}/{clause.id}" if clause.id else entry.id}
    if len(entry.clauses) == 1:
        claims.add(entry.id)
    # A list with a wrong verdict proves nothing.
    holding = [proof for proof in proofs or () if proof.holds]
    breaking = tuple(proof for proof in holding if claims & proof.breaks)
    keeping = tuple(proof for proof in holding if claims & proof.keeps)

    # A clause that the pack declares open stays open, whatever its lists claim.
    if clause.open:
        gap = Gap.DECLARED
    elif proofs is None:
        gap = Gap.UNJUDGED
    elif not breaking and not keeping:
        gap = Gap.BOTH
    elif not breaking:
        gap = Gap.UNBROKEN
    else:
        gap = Gap.NONE if keeping else Gap.UNKEPT
    return LedgerClause(rule_id=entry.id, clause=clause, gap=gap, breaking=breaking, keeping=keeping)
