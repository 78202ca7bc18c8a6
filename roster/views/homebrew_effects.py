"""What a changed value does to the reader's own lists, before it is saved."""

from dataclasses import dataclass
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.services.rulesets import load_faction_ruleset
from catalogue.views.decorators import allow
from catalogue.views.responses import BAD_FORM, HtmxRequest, read_query, redirect_after_post
from roster import wording
from roster.formats.homebrew.document import Homebrew
from roster.formats.list_text import NAME_LENGTH, clean_text
from roster.models import Roster
from roster.services.evaluation import lend_evaluation
from roster.services.homebrew import list_refused, list_sets, merge_lines, read_working
from roster.services.homebrew_effects import HomebrewEffect, JudgedState, list_effects, read_state
from roster.services.homebrew_values import find_line, read_values
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.views.homebrew import find_figure, find_named_list, find_unit
from roster.wording.homebrew import explain_refused_line, format_line_source


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRow:
    effect: HomebrewEffect
    refused: str


@allow("GET")
@login_required
def show_effects(request: HtmxRequest, game: str, faction: str, unit: str) -> HttpResponse:
    """Show the points and verdict of some of the user's lists with and without a new value. Nothing is stored."""
    user = cast("User", request.user)
    row = find_unit(game, faction, unit, user)
    if not request.htmx:
        address = reverse("roster:homebrew-value", args=[game, faction, unit])
        return redirect_after_post(address, query=request.GET.urlencode())
    system = row.faction.version.game
    values, _fixed = read_values(load_faction_ruleset(row.faction), row.faction.faction_id, row.entry_id)
    value = find_figure(values, read_query(request, "value"))
    if value is None:
        return HttpResponse(wording.explain_refusal(Refused(code="bad-change")), status=BAD_FORM)
    roster = find_named_list(request, read_query(request, "list"), system)
    name, to, source, page = (
        clean_text(read_query(request, key, NAME_LENGTH)) for key in ("name", "to", "source", "page")
    )
    context: dict[str, Any] = {"unit": row, "to": to, "roster": roster, "is_on": bool(roster and roster.tree.homebrew)}
    if to:
        chosen = list_sets(user).filter(game=system, public_id=read_query(request, "set")).first()
        rules = read_working(chosen) if chosen else Homebrew(name=name or _("House rules"), game=system.slug)
        line = value.write_line(to, source=source, page=page)
        before = find_line(rules.changes, value)
        homebrew = merge_lines(rules, [line], [before] if before else [])
        refused = next((one for one in list_refused(homebrew, system.shown_version) if one.line is line), None)
        if refused:
            context["wrong"] = explain_refused_line(refused)
        else:
            effects = list_effects(identify_visitor(request), row, homebrew, line, roster)
            context["rows"] = [EffectRow(effect=one, refused=_explain_refused(one)) for one in effects]
            context["source"] = format_line_source(homebrew, line)
            context["first"] = effects[0] if roster else None
    first: HomebrewEffect | None = context.get("first")
    if roster:
        context["state"] = first.after if first and first.after else _read_current_state(roster)
    return render(request, "roster/homebrew/effects.html", context)


def _explain_refused(effect: HomebrewEffect) -> str:
    return explain_refused_line(effect.refused) if effect.refused else ""


def _read_current_state(roster: Roster) -> JudgedState:
    with lend_evaluation(roster) as evaluated_list:
        return read_state(evaluated_list)
