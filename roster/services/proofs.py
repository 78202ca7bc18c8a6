"""Evaluate a pack's worked lists for the rule ledger, and keep results until the code changes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

import catalogue
from catalogue.definitions.numbers import Number
from catalogue.definitions.rule_codes import RuleCode
from catalogue.definitions.rulebook import list_rules
from catalogue.formats.packs.load import LISTS, PROOFS, REAL, UNITS, read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from catalogue.models import PackVersion
from catalogue.services.install_packs import PackInstallation, hash_of_files
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from roster.formats.list_document import BuiltList, ListDocument, Media, Unreadable, build_list, read_list
from roster.formats.list_document.document import ExpectedOutcome
from roster.models.judgements import PackProofs

JUDGING_CODE = (
    *(Path(catalogue.__path__[0]) / part for part in ("definitions", "documents", "formats", "graph")),
    *(Path(__file__).parents[1] / part for part in ("engine", "formats", "services/proofs.py")),
)
"""The code that decides a worked list's verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedWorkedList:
    path: Path
    document: ListDocument | None = None
    report: Report | None = None
    unreadable: Unreadable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictMismatch:
    """`total` is None if right or not claimed.

    `unwarned` are claimed warnings that the report lacks, `unkept` rules that the list breaks but claims to keep.
    """

    verdict: str
    broken: tuple[str, ...]
    unwarned: tuple[str, ...]
    unkept: tuple[str, ...]
    total: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPack:
    worked: tuple[EvaluatedWorkedList, ...]
    invented: LoadedPack | None = None


def judge_pack(path: Path, reading: LoadedPack) -> JudgedPack:
    worked = [*_judge_folder(reading, path / LISTS), *_judge_folder(reading, path / PROOFS / REAL)]
    if not (path / PROOFS).is_dir():
        return JudgedPack(worked=tuple(worked))
    invented = read_pack(path, path / PROOFS / UNITS)
    worked += _judge_folder(invented, path / PROOFS)
    return JudgedPack(worked=tuple(worked), invented=invented)


def _judge_folder(reading: LoadedPack, folder: Path) -> list[EvaluatedWorkedList]:
    return [*evaluate_worked_lists(compile_ruleset(reading.data), folder)] if reading.data else []


def evaluate_worked_lists(ruleset: Ruleset, folder: Path) -> Iterator[EvaluatedWorkedList]:
    for path in sorted(folder.glob("*.yaml")):
        document = read_list(path.read_bytes(), Media.YAML)
        if isinstance(document, Unreadable):
            yield EvaluatedWorkedList(path=path, unreadable=document)
            continue
        built = build_list(ruleset, document, document.faction.value)
        if isinstance(built, BuiltList):
            yield EvaluatedWorkedList(
                path=path, document=document, report=evaluate(ruleset, *built, tree=False, look_ahead=True)
            )
        else:
            yield EvaluatedWorkedList(path=path, document=document, unreadable=built)


def find_mismatch(expected: ExpectedOutcome, report: Report) -> VerdictMismatch | None:
    reported_rules = {violation.rule for violation in report.violations}
    # Errors without a rule count as one blank; only some books have a rule for dead ends.
    broken = {error.rule for error in report.errors if error.rule or error.code != RuleCode.NO_COMPLETION}
    total = next((cost.value for cost in report.costs if not cost.hidden), None)
    mismatch = VerdictMismatch(
        verdict=report.verdict.value,
        broken=tuple(sorted(broken)),
        unwarned=tuple(rule for rule in list_rules(expected.warns) if rule not in reported_rules),
        unkept=tuple(rule for rule in list_rules(expected.keeps) if rule in reported_rules),
        total=total if expected.total is not None and total != expected.total else None,
    )
    if mismatch.verdict != expected.verdict or mismatch.broken != list_rules(expected.breaks):
        return mismatch
    return mismatch if mismatch.unwarned or mismatch.unkept or mismatch.total is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A proof `holds` if all claims of its worked list are right.

    `breaks` and `keeps` are claims, `rule/clause` or `rule`. Warnings count as breaking their rule.
    """

    name: str
    file: str
    why: str
    breaks: frozenset[str]
    keeps: frozenset[str]
    holds: bool


def store_proofs(shelved: PackInstallation) -> bool:
    """Evaluate a pack's worked lists if files or code have changed; return whether they have."""
    if shelved.version is None:
        return False
    hashes = {"source_hash": shelved.source_hash, "code_hash": hash_judging_code()}
    if PackProofs.objects.filter(version=shelved.version, **hashes).exists():
        return False
    reading = shelved.reading or read_pack(shelved.path)
    outcomes = msgspec.to_builtins(judge_proofs(shelved.path, reading), order="deterministic")
    PackProofs.objects.update_or_create(version=shelved.version, defaults={**hashes, "outcomes": outcomes})
    return True


def judge_proofs(path: Path, reading: LoadedPack) -> tuple[Proof, ...]:
    return collect_proofs(judge_pack(path, reading).worked)


def collect_proofs(worked: Iterable[EvaluatedWorkedList]) -> tuple[Proof, ...]:
    return tuple(
        build_proof(worked_list.document, worked_list.report, worked_list.path)
        for worked_list in worked
        if worked_list.document and worked_list.report
    )


def build_proof(document: ListDocument, report: Report, path: Path) -> Proof:
    expected = document.expected
    return Proof(
        name=document.name or path.stem,
        file=path.name,
        why=expected.why,
        breaks=frozenset((*expected.breaks, *expected.warns)),
        keeps=frozenset(expected.keeps),
        holds=find_mismatch(expected, report) is None,
    )


def find_source_hash(version: PackVersion) -> str:
    proofs = PackProofs.objects.filter(version=version, code_hash=hash_judging_code())
    return proofs.values_list("source_hash", flat=True).first() or ""


def read_proofs(version: PackVersion) -> tuple[Proof, ...]:
    outcomes = PackProofs.objects.values_list("outcomes", flat=True).get(version=version)
    return msgspec.convert(outcomes, tuple[Proof, ...])


@cache
def hash_judging_code() -> str:
    whole = sha256()
    for place in JUDGING_CODE:
        files = [place] if place.is_file() else place.rglob("*.py")
        whole.update(hash_of_files(place.parent, files))
    return whole.hexdigest()
