"""Let players report doubtful verdicts, datasheets and read lines.

Staff compare the frozen subject with today's data, answer, and keep it as a test.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from catalogue.definitions.numbers import format_number
from catalogue.models import Faction, GameSystem, PackVersion, UnitEntry
from catalogue.services.unit_card import UnitCard
from catalogue.services.unit_card_builder import build_unit_card
from roster.engine.edits import Refused
from roster.engine.evaluation import OverdueError
from roster.engine.report import Location, PlaceKind, Verdict, Violation
from roster.engine.tree import Force, change_selections, copy_with, index_names, walk_forces
from roster.formats.list_document import Unreadable, build_document, format_json
from roster.models import Roster, VerdictReport, VerdictTest
from roster.models.verdict_reports import DOUBTS, LINE_LENGTH, TEXT_LENGTH, ReportKind, StaffAnswer
from roster.services.evaluation import EvaluatedList, evaluate_list, recall_outlook
from roster.services.limits import check_text, get_judging_seconds, start_deadline
from roster.services.list_check import CheckedDocument, check_document
from roster.services.owners import Visitor, filter_owned, is_public_id, tell_answered
from roster.services.pasted_lists import read_pasted_text
from roster.services.sharing import is_redacted_for

MOST_OPEN = 20
"""How many reports of one player may wait for an answer."""
MOST_VIOLATIONS = 50
"""How many headlines are stored with a report."""
MOST_CARD_LINES = 200
"""How many lines of a datasheet are stored with a report."""
PERSONAL = frozenset(("name", "player", "event", "notes", "vendor"))
"""Keys of list documents that may name people."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A violation (headline and identity), a unit (name), or the whole verdict."""

    text: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWords:
    doubt: str
    text: str = ""
    book: str = ""
    page: str = ""
    wants_mail: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A frozen subject with today's data, or why it cannot be evaluated.

    A list has `checked`; a datasheet or a line of text has `lines` and their `version`.
    """

    checked: CheckedDocument | None = None
    trouble: Unreadable | None = None
    is_broken: bool = False
    """Whether a list breaks the reported rule."""
    lines: tuple[str, ...] | None = None
    version: PackVersion | None = None

    @property
    def verdict(self) -> Verdict | None:
        return self.checked.evaluated_list.verdict if self.checked else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenLine:
    """A line of a pasted list and its reading: kind, certainty, and the meaning of each name.

    `text` is the whole list, `place` the line's position from 0, and `words` the line.
    """

    text: str
    place: int
    words: str
    faction: Faction
    reading: tuple[str, ...]


def can_report_verdict(roster: Roster, reader: Visitor) -> bool:
    """Return whether a reader sees the whole list, and staff may see its data."""
    return not is_redacted_for(roster, reader) and not roster.is_of_private_game


def identify_rule(violation: Violation) -> str:
    """Return a hash that is the same in every list and version."""
    return sha256("\n".join(violation.rule_key).encode()).hexdigest()


def freeze_list(roster: Roster, evaluated_list: EvaluatedList) -> Json:
    """Make a document of a list's data version, without names and notes."""
    version = roster.version
    document = build_document(
        evaluated_list.ruleset,
        evaluated_list.tree,
        game=version.game.slug,
        faction_id=roster.faction_id,
        version=version.content_hash,
    )
    frozen: Json = _drop_personal(document)
    return frozen


def evaluate_without_names(roster: Roster) -> EvaluatedList:
    """Evaluate a list without its owner's names, which headlines of violations would repeat. Ids stay."""
    named = roster.tree
    forces = tuple(map(_remove_names, named.forces))
    nameless = change_selections(copy_with(named, name="", forces=forces), lambda one: copy_with(one, custom_name=""))
    evaluated_list = evaluate_list(roster.version, roster.faction_id, nameless)
    recalled = recall_outlook(evaluated_list, roster.outlook)
    # The stored outlook has the names.
    names = index_names(nameless) | {force.id: force.name for force in walk_forces(nameless)}
    broken = evaluated_list.report.violations
    dead_ends = tuple(
        copy_with(one, on=_rename(one.on, names), cause=tuple(_rename(place, names) for place in one.cause))
        for one in recalled.report.violations[len(broken) :]
    )
    return replace(recalled, report=copy_with(recalled.report, violations=(*broken, *dead_ends)))


def _rename(place: Location, names: Mapping[str, str]) -> Location:
    name = {PlaceKind.ROSTER: "", PlaceKind.CATEGORY: place.name}.get(place.kind, names.get(place.id, place.name))
    return copy_with(place, name=name)


def _remove_names(force: Force) -> Force:
    return copy_with(force, custom_name="", category_notes=(), forces=tuple(map(_remove_names, force.forces)))


def _drop_personal(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _drop_personal(value) for key, value in part.items() if key not in PERSONAL}
    return [_drop_personal(one) for one in part] if isinstance(part, list) else part


def report_verdict(
    sender: Visitor,
    roster: Roster,
    evaluated_list: EvaluatedList,
    subject: Subject,
    words: PlayerWords,
    *,
    points: str = "",
    violations: tuple[str, ...] = (),
) -> VerdictReport | Refused:
    """Store a report with the frozen list as `store_report` does."""
    report = VerdictReport(
        version=roster.version,
        faction_id=roster.faction_id,
        document=freeze_list(roster, evaluated_list),
        subject=subject.text,
        rule=subject.rule,
        verdict=evaluated_list.verdict.value,
        points=points[:LINE_LENGTH],
        violations=list(violations[:MOST_VIOLATIONS]),
    )
    return store_report(sender, report, words)


def report_unit(sender: Visitor, unit: UnitEntry, card: UnitCard, words: PlayerWords) -> VerdictReport | Refused:
    """Store a report of a datasheet as `store_report` does."""
    report = VerdictReport(
        kind=ReportKind.UNIT,
        version=unit.faction.version,
        faction_id=unit.faction.faction_id,
        document={"unit": unit.entry_id, "faction": unit.faction.faction_id},
        subject=unit.name,
        violations=list(list_card_lines(unit, card)),
    )
    return store_report(sender, report, words)


def report_line(sender: Visitor, line: FrozenLine, words: PlayerWords) -> VerdictReport | Refused:
    """Store a report with the list's text as `store_report` does."""
    report = VerdictReport(
        kind=ReportKind.LINE,
        version=line.faction.version,
        faction_id=line.faction.faction_id,
        document={"text": line.text, "line": line.place, "faction": line.faction.slug},
        subject=line.words,
        violations=list(line.reading),
    )
    return store_report(sender, report, words)


def store_report(sender: Visitor, report: VerdictReport, words: PlayerWords) -> VerdictReport | Refused:
    """Store a report with a player's words.

    Refuses `bad-change` (an unknown doubt), `nothing-said` (neither a violation nor words), `too-long` and
    `too-many-reports`.
    """
    if words.doubt not in DOUBTS[report.kind]:
        return Refused(code="bad-change")
    texts: list[str] = []
    for given, longest in ((words.text, TEXT_LENGTH), (words.book, LINE_LENGTH), (words.page, LINE_LENGTH)):
        cleaned = check_text(given, longest, lines=longest == TEXT_LENGTH)
        if isinstance(cleaned, Refused):
            return cleaned
        texts.append(cleaned)
    if not report.rule and not texts[0]:
        return Refused(code="nothing-said")
    if list_own_reports(sender).filter(answer=StaffAnswer.OPEN).count() >= MOST_OPEN:
        return Refused(code="too-many-reports", allowed=MOST_OPEN)
    for name, value in sender.fields.items():
        setattr(report, name, value)
    report.subject = report.subject[:LINE_LENGTH]
    report.doubt, (report.text, report.book, report.page) = words.doubt, texts
    report.wants_mail = words.wants_mail and sender.user_id is not None
    report.save()
    return report


def list_own_reports(sender: Visitor) -> QuerySet[VerdictReport]:
    return filter_owned(sender, VerdictReport.objects.all())


def find_report(reports: QuerySet[VerdictReport], public_id: str) -> VerdictReport:
    """Find one of these reports. Raises DoesNotExist."""
    if not is_public_id(public_id):
        raise VerdictReport.DoesNotExist
    return reports.select_related("version__game", "owner").get(public_id=public_id)


def add_information(report: VerdictReport, text: str) -> Refused | None:
    """Add the player's answer to staff's question, which reopens the report.

    Refuses `bad-change` (staff did not ask), `nothing-said` and `too-long`.
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
    """Answer a report, and mail the player if they asked for it.

    Refuses `bad-change`, `too-long`, and `nothing-said` for a question without words.
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


def run_again(frozen: VerdictReport | VerdictTest) -> Rerun:
    """Evaluate a frozen subject with today's data."""
    game = frozen.version.game if isinstance(frozen, VerdictReport) else frozen.game
    if frozen.kind == ReportKind.UNIT:
        return read_unit_again(game, frozen.document)
    if frozen.kind == ReportKind.LINE:
        return read_line_again(game, frozen.document)
    current = {key: value for key, value in frozen.document.items() if key != "version"}
    try:
        checked = check_document(format_json(current), deadline=start_deadline(has_account=True))
    except OverdueError:
        checked = Unreadable("too-slow", detail=str(get_judging_seconds(has_account=True)))
    if isinstance(checked, Unreadable):
        return Rerun(trouble=checked)
    broken = any(identify_rule(violation) == frozen.rule for violation in checked.evaluated_list.report.violations)
    return Rerun(checked=checked, is_broken=broken)


def read_unit_again(game: GameSystem, document: Json) -> Rerun:
    """Return a datasheet's lines today, () if the unit is gone."""
    units = UnitEntry.objects.select_related("faction__version__game")
    unit = units.filter(
        faction__version=game.shown_version, faction__faction_id=document["faction"], entry_id=document["unit"]
    ).first()
    card = build_unit_card(unit) if unit else None
    return Rerun(lines=list_card_lines(unit, card) if unit and card else (), version=game.shown_version)


def read_line_again(game: GameSystem, document: Json) -> Rerun:
    """Return how a line is read today, () if its list is not recognised."""
    line = freeze_line(document["text"], document["line"], game=game.slug, faction=document["faction"])
    if isinstance(line, Unreadable):
        return Rerun(trouble=line)
    return Rerun(lines=line.reading if line else (), version=game.shown_version)


def list_card_lines(unit: UnitEntry, card: UnitCard) -> tuple[str, ...]:
    """List a datasheet's lines in the words of the data."""
    head = [unit.name, unit.category, "" if unit.points is None else format_number(unit.points)]
    lines = [" · ".join(filter(None, head))]
    lines += [", ".join(unit.keywords)] if unit.keywords else []
    lines += [f"{price.name} {format_number(price.value)}" for price in card.prices]
    lines += [f"{one.name} {one.min}–{one.max}" for one in card.allowances]
    for table in card.tables:
        for row in table.rows:
            figures = (f"{column} {value}" for column, value in zip(table.columns, row.values, strict=False) if value)
            lines.append(f"{row.name}: {', '.join(figures)}")
    lines += [
        f"{ability.name}{f' ({ability.parameter})' if ability.parameter else ''}: {ability.text}"
        for ability in card.abilities
    ]
    pending = list(card.choices)
    while pending:
        choice = pending.pop(0)
        points = "" if choice.points is None else f" +{format_number(choice.points)}"
        bounds = f" {choice.limits.min or 0}–{'' if choice.limits.max is None else choice.limits.max}"
        lines.append(f"{choice.name}{points}{bounds}")
        pending[:0] = choice.choices
    lines += [f"{one.name}: {one.text}".removeprefix(": ") for one in card.restrictions]
    return tuple(line[:LINE_LENGTH] for line in lines[:MOST_CARD_LINES])


def freeze_line(text: str, place: int, *, game: str, faction: str = "") -> FrozenLine | Unreadable | None:
    """Read a line again; None without such a line or without data for the list."""
    read = read_pasted_text(text, game=game, faction=faction, has_account=True)
    if isinstance(read, Unreadable):
        return read
    first = read[0] if read else None
    if first is None or first.faction is None or not 0 <= place < len(first.lines):
        return None
    line = first.lines[place]
    names = [f"{name.written} → {name.resolved}" for name in first.names or () if name.line == line.number]
    return FrozenLine(
        text=text,
        place=place,
        words=line.text.strip(),
        faction=first.faction,
        reading=(line.kind.value, line.reading.value, *names),
    )


def make_test(report: VerdictReport) -> VerdictTest | Refused:
    """Keep a frozen subject and today's result as a test, replacing the report's earlier test.

    Refuses `bad-change` if today's data cannot read it.
    """
    rerun = run_again(report)
    if rerun.verdict is None and not rerun.lines:
        return Refused(code="bad-change")
    values = {
        "name": str(report)[:LINE_LENGTH],
        "verdict": rerun.verdict.value if rerun.verdict else "",
        "is_broken": rerun.is_broken,
        "lines": list(rerun.lines) if rerun.lines else None,
    }
    test, _is_new = VerdictTest.objects.update_or_create(
        game=report.version.game, kind=report.kind, rule=report.rule, document=report.document, defaults=values
    )
    return test


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTest:
    test: VerdictTest
    rerun: Rerun


def run_tests() -> Iterator[FailedTest]:
    """Run every test with today's data; yield changed ones."""
    for test in VerdictTest.objects.select_related("game").order_by("game", "pk").iterator():
        rerun = run_again(test)
        if test.kind == ReportKind.VERDICT:
            holds = rerun.verdict is not None and rerun.verdict.value == test.verdict
            holds = holds and rerun.is_broken == test.is_broken
        else:
            holds = rerun.lines is not None and list(rerun.lines) == test.lines
        if not holds:
            yield FailedTest(test=test, rerun=rerun)
