from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.definitions.planning import PlanPart, PlanPartEntry, PlanQuestion
from catalogue.views.decorators import allow
from catalogue.views.responses import CONFLICT, REFUSED, HtmxRequest, redirect_after_post, render_page
from roster import wording
from roster.engine.report import PlaceKind, Verdict, Violation
from roster.models import Roster
from roster.services.faces import load_faction
from roster.services.outcomes import Conflict, Refused
from roster.services.plan_board import build_plan_board
from roster.services.plan_shapes import PlanBoard
from roster.services.plan_zones import build_zones
from roster.services.plans import StoredPlan, delete_plan, keep_plan, load_plan
from roster.templatetags.builder import make_dom_token
from roster.views.builder.responses import PageNotice
from roster.views.forms import PlanForm
from roster.views.requests import find_own_roster
from roster.views.verdict_presenter import UnitLink, ViolationItem, build_violation_item, format_tally

PARTS = {"whole": "whole_again", "beside": "beside"}
"""The named parts for htmx: the whole form, or only what is outside the form."""
NOT_AGAIN = ("csrfmiddlewaretoken", "revision", "do")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVerdict:
    """The worse of the plan's and the list's verdict."""

    value: str
    word: str
    tally: str
    why: tuple[ViolationItem, ...]


def build_plan_verdict(board: PlanBoard) -> PlanVerdict:
    of_list = Verdict(board.roster.verdict)
    verdict = max(board.verdict, of_list, key=tuple(Verdict).index)
    errors = sum(violation in board.evaluated_list.report.errors for violation in board.violations)
    word = wording.get_verdict_word(verdict, board.evaluated_list.homebrew)
    if verdict is not board.verdict:
        word, errors = _("List: %(verdict)s") % {"verdict": word}, board.roster.violations
    return PlanVerdict(
        value=verdict.value,
        word=word,
        tally=format_tally(verdict, errors),
        why=tuple(dict.fromkeys(_describe_violation(board, violation) for violation in board.violations)),
    )


def _describe_violation(board: PlanBoard, violation: Violation) -> ViolationItem:
    links = tuple(
        UnitLink(name=unit.name, href=f"#u-{make_dom_token(unit.id)}")
        for unit in board.units
        if violation in unit.violations
    )
    elsewhere = violation.on.kind is PlaceKind.SELECTION and not links
    evaluated_list, place = board.evaluated_list, violation.on.name if elsewhere else ""
    sentence = wording.format_violation(violation, evaluated_list.books, place)
    return build_violation_item(violation, sentence, evaluated_list.ruleset, links)


def build_plan_context(board: PlanBoard) -> dict[str, Any]:
    return {
        "plan": board,
        "planned": build_plan_verdict(board),
        "rows": [(unit, tuple(_describe_violation(board, v) for v in unit.violations)) for unit in board.units],
        "about": _list_explanations(board),
        "zones": build_zones(board),
        "lines": wording.list_plan_lines(board),
        "part_names": {part.value: wording.get_part_name(board, part) for part in PlanPart},
        "books": board.evaluated_list.books,
    }


def _list_explanations(board: PlanBoard) -> list[tuple[str, PlanPartEntry | PlanQuestion]]:
    explained: list[tuple[str, PlanPartEntry | PlanQuestion]] = []
    for part in (PlanPart.JOINS, PlanPart.RIDES, PlanPart.RESERVES):
        if part in board.parts:
            explained.append((wording.get_part_name(board, part), board.parts[part]))
    questions = {row.question.id: row.question for unit in board.units for row in unit.questions}
    explained += [(question.name, question) for question in questions.values()]
    return [(name, item) for name, item in explained if item.text or item.citation]


def render_plan(
    request: HtmxRequest,
    roster: Roster,
    planned: StoredPlan | None = None,
    *,
    status: int = 200,
    notes: tuple[PageNotice, ...] = (),
    part: str = "",
) -> HttpResponse:
    board = build_plan_board(roster, planned)
    context = build_plan_context(board) | {
        "roster": roster,
        "game": roster.version.game,
        "faction": load_faction(roster.version_id, roster.faction_id).name,
        "page_address": reverse("roster:plan", args=[roster.public_id]),
        "part": part,
    }
    if notes or part:
        context["messages"] = notes
    template = "roster/plan.html"
    return render(request, f"{template}#{PARTS[part]}" if part else template, context, status=status)


def render_plan_conflict(request: HtmxRequest, roster: Roster, conflict: Conflict) -> HttpResponse:
    fields = [(key, value) for key, values in request.POST.lists() if key not in NOT_AGAIN for value in values]
    context = {
        "conflict": conflict,
        "roster": roster,
        "page_address": reverse("roster:plan", args=[roster.public_id]),
        "fields": fields,
        "message": _(
            "This plan was changed in another tab or window. Yours was not saved, and nothing was overwritten."
        ),
    }
    return render_page(request, "roster/plan_conflict.html", context, "banner", status=CONFLICT)


@allow("GET", "POST")
def edit_plan(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render_plan(request, roster)
    mission_before = load_plan(roster).game.mission
    form = PlanForm(request.POST)
    form.full_clean()
    outcome: StoredPlan | Refused | Conflict | None = None
    if "revision" in form.cleaned_data and form.cleaned_data["do"] == "forget":
        outcome = delete_plan(roster, form.cleaned_data["revision"])
    elif not form.errors:
        outcome = keep_plan(roster, form.cleaned_data["revision"], form.cleaned_data["game"])

    if isinstance(outcome, Conflict):
        return render_plan_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        form.refuse(outcome)
    if not isinstance(outcome, StoredPlan):
        return _answer_refusal(request, roster, form)
    if request.htmx:
        # Another mission may ask other questions and needs a new form.
        part = "whole" if outcome.game.mission != mission_before else "beside"
        return render_plan(request, roster, outcome, part=part)
    messages.success(request, _("Plan saved.") if outcome.exists else _("Plan cleared."))
    return redirect_after_post("roster:plan", roster.public_id)


def _answer_refusal(request: HtmxRequest, roster: Roster, form: PlanForm) -> HttpResponse:
    notes = (PageNotice(message=form.complaint, level_tag="error"),)
    game = form.cleaned_data.get("game") if form.status == REFUSED else None
    stored_plan = StoredPlan(game=game, revision=load_plan(roster).revision) if game and not request.htmx else None
    return render_plan(
        request, roster, stored_plan, status=form.status, notes=notes, part="beside" if request.htmx else ""
    )
