"""Proofs of the rule ledger: the worked lists of a pack, judged once where the pack is loaded, and kept.

Judging the lists of all packs takes seconds, which no page should. `store_proofs` judges them beside the data;
`read_proofs` returns what was stored, unless other code than the running one judged it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

import catalogue
from catalogue.formats.packs.load import read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.models import PackVersion
from catalogue.services.install_packs import PackInstallation, hash_of_files
from roster.engine.report import Report
from roster.formats.list_document import ListDocument
from roster.models.proofs import PackProofs
from roster.services.worked_lists import EvaluatedWorkedList, find_mismatch, judge_pack

JUDGING_CODE = (
    *(Path(catalogue.__path__[0]) / part for part in ("definitions", "documents", "formats", "graph")),
    *(Path(__file__).parents[1] / part for part in ("engine", "formats", "services/worked_lists.py")),
)
"""The code that decides how a worked list comes out: when it changes, the lists are judged again."""


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


def store_proofs(shelved: PackInstallation) -> bool:
    """Judge the worked lists of a pack and store the outcomes; return whether there was anything to judge.

    Outcomes of the same files and the same code stay as they are, at the cost of one query.
    """
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
    """Judge all worked lists of the pack in the folder `path`."""
    return collect_proofs(judge_pack(path, reading).worked)


def collect_proofs(worked: Iterable[EvaluatedWorkedList]) -> tuple[Proof, ...]:
    """Return what each list shows that could be read."""
    return tuple(
        build_proof(worked_list.document, worked_list.report, worked_list.path)
        for worked_list in worked
        if worked_list.document and worked_list.report
    )


def build_proof(document: ListDocument, report: Report, path: Path) -> Proof:
    """Return what a list shows: the claims that it makes of itself, and whether its report bears them out."""
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
    """Return the fingerprint of the files whose lists the running code has judged by `version`; blank for none."""
    judged = PackProofs.objects.filter(version=version, code_hash=hash_judging_code())
    return judged.values_list("source_hash", flat=True).first() or ""


def read_proofs(version: PackVersion) -> tuple[Proof, ...]:
    """Return the stored outcomes of the worked lists of `version`."""
    outcomes = PackProofs.objects.values_list("outcomes", flat=True).get(version=version)
    return msgspec.convert(outcomes, tuple[Proof, ...])


@cache
def hash_judging_code() -> str:
    """Return the SHA-256 of the code that judges worked lists, in hexadecimal."""
    whole = sha256()
    for place in JUDGING_CODE:
        files = [place] if place.is_file() else place.rglob("*.py")
        whole.update(hash_of_files(place.parent, files))
    return whole.hexdigest()
