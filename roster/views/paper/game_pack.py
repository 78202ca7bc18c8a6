"""The game pack of a list: choose mission and opponent, download the file."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _

from catalogue.services.play import Play, list_measures, load_play
from catalogue.services.search import has_cards
from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import redirect_after_post, render_form
from roster import wording
from roster.models import Roster
from roster.pdf.game_pack import GamePackJob, Seat
from roster.pdf.game_pack_content import build_game_pack
from roster.pdf.imposition.card_job import read_card_options
from roster.pdf.imposition.print_cards import CannotPrintError
from roster.pdf.sheet_job import SheetJob, create_sheet_job
from roster.pdf.sheet_options import SheetOptions, Style
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
    """Create the job that the form asks for. Raises CannotPrintError for what does not exist."""
    given = request.GET
    play = load_play(roster.version)
    mission = play.missions.get(given.get("mission", ""))
    if mission is None:
        raise CannotPrintError("unknown-mission", given=given.get("mission", "")[:60])
    options = read_card_options({key: given[key] for key in ("paper", "ink") if key in given})
    lists = [roster, *_find_opponent(request, roster)]
    return build_game_pack(
        play,
        mission,
        [
            _create_sheet_job(request, roster_in_pack, SheetOptions(paper=options.paper, ink=options.ink))
            for roster_in_pack in lists
        ],
        [_build_seat(request, roster_in_pack, mission.id) for roster_in_pack in lists],
        list_measures(roster.version.game),
        size_id=given.get("battle", ""),
        paper=options.paper,
        ink=options.ink,
        identity=roster.version.game.identity,
    )


def _create_sheet_job(request: HttpRequest, roster: Roster, options: SheetOptions) -> SheetJob:
    if is_redacted_for(roster, identify_visitor(request)):
        options = replace(options, style=Style.VEILED)
    return create_sheet_job(roster, options, address=request.build_absolute_uri(roster.get_absolute_url()))


def _build_seat(request: HttpRequest, roster: Roster, mission_id: str) -> Seat:
    """Return who plays a list: its player and, if the visitor may see the plan, the side that its plan says."""
    name = roster.name or _("A list without a name")
    if is_redacted_for(roster, identify_visitor(request)):
        return Seat(list_name=name)
    game = load_plan(roster).game
    return Seat(player=roster.tree.player, list_name=name, side=game.side if game.mission == mission_id else "")


def _find_opponent(request: HttpRequest, mine: Roster) -> list[Roster]:
    """Return the list at the address that was given; nothing if none was."""
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
    kinds = (
        [] if is_redacted_for(roster, identify_visitor(request)) else _list_card_kinds(roster, given.getlist("what"))
    )
    if not play.missions and not kinds:
        return redirect_after_post("roster:link", roster.link_id)
    context = {
        "page": "rosters",
        "roster": roster,
        "game": roster.version.game,
        "play": play,
        "packs": _group_missions(play),
        "kinds": kinds,
        "mission": given.get("mission", "") or _read_planned_mission(request, roster),
        "opponent": given.get("opponent", ""),
        "battle": given.get("battle", ""),
        "paper": given.get("paper", ""),
        "ink": given.get("ink", ""),
        "wrong": wrong,
    }
    return render_form(request, "roster/pack.html", context)


def _list_card_kinds(roster: Roster, wanted: Sequence[str]) -> list[tuple[str, str]]:
    """List the kinds of cards that a list has, as ids and words; the one that is wanted first."""
    kinds = [(UNITS, _("Unit cards"))]
    if has_cards(roster.version):
        kinds.append((DECK, _("Cards of decks")))
    return sorted(kinds, key=lambda kind: kind[0] not in wanted)


def _read_planned_mission(request: HttpRequest, roster: Roster) -> str:
    """Return the mission of the plan, but not to those who may not see all of the list."""
    return "" if is_redacted_for(roster, identify_visitor(request)) else load_plan(roster).game.mission


def _group_missions(play: Play) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(name, [(mission.id, mission.name) for mission in play.list_missions(name)]) for name in play.pack_names]
