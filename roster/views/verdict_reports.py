"""The form that reports a verdict, a player's reports with their answers, and the pages on which staff answer."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override

from catalogue.definitions.numbers import format_number
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.engine.report import CostTotal, Verdict
from roster.formats.list_document import format_yaml
from roster.models import Roster, VerdictReport
from roster.models.verdict_reports import LINE_LENGTH, TEXT_LENGTH, StaffAnswer, VerdictDoubt
from roster.services.board import Board, build_board
from roster.services.evaluation import EvaluatedList
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.services.verdict_reports import (
    Rerun,
    Subject,
    add_information,
    answer_report,
    can_report_verdict,
    find_report,
    identify_rule,
    list_own_reports,
    make_test,
    report_verdict,
    run_again,
)
from roster.views.data_versions_admin import ANSWER, require_staff
from roster.views.requests import find_linked_roster, find_own_roster
from roster.views.verdict_presenter import VerdictPresenter, ViolationItem

SHOWN = 20
"""How many reports a page lists."""


class VerdictReportForm(forms.Form):
    """What a player writes; the service checks doubt and lengths. `on` is a violation's id on the page."""

    on = forms.CharField(required=False)
    unit = forms.CharField(required=False)
    doubt = forms.CharField(required=False)
    text = forms.CharField(required=False, strip=False)
    book = forms.CharField(required=False)
    page = forms.CharField(required=False)
    wants_mail = forms.BooleanField(required=False)


@allow("GET", "POST")
def report_own_verdict(request: HttpRequest, public_id: str) -> HttpResponse:
    return _answer_report_form(request, find_own_roster(request, public_id))


@allow("GET", "POST")
def report_list_verdict(request: HttpRequest, link_id: str) -> HttpResponse:
    return _answer_report_form(request, find_linked_roster(request, link_id))


def _answer_report_form(request: HttpRequest, roster: Roster) -> HttpResponse:
    """Report a list's verdict: the violation `on`, the unit `unit`, or without both the verdict as a whole."""
    if not can_report_verdict(roster, identify_visitor(request)):
        raise Http404
    form = VerdictReportForm(request.POST if request.method == "POST" else request.GET)
    form.full_clean()
    board = build_board(roster)
    item, subject = _find_subject(board, form.cleaned_data["on"], form.cleaned_data["unit"])
    points, wrong = _format_points(board.judged.points), ""
    if request.method == "POST":
        fields = {name: form.cleaned_data[name] for name in ("doubt", "text", "book", "page", "wants_mail")}
        outcome = report_verdict(
            make_owner(request),
            roster,
            board.judged,
            subject,
            points=points,
            violations=_list_headlines(board.judged),
            **fields,
        )
        if not isinstance(outcome, Refused):
            messages.success(request, _("Thanks. The staff of this site will look at the list as it is now."))
            return redirect("roster:verdict-reports")
        wrong = wording.explain_refusal(outcome)
    context = {
        "roster": roster,
        "board": board,
        "form": form.cleaned_data,
        "subject": subject,
        "violation": item,
        "points": points,
        "doubts": _list_choices(
            {
                VerdictDoubt.RULE: _("An exception, an errata, another edition."),
                VerdictDoubt.READING: _("The words say something else."),
                VerdictDoubt.COUNT: _("A unit, a model or points."),
                VerdictDoubt.OTHER: _("Tell us below."),
            }
        ),
        "wrong": wrong,
        "text_length": TEXT_LENGTH,
        "line_length": LINE_LENGTH,
        "sent": list_own_reports(identify_visitor(request))[:SHOWN],
    }
    return render(request, "roster/reports/report.html", context, status=REFUSED if wrong else 200)


def _list_choices(hints: Mapping[Any, str]) -> list[dict[str, str]]:
    return [{"value": choice.value, "name": str(choice.label), "hint": hint} for choice, hint in hints.items()]


def _find_subject(board: Board, on: str, unit_id: str) -> tuple[ViolationItem | None, Subject]:
    """Return the violation with this id on the page, or the unit; the verdict as a whole if there is neither."""
    presenter = VerdictPresenter(board)
    for violation in board.violations if on else ():
        item = presenter.describe_violation(violation)
        if item.id == on:
            return item, Subject(text=item.sentence.headline, rule=identify_rule(violation))
    unit = board.unit_by_node.get(unit_id) if unit_id else None
    return None, Subject(text=unit.name if unit else "")


def _list_headlines(judged: EvaluatedList) -> tuple[str, ...]:
    return tuple(sentence.headline for sentence in wording.format_violations(judged))


def _format_points(points: CostTotal | None) -> str:
    if points is None:
        return ""
    value = format_number(points.value)
    return f"{value} {points.name}" if points.limit is None else f"{value} / {format_number(points.limit)}"


@allow("GET")
def list_reports(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own reports and their answers."""
    sent = list_own_reports(identify_visitor(request)).select_related("version__game")[:SHOWN]
    return render(request, "roster/reports/sent.html", {"sent": sent, "text_length": TEXT_LENGTH})


@allow("POST")
def add_to_report(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Add what the staff asked for to one's own report."""
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
    """Show a report with its list run again on today's data. A POST answers it, or keeps the list as a test."""
    try:
        report = find_report(VerdictReport.objects.all(), report_id)
    except VerdictReport.DoesNotExist:
        raise Http404 from None
    if request.method != "POST":
        return _render_report(request, report)
    if request.POST.get("do") == "test":
        outcome: object = make_test(report)
        done = _("The list is a test now. “manage.py check_verdicts” runs it.")
    else:
        outcome = answer_report(report, request.POST.get("answer", ""), request.POST.get("reply", ""))
        done = _("The report is answered.")
    if isinstance(outcome, Refused):
        return _render_report(request, report, wording.explain_refusal(outcome), request.POST.get("reply", ""))
    messages.success(request, done)
    return redirect_after_post("roster:verdict-report-staff", report_id)


def _render_report(request: HttpRequest, report: VerdictReport, wrong: str = "", reply: str = "") -> HttpResponse:
    rerun = run_again(report.document, report.rule)
    others = VerdictReport.objects.filter(rule=report.rule).exclude(pk=report.pk) if report.rule else ()
    context = {
        "page": "games",
        "report": report,
        "rerun": rerun,
        "now": _describe_now(rerun),
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
        "tests": report.version.game.verdict_tests.filter(document=report.document, rule=report.rule),
        "wrong": wrong,
        "reply": reply or report.reply,
        "text_length": TEXT_LENGTH,
    }
    return render(request, "roster/reports/staff.html", context, status=BAD_FORM if wrong else 200)


def _describe_now(rerun: Rerun) -> dict[str, Any] | None:
    if rerun.checked is None:
        return None
    judged = rerun.checked.judged
    return {
        "version": rerun.checked.version,
        "verdict": judged.verdict.value,
        "points": _format_points(judged.points),
        "violations": _list_headlines(judged),
    }


def _write_issue(report: VerdictReport, rerun: Rerun) -> str:
    """Write a report as the text of an issue for the people who keep the data, in English and without names."""
    version = report.version
    with override("en"):
        verdict = wording.get_verdict_word(Verdict(report.verdict))
        now = wording.get_verdict_word(rerun.verdict) if rerun.verdict else "unreadable"
        doubt = str(VerdictDoubt(report.doubt).label)
    source = ", ".join(filter(None, (report.book, f"p. {report.page}" if report.page else "")))
    lines = [
        f"**{report.subject or 'The verdict'}** ({version.game}, {version.label or version.short_hash})",
        "",
        f"- What is doubted: {doubt}",
        f"- Verdict with this version: {verdict} {report.points}".rstrip(),
        f"- Verdict with today's data: {now}",
        f"- Source: {source or 'not given'}",
        *(["", *(f"> {line}" for line in report.text.splitlines())] if report.text else []),
        "",
        "```yaml",
        format_yaml(report.document).decode().rstrip(),
        "```",
    ]
    return "\n".join(lines) + "\n"
