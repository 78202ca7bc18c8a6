import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.definitions.missions import MissionDefinition
from catalogue.services.play import Play, list_measures, load_play
from catalogue.services.search import has_cards
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import redirect_after_post, render_form
from roster import wording
from roster.models import Roster
from roster.pdf.game_pack import GamePackJob
from roster.pdf.game_pack_content import build_game_pack
from roster.pdf.imposition.card_job import read_card_options
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.score_sheet import Seat
from roster.pdf.sheet_job import SheetJob, create_sheet_job
from roster.pdf.sheet_options import SheetOptions, Style
from roster.services.faces import load_faction
from roster.services.mission_factions import ListFaction, find_misfits
from roster.services.owners import identify_visitor
from roster.services.plans import load_plan
from roster.services.sharing import is_redacted_for
from roster.views.paper.cards import DECK, UNITS
from roster.views.paper.sheets import answer_print
from roster.views.requests import find_linked_roster

_LINK = re.compile(r"(?:.*/r/)?([A-Za-z0-9_-]{22})/?(?:[?#].*)?")


@allow("GET")
@hide_linked_page()
def show_pack_form(request: HttpRequest, link_id: str) -> HttpResponse:
    return _render_pack_form(request, find_linked_roster(request, link_id))


@allow("GET")
@hide_linked_page()
def print_pack(request: HttpRequest, link_id: str) -> HttpResponse:
    roster = find_linked_roster(request, link_id)
    try:
        job = _create_job(request, roster)
    except CannotPrintError as error:
        return _render_pack_form(request, roster, wording.cards.explain_refused_print(error.code, error.figures))
    return answer_print(request, job, slugify(job.title, allow_unicode=True) or "cards")


def _create_job(request: HttpRequest, roster: Roster) -> GamePackJob:
    """Create the requested job. Raises CannotPrintError."""
    given = request.GET
    play = load_play(roster.version)
    mission = play.missions.get(given.get("mission", ""))
    if mission is None:
        raise CannotPrintError("unknown-mission", given=given.get("mission", "")[:60])
    options = read_card_options({key: given[key] for key in ("paper", "ink") if key in given})
    lists = [roster, *_find_opponent(request, roster)]
    sheets: list[SheetJob] = []
    seats: list[Seat] = []
    for listed in lists:
        sheet = SheetOptions(paper=options.paper, ink=options.ink)
        name = listed.name or _("A list without a name")
        if is_redacted_for(listed, identify_visitor(request)):
            sheet = replace(sheet, style=Style.VEILED)
            seat = Seat(list_name=name)
        else:
            game = load_plan(listed).game
            side = game.side if game.mission == mission.id else ""
            seat = Seat(player=listed.tree.player, list_name=name, side=side)
        address = request.build_absolute_uri(listed.get_absolute_url())
        job = create_sheet_job(listed, sheet, address=address)
        sheets.append(job)
        seats.append(replace(seat, identity=job.identity))
    return build_game_pack(
        play,
        mission,
        sheets,
        seats,
        list_measures(roster.version.game),
        misfits=_list_misfits(roster, mission, lists),
        size_id=given.get("battle", "") or _find_size(play, lists),
        paper=options.paper,
        ink=options.ink,
        identity=roster.version.game.identity,
    )


def _list_misfits(roster: Roster, mission: MissionDefinition, lists: Sequence[Roster]) -> tuple[str, ...]:
    list_factions = (
        ListFaction(listed.name, listed.faction_id, load_faction(listed.version_id, listed.faction_id).name)
        for listed in lists
    )
    return tuple(map(wording.explain_misfit, find_misfits(roster.version_id, mission, list_factions)))


def _find_size(play: Play, lists: Sequence[Roster]) -> str:
    sizes = {
        next((size.id for size in play.sizes.values() if size.points in [one.value for one in listed.tree.limits]), "")
        for listed in lists
    }
    return sizes.pop() if len(sizes) == 1 else ""


def _find_opponent(request: HttpRequest, mine: Roster) -> list[Roster]:
    text = request.GET.get("opponent", "").strip()
    if not text:
        return []
    address_match = _LINK.fullmatch(text)
    try:
        other = find_linked_roster(request, address_match[1]) if address_match else _refuse_unknown_list(text)
    except Http404:
        _refuse_unknown_list(text)
    if other.version.game.family != mine.version.game.family:
        raise CannotPrintError("other-game", given=other.name[:60])
    return [other]


def _refuse_unknown_list(text: str) -> NoReturn:
    raise CannotPrintError("unknown-list", given=text[:80])


def _render_pack_form(request: HttpRequest, roster: Roster, wrong: str = "") -> HttpResponse:
    play, given = load_play(roster.version), request.GET
    is_redacted = is_redacted_for(roster, identify_visitor(request))
    kinds = [] if is_redacted else [(UNITS, _("Unit cards"))]
    if kinds and has_cards(roster.version):
        kinds.append((DECK, _("Cards of decks")))
    if not play.missions and not kinds:
        return redirect_after_post("roster:link", roster.link_id)
    # Readers who may not see the whole list do not learn its planned mission.
    planned = "" if is_redacted else load_plan(roster).game.mission
    context = {
        "page": "rosters",
        "roster": roster,
        "game": roster.version.game,
        "play": play,
        "packs": [
            (name, [(one.id, one.name, one.suits(roster.faction_id)) for one in play.list_missions(name)])
            for name in play.pack_names
        ],
        "kinds": sorted(kinds, key=lambda kind: kind[0] not in given.getlist("what")),
        "mission": given.get("mission", "") or planned,
        "opponent": given.get("opponent", ""),
        "battle": given.get("battle", ""),
        "paper": given.get("paper", ""),
        "ink": given.get("ink", ""),
        "wrong": wrong,
    }
    return render_form(request, "roster/pack.html", context)
