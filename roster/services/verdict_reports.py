"""Players report verdicts that they doubt; staff run the frozen list again, answer, and keep it as a test."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from roster.engine.edits import Refused
from roster.engine.evaluation import OverdueError
from roster.engine.report import Verdict, Violation
from roster.formats.list_document import Unreadable, build_document, format_json
from roster.models import Roster, VerdictReport, VerdictTest
from roster.models.verdict_reports import LINE_LENGTH, TEXT_LENGTH, StaffAnswer, VerdictDoubt
from roster.services.evaluation import EvaluatedList
from roster.services.limits import check_text, get_judging_seconds, start_deadline
from roster.services.list_check import CheckedDocument, check_document
from roster.services.owners import Visitor, filter_owned, is_public_id, tell_answered
from roster.services.sharing import is_of_private_game, is_redacted_for

MOST_OPEN = 20
"""How many reports of one player may wait for an answer."""
MOST_VIOLATIONS = 50
"""How many headlines are stored with a report."""
PERSONAL = frozenset(("name", "player", "event", "notes", "vendor"))
"""Keys of list documents that may name people."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a report is about: a violation (its headline and identity), a unit (its name), or the whole verdict."""

    text: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A frozen list with today's data: either evaluated, or the reason why it cannot be."""

    checked: CheckedDocument | None
    trouble: Unreadable | None
    is_broken: bool = False
    """Whether it breaks the reported rule."""

    @property
    def verdict(self) -> Verdict | None:
        return self.checked.judged.verdict if self.checked else None


def can_report_verdict(roster: Roster, reader: Visitor) -> bool:
    """Return whether a reader sees the whole list, and staff may see its data."""
    return not is_redacted_for(roster, reader) and not is_of_private_game(roster)


def identify_rule(violation: Violation) -> str:
    """Return a hash that is the same for a violation in every list and version."""
    return sha256("\n".join(violation.rule_key).encode()).hexdigest()


def freeze_list(roster: Roster, judged: EvaluatedList) -> Json:
    """Return a list as a document of its data version, without names and notes."""
    version = roster.version
    document = build_document(
        judged.ruleset, judged.tree, game=version.game.slug, faction_id=roster.faction_id, version=version.content_hash
    )
    frozen: Json = _drop_personal(document)
    return frozen


def _drop_personal(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _drop_personal(value) for key, value in part.items() if key not in PERSONAL}
    return [_drop_personal(one) for one in part] if isinstance(part, list) else part


def report_verdict(
    sender: Visitor,
    roster: Roster,
    judged: EvaluatedList,
    subject: Subject,
    *,
    doubt: str,
    text: str = "",
    book: str = "",
    page: str = "",
    wants_mail: bool = False,
    points: str = "",
    violations: tuple[str, ...] = (),
) -> VerdictReport | Refused:
    """Store a report with the frozen list.

    Refuses `bad-change` (an unknown doubt), `nothing-said` (neither a violation nor words), `too-long` and
    `too-many-reports`.
    """
    if doubt not in VerdictDoubt.values:
        return Refused(code="bad-change")
    texts: list[str] = []
    for given, longest in ((text, TEXT_LENGTH), (book, LINE_LENGTH), (page, LINE_LENGTH)):
        cleaned = check_text(given, longest, lines=longest == TEXT_LENGTH)
        if isinstance(cleaned, Refused):
            return cleaned
        texts.append(cleaned)
    if not subject.rule and not texts[0]:
        return Refused(code="nothing-said")
    if list_own_reports(sender).filter(answer=StaffAnswer.OPEN).count() >= MOST_OPEN:
        return Refused(code="too-many-reports", allowed=MOST_OPEN)
    return VerdictReport.objects.create(
        **sender.fields,
        version=roster.version,
        faction_id=roster.faction_id,
        document=freeze_list(roster, judged),
        subject=subject.text[:LINE_LENGTH],
        rule=subject.rule,
        verdict=judged.verdict.value,
        points=points[:LINE_LENGTH],
        violations=list(violations[:MOST_VIOLATIONS]),
        doubt=doubt,
        text=texts[0],
        book=texts[1],
        page=texts[2],
        wants_mail=wants_mail and sender.user_id is not None,
    )


def list_own_reports(sender: Visitor) -> QuerySet[VerdictReport]:
    return filter_owned(sender, VerdictReport.objects.all())


def find_report(reports: QuerySet[VerdictReport], public_id: str) -> VerdictReport:
    """Return one of these reports. Raises DoesNotExist."""
    if not is_public_id(public_id):
        raise VerdictReport.DoesNotExist
    return reports.select_related("version__game", "owner").get(public_id=public_id)


def add_information(report: VerdictReport, text: str) -> Refused | None:
    """Add the player's answer to the staff's question, which opens the report again.

    Refuses `bad-change` (nobody asked), `nothing-said` and `too-long`.
    """
    if report.answer != StaffAnswer.NEEDS_INFORMATION:
        return Refused(code="bad-change")
    cleaned = check_text("\n\n".join(filter(None, (report.text, text.strip()))), TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    if not text.strip():
        return Refused(code="nothing-said")
    report.text, report.answer = cleaned, StaffAnswer.OPEN
    report.save(update_fields=["text", "answer", "updated"])
    return None


def answer_report(report: VerdictReport, answer: str, reply: str) -> Refused | None:
    """Answer a report, and mail the player who wanted that. Refuses `bad-change` and `too-long`.

    A question needs words: `nothing-said`.
    """
    if answer not in StaffAnswer.values or answer == StaffAnswer.OPEN:
        return Refused(code="bad-change")
    cleaned = check_text(reply, TEXT_LENGTH, lines=True)
    if isinstance(cleaned, Refused):
        return cleaned
    if answer == StaffAnswer.NEEDS_INFORMATION and not cleaned:
        return Refused(code="nothing-said")
    report.answer, report.reply, report.answered = answer, cleaned, timezone.now()
    report.save(update_fields=["answer", "reply", "answered", "updated"])
    if report.wants_mail and report.owner:
        tell_answered(report.owner, report)
    return None


def run_again(document: Json, rule: str) -> Rerun:
    """Check a frozen list with today's data of its game."""
    current = {key: value for key, value in document.items() if key != "version"}
    try:
        checked = check_document(format_json(current), deadline=start_deadline(has_account=True))
    except OverdueError:
        checked = Unreadable("too-slow", detail=str(get_judging_seconds(has_account=True)))
    if isinstance(checked, Unreadable):
        return Rerun(checked=None, trouble=checked)
    broken = any(identify_rule(violation) == rule for violation in checked.judged.report.violations)
    return Rerun(checked=checked, trouble=None, is_broken=broken)


def make_test(report: VerdictReport) -> VerdictTest | Refused:
    """Keep the frozen list as a test of what today's data says. A second time replaces the first.

    Refuses `bad-change` if today's data cannot read it.
    """
    rerun = run_again(report.document, report.rule)
    if rerun.verdict is None:
        return Refused(code="bad-change")
    values = {"name": str(report)[:LINE_LENGTH], "verdict": rerun.verdict.value, "is_broken": rerun.is_broken}
    test, _is_new = VerdictTest.objects.update_or_create(
        game=report.version.game, rule=report.rule, document=report.document, defaults=values
    )
    return test


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTest:
    test: VerdictTest
    rerun: Rerun


def run_tests() -> Iterator[FailedTest]:
    """Run every test with today's data; yield those whose verdict changed."""
    for test in VerdictTest.objects.select_related("game").order_by("game", "pk").iterator():
        rerun = run_again(test.document, test.rule)
        if rerun.verdict is None or rerun.verdict.value != test.verdict or rerun.is_broken != test.is_broken:
            yield FailedTest(test=test, rerun=rerun)
