from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page, let_search_engines_in
from catalogue.views.responses import REFUSED, paginate_rows, redirect_after_post
from roster.club.models import BattleReport, PlayerPage, ReportPhoto
from roster.club.models.battles import STORY_LENGTH
from roster.club.services import battles as verbs
from roster.club.services.battles import ReportDraft
from roster.club.services.players import find_player_page, find_public_pages
from roster.club.views.forms import BattleForm, PhotosForm, TalkForm
from roster.club.views.photos import change_photos, describe_photo_form
from roster.club.wording import explain_club_refusal
from roster.formats.list_text import NAME_LENGTH
from roster.models.ownership import Visibility
from roster.play.views.games import find_own_game
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner
from roster.services.sharing import can_report
from roster.views.photos import answer_photo
from roster.views.sharing import answer_report, answer_sharing


@allow("GET")
def show_battles(request: HttpRequest) -> HttpResponse:
    """Show the visitor's reports and public ones, or with `?player=` those that a player's page shows."""
    visitor, link_id = identify_visitor(request), request.GET.get("player", "")
    player: PlayerPage | None = None
    if link_id:
        try:
            player = find_player_page(link_id, visitor)
        except PlayerPage.DoesNotExist:
            raise Http404 from None
    context = {
        "page": "play",
        "player": player,
        "mine": [] if player else verbs.list_own_reports(visitor),
        "page_obj": paginate_rows(request, verbs.select_public_reports(player)),
        "query": f"player={link_id}&" if player else "",
    }
    return render(request, "club/battles.html", context)


# ---- writing ---------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
@hide_linked_page()
def write_battle(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form for a report of a game, or store it. A player writes one report of a game."""
    game, _place = find_own_game(request, public_id)
    if isinstance(request.user, User) and request.method != "POST":
        report = verbs.find_report_of(game, request.user)
        if report:
            return redirect_after_post("club:battle", report.public_id)
    if game.ended is None and request.method != "POST":
        context = {
            "page": "play",
            "face": game.version.game,
            "game": game,
            "wrong": explain_club_refusal(Refused(code="game-running")),
        }
        return render(request, "club/battle_form.html", context)
    offered, wrong = verbs.list_moments(game), ""
    draft = ReportDraft(name=game.name, moments=[moment.id for moment in offered if moment.is_turning])
    if request.method == "POST":
        draft = BattleForm(request.POST).read_draft()
        written = (
            verbs.write_report(request.user, game, draft)
            if isinstance(request.user, User)
            else Refused(code="signed-out")
        )
        if isinstance(written, BattleReport):
            messages.success(request, _("Saved."))
            return redirect_after_post("club:battle", written.public_id)
        wrong = explain_club_refusal(written)
    return _render_form(request, {"game": game, "face": game.version.game}, draft, offered, wrong)


@allow("GET", "POST")
@hide_linked_page()
def edit_battle(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a report to its author. A POST stores it, and copies the game again if it still exists."""
    report, wrong = own_report(request, public_id), ""
    source = verbs.find_source(report)
    draft = ReportDraft(name=report.name, text=report.text, moments=[moment["id"] for moment in report.moments])
    if request.method == "POST":
        draft = BattleForm(request.POST).read_draft()
        refused = verbs.change_report(report, draft)
        if refused is None:
            messages.success(request, _("Saved."))
            return redirect_after_post("club:battle", public_id)
        wrong = explain_club_refusal(refused)
    offered = verbs.list_moments(source) if source else verbs.list_stored_moments(report)
    return _render_form(request, {"report": report, "game": source, "face": report.game}, draft, offered, wrong)


def _render_form(
    request: HttpRequest,
    things: Mapping[str, Any],
    draft: ReportDraft,
    offered: Sequence[verbs.OfferedMoment],
    wrong: str,
) -> HttpResponse:
    names = verbs.list_names(things.get("report"), things["game"])
    chosen = {*draft.moments}
    lines = [
        (moment.round, moment.id, names[moment.place], verbs.write_names(moment.text, names), moment.id in chosen)
        for moment in offered
    ]
    context = {
        "page": "play",
        "typed": draft,
        "rounds": [(number, list(rows)) for number, rows in groupby(lines, itemgetter(0))],
        "longest": NAME_LENGTH,
        "longest_text": STORY_LENGTH,
        "wrong": wrong,
        **things,
    }
    return render(request, "club/battle_form.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@hide_linked_page()
def edit_photos(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a report's photos to its author. A POST adds or deletes one, or changes its caption."""
    report, wrong = own_report(request, public_id), ""
    fields: Mapping[str, Any] = {}
    if request.method == "POST":
        form = PhotosForm(request.POST, request.FILES)
        fields = form.read_fields()
        outcome = change_photos(report.photos.all(), fields, partial(verbs.add_photo, report))
        if not isinstance(outcome, Refused):
            messages.success(request, outcome)
            return redirect_after_post("club:battle-photos", public_id)
        wrong = explain_club_refusal(outcome)
    context = {
        "page": "play",
        "face": report.game,
        "report": report,
        "most_photos": verbs.MOST_PHOTOS,
        "wrong": wrong,
        **describe_photo_form(report.photos.all(), fields, report.owner_id),
    }
    return render(request, "club/battle_photos.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
def share_battle(request: HttpRequest, public_id: str) -> HttpResponse:
    report = own_report(request, public_id)
    page = reverse("club:battle", args=[public_id])
    return answer_sharing(request, report, ((reverse("club:battles"), _("Battle reports")), (page, report.name)))


@allow("GET", "POST")
def delete_battle(request: HttpRequest, public_id: str) -> HttpResponse:
    report = own_report(request, public_id)
    if request.method != "POST":
        return render(request, "club/battle_delete.html", {"page": "play", "report": report})
    report.delete()
    messages.success(request, _("“%(name)s” was deleted.") % {"name": report.name})
    return redirect_after_post("club:battles")


# ---- reading ---------------------------------------------------------------------------------------------------------


@allow("GET", "POST")
@hide_linked_page()
def show_linked_battle(request: HttpRequest, link_id: str) -> HttpResponse:
    """Show a report to a reader. A POST removes the name of another player of the game, who asks for it."""
    report, visitor, wrong = find_report(request, link_id), identify_visitor(request), ""
    if request.method == "POST":
        do = TalkForm(request.POST).read_fields()["do"]
        refused = verbs.remove_name(report, visitor) if do == "unname" else Refused(code="bad-change")
        if refused is None:
            messages.success(request, _("Your name and your list are no longer in this report."))
            return redirect_after_post(report)
        wrong = explain_club_refusal(refused)
    shown = verbs.show_report(report, visitor)
    context = {
        "page": "play",
        "face": report.game,
        "report": report,
        "shown": shown,
        "author": find_public_pages([report.owner_id]).get(report.owner_id),
        "mine": is_owner(visitor, report),
        "reportable": can_report(report, visitor),
        "rounds": range(1, report.rounds + 1),
        "wrong": wrong,
    }
    response = render(request, "club/battle.html", context, status=REFUSED if wrong else 200)
    is_open = report.visibility == Visibility.PUBLIC and not report.taken_down
    return let_search_engines_in(response) if is_open and not wrong else response


@allow("GET")
@hide_linked_page(referrer="no-referrer")
def serve_battle_photo(request: HttpRequest, link_id: str, number: int, size: str) -> HttpResponse:
    try:
        photo = verbs.find_photo(find_report(request, link_id), number, identify_visitor(request))
    except ReportPhoto.DoesNotExist:
        raise Http404 from None
    return answer_photo(photo, size)


@allow("GET", "POST")
def report_battle(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, find_report(request, link_id))


def own_report(request: HttpRequest, public_id: str) -> BattleReport:
    """Return the visitor's own report. Raises Http404."""
    try:
        return verbs.find_own_report(public_id, identify_visitor(request))
    except BattleReport.DoesNotExist:
        raise Http404 from None


def find_report(request: HttpRequest, link_id: str) -> BattleReport:
    """Return a link's report. Raises Http404."""
    try:
        return verbs.find_readable_report(link_id, identify_visitor(request))
    except BattleReport.DoesNotExist:
        raise Http404 from None
