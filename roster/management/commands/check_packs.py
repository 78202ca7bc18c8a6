"""Check the shipped packs, or those at given paths, and say where each mistake is and how to fix it."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from catalogue.definitions.diagnostics import Diagnostic, Level
from catalogue.definitions.numbers import format_number
from catalogue.definitions.rulebook import RuleEntry, split_claim
from catalogue.documents.problems import suggest_names
from catalogue.formats.packs.load import find_packs, read_pack
from catalogue.formats.packs.pack import LoadedPack
from catalogue.management.paths import add_paths, get_paths_or_shipped
from roster.formats.list_document.document import ExpectedOutcome
from roster.services.ledger import Gap, LedgerClause, State, evaluate_rules
from roster.services.proofs import EvaluatedWorkedList, VerdictMismatch, collect_proofs, find_mismatch, judge_pack
from roster.wording.documents import explain_unreadable


def read_pack_with_lists(path: Path) -> LoadedPack:
    """Read a pack and judge its worked lists; `diagnostics` has all that is wrong, each with file, line and mend."""
    reading = read_pack(path)
    if reading.data is None:
        return reading
    judged = judge_pack(path, reading)
    invented = judged.invented.diagnostics if judged.invented else ()
    # Invented units are read with the pack, whose mistakes would be reported twice.
    diagnostics = list(dict.fromkeys((*reading.diagnostics, *invented)))
    rulebook = {entry.id: entry for entry in reading.data.game_system.rulebook}
    for worked in judged.worked:
        diagnostics += _find_list_mistakes(worked, rulebook)
    if reading.rule_places:
        diagnostics += _find_gaps(reading, judged.worked, rulebook)
    return msgspec.structs.replace(reading, diagnostics=tuple(diagnostics))


# ---- one list ------------------------------------------------------------------------------------------------------


def _find_list_mistakes(worked: EvaluatedWorkedList, rulebook: dict[str, RuleEntry]) -> Iterator[Diagnostic]:
    file = str(worked.path)
    if worked.unreadable:
        sentence = explain_unreadable(worked.unreadable)
        yield Diagnostic(code="unreadable-list", message=str(sentence), file=file, line=sentence.line)
    if worked.document is None or worked.report is None:
        return
    expected = worked.document.expected
    departure = find_mismatch(expected, worked.report)
    if departure is not None:
        yield Diagnostic(
            code="worked-otherwise",
            message=f"Unexpected verdict. It comes out as: {_describe_mismatch(departure)}.",
            mend="Mend the list, the units in it, or what it says of itself.",
            file=file,
            line=1,
        )
    yield from _find_claim_mistakes(expected, file, rulebook)


def _describe_mismatch(departure: VerdictMismatch) -> str:
    breaks = ", ".join(departure.broken)
    parts = [f"`expect: {departure.verdict}`", f"`breaks: [{breaks}]`" if breaks else "without `breaks`"]
    if departure.unwarned:
        parts.append(f"no `warns` of {', '.join(departure.unwarned)}")
    if departure.unkept:
        parts.append(f"no `keeps` of {', '.join(departure.unkept)}")
    if departure.total is not None:
        parts.append(f"`total: {format_number(departure.total)}`")
    return ", ".join(parts)


def _find_claim_mistakes(expected: ExpectedOutcome, file: str, rulebook: dict[str, RuleEntry]) -> Iterator[Diagnostic]:
    claims = (*expected.breaks, *expected.warns, *expected.keeps)
    if not claims and expected.total is None and not expected.starter:
        yield Diagnostic(
            code="idle-list",
            message="This list shows no rule.",
            mend="Name what it shows under `keeps:` or `breaks:`, as `rule/clause`, or its points under `total:`.",
            file=file,
            line=1,
        )
    for claim in claims:
        yield from _find_claim_mistake(claim, file, rulebook)


def _find_claim_mistake(claim: str, file: str, rulebook: dict[str, RuleEntry]) -> Iterator[Diagnostic]:
    """Report a claim that names neither a rule nor a clause of the inventory."""
    rule, _ = split_claim(claim)
    kind, known = "rule", set(rulebook)
    if rule in rulebook:
        kind, known = "clause", {f"{rule}/{clause.id}" for clause in rulebook[rule].clauses}
    if claim not in known | rulebook.keys():
        yield Diagnostic(
            code="unknown-clause",
            message=f"The pack has no {kind} “{claim}”.",
            mend=suggest_names(claim, known) or "Name it in the inventory of rules.",
            file=file,
            line=1,
        )


# ---- the ledger ----------------------------------------------------------------------------------------------------


def _find_gaps(
    reading: LoadedPack, worked: Sequence[EvaluatedWorkedList], rulebook: dict[str, RuleEntry]
) -> Iterator[Diagnostic]:
    """Report each clause of the inventory that lacks a list on one side, and each that is shown and said to be open."""
    for rule in evaluate_rules(rulebook.values(), collect_proofs(worked)):
        # What other rules are made of is shown by their clauses.
        if rule.state is State.SHOWN or (rule.entry.part_of and not rule.entry.clauses):
            continue
        for finding in filter(None, map(_find_gap, rule.clauses)):
            file, line = reading.rule_places[finding.claim]
            yield Diagnostic(code=finding.code, message=finding.message, mend=finding.mend, file=file, line=line)


@dataclass(frozen=True, slots=True)
class GapFinding:
    """What is wrong with a claim, `rule` or `rule/clause`, of the ledger."""

    claim: str
    code: str
    message: str
    mend: str


MISSING = {
    Gap.UNBROKEN: ("breaks", ("breaks",)),
    Gap.UNKEPT: ("keeps", ("keeps",)),
    Gap.BOTH: ("breaks, and none that keeps,", ("breaks", "keeps")),
}
"""What is said of each gap in the worked lists of a clause, and the keys of the lists that would fill it."""


def _find_gap(judged: LedgerClause) -> GapFinding | None:
    clause = judged.clause
    claim = f"{judged.rule_id}/{clause.id}" if clause.id else judged.rule_id
    if judged.gap is Gap.DECLARED and judged.breaking and judged.keeping:
        message = f"“{claim}” is said to be open, and worked lists show it carried out."
        return GapFinding(claim, "shown-open-clause", message, "Remove `open:`.")
    return _describe_gap(claim, judged.gap) if judged.gap in MISSING else None


def _describe_gap(claim: str, gap: Gap) -> GapFinding:
    missing, keys = MISSING[gap]
    message = f"There is no worked list that {missing} “{claim}”."
    lines = " and ".join(f"`{key}: [{claim}]`" for key in keys)
    mend = f"Add a list with {lines}, or say with `open:` of the clause why it is not carried out."
    return GapFinding(claim, "unshown-clause", message, mend)


class Command(BaseCommand):
    help = "Check packs: every mistake is named with file, line and remedy. Exit status 1 where there is one."
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        packs = chain.from_iterable(map(_list_packs, get_paths_or_shipped(paths)))
        readings = [self._check_pack(pack) for pack in packs]
        checked = _count_noun(len(readings), "pack")
        broken = [reading.errors for reading in readings if reading.errors]
        if broken:
            mistakes = _count_noun(sum(map(len, broken)), "mistake")
            raise CommandError(f"{mistakes} in {len(broken)} of {checked}.")
        self.stdout.write(self.style.SUCCESS(f"{checked} checked, no mistakes."))

    def _check_pack(self, path: Path) -> LoadedPack:
        reading = read_pack_with_lists(path)
        for diagnostic in reading.diagnostics:
            self.stderr.write(self._format_diagnostic(diagnostic))
        self.stdout.write(f"{_shorten_path(str(path))}: {_describe_content(reading)}")
        return reading

    def _format_diagnostic(self, diagnostic: Diagnostic) -> str:
        shown = str(msgspec.structs.replace(diagnostic, file=_shorten_path(diagnostic.file)))
        if diagnostic.level is Level.WARNING:
            return self.style.WARNING(f"{shown} (a warning)")
        return self.style.ERROR(shown)


def _list_packs(path: Path) -> tuple[Path, ...]:
    """List the packs in or below a folder. A folder without any is checked itself, which says what is missing."""
    return find_packs(path) or (path,)


def _shorten_path(file: str) -> str:
    """Return a path as one would type it here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _describe_content(reading: LoadedPack) -> str:
    if reading.pack is None or reading.data is None:
        return _count_noun(len(reading.errors), "mistake")
    catalogues = reading.data.catalogues
    units = sum(len(catalogue.entries) + len(catalogue.shared_entries) for catalogue in catalogues)
    name = ", ".join(filter(None, (reading.pack.game, reading.pack.edition)))
    factions, lists = _count_noun(len(catalogues) - 1, "faction"), _count_noun(len(reading.pack.lists), "list")
    return f"{name} {reading.pack.version}: {factions}, {_count_noun(units, 'entry')}, {lists}"


def _count_noun(count: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"
