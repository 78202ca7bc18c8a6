from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.definitions.missions import MissionDefinition
from catalogue.models import PackVersion
from catalogue.services.play import list_measures, list_tables, load_play
from catalogue.services.published_games import select_games
from catalogue.services.releases import filter_published
from catalogue.views.decorators import allow, hide_linked_page, let_search_engines_in
from catalogue.views.responses import redirect_after_post, render_form
from roster import wording
from roster.models.ownership import Visibility
from roster.pdf.imposition.play_cards import build_mission_cards
from roster.pdf.qr import draw_qr_code
from roster.play.models import MOST_COPIES, MissionDeck
from roster.play.services import mission_decks as verbs
from roster.play.views.forms import COPIES, DeckForm, NewDeckForm, split_versioned_id
from roster.services.list_search import AT_ONCE
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner, make_owner
from roster.services.sharing import can_report
from roster.views.paper.cards import answer_cards
from roster.views.sharing import answer_report, answer_sharing


@dataclass(frozen=True, slots=True)
class Filling:
    """A game's missions that can fill a deck: field name, text, mission.

    `chosen` is their number of cards in the deck; `opened` unfolds them.
    """

    version: PackVersion
    rows: list[tuple[str, str, MissionDefinition]]
    chosen: int
    opened: bool


@allow("GET", "POST")
def show_decks(request: HttpRequest) -> HttpResponse:
    """Show the visitor's decks; a POST adds a mission to a deck, or starts an empty one."""
    wrong = ""
    if request.method == "POST":
        visitor = make_owner(request)
        fields = NewDeckForm(request.POST).read_fields()
        version, mission = fields["mission"]
        if mission:
            deck = verbs.add_mission(visitor, version, mission)
        else:
            deck = verbs.start_deck(visitor, fields["name"] or _("Mission deck"))
        if isinstance(deck, MissionDeck):
            if mission:
                messages.success(request, _("Added to %(deck)s.") % {"deck": deck.name})
            return redirect_after_post("play:mission-deck", deck.public_id)
        wrong = wording.explain_refusal(deck)
    context = {
        "page": "missions",
        "decks": verbs.list_decks(identify_visitor(request)),
        "wrong": wrong,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render_form(request, "play/mission_decks.html", context)


@allow("GET", "POST")
def show_deck(request: HttpRequest, public_id: str) -> HttpResponse:
    deck = own_deck(request, public_id)
    if request.method != "POST":
        return _render_deck(request, deck, DeckForm())
    form = DeckForm(request.POST)
    try:
        outcome = _change_deck(deck, form.cleaned_data) if form.is_valid() else ""
    except MissionDeck.DoesNotExist:  # deleted in another tab in the meantime
        raise Http404 from None
    if isinstance(outcome, Refused):
        outcome = form.refuse(outcome)
    if form.errors:
        return _render_deck(request, deck, form)
    if outcome:
        messages.success(request, outcome)
    return redirect_after_post("play:mission-deck", deck.public_id)


@allow("GET", "POST")
def share_deck(request: HttpRequest, public_id: str) -> HttpResponse:
    deck = own_deck(request, public_id)
    page = reverse("play:mission-deck", args=[public_id])
    return answer_sharing(request, deck, ((reverse("play:decks"), _("Mission decks")), (page, deck.name)))


@allow("GET", "POST")
def delete_deck(request: HttpRequest, public_id: str) -> HttpResponse:
    deck = own_deck(request, public_id)
    if request.method != "POST":
        return render(request, "play/deck_delete.html", {"page": "missions", "deck": deck})
    verbs.delete_deck(deck)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": deck.name})
    return redirect_after_post("play:decks")


def _change_deck(deck: MissionDeck, fields: Mapping[str, Any]) -> str | Refused:
    match fields["do"]:
        case "fill":
            return _fill_deck(deck, fields)
        case "draw":
            drawn = verbs.draw_at_random(deck)
        case "book":
            drawn = verbs.draw_by_the_book(deck, *fields["pack"])
        case _:
            verbs.shuffle_deck(deck)
            return _("All cards are back in the deck.")
    return drawn if isinstance(drawn, Refused) else ""


def _fill_deck(deck: MissionDeck, fields: Mapping[str, Any]) -> str | Refused:
    copies = fields["copies"]
    keys = {version for version, _mission in copies}
    versions = filter_published().select_related("game").in_bulk(keys)
    if keys - versions.keys():
        return Refused(code="bad-change")
    filling = {(versions[version], mission): number for (version, mission), number in copies.items()}

    # A step changes the copies of one mission, or of all missions of a pack, by one.
    steps = [(key, 1) for key in fields["more"]] + [(key, -1) for key in fields["less"]]
    for key, step in steps:
        version_id, wanted_id = split_versioned_id(key)
        for (version, mission), number in filling.items():
            if version.pk == version_id and wanted_id in (mission, verbs.get_pack(version, mission)):
                filling[version, mission] = min(max(number + step, 0), MOST_COPIES)
    # The new number itself shows that it is saved.
    return verbs.fill_deck(deck, fields["name"], filling) or ("" if steps else _("Saved."))


def _render_deck(request: HttpRequest, deck: MissionDeck, form: DeckForm) -> HttpResponse:
    lines = verbs.list_missions(deck)
    copies = {(line.version.pk, line.mission.id): line.copies for line in lines}
    context = {
        "page": "missions",
        "deck": deck,
        "lines": lines,
        "left": sum(line.left for line in lines),
        "all": sum(line.copies for line in lines),
        "packs": verbs.find_rollable_packs(lines),
        "games": _list_fillings(copies, form.data),
        "name": form.data.get("name", deck.name),
        "wrong": form.complaint,
        **describe_draws(deck),
    }
    return render(request, "play/mission_deck.html", context, status=form.status if form.errors else 200)


def _list_fillings(held: dict[tuple[int, str], int], typed: Mapping[str, Any]) -> list[Filling]:
    versions = {game.shown_version.pk: game.shown_version for game in select_games()}
    # A deck keeps missions of replaced data, so include those versions.
    older = PackVersion.objects.select_related("game").in_bulk({pk for pk, _mission_id in held} - versions.keys())
    fillings = []
    for version in (*versions.values(), *older.values()):
        rows, chosen = [], 0
        for mission in load_play(version).missions.values():
            field, copies = f"{COPIES}{version.pk}:{mission.id}", held.get((version.pk, mission.id), 0)
            rows.append((field, typed.get(field, str(copies)), mission))
            chosen += copies
        is_typed = any(text.strip() not in ("", "0") for _field, text, _mission in rows)
        if rows:
            fillings.append(Filling(version, rows, chosen, opened=chosen > 0 or is_typed))
    return fillings


def own_deck(request: HttpRequest, public_id: str) -> MissionDeck:
    """Return the visitor's own deck. Raises Http404."""
    try:
        return verbs.find_own_deck(public_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


def find_deck(request: HttpRequest, link_id: str) -> MissionDeck:
    """Return a link's deck. Raises Http404."""
    try:
        return verbs.find_readable_deck(link_id, identify_visitor(request))
    except MissionDeck.DoesNotExist:
        raise Http404 from None


@allow("GET")
@hide_linked_page()
def show_deck_by_link(request: HttpRequest, link_id: str) -> HttpResponse:
    deck, visitor = find_deck(request, link_id), identify_visitor(request)
    address = request.build_absolute_uri(deck.get_absolute_url())
    lines = verbs.list_missions(deck)
    context = {
        "page": "missions",
        "deck": deck,
        "lines": lines,
        "all": sum(line.copies for line in lines),
        "mine": is_owner(visitor, deck),
        "reportable": can_report(deck, visitor),
        "address": address,
        "qr": draw_qr_code(address, deck.name),
        "indexed": deck.visibility == Visibility.PUBLIC,
        **describe_draws(deck),
    }
    answer = render(request, "play/public_deck.html", context)
    return let_search_engines_in(answer) if context["indexed"] else answer


def describe_draws(deck: MissionDeck) -> dict[str, object]:
    history = verbs.list_draws(deck)
    if not history:
        return {"history": history, "last": None, "last_play": None, "last_tables": []}
    last = history[0]
    tables = list_tables(last.map, list_measures(last.version.game)) if last.map else []
    return {"history": history, "last": last, "last_play": load_play(last.version), "last_tables": tables}


@allow("GET")
def show_public_decks(request: HttpRequest) -> HttpResponse:
    page = Paginator(verbs.list_public_decks(), AT_ONCE).get_page(request.GET.get("page"))
    return render(request, "play/public_decks.html", {"page_obj": page, "decks": page.object_list})


@allow("GET", "POST")
def report_deck(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, find_deck(request, link_id))


@allow("POST")
def copy_deck(request: HttpRequest, link_id: str) -> HttpResponse:
    copy_or_refusal = verbs.copy_deck(find_deck(request, link_id), make_owner(request))
    if isinstance(copy_or_refusal, Refused):
        messages.error(request, wording.explain_refusal(copy_or_refusal))
        return redirect_after_post("play:decks")
    return redirect_after_post("play:mission-deck", copy_or_refusal.public_id)


@allow("GET")
def print_cards(request: HttpRequest, link_id: str) -> HttpResponse:
    deck = find_deck(request, link_id)
    lines = verbs.list_missions(deck)
    printed_cards = [
        card
        for line in lines
        for card in build_mission_cards(load_play(line.version), line.mission, copies=line.copies)
    ]
    return answer_cards(request, lines[0].version.game if lines else None, printed_cards, deck.name)
