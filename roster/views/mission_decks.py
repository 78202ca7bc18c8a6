"""Mission decks of the visitor: all of them, one to fill and draw from."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.definitions.missions import Mission
from catalogue.models import PackVersion
from catalogue.services.play import play_of
from catalogue.services.releasing import published
from catalogue.services.shelf import shown_games
from catalogue.views.methods import allow
from roster import wording
from roster.models import MissionDeck, MissionDraw
from roster.services import mission_decks as verbs
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, make_owner
from roster.views.answers import see_other
from roster.views.builder import BAD_FORM, REFUSED
from roster.views.deck_links import drawn_context, own_deck
from roster.views.numbers import whole_number

FIELD = "copies:"


@dataclass(frozen=True, slots=True)
class Filling:
    """The missions of a game to fill a deck with: each as the name of its field, what stands in it, the mission.

    `chosen` is how many cards of the deck they make; `opened` shows them at once.
    """

    version: PackVersion
    rows: list[tuple[str, str, Mission]]
    chosen: int
    opened: bool


@allow("GET", "POST")
def decks(request: HttpRequest) -> HttpResponse:
    wrong = ""
    if request.method == "POST":
        made = verbs.start_deck(make_owner(request), request.POST.get("name", "") or _("Mission deck"))
        if not isinstance(made, Refused):
            return see_other("roster:mission-deck", made.public_id)
        wrong = wording.refusal(made)
    context = {
        "page": "missions",
        "decks": verbs.decks_of(identify_visitor(request)),
        "wrong": wrong,
        "guest_days": settings.ARMYBUILDER["GUEST_DAYS"],
    }
    return render(request, "roster/decks.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
def deck(request: HttpRequest, public_id: str) -> HttpResponse:
    found = own_deck(request, public_id)
    if request.method != "POST":
        return _page(request, found)
    try:
        done = _act(found, request.POST)
    except MissionDeck.DoesNotExist:  # deleted in another tab while this was asked
        raise Http404 from None
    if isinstance(done, Refused):
        status = BAD_FORM if done.code == "bad-change" else REFUSED
        return _page(request, found, wording.refusal(done), status)
    if done:
        messages.success(request, done)
    return see_other("roster:mission-deck", public_id)


@allow("GET", "POST")
def delete(request: HttpRequest, public_id: str) -> HttpResponse:
    found = own_deck(request, public_id)
    if request.method != "POST":
        return render(request, "roster/deck_delete.html", {"page": "missions", "deck": found})
    verbs.delete_deck(found)
    messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
    return see_other("roster:decks")


def _act(found: MissionDeck, form: QueryDict) -> str | Refused:
    """Do what a form asks; what to say of it, blank for nothing."""
    match form.get("do", ""):
        case "fill":
            wanted = _wanted(form)
            refused = (
                wanted
                if isinstance(wanted, Refused)
                else verbs.fill_deck(found, form.get("name", ""), wanted)
            )
            return refused or _("The deck is kept.")
        case "draw":
            return _drawn(verbs.draw_at_random(found))
        case "book":
            version, _sep, pack = form.get("pack", "").partition(":")
            return _drawn(verbs.draw_by_the_book(found, whole_number(version) or 0, pack))
        case "shuffle":
            verbs.shuffle(found)
            return _("All cards are back in the deck.")
    return Refused(code="bad-change")


def _drawn(drawn: MissionDraw | Refused) -> str | Refused:
    return drawn if isinstance(drawn, Refused) else ""


def _wanted(form: QueryDict) -> dict[tuple[PackVersion, str], int] | Refused:
    """`copies:<version>:<mission>` fields as copies by version and mission; blank ones are none."""
    found: dict[tuple[int, str], int] = {}
    for field, text in form.items():
        if field.startswith(FIELD) and str(text).strip():
            start, _sep, mission = field.removeprefix(FIELD).partition(":")
            version, copies = whole_number(start), whole_number(str(text))
            if version is None or copies is None:
                return Refused(code="bad-change")
            found[version, mission] = copies
    versions = published().select_related("game").in_bulk({version for version, _mission in found})
    if any(version not in versions for version, _mission in found):
        return Refused(code="bad-change")
    return {(versions[version], mission): copies for (version, mission), copies in found.items()}


def _page(request: HttpRequest, found: MissionDeck, wrong: str = "", status: int = 200) -> HttpResponse:
    lines = verbs.lines_of(found)
    held = {(line.version.pk, line.mission.id): line.copies for line in lines}
    context = {
        "page": "missions",
        "deck": found,
        "lines": lines,
        "left": sum(line.left for line in lines),
        "all": sum(line.copies for line in lines),
        "packs": verbs.rollable(lines),
        "games": _choices(held, request.POST),
        "name": request.POST.get("name", found.name),
        "wrong": wrong,
        **drawn_context(found),
    }
    return render(request, "roster/mission_deck.html", context, status=status)


def _choices(held: dict[tuple[int, str], int], typed: QueryDict) -> list[Filling]:
    """Every game with missions; what was typed and could not be kept comes before what the deck holds."""
    versions = {game.shown.pk: game.shown for game in shown_games()}
    older = PackVersion.objects.select_related("game").in_bulk({pk for pk, _own in held} - versions.keys())
    found = []
    for version in [*versions.values(), *older.values()]:
        rows, chosen = [], 0
        for mission in play_of(version).missions.values():
            field, copies = f"{FIELD}{version.pk}:{mission.id}", held.get((version.pk, mission.id), 0)
            rows.append((field, typed.get(field, str(copies)), mission))
            chosen += copies
        if rows:
            wanted = any(text.strip() not in ("", "0") for _field, text, _mission in rows)
            found.append(Filling(version, rows, chosen, opened=bool(chosen) or wanted))
    return found
