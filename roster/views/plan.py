"""The game plan of a list, for the browser it belongs to.

Its form is the whole plan as fields: `joins` and `rides` hold two ids with a colon between them, `answers` a
question's and an answer's id and perhaps a unit's; a blank value is nothing chosen. `number-<id>` is a number of
the plan.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.definitions.numbers import Number
from catalogue.definitions.planning import PlanPart, PlanPartEntry, PlanQuestion
from catalogue.views.decorators import allow
from catalogue.views.responses import (
    BAD_FORM,
    CONFLICT,
    REFUSED,
    HtmxRequest,
    redirect_after_post,
    render_page,
)
from roster import wording
from roster.engine.plan import Answer, GamePlan, Join, Ride
from roster.engine.report import PlaceKind, Violation
from roster.models import Roster
from roster.services.limits import MAX_ID, parse_amount
from roster.services.outcomes import Conflict, Refused
from roster.services.plan_board import build_plan_board
from roster.services.plan_shapes import PlanBoard
from roster.services.plans import StoredPlan, delete_plan, keep_plan, load_plan
from roster.templatetags.builder import make_dom_token
from roster.views.builder.responses import PageNotice, load_faction
from roster.views.lists.access import find_own_roster
from roster.views.parsing import parse_whole_number
from roster.views.verdict_presenter import (
    UnitLink,
    ViolationItem,
    build_violation_item,
    format_tally,
)

NUMBER = "number-"


def read_plan(form: QueryDict) -> GamePlan | Refused:
    """Read the plan that a form holds, not yet compared with the list; `bad-change` where it holds none."""
    numbers = _read_numbers(form)
    if isinstance(numbers, Refused):
        return numbers
    joins = [value.split(":") for value in _list_values(form, "joins")]
    rides = [value.split(":") for value in _list_values(form, "rides")]
    answers = [value.split(":") for value in _list_values(form, "answers")]
    if any(len(pair) != 2 for pair in (*joins, *rides)) or any(len(parts) not in (2, 3) for parts in answers):
        return Refused(code="bad-change")
    if any(
        len(value) > MAX_ID
        for key in form
        for value in form.getlist(key)
        if key not in ("notes", "objective")
    ):
        return Refused(code="bad-change")
    return GamePlan(
        mission=form.get("mission", ""),
        side=form.get("side", ""),
        opponents=tuple(_list_values(form, "opponents")),
        allies=tuple(_list_values(form, "allies")),
        joins=tuple(Join(character_id=who, host_id=whom) for who, whom in joins),
        rides=tuple(Ride(passenger_id=who, transport_id=where) for who, where in rides),
        reserves=tuple(_list_values(form, "reserves")),
        commander_id=form.get("commander", ""),
        objective=form.get("objective", ""),
        answers=tuple(
            Answer(question=a[0], option=a[1], unit_id=a[2] if len(a) > 2 else "") for a in answers
        ),
        numbers=numbers,
        notes=form.get("notes", ""),
    )


def _list_values(form: QueryDict, key: str) -> Iterator[str]:
    return (value for value in form.getlist(key) if value)


def _read_numbers(form: QueryDict) -> dict[str, Number] | Refused:
    numbers: dict[str, Number] = {}
    for key in form:
        if key.startswith(NUMBER):
            amount = parse_amount(form.get(key, ""))
            if isinstance(amount, Refused):
                return amount
            if amount is not None:
                numbers[key.removeprefix(NUMBER)] = amount
    return numbers


PARTS = {"whole": "whole_again", "beside": "beside"}
"""What a page that is there already is answered with: the form anew, or only what is said beside it."""
NOT_AGAIN = ("csrfmiddlewaretoken", "revision", "do")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanVerdict:
    """What the rules of set-up and match say of a plan."""

    value: str
    word: str
    tally: str
    short: str
    why: tuple[ViolationItem, ...]


def build_plan_verdict(board: PlanBoard) -> PlanVerdict:
    """Build the ribbon of a plan and what stands below it."""
    errors = [v for v in board.violations if v in board.judged.report.errors]
    return PlanVerdict(
        value=board.verdict.value,
        word=wording.get_verdict_word(board.verdict),
        tally=format_tally(board.verdict, len(errors)),
        short=ngettext("%d rule", "%d rules", len(errors)) % len(errors) if errors else "",
        why=tuple(dict.fromkeys(_describe_violation(board, violation) for violation in board.violations)),
    )


def _describe_violation(board: PlanBoard, violation: Violation) -> ViolationItem:
    about = [unit for unit in board.units if violation in unit.violations]
    links = tuple(UnitLink(name=unit.name, href=f"#u-{make_dom_token(unit.id)}") for unit in about)
    elsewhere = violation.on.kind is PlaceKind.SELECTION and not links
    return build_violation_item(
        violation, board.judged, place=violation.on.name if elsewhere else "", links=links
    )


def build_plan_context(board: PlanBoard) -> dict[str, Any]:
    """Collect what the templates show of a plan, on its own page and where it is only read."""
    return {
        "plan": board,
        "planned": build_plan_verdict(board),
        "rows": [
            (unit, tuple(_describe_violation(board, v) for v in unit.violations)) for unit in board.units
        ],
        "about": _list_explanations(board),
        "lines": wording.list_plan_lines(board),
        "part_names": {part.value: wording.get_part_name(board, part) for part in PlanPart},
        "books": board.judged.books,
    }


def _list_explanations(board: PlanBoard) -> list[tuple[str, PlanPartEntry | PlanQuestion]]:
    """List what the page says once of that which it asks of each unit."""
    parts = (PlanPart.JOINS, PlanPart.RIDES, PlanPart.RESERVES)
    explained: list[tuple[str, PlanPartEntry | PlanQuestion]] = [
        (wording.get_part_name(board, part), board.parts[part]) for part in parts if part in board.parts
    ]
    asked = {asked.question.id: asked.question for unit in board.units for asked in unit.questions}
    explained += [(question.name, question) for question in asked.values()]
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
    """Render the page, or with htmx the named `part` of it."""
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
    """Say what happened, link the newer plan, and show the whole of one's own plan again."""
    fields = [
        (key, value) for key, values in request.POST.lists() if key not in NOT_AGAIN for value in values
    ]
    context = {
        "conflict": conflict,
        "roster": roster,
        "page_address": reverse("roster:plan", args=[roster.public_id]),
        "fields": fields,
        "message": _(
            "This plan was changed in another tab or window. Yours was not kept, and nothing was overwritten."
        ),
    }
    return render_page(request, "roster/plan_conflict.html", context, "banner", status=CONFLICT)


BAD = ("bad-change", "bad-plan", "bad-number")


@allow("GET", "POST")
def edit_plan(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return render_plan(request, roster)
    before = load_plan(roster).game.mission
    outcome = _apply_plan_form(roster, request.POST)
    if isinstance(outcome, Conflict):
        return render_plan_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        return _answer_refusal(request, roster, outcome)
    if not request.htmx:
        messages.success(request, _("The plan is kept.") if outcome.exists else _("The plan is forgotten."))
        return redirect_after_post("roster:plan", public_id)
    # Another mission asks other questions: then the whole form comes anew, else only what is said beside it.
    return render_plan(request, roster, outcome, part="whole" if outcome.game.mission != before else "beside")


def _apply_plan_form(roster: Roster, form: QueryDict) -> StoredPlan | Refused | Conflict:
    revision = parse_whole_number(form.get("revision", ""))
    if revision is None:
        return Refused(code="bad-change")
    if form.get("do") == "forget":
        return delete_plan(roster, revision)
    game = read_plan(form)
    return game if isinstance(game, Refused) else keep_plan(roster, revision, game)


def _answer_refusal(request: HtmxRequest, roster: Roster, refused: Refused) -> HttpResponse:
    notes = (PageNotice(message=wording.explain_refusal(refused), level_tag="error"),)
    if request.htmx:
        status = BAD_FORM if refused.code in BAD else REFUSED
        return render_plan(request, roster, status=status, notes=notes, part="beside")
    if refused.code in BAD:
        return render_plan(request, roster, status=BAD_FORM, notes=notes)
    # What was typed stays in the form, to be mended.
    typed = read_plan(request.POST)
    before = load_plan(roster)
    shown = before if isinstance(typed, Refused) else StoredPlan(game=typed, revision=before.revision)
    return render_plan(request, roster, shown, status=REFUSED, notes=notes)
