"""Pages to report doubtful verdicts, read answers and, for staff, give them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from catalogue.definitions.numbers import format_number
from catalogue.services.published_games import select_units
from catalogue.services.unit_card_builder import build_unit_card
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.engine.report import CostTotal, Verdict
from roster.formats.list_document import Unreadable, format_yaml
from roster.formats.text.parse import MAX_TEXT
from roster.formats.text.pasted import LineKind, Reading
from roster.models import Roster, VerdictReport
from roster.models.verdict_reports import DOUBTS, LINE_LENGTH, TEXT_LENGTH, ReportKind, StaffAnswer, VerdictDoubt
from roster.services.board import Board, build_board
from roster.services.evaluation import EvaluatedList
from roster.services.homebrew import name_homebrew
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.services.pasted_lists import read_pasted_text
from roster.services.verdict_reports import (
    FrozenLine,
    PlayerWords,
    Rerun,
    Subject,
    add_information,
    answer_report,
    can_report_verdict,
    evaluate_without_names,
    find_report,
    freeze_line,
    identify_rule,
    list_card_lines,
    list_own_reports,
    make_test,
    report_line,
    report_unit,
    report_verdict,
    run_again,
)
from roster.views.data_versions_admin import ANSWER, require_staff
from roster.views.lists.paste_presenter import KINDS
from roster.views.requests import find_linked_roster, find_own_roster, parse_whole_number
from roster.views.verdict_presenter import VerdictPresenter, ViolationItem
from roster.wording.pasted import READINGS

SHOWN = 20
"""How many reports a page lists."""


DOUBT_HINTS = {
    VerdictDoubt.RULE: gettext_lazy("An exception, an erratum, another edition."),
    VerdictDoubt.READING: gettext_lazy("The words say something else."),
    VerdictDoubt.COUNT: gettext_lazy("A unit, a model or points."),
    VerdictDoubt.FIGURE: gettext_lazy("Of the unit, a weapon or an ability."),
    VerdictDoubt.PRICE: gettext_lazy("Of the unit or an option."),
    VerdictDoubt.OPTION: gettext_lazy("It is missing, or allows too much or too little."),
    VerdictDoubt.MEANING: gettext_lazy("Another unit, model or option."),
    VerdictDoubt.NUMBER: gettext_lazy("Of models or options, or the points."),
    VerdictDoubt.NOTE: gettext_lazy("A note, a heading, an advertisement."),
    VerdictDoubt.OTHER: gettext_lazy("Tell us below."),
}


class VerdictReportForm(forms.Form):
    """`on` is a violation's id on the page; the service checks doubt and lengths.

    `text_of_list`, `line` (from 0), `game` and `faction` are a line of a pasted list.
    """

    on = forms.CharField(required=False)
    unit = forms.CharField(required=False)
    text_of_list = forms.CharField(required=False, strip=False, max_length=4 * MAX_TEXT)
    line = forms.IntegerField(required=False, min_value=0)
    game = forms.CharField(required=False, max_length=100)
    faction = forms.CharField(required=False, max_length=100)
    doubt = forms.CharField(required=False)
    text = forms.CharField(required=False, strip=False)
    book = forms.CharField(required=False)
    page = forms.CharField(required=False)
    wants_mail = forms.BooleanField(required=False)

    def read_words(self) -> PlayerWords:
        """Return what the player wrote, without texts that hold control characters."""
        fields = self.cleaned_data
        return PlayerWords(
            **{name: fields.get(name, "") for name in ("doubt", "text", "book", "page")},
            wants_mail=fields["wants_mail"],
        )


@allow("GET", "POST")
def report_own_verdict(request: HttpRequest, public_id: str) -> HttpResponse:
    return _answer_report_form(request, find_own_roster(request, public_id))


@allow("GET", "POST")
def report_list_verdict(request: HttpRequest, link_id: str) -> HttpResponse:
    return _answer_report_form(request, find_linked_roster(request, link_id))


def _answer_report_form(request: HttpRequest, roster: Roster) -> HttpResponse:
    """Without `on` or `unit`, report the verdict as a whole."""
    if not can_report_verdict(roster, identify_visitor(request)):
        raise Http404
    form = VerdictReportForm(request.POST if request.method == "POST" else request.GET)
    form.full_clean()
    # The page shows what is stored: everything in the list's words without names that the owner gave.
    board = build_board(roster, evaluate_without_names(roster))
    item, subject = _find_subject(board, form.cleaned_data.get("on", ""), form.cleaned_data.get("unit", ""))
    points, wrong = _format_points(board.evaluated_list.points), ""
    if request.method == "POST":
        outcome = report_verdict(
            make_owner(request),
            roster,
            board.evaluated_list,
            subject,
            form.read_words(),
            points=points,
            violations=_list_headlines(board.evaluated_list),
        )
        if not isinstance(outcome, Refused):
            return _thank_player(request)
        wrong = wording.explain_refusal(outcome)
    context = {
        "roster": roster,
        "board": board,
        "back": (roster.get_absolute_url(), roster.name or _("List without a name")),
        "subject": subject,
        "violation": item,
        "points": points,
        "version": roster.version,
    }
    return _render_form(request, form, ReportKind.VERDICT, context, wrong)


@allow("GET", "POST")
def report_datasheet(request: HttpRequest, game: str, faction: str, unit: str) -> HttpResponse:
    """Report a datasheet's mistake. Staff cannot see private games."""
    row = get_object_or_404(select_units(game, faction), slug=unit)
    card = build_unit_card(row)
    if card is None:
        raise Http404
    form = VerdictReportForm(request.POST if request.method == "POST" else request.GET)
    form.full_clean()
    wrong = ""
    if request.method == "POST":
        outcome = report_unit(make_owner(request), row, card, form.read_words())
        if not isinstance(outcome, Refused):
            return _thank_player(request)
        wrong = wording.explain_refusal(outcome)
    context = {
        "back": (row.get_absolute_url(), row.name),
        "face": row.faction,
        "subject": Subject(text=row.name),
        "version": row.faction.version,
        "lines": list_card_lines(row, card),
    }
    return _render_form(request, form, ReportKind.UNIT, context, wrong)


@allow("POST")
def report_read_line(request: HttpRequest) -> HttpResponse:
    """Report a pasted line: first from the import page, which sends the whole text, then from the form."""
    form = VerdictReportForm(request.POST)
    form.full_clean()
    fields = form.cleaned_data
    line = None
    if request.POST.get("report"):
        line = _find_pasted_line(request)
        # On the page Import, this is the pasted text.
        fields["text"] = ""
    elif not form.errors and fields["line"] is not None:
        line = freeze_line(fields["text_of_list"], fields["line"], game=fields["game"], faction=fields["faction"])
    if not isinstance(line, FrozenLine):
        messages.error(request, _("The line was not found in the text. Paste the list again."))
        return redirect_after_post("roster:import")
    wrong = ""
    if fields.get("doubt"):
        outcome = report_line(make_owner(request), line, form.read_words())
        if not isinstance(outcome, Refused):
            return _thank_player(request)
        wrong = wording.explain_refusal(outcome)
    context = {
        "back": (reverse("roster:import"), _("Import")),
        "face": line.faction,
        "subject": Subject(text=line.words),
        "version": line.faction.version,
        "line": line,
        "lines": _describe_lines(ReportKind.LINE, line.reading),
    }
    return _render_form(request, form, ReportKind.LINE, context, wrong)


def _find_pasted_line(request: HttpRequest) -> FrozenLine | Unreadable | None:
    """Find the line chosen on the import page, with its list's text alone."""
    number = request.POST.get("report", "")
    chosen = parse_whole_number(request.POST.get(f"line-{number}", ""))
    read = read_pasted_text(request.POST.get("text", ""), game=request.POST.get("game", ""))
    if isinstance(read, Unreadable):
        return read
    one = next((one for one in read if str(one.number) == number), None)
    if one is None or one.faction is None:
        return None
    numbers = [line.number for line in one.lines]
    if chosen not in numbers:
        return None
    text = "\n".join(line.text for line in one.lines)
    faction = one.faction
    return freeze_line(text, numbers.index(chosen), game=faction.version.game.slug, faction=faction.slug)


def _thank_player(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Thanks. The staff of this site will look at it as it is now."))
    return redirect("roster:verdict-reports")


def _render_form(
    request: HttpRequest, form: VerdictReportForm, kind: ReportKind, context: dict[str, Any], wrong: str
) -> HttpResponse:
    context |= {
        "kind": kind,
        "form": form.cleaned_data,
        "doubts": _list_choices({doubt: str(DOUBT_HINTS[doubt]) for doubt in DOUBTS[kind]}),
        "wrong": wrong,
        "text_length": TEXT_LENGTH,
        "line_length": LINE_LENGTH,
        "sent": list_own_reports(identify_visitor(request))[:SHOWN],
    }
    return render(request, "roster/reports/report.html", context, status=REFUSED if wrong else 200)


def _describe_lines(kind: str, lines: Sequence[str]) -> list[str]:
    """Describe a report's lines; of a line of text, its kind, reading, and what its names mean."""
    if kind != ReportKind.LINE or len(lines) < 2:
        return list(lines)
    kinds = (KINDS.get(LineKind(lines[0]), ""), READINGS[Reading(lines[1])])
    return [str(word) for word in (*kinds, *lines[2:]) if word]


def _list_choices(hints: Mapping[Any, str]) -> list[dict[str, str]]:
    return [{"value": choice.value, "name": str(choice.label), "hint": hint} for choice, hint in hints.items()]


def _find_subject(board: Board, on: str, unit_id: str) -> tuple[ViolationItem | None, Subject]:
    """Return the violation with this id on the page, the unit, or the whole verdict."""
    presenter = VerdictPresenter(board)
    for violation in board.violations if on else ():
        item = presenter.describe_violation(violation)
        if item.id == on:
            return item, Subject(text=item.sentence.headline, rule=identify_rule(violation))
    unit = board.unit_by_node.get(unit_id) if unit_id else None
    return None, Subject(text=unit.name if unit else "")


def _list_headlines(evaluated_list: EvaluatedList) -> tuple[str, ...]:
    return tuple(sentence.headline for sentence in wording.format_violations(evaluated_list))


def _format_points(points: CostTotal | None) -> str:
    if points is None:
        return ""
    value = format_number(points.value)
    return f"{value} {points.name}" if points.limit is None else f"{value} / {format_number(points.limit)}"


@allow("GET")
def list_reports(request: HttpRequest) -> HttpResponse:
    sent = list_own_reports(identify_visitor(request)).select_related("version__game")[:SHOWN]
    return render(request, "roster/reports/sent.html", {"sent": sent, "text_length": TEXT_LENGTH})


@allow("POST")
def add_to_report(request: HtmxRequest, public_id: str) -> HttpResponse:
    try:
        report = find_report(list_own_reports(identify_visitor(request)), public_id)
    except VerdictReport.DoesNotExist:
        raise Http404 from None
    refused = add_information(report, request.POST.get("text", ""))
    if refused:
        messages.error(request, wording.explain_refusal(refused))
    else:
        messages.success(request, _("Thanks. The report is open again."))
    return redirect_after_post("roster:verdict-reports")


@allow("GET")
@require_staff(ANSWER)
def list_open_reports(request: HttpRequest) -> HttpResponse:
    reports = VerdictReport.objects.select_related("version__game")
    context = {
        "page": "games",
        "open": reports.filter(answer=StaffAnswer.OPEN).order_by("pk"),
        "answered": reports.exclude(answer=StaffAnswer.OPEN).order_by("-answered")[:SHOWN],
    }
    return render(request, "roster/reports/queue.html", context)


@allow("GET", "POST")
@require_staff(ANSWER)
def answer_player(request: HtmxRequest, report_id: str) -> HttpResponse:
    """Show a report with today's result. A POST answers it, or keeps it as a test."""
    try:
        report = find_report(VerdictReport.objects.all(), report_id)
    except VerdictReport.DoesNotExist:
        raise Http404 from None
    if request.method != "POST":
        return _render_report(request, report)
    if request.POST.get("do") == "test":
        outcome: object = make_test(report)
        done = _("The list is now a test. “manage.py check_verdicts” runs it.")
    else:
        outcome = answer_report(report, request.POST.get("answer", ""), request.POST.get("reply", ""))
        done = _("The report was answered.")
    if isinstance(outcome, Refused):
        return _render_report(request, report, wording.explain_refusal(outcome), request.POST.get("reply", ""))
    messages.success(request, done)
    return redirect_after_post("roster:verdict-report-staff", report_id)


def _render_report(request: HttpRequest, report: VerdictReport, wrong: str = "", reply: str = "") -> HttpResponse:
    rerun = run_again(report)
    others = VerdictReport.objects.filter(rule=report.rule).exclude(pk=report.pk) if report.rule else ()
    waiting = VerdictReport.objects.filter(answer=StaffAnswer.OPEN)
    context = {
        "page": "games",
        "report": report,
        "open": waiting.count(),
        "previous": waiting.filter(pk__lt=report.pk).order_by("-pk").first(),
        "next": waiting.filter(pk__gt=report.pk).order_by("pk").first(),
        "rerun": rerun,
        "then": _describe_lines(report.kind, report.violations),
        "now": _describe_now(report, rerun),
        "trouble": wording.explain_unreadable(rerun.trouble) if rerun.trouble else "",
        "answers": _list_choices(
            {
                StaffAnswer.CONFIRMED: _("The verdict is wrong; it will be fixed."),
                StaffAnswer.NOT_REPRODUCIBLE: _("Today’s data says what the player expects."),
                StaffAnswer.NEEDS_INFORMATION: _("Ask one question."),
                StaffAnswer.INCONCLUSIVE: _("The book can be read both ways."),
            }
        ),
        "others": others[:SHOWN],
        "issue": _write_issue(report, rerun),
        "tests": report.version.game.verdict_tests.filter(kind=report.kind, document=report.document, rule=report.rule),
        "rules": name_homebrew(report.version.game_id, report.document.get("homebrew", "")),
        "wrong": wrong,
        "reply": reply or report.reply,
        "text_length": TEXT_LENGTH,
    }
    return render(request, "roster/reports/staff.html", context, status=BAD_FORM if wrong else 200)


def _describe_now(report: VerdictReport, rerun: Rerun) -> dict[str, Any] | None:
    if rerun.lines is not None:
        lines = _describe_lines(report.kind, rerun.lines)
        return {"version": rerun.version, "lines": lines, "is_same": list(rerun.lines) == report.violations}
    if rerun.checked is None:
        return None
    evaluated_list = rerun.checked.evaluated_list
    return {
        "version": rerun.checked.version,
        "verdict": evaluated_list.verdict.value,
        "rules": evaluated_list.homebrew,
        "points": _format_points(evaluated_list.points),
        "violations": _list_headlines(evaluated_list),
    }


def _write_issue(report: VerdictReport, rerun: Rerun) -> str:
    """Write a report as an issue for the data's maintainers, in English and without names."""
    version = report.version
    source = ", ".join(filter(None, (report.book, f"p. {report.page}" if report.page else "")))
    with override("en"):
        doubt = str(VerdictDoubt(report.doubt).label)
        if report.kind == ReportKind.VERDICT:
            # Names of house rules may name people.
            rules = _("house rules") if "homebrew" in report.document else ""
            verdict = wording.get_verdict_word(Verdict(report.verdict), rules)
            now = wording.get_verdict_word(rerun.verdict, rules) if rerun.verdict else "unreadable"
            facts = [
                f"- Verdict with this version: {verdict} {report.points}".rstrip(),
                f"- Verdict with today's data: {now}",
            ]
            frozen = format_yaml(report.document).decode().rstrip()
        else:
            facts = [f"- Today the same: {'yes' if list(rerun.lines or ()) == report.violations else 'no'}"]
            frozen = "\n".join(_describe_lines(report.kind, report.violations))
    lines = [
        f"**{report.subject or 'The verdict'}** ({version.game}, {version.label or version.short_hash})",
        "",
        f"- What is doubted: {doubt}",
        *facts,
        f"- Source: {source or 'not given'}",
        *(["", *(f"> {line}" for line in report.text.splitlines())] if report.text else []),
        "",
        "```yaml",
        frozen,
        "```",
    ]
    return "\n".join(lines) + "\n"
