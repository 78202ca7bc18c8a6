from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.services.published_games import select_readable_games
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, redirect_after_post, render_form
from roster import wording
from roster.club.models import CampaignForce, LedgerKind
from roster.club.services import forces as verbs
from roster.club.services.campaigns import load_ready_campaigns
from roster.club.services.collections import list_startable_factions
from roster.club.services.force_games import find_open_game, list_open_games, name_game, propose_results, record_results
from roster.club.services.mustering import find_data, list_open_entries, muster_list
from roster.club.services.veterans import ForceRoll, load_roll
from roster.club.views.force_forms import (
    CampaignForm,
    ForceForm,
    ForceUnitsForm,
    GameResultsForm,
    MusterForm,
    StartForceForm,
)
from roster.club.wording import describe_step, explain_force_refusal
from roster.formats.list_document import Unreadable
from roster.models import Roster
from roster.pdf.qr import draw_qr_code
from roster.play.services.game_records import PlayedGame
from roster.play.services.games import list_confirmations
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner, make_owner
from roster.services.rosters import list_rosters
from roster.services.sharing import can_report
from roster.views.requests import parse_whole_number
from roster.views.sharing import answer_report, answer_sharing

MOST_LISTS = 100
MOST_STEPS = 40
"""The newest steps that a page shows."""


@allow("GET", "POST")
def show_forces(request: HttpRequest) -> HttpResponse:
    visitor, wrong = identify_visitor(request), ""
    if request.method == "POST":
        fields = StartForceForm(request.POST).read_fields()
        slug, _colon, faction_id = fields["faction"].partition(":")
        game = get_object_or_404(select_readable_games(request.user.pk), slug=slug)
        force = verbs.start_force(make_owner(request), game, faction_id, fields["name"], fields["campaign"])
        if isinstance(force, CampaignForce):
            return redirect_after_post("club:force-units", force.public_id)
        wrong = explain_force_refusal(force)
    context = {
        "page": "rosters",
        "forces": verbs.list_forces(visitor),
        "factions": list_startable_factions(visitor),
        "campaigns": load_ready_campaigns(),
        "typed": request.POST,
        "wrong": wrong,
    }
    return render_form(request, "club/forces.html", context)


@allow("GET", "POST")
def show_force(request: HttpRequest, public_id: str) -> HttpResponse:
    force = own_force(request, public_id)
    if request.method != "POST":
        return _render_force(request, force, ForceForm())
    form = ForceForm(request.POST)
    refused = _take_step(force, form.cleaned_data) if form.is_valid() else None
    if refused:
        form.add_error(None, explain_force_refusal(refused))
        form.status = REFUSED
    if form.errors:
        return _render_force(request, force, form)
    unit = form.cleaned_data["unit"]
    return redirect_after_post(
        "club:force", force.public_id, query=f"open={unit}" if unit else "", anchor="unit" if unit else ""
    )


def _take_step(force: CampaignForce, fields: Mapping[str, Any]) -> Refused | None:
    match fields["do"]:
        case "undo":
            return verbs.undo_step(force, fields["step"] or 0)
        case "rename":
            return verbs.rename_force(force, fields["name"])
    return verbs.write_entry(
        force,
        fields["unit"] or 0,
        fields["kind"],
        name=fields["other"] or fields["name"],
        amount=fields["amount"] or 0,
        cost=fields["cost"],
        text=fields["text"],
    )


def _render_force(request: HttpRequest, force: CampaignForce, form: ForceForm) -> HttpResponse:
    visitor, roll = identify_visitor(request), load_roll(force)
    unit_key = request.GET.get("open") or str(form.data.get("unit", ""))
    opened = roll.find(parse_whole_number(unit_key) or 0)
    undoable = roll.undoable
    context = {
        **_describe_roll(force, roll),
        "opened": opened,
        "kinds": LedgerKind,
        "lists": force.lists.filter(binned=None).order_by("-updated"),
        "games": [(one, name_game(one)) for one in list_open_games(force, visitor)],
        "undo": undoable,
        "undo_text": describe_step(undoable) if undoable else "",
        "steps": [(step, describe_step(step)) for step in roll.steps[:MOST_STEPS]],
        "typed": form.data,
        "wrong": form.complaint,
    }
    return render(request, "club/force.html", context, status=form.status if form.errors else 200)


def _describe_roll(force: CampaignForce, roll: ForceRoll) -> dict[str, Any]:
    return {"page": "rosters", "force": force, "roll": roll, "face": verbs.find_force_face(force)}


@allow("GET", "POST")
def add_force_units(request: HttpRequest, public_id: str) -> HttpResponse:
    """Choose units of one of the owner's lists. A POST lets them join, or updates their gear."""
    force, wrong = own_force(request, public_id), ""
    mine = list_rosters(identify_visitor(request)).filter(version__game=force.game_id, faction_id=force.faction_id)
    form = ForceUnitsForm(request.POST if request.method == "POST" else request.GET)
    form.full_clean()
    list_id = str(form.cleaned_data.get("list", ""))
    roster = mine.filter(public_id=list_id).first() if list_id else None
    if request.method == "POST":
        if roster is None:
            wrong = _("Choose a list first.")
        else:
            number = verbs.add_units(force, roster, form.cleaned_data.get("unit", ()))
            if not isinstance(number, Refused):
                text = ngettext("%(n)d unit joined or changed", "%(n)d units joined or changed", number)
                messages.success(request, text % {"n": number})
                return redirect_after_post("club:force", force.public_id)
            wrong = explain_force_refusal(number)
    roll = load_roll(force)
    context = {
        **_describe_roll(force, roll),
        "lists": mine.order_by("-updated")[:MOST_LISTS],
        "roster": roster,
        "units": verbs.list_units_of(roster) if roster else [],
        "known": {state.veteran.selection_id: state.name for state in roll.veterans},
        "wrong": wrong,
    }
    return render_form(request, "club/force_units.html", context)


@allow("GET", "POST")
def muster_force(request: HttpRequest, public_id: str) -> HttpResponse:
    force, wrong = own_force(request, public_id), ""
    form, visitor = MusterForm(request.POST), identify_visitor(request)
    entries = {entry.season.public_id: entry for entry in list_open_entries(visitor, force)}
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        roster = muster_list(
            visitor,
            force,
            form.list_units(),
            name=fields["name"],
            limit=fields["limit"],
            player=entries.get(fields["season"]),
        )
        if isinstance(roster, Roster):
            return redirect_after_post("roster:builder", roster.public_id)
        wrong = explain_force_refusal(roster)
    elif request.method == "POST":
        wrong = form.complaint
    roll = load_roll(force)
    context = {
        **_describe_roll(force, roll),
        "chosen": form.list_units() if request.method == "POST" and not form.errors else None,
        "seasons": [(key, f"{entry.season} · {entry.season.club}") for key, entry in entries.items()],
        "has_data": find_data(roll.present) is not None,
        "typed": request.POST,
        "wrong": wrong,
    }
    return render_form(request, "club/force_muster.html", context)


@allow("GET", "POST")
def count_force_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Propose a finished game's results for the player to correct and confirm."""
    force, visitor, wrong = own_force(request, public_id), identify_visitor(request), ""
    form = GameResultsForm(request.POST if request.method == "POST" else request.GET)
    form.full_clean()
    game_id = str(form.cleaned_data.get("game", ""))
    if request.method == "POST":
        results = form.read_results(form.cleaned_data.get("unit", ()))
        refused = record_results(force, visitor, game_id, results) if form.is_valid() else None
        if not refused and not form.errors:
            messages.success(request, _("The results are in the ledger."))
            return redirect_after_post("club:force", force.public_id)
        wrong = explain_force_refusal(refused) if refused else form.complaint
    roll, games = load_roll(force), list_open_games(force, visitor)
    outcome = find_open_game(force, visitor, game_id) if game_id else None
    played = outcome if isinstance(outcome, PlayedGame) else None
    proposed = propose_results(roll, played) if played else []
    if request.method == "POST":
        # Keep everything that was entered, even for units that are not ticked.
        keys = [str(one.state.veteran.pk) for one in proposed]
        entered = zip(proposed, keys, form.read_results(keys), strict=True)
        ticked = form.cleaned_data.get("unit", ())
        proposed = [replace(one, played=key in ticked, result=result) for one, key, result in entered]
    context = {
        **_describe_roll(force, roll),
        "games": [(one, name_game(one)) for one in games],
        "played": played,
        "title": name_game(played) if played else "",
        "proposed": proposed,
        "waiting": _list_waiting(played) if played else [],
        "wrong": wrong,
    }
    return render_form(request, "club/force_game.html", context)


def _list_waiting(played: PlayedGame) -> list[str]:
    others = [one for one in list_confirmations(played.game) if one.side.place != played.mine.place]
    return [one.name for one in others if not one.confirmed]


@allow("GET", "POST")
def edit_campaign(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a force's campaign, or a ready one, as text. A POST stores it, or names the wrong line."""
    force, wrong = own_force(request, public_id), ""
    ready = {one.key: one.text for one in load_ready_campaigns()}
    text = ready.get(request.GET.get("ready", ""), force.campaign)
    if request.method == "POST":
        text = CampaignForm(request.POST).read_fields()["text"]
        outcome = verbs.set_campaign(force, text)
        if outcome is None:
            return redirect_after_post("club:force", force.public_id)
        if isinstance(outcome, Unreadable):
            complaint = wording.explain_unreadable(outcome)
            wrong = _("Line %(n)d: %(why)s") % {"n": complaint.line, "why": complaint}
        else:
            wrong = explain_force_refusal(outcome)
    context = {
        **_describe_roll(force, load_roll(force)),
        "text": text,
        "campaigns": load_ready_campaigns(),
        "wrong": wrong,
    }
    return render_form(request, "club/force_campaign.html", context)


@allow("GET", "POST")
def share_force(request: HttpRequest, public_id: str) -> HttpResponse:
    force = own_force(request, public_id)
    pages = ((reverse("club:forces"), _("Forces")), (reverse("club:force", args=[public_id]), force.name))
    return answer_sharing(request, force, pages)


@allow("GET", "POST")
def delete_force(request: HttpRequest, public_id: str) -> HttpResponse:
    force = own_force(request, public_id)
    if request.method != "POST":
        return render(request, "club/force_delete.html", {"page": "rosters", "force": force})
    verbs.delete_force(force)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": force.name})
    return redirect_after_post("club:forces")


@allow("GET")
@hide_linked_page()
def show_linked_force(request: HttpRequest, link_id: str) -> HttpResponse:
    force, visitor = find_force(request, link_id), identify_visitor(request)
    roll = load_roll(force)
    address = request.build_absolute_uri(force.get_absolute_url())
    context = {
        **_describe_roll(force, roll),
        "opened": roll.find(parse_whole_number(request.GET.get("open", "")) or 0),
        "mine": is_owner(visitor, force),
        "reportable": can_report(force, visitor),
        "address": address,
        "qr": draw_qr_code(address, force.name),
    }
    return render(request, "club/linked_force.html", context)


@allow("GET", "POST")
def report_force(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, find_force(request, link_id))


def own_force(request: HttpRequest, public_id: str) -> CampaignForce:
    """Return the visitor's own force. Raises Http404."""
    try:
        return verbs.find_own_force(public_id, identify_visitor(request))
    except CampaignForce.DoesNotExist:
        raise Http404 from None


def find_force(request: HttpRequest, link_id: str) -> CampaignForce:
    """Return a link's force. Raises Http404."""
    try:
        return verbs.find_readable_force(link_id, identify_visitor(request))
    except CampaignForce.DoesNotExist:
        raise Http404 from None
