from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalogue.views.decorators import allow, hide_linked_page, let_search_engines_in
from catalogue.views.responses import REFUSED, redirect_after_post
from roster.club.models import PlayerPage
from roster.club.models.players import ABOUT_LENGTH
from roster.club.services import players as verbs
from roster.club.services.battles import select_followed_reports, select_public_reports
from roster.club.services.comment_news import see_comments, switch_comment_mail, wants_comment_mail
from roster.club.services.talk import delete_comment, list_own_comments, list_received_comments
from roster.club.views.forms import PlayerPageForm, TalkForm
from roster.club.wording import explain_club_refusal
from roster.models import Roster
from roster.models.ownership import PLAYER_NAME_LENGTH, Visibility
from roster.services.accounts import get_player_name
from roster.services.list_search import ListPages, fetch_rows, find_filter_options
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor, is_owner
from roster.services.photos import find_list_photos
from roster.services.sharing import can_report
from roster.views.list_rows import match_list_rows
from roster.views.sharing import answer_report

SHOWN_COMMENTS = 20
SHOWN_REPORTS = 5


@allow("GET", "POST")
@hide_linked_page()
def show_player(request: HttpRequest, link_id: str) -> HttpResponse:
    """Show a player's page. A POST follows, unfollows or blocks the player."""
    page, user, wrong = _find_page(request, link_id), request.user, ""
    if request.method == "POST":
        do = TalkForm(request.POST).read_fields()["do"]
        refused = _act_on_page(user, page, do) if isinstance(user, User) else Refused(code="signed-out")
        if refused is None:
            return redirect_after_post(page)
        wrong = explain_club_refusal(refused)
    mine = is_owner(identify_visitor(request), page)
    reports = list(select_public_reports(page)[: SHOWN_REPORTS + 1])
    context = {
        "page": "public",
        "player": page,
        "mine": mine,
        "following": isinstance(user, User) and verbs.is_following(user, page),
        "blocked": isinstance(user, User) and verbs.has_blocked(user, page.owner_id),
        "reportable": can_report(page, identify_visitor(request)),
        "clubs": verbs.select_page_clubs(page),
        "record": verbs.count_page_games(page),
        "reports": reports[:SHOWN_REPORTS],
        "more_reports": len(reports) > SHOWN_REPORTS,
        "wrong": wrong,
        **_build_lists(request, verbs.select_page_lists(page)),
    }
    response = render(request, "club/player.html", context, status=REFUSED if wrong else 200)
    is_open = page.visibility == Visibility.PUBLIC and not page.taken_down
    return let_search_engines_in(response) if is_open and not wrong else response


def _act_on_page(user: User, page: PlayerPage, do: str) -> Refused | None:
    match do:
        case "follow":
            return verbs.follow_player(user, page)
        case "unfollow":
            verbs.unfollow_player(user, page.pk)
            return None
        case "block":
            return verbs.block_player(user, page.owner_id)
    return Refused(code="bad-change")


def _build_lists(request: HttpRequest, lists: QuerySet[Roster]) -> dict[str, Any]:
    options = find_filter_options(lists)
    page_obj = ListPages(lists).get_page(request.GET.get("page"))
    rows = fetch_rows(list(page_obj.object_list), options, public=True)
    photos = find_list_photos(rows, by_others=True)
    return {"page_obj": page_obj, "rows": match_list_rows(rows, options.factions, photos=photos)}


@allow("GET", "POST")
def report_player(request: HttpRequest, link_id: str) -> HttpResponse:
    return answer_report(request, _find_page(request, link_id))


@allow("GET", "POST")
@login_required
@hide_linked_page()
def show_followed(request: HttpRequest) -> HttpResponse:
    """Show new lists and battle reports of followed players, and comments of and to the account."""
    user, wrong = cast("User", request.user), ""
    if request.method == "POST":
        fields = TalkForm(request.POST).read_fields()
        refused: Refused | None = None
        if fields["do"] == "unfollow":
            verbs.unfollow_player(user, fields["followed"])
        elif fields["do"] == "delete":
            refused = delete_comment(user, fields["comment"])
        elif fields["do"] in ("mail", "no-mail"):
            switch_comment_mail(user, wanted=fields["do"] == "mail")
        else:
            refused = Refused(code="bad-change")
        if refused is None:
            return redirect_after_post("club:players")
        wrong = explain_club_refusal(refused)
    # Unread ones first, so that each is shown before it counts as seen.
    received = list(list_received_comments(user).order_by("-is_unread", "-pk")[:SHOWN_COMMENTS])
    see_comments(received)
    context = {
        "page": "public",
        "own_page": verbs.find_own_page(user),
        "followed": verbs.list_followed(user),
        "reports": select_followed_reports(user)[:SHOWN_REPORTS],
        "received": received,
        "wants_mail": wants_comment_mail(user),
        "written": list_own_comments(user),
        "wrong": wrong,
        **_build_lists(request, verbs.select_followed_lists(user)),
    }
    return render(request, "club/players.html", context, status=REFUSED if wrong else 200)


@allow("GET", "POST")
@login_required
@hide_linked_page()
def edit_own_page(request: HttpRequest) -> HttpResponse:
    user, wrong = cast("User", request.user), ""
    page = verbs.find_own_page(user) or PlayerPage(owner=user)
    typed: dict[str, Any] = {
        "name": get_player_name(user),
        "text": page.text,
        "visibility": page.visibility,
        "shows_lists": page.shows_lists,
        "shows_clubs": page.shows_clubs,
        "shows_games": page.shows_games,
        "shows_reports": page.shows_reports,
    }
    if request.method == "POST":
        fields = PlayerPageForm(request.POST).read_fields()
        refused = _change_own_page(user, fields)
        if refused is None:
            messages.success(request, _("Saved."))
            return redirect_after_post("club:player-page")
        wrong = explain_club_refusal(refused)
        if fields["do"] == "save":
            typed = fields
    context = {
        "page": "public",
        "player": page,
        "typed": typed,
        "followers": verbs.list_followers(page) if page.pk else [],
        "blocked": verbs.list_blocked(user),
        "longest": PLAYER_NAME_LENGTH,
        "longest_text": ABOUT_LENGTH,
        "wrong": wrong,
    }
    return render(request, "club/player_page.html", context, status=REFUSED if wrong else 200)


def _change_own_page(user: User, fields: dict[str, Any]) -> Refused | None:
    match fields["do"]:
        case "save":
            names = ("name", "text", "visibility", "shows_lists", "shows_clubs", "shows_games", "shows_reports")
            saved = verbs.save_page(user, verbs.PageChoices(**{name: fields[name] for name in names}))
            return saved if isinstance(saved, Refused) else None
        case "renew":
            verbs.replace_page_link(user)
            return None
        case "block":
            return verbs.block_follower(user, fields["follower"])
        case "unblock":
            verbs.unblock_player(user, fields["block"])
            return None
    return Refused(code="bad-change")


def _find_page(request: HttpRequest, link_id: str) -> PlayerPage:
    try:
        return verbs.find_player_page(link_id, identify_visitor(request))
    except PlayerPage.DoesNotExist:
        raise Http404 from None
