"""The rule ledger: every rule of a game's book, and whether it is carried out.

That is never claimed, only shown: a rule counts as implemented while a worked list that breaks it is found to break
just what it says, and one that keeps it is found to keep it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.conf import settings

from catalogue.definitions.rulebook import RuleEntry, RuleKind, RuleStage
from catalogue.formats.packs.load import LISTS, PROOFS, UNITS, find_pack, read_pack
from catalogue.models import PackVersion
from catalogue.services.documents import dataset_for
from catalogue.services.lru import Lru
from roster.engine.compile import compile_ruleset
from roster.engine.report import Report
from roster.formats.lists import ListDocument, Media, Unreadable
from roster.services.checking import check_document
from roster.services.rulesets import Books
from roster.services.worked import departure_of, worked_lists

JUDGED = (RuleStage.LIST, RuleStage.MATCH, RuleStage.SETUP)
"""The stages whose rules a list, or a list with its game plan, can break."""


class State(StrEnum):
    """Carried out and shown to be; not, or not shown; nothing that a list could break."""

    IMPLEMENTED = "implemented"
    OPEN = "open"
    SHOWN = "shown"


class Gap(StrEnum):
    """Why a rule does not count as implemented."""

    UNBROKEN = "no list breaks it"
    UNKEPT = "no list keeps it"
    BOTH = "no list is about it"
    NONE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A worked list and how it was judged. `holds`: just as it says of itself."""

    name: str
    file: str
    why: str
    breaks: frozenset[str]
    keeps: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRule:
    """A rule with the lists that show it broken and kept."""

    entry: RuleEntry
    state: State
    gap: Gap = Gap.NONE
    breaking: tuple[Proof, ...] = ()
    keeping: tuple[Proof, ...] = ()


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


def ledger_of(version: PackVersion) -> Ledger:
    """The ledger of a version, made once per process and content; empty for data that lists no rules."""
    return _ledgers.get(version.content_hash, lambda: _made(version))


def forget_ledgers() -> None:
    """Let all ledgers go, for tests."""
    _ledgers.clear()


def _made(version: PackVersion) -> Ledger:
    system = dataset_for(version).game_system
    packs: Path = settings.ARMYBUILDER["PACKS_DIR"]
    pack = find_pack(version.game.slug, packs) if system.rulebook else None
    proofs = (*_worked(version, pack), *_trials(pack)) if pack else ()
    return Ledger(
        rules=tuple(_judged(entry, proofs) for entry in system.rulebook),
        failing=tuple(proof for proof in proofs if not proof.holds),
        books={book.id: book for book in system.publications},
    )


def _worked(version: PackVersion, pack: Path) -> Iterator[Proof]:
    """The pack's worked lists, each judged by the rules of this version."""
    for path in sorted((pack / LISTS).glob("*.yaml")):
        checked = check_document(path.read_bytes(), Media.YAML)
        if not isinstance(checked, Unreadable) and checked.version.pk == version.pk:
            yield _proof(checked.document, checked.judged.report, path)


def _trials(pack: Path) -> Iterator[Proof]:
    """The pack's lists of invented units, for rules that no printed unit can break."""
    data = read_pack(pack, pack / PROOFS / UNITS).data if (pack / PROOFS).is_dir() else None
    if data is None:
        return
    for worked in worked_lists(compile_ruleset(data), pack / PROOFS):
        if worked.document and worked.report:
            yield _proof(worked.document, worked.report, worked.path)


def _proof(document: ListDocument, report: Report, path: Path) -> Proof:
    """What a list shows: the rules that it says it breaks and breaks, and those that it says it keeps and keeps."""
    expected = document.expected
    return Proof(
        name=document.name or path.stem,
        file=path.name,
        why=expected.why,
        breaks=frozenset((*expected.breaks, *expected.warns)),
        keeps=frozenset(expected.keeps),
        holds=departure_of(expected, report) is None,
    )


def _judged(entry: RuleEntry, proofs: Sequence[Proof]) -> LedgerRule:
    if entry.kind is RuleKind.SHOW or entry.stage not in JUDGED:
        return LedgerRule(entry=entry, state=State.SHOWN)
    found = [
        (tuple(_about(proofs, own, "breaks")), tuple(_about(proofs, own, "keeps"))) for own in _ids(entry)
    ]
    gap = next((gap for gap in (_gap(*each) for each in found) if gap), Gap.NONE)
    return LedgerRule(
        entry=entry,
        state=State.OPEN if gap else State.IMPLEMENTED,
        gap=gap,
        breaking=tuple(proof for breaking, _ in found for proof in breaking),
        keeping=tuple(proof for _, keeping in found for proof in keeping),
    )


def _ids(entry: RuleEntry) -> tuple[str, ...]:
    """The rules whose lists show this one: itself, or those that it is part of."""
    return entry.part_of or (entry.id,)


def _about(proofs: Iterable[Proof], rule: str, claim: str) -> Iterator[Proof]:
    return (proof for proof in proofs if proof.holds and rule in getattr(proof, claim))


def _gap(breaking: Sequence[Proof], keeping: Sequence[Proof]) -> Gap:
    if breaking and keeping:
        return Gap.NONE
    if not breaking and not keeping:
        return Gap.BOTH
    return Gap.UNKEPT if breaking else Gap.UNBROKEN
