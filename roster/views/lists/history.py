from datetime import date
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.models import PackVersion
from catalogue.services.releases import list_published_versions
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, REFUSED, HtmxRequest, redirect_after_post
from roster import wording
from roster.models import Roster
from roster.services.edits import find_revision, keep_current, restore_revision, take_conflicting_revision
from roster.services.history import Standing, list_conflicting_revisions, name_revision, read_history
from roster.services.homebrew import list_refused, read_version
from roster.services.outcomes import Conflict, Outcome, Refused
from roster.services.rulesets import find_homebrew_for
from roster.services.upgrade_data import (
    compare_lists,
    evaluate_compared_list,
    find_version,
    find_version_on,
    preview_upgrade,
    upgrade_list,
)
from roster.views.builder.editor import render_conflict
from roster.views.forms import ConflictForm, DataMoveForm, DataQuestionForm, StepForm
from roster.views.homebrew import LineRow, list_line_rows
from roster.views.lists.comparison import describe_comparison
from roster.views.requests import find_own_roster

AT_ONCE = 40


@allow("GET", "POST")
def show_history(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method != "POST":
        return _render_history(request, roster)
    form = StepForm(request.POST)
    if not form.is_valid():
        return _render_history(request, roster, form.complaint, form.status)
    number = form.cleaned_data["number"]
    outcome: Outcome | str
    if form.cleaned_data["do"] == "restore":
        outcome = restore_revision(roster, form.cleaned_data["revision"], number)
    else:
        outcome = name_revision(roster, number, form.cleaned_data["name"])

    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return _render_history(request, roster, form.complaint, REFUSED)
    if not isinstance(outcome, str):
        return _answer_outcome(request, roster, outcome, _("The list is back at step %d. Undo reverses this.") % number)
    message = _("Named step %(number)d “%(name)s”.") if outcome else _("Removed the name of step %(number)d.")
    messages.success(request, message % {"number": number, "name": outcome})
    return redirect_after_post("roster:history", roster.public_id)


def _render_history(request: HtmxRequest, roster: Roster, wrong: str = "", status: int = 200) -> HttpResponse:
    named = bool(request.GET.get("named"))
    past = read_history(roster, named=named)
    page = Paginator(past.numbers, AT_ONCE).get_page(request.GET.get("page"))
    rows = past.read_rows(list(page.object_list))
    context = {
        "roster": roster,
        "game": roster.version.game,
        "rows": rows,
        "page_obj": page,
        "named": named,
        "wrong": wrong,
        "from": next((row.revision.number for row in rows if row.standing is Standing.BELOW), 0),
    }
    return render(request, "roster/history.html", context, status=status)


@allow("GET", "POST")
def choose_version(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method == "POST":
        return _apply_choice(request, roster)
    other = find_revision(roster, roster.aside)
    # The owner has already chosen, on another device or page.
    if other is None:
        return redirect_after_post("roster:history", public_id)
    comparison = compare_lists(
        evaluate_compared_list(roster, roster.faction_id), evaluate_compared_list(other, roster.faction_id)
    )
    context = {
        "roster": roster,
        "game": roster.version.game,
        "other": other,
        "act": wording.describe_act(other.act, other.subject),
        "more": [
            (step.number, wording.describe_act(step.act, step.subject))
            for step in list_conflicting_revisions(roster, other)
        ],
        **describe_comparison(comparison),
    }
    return render(request, "roster/choose.html", context)


def _apply_choice(request: HtmxRequest, roster: Roster) -> HttpResponse:
    form = ConflictForm(request.POST)
    # Another revision may be waiting by now.
    if not form.is_valid() or form.cleaned_data["number"] != roster.aside:
        messages.error(request, wording.explain_refusal(Refused(code="bad-change")))
        return redirect_after_post("roster:choose", roster.public_id)
    revision, number = form.cleaned_data["revision"], form.cleaned_data["number"]
    if form.cleaned_data["do"] == "take":
        message = _("The other version is now the list. Undo brings back the previous one.")
        return _answer_outcome(request, roster, take_conflicting_revision(roster, revision, number), message)
    keep_current(roster, number)
    messages.success(request, _("The list stays as it is. The other version stays in its history."))
    return redirect_after_post("roster:builder", roster.public_id)


def _answer_outcome(request: HtmxRequest, roster: Roster, outcome: Outcome, message: str) -> HttpResponse:
    if isinstance(outcome, Conflict):
        return render_conflict(request, roster, outcome)
    messages.success(request, message)
    return redirect_after_post("roster:builder", roster.public_id)


@allow("GET", "POST")
def show_data_version(request: HtmxRequest, public_id: str) -> HttpResponse:
    roster = find_own_roster(request, public_id)
    if request.method == "POST":
        return _move_to_version(request, roster)
    form = DataQuestionForm(request.GET)
    if not form.is_valid():
        return _render_data_page(request, roster, wrong=form.complaint, status=BAD_FORM)
    day, to = form.cleaned_data["on"], form.cleaned_data["to"]
    if day:
        return _render_data_page(request, roster, find_version_on(roster, day), then=day)
    version = find_version(roster, to) if to else roster.version.game.shown_version
    if version is None:
        return _render_data_page(request, roster, wrong=_("There is no such version here."), status=BAD_FORM)
    return _render_data_page(request, roster, version)


def _render_data_page(
    request: HtmxRequest,
    roster: Roster,
    version: PackVersion | None = None,
    *,
    then: date | None = None,
    wrong: str = "",
    status: int = 200,
) -> HttpResponse:
    game = roster.version.game
    context: dict[str, Any] = {
        "roster": roster,
        "game": game,
        "versions": list_published_versions(game),
        "other": version,
        "then": then,
        "wrong": wrong,
        "moved": version is not None and version.pk == roster.version_id,
    }
    if version:
        version.game = game
        would = preview_upgrade(roster, version)
        context |= {
            **describe_comparison(would.comparison),
            "repriced": [wording.describe_price_change(unit, version.points_name) for unit in would.repriced],
            "namesakes": dict.fromkeys(map(wording.describe_namesake, would.namesakes)),
            "house_lines": _list_house_lines(roster, version),
            "mended": would.mended and (would.mended.value, wording.get_verdict_word(would.mended, would.homebrew)),
        }
    return render(request, "roster/data.html", context, status=status)


def _list_house_lines(roster: Roster, version: PackVersion) -> list[LineRow]:
    """Return the lines of house rules, with the reason if a version refuses one."""
    key = roster.tree.homebrew
    published = find_homebrew_for(version.game_id, key) if key else None
    if published is None:
        return []
    homebrew = read_version(published)
    return list_line_rows(homebrew, list_refused(homebrew, version))


def _move_to_version(request: HtmxRequest, roster: Roster) -> HttpResponse:
    form = DataMoveForm(request.POST)
    version = find_version(roster, form.cleaned_data["to"]) if form.is_valid() else None
    if version is None:
        form.refuse(Refused(code="bad-change"))
        return _render_data_page(request, roster, wrong=form.complaint, status=BAD_FORM)
    outcome = upgrade_list(roster, form.cleaned_data["revision"], version, mend=form.cleaned_data["mend"])
    if isinstance(outcome, Conflict):
        return render_conflict(request, roster, outcome)
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return _render_data_page(request, roster, version, wrong=form.complaint, status=REFUSED)
    messages.success(request, _("The list now uses %(version)s. Undo reverses this.") % {"version": version})
    return redirect_after_post("roster:builder", roster.public_id)
