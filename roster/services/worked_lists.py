"""The worked lists of a pack: whether each is judged just as it says of itself. No database is asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catalogue.definitions.numbers import Number
from catalogue.definitions.rulebook import list_rules
from catalogue.formats.packs.load import LISTS, PROOFS, REAL, UNITS, read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.graph.ruleset import Ruleset, compile_ruleset
from roster.engine.evaluate import evaluate
from roster.engine.report import Report
from roster.formats.list_document import BuiltList, ListDocument, Media, Unreadable, build_list, read_list
from roster.formats.list_document.document import ExpectedOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedWorkedList:
    """A worked list with what came of it, or with why it cannot be read."""

    path: Path
    document: ListDocument | None = None
    report: Report | None = None
    unreadable: Unreadable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictMismatch:
    """How a list came out, where that is not what it says of itself.

    `broken` are all the rules it breaks; `unwarned` those it says it is warned of and is not, `unkept` those it says
    it keeps and breaks. `total` is None where the list says none, or the right one.
    """

    verdict: str
    broken: tuple[str, ...]
    unwarned: tuple[str, ...]
    unkept: tuple[str, ...]
    total: Number | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPack:
    """All worked lists of a pack. `invented` reads the units that some of its lists are made of, None without any."""

    worked: tuple[EvaluatedWorkedList, ...]
    invented: LoadedPack | None = None


def judge_pack(path: Path, reading: LoadedPack) -> JudgedPack:
    """Judge the worked lists of the pack in the folder `path`, which was read before."""
    worked = [*_judge_folder(reading, path / LISTS), *_judge_folder(reading, path / PROOFS / REAL)]
    if not (path / PROOFS).is_dir():
        return JudgedPack(worked=tuple(worked))
    invented = read_pack(path, path / PROOFS / UNITS)
    worked += _judge_folder(invented, path / PROOFS)
    return JudgedPack(worked=tuple(worked), invented=invented)


def _judge_folder(reading: LoadedPack, folder: Path) -> list[EvaluatedWorkedList]:
    return [*evaluate_worked_lists(compile_ruleset(reading.data), folder)] if reading.data else []


def evaluate_worked_lists(ruleset: Ruleset, folder: Path) -> Iterator[EvaluatedWorkedList]:
    """Evaluate the lists in a folder by these rules."""
    for path in sorted(folder.glob("*.yaml")):
        document = read_list(path.read_bytes(), Media.YAML)
        if isinstance(document, Unreadable):
            yield EvaluatedWorkedList(path=path, unreadable=document)
            continue
        built = build_list(ruleset, document, document.faction.value)
        if isinstance(built, BuiltList):
            yield EvaluatedWorkedList(
                path=path, document=document, report=evaluate(ruleset, *built, tree=False)
            )
        else:
            yield EvaluatedWorkedList(path=path, document=document, unreadable=built)


def find_mismatch(expected: ExpectedOutcome, report: Report) -> VerdictMismatch | None:
    """Return where the report departs from what a list expects of itself; None if it does not."""
    reported_rules = {violation.rule for violation in report.violations}
    mismatch = VerdictMismatch(
        verdict=report.verdict.value,
        broken=tuple(sorted({violation.rule for violation in report.errors})),
        unwarned=tuple(rule for rule in list_rules(expected.warns) if rule not in reported_rules),
        unkept=tuple(rule for rule in list_rules(expected.keeps) if rule in reported_rules),
        total=_find_wrong_total(expected, report),
    )
    is_as_expected = (
        mismatch.verdict == expected.verdict
        and mismatch.broken == list_rules(expected.breaks)
        and not mismatch.unwarned
        and not mismatch.unkept
        and mismatch.total is None
    )
    return None if is_as_expected else mismatch


def _find_wrong_total(expected: ExpectedOutcome, report: Report) -> Number | None:
    """Return the list's first visible cost where it is not the expected total."""
    total = next((cost.value for cost in report.costs if not cost.hidden), None)
    return total if expected.total is not None and total != expected.total else None
