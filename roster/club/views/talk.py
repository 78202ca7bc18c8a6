from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from catalogue.views.decorators import allow, hide_linked_page
from catalogue.views.responses import REFUSED, HtmxRequest, paginate_rows, redirect_after_post, render_page
from roster.club.models import ListComment
from roster.club.models.players import COMMENT_LENGTH
from roster.club.services import talk as verbs
from roster.club.services.comment_news import see_comments, switch_comment_mail, wants_comment_mail
from roster.club.services.players import find_public_pages, follow_player, is_following, unfollow_player
from roster.club.views.forms import TalkForm
from roster.club.wording import explain_club_refusal
from roster.events.services.mail import find_signed_recipient
from roster.models import Roster
from roster.services.outcomes import Refused
from roster.services.owners import identify_visitor
from roster.views.list_rows import build_list_rows
from roster.views.sharing import answer_report


@allow("GET", "POST")
@hide_linked_page()
def show_talk(request: HtmxRequest, link_id: str) -> HttpResponse:
    """Show likes, comments and similar lists of a public list. The list's page loads this as a fragment."""
    try:
        roster = verbs.find_talk_roster(link_id)
    except Roster.DoesNotExist:
        raise Http404 from None
    typed: dict[str, Any] = {}
    wrong = ""
    if request.method == "POST":
        typed = TalkForm(request.POST).read_fields()
        refused = _act(request.user, roster, typed) if isinstance(request.user, User) else Refused(code="signed-out")
        if refused is None and not request.htmx:
            return redirect_after_post("club:talk", link_id)
        if refused is None:
            typed = {}
        else:
            wrong = explain_club_refusal(refused)
    context = _build_talk(request, roster) | {"typed": typed, "wrong": wrong}
    return render_page(request, "club/talk.html", context, "talk", status=REFUSED if wrong else 200)


def _act(user: User, roster: Roster, fields: Mapping[str, Any]) -> Refused | None:
    match fields["do"]:
        case "like":
            return verbs.like_list(user, roster)
        case "unlike":
            verbs.unlike_list(user, roster)
            return None
        case "write":
            written = verbs.write_comment(user, roster, fields["text"])
            return written if isinstance(written, Refused) else None
        case "edit":
            return verbs.edit_comment(user, fields["comment"], fields["text"])
        case "delete":
            return verbs.delete_comment(user, fields["comment"])
        case "block":
            return verbs.block_author(user, fields["comment"])
        case "close" | "open":
            return verbs.switch_comments(user, roster, closed=fields["do"] == "close")
        case "follow" | "unfollow":
            page = find_public_pages([roster.owner_id]).get(roster.owner_id)
            if page is None:
                return Refused(code="bad-change")
            if fields["do"] == "follow":
                return follow_player(user, page)
            unfollow_player(user, page.pk)
            return None
    return Refused(code="bad-change")


def _build_talk(request: HttpRequest, roster: Roster) -> dict[str, Any]:
    user, reader = request.user, identify_visitor(request)
    page = find_public_pages([roster.owner_id]).get(roster.owner_id)
    page_obj = paginate_rows(request, verbs.select_comments(roster, reader))
    comments = verbs.show_comments(page_obj, roster, reader)
    mine = roster.owner_id is not None and roster.owner_id == reader.user_id
    if mine:
        see_comments(shown.comment for shown in comments)
    return {
        "page": "public",
        "roster": roster,
        "mine": mine,
        "likes": verbs.count_likes(roster),
        "liked": isinstance(user, User) and verbs.is_liked(user, roster),
        "player": page,
        "following": page is not None and isinstance(user, User) and is_following(user, page),
        "closed": verbs.is_talk_closed(roster),
        "page_obj": page_obj,
        "comments": comments,
        "similar": build_list_rows(verbs.list_similar(roster)),
        "longest": COMMENT_LENGTH,
        "edit_minutes": verbs.EDIT_MINUTES,
    }


@allow("GET", "POST")
def report_comment(request: HttpRequest, comment: int) -> HttpResponse:
    try:
        thing = verbs.find_comment(comment, identify_visitor(request))
    except ListComment.DoesNotExist:
        raise Http404 from None
    return answer_report(request, thing)


@allow("GET", "POST")
@csrf_exempt  # mail programs post here without cookies; the signed recipient is the permission
@hide_linked_page()
def stop_comment_mail(request: HttpRequest) -> HttpResponse:
    """Stop a recipient's mail about comments. Mails link here, and it works without signing in."""
    recipient = find_signed_recipient(request.GET.get("who", ""))
    if recipient is None or recipient.user is None:
        raise Http404
    if request.method == "POST":
        switch_comment_mail(recipient.user, wanted=False)
    context = {"page": "public", "email": recipient.email, "wanted": wants_comment_mail(recipient.user)}
    return render(request, "club/comment_mail.html", context)
