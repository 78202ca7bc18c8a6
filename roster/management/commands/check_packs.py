from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
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
from roster.services.ledger import Gap, State, evaluate_rules
from roster.services.proofs import EvaluatedWorkedList, collect_proofs, find_mismatch, judge_pack
from roster.wording.documents import explain_unreadable


def read_pack_with_lists(path: Path) -> LoadedPack:
    """Read a pack and evaluate its worked lists. `diagnostics` has all mistakes."""
    reading = read_pack(path)
    if reading.data is None:
        return reading
    pack_proofs = judge_pack(path, reading)
    invented = pack_proofs.invented.diagnostics if pack_proofs.invented else ()
    # Reading invented units repeats the pack's mistakes.
    diagnostics = list(dict.fromkeys((*reading.diagnostics, *invented)))
    rulebook = {entry.id: entry for entry in reading.data.game_system.rulebook}
    for worked in pack_proofs.worked:
        diagnostics += _find_list_mistakes(worked, rulebook)
    if reading.rule_places:
        diagnostics += _find_gaps(reading, pack_proofs.worked, rulebook)
    return msgspec.structs.replace(reading, diagnostics=tuple(diagnostics))


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
        breaks = ", ".join(departure.broken)
        parts = [f"`expect: {departure.verdict}`", f"`breaks: [{breaks}]`" if breaks else "without `breaks`"]
        if departure.unwarned:
            parts.append(f"no `warns` of {', '.join(departure.unwarned)}")
        if departure.unkept:
            parts.append(f"no `keeps` of {', '.join(departure.unkept)}")
        if departure.total is not None:
            parts.append(f"`total: {format_number(departure.total)}`")
        yield Diagnostic(
            code="worked-otherwise",
            message=f"Unexpected verdict. The result is: {', '.join(parts)}.",
            mend="Correct the list, its units, or what it claims.",
            file=file,
            line=1,
        )
    yield from _find_claim_mistakes(expected, file, rulebook)


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
        rule, _ = split_claim(claim)
        kind, names = "rule", set(rulebook)
        if rule in rulebook:
            kind, names = "clause", {f"{rule}/{clause.id}" for clause in rulebook[rule].clauses}
        if claim not in names | rulebook.keys():
            yield Diagnostic(
                code="unknown-clause",
                message=f"The pack has no {kind} “{claim}”.",
                mend=suggest_names(claim, names) or "Name it in the inventory of rules.",
                file=file,
                line=1,
            )


MISSING = {
    Gap.UNBROKEN: ("breaks", ("breaks",)),
    Gap.UNKEPT: ("keeps", ("keeps",)),
    Gap.BOTH: ("breaks, and none that keeps,", ("breaks", "keeps")),
}
"""The words and keys for each gap in a clause's worked lists."""


def _find_gaps(
    reading: LoadedPack, worked: Sequence[EvaluatedWorkedList], rulebook: dict[str, RuleEntry]
) -> Iterator[Diagnostic]:
    """Find clauses that lack a list, or are marked open although they have both."""
    for rule in evaluate_rules(rulebook.values(), collect_proofs(worked)):
        # The clauses of its parent rules are checked instead.
        if rule.state is State.SHOWN or (rule.entry.part_of and not rule.entry.clauses):
            continue
        for ledger_clause in rule.clauses:
            claim = (
                f"{ledger_clause.rule_id}/{ledger_clause.clause.id}"
                if ledger_clause.clause.id
                else ledger_clause.rule_id
            )
            if ledger_clause.gap is Gap.DECLARED and ledger_clause.breaking and ledger_clause.keeping:
                code, mend = "shown-open-clause", "Remove `open:`."
                message = f"“{claim}” is said to be open, and worked lists show it carried out."
            elif ledger_clause.gap in MISSING:
                code = "unshown-clause"
                missing, keys = MISSING[ledger_clause.gap]
                message = f"There is no worked list that {missing} “{claim}”."
                lines = " and ".join(f"`{key}: [{claim}]`" for key in keys)
                mend = f"Add a list with {lines}, or say with `open:` of the clause why it is not implemented."
            else:
                continue
            file, line = reading.rule_places[claim]
            yield Diagnostic(code=code, message=message, mend=mend, file=file, line=line)


class Command(BaseCommand):
    help = "Check packs and report each mistake with its file, line and remedy. Exits with status 1 if there is one."
    requires_system_checks: list[str] = []  # noqa: RUF012 - the name and type are Django's

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_paths(parser)

    def handle(self, *args: Any, paths: list[Path], **options: Any) -> None:
        readings = []
        for folder in get_paths_or_shipped(paths):
            # A folder without packs is checked as a pack, which reports what is missing.
            for path in find_packs(folder) or (folder,):
                reading = read_pack_with_lists(path)
                readings.append(reading)
                for diagnostic in reading.diagnostics:
                    text = str(msgspec.structs.replace(diagnostic, file=_shorten_path(diagnostic.file)))
                    if diagnostic.level is Level.WARNING:
                        self.stderr.write(self.style.WARNING(f"{text} (a warning)"))
                    else:
                        self.stderr.write(self.style.ERROR(text))
                self.stdout.write(f"{_shorten_path(str(path))}: {_describe_content(reading)}")

        checked = _count_noun(len(readings), "pack")
        broken = [reading.errors for reading in readings if reading.errors]
        if broken:
            mistakes = _count_noun(sum(map(len, broken)), "mistake")
            raise CommandError(f"{mistakes} in {len(broken)} of {checked}.")
        self.stdout.write(self.style.SUCCESS(f"{checked} checked, no mistakes."))


def _shorten_path(file: str) -> str:
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
