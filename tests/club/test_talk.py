"""Likes and comments of public lists, similar lists, player pages, following and blocking."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from lxml import html

from roster.club.models import (
    BlockedPlayer,
    ClosedTalk,
    Club,
    ClubMember,
    CommentMail,
    FollowedPlayer,
    LikedList,
    ListComment,
    PlayerPage,
)
from roster.club.services import talk
from roster.club.services.comment_news import count_new_comments, switch_comment_mail
from roster.club.services.players import PageChoices, save_page
from roster.club.views.players import SHOWN_COMMENTS
from roster.events.services.mail import Recipient, sign_recipient
from roster.models import AbuseReport, PlayerName, Roster
from roster.models.ownership import Visibility
from roster.play.models import Game, GameSide
from roster.services.accounts import delete_account, export_account_data
from roster.services.sharing import put_back, take_down
from tests.markup import markup
from tests.roster.accounts_cast import account
from tests.roster.views_cast import SCRIPT, Owner, started_with_account

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


class Cast:
    """Ann with a public list, Ben and Cleo with player names, and a guest; each with a browser."""

    def __init__(self) -> None:
        self.owner: Owner = started_with_account()
        self.roster: Roster = self.owner.roster
        Roster.objects.update(visibility=Visibility.PUBLIC)
        self.users: dict[str, User] = {"ann": User.objects.get(email="ann@example.org")}
        self.browsers: dict[str, Client] = {"ann": self.owner.client, "guest": Client()}
        for name in ("ben", "cleo"):
            self.users[name] = account(f"{name}@example.org")
            self.browsers[name] = Client()
            self.browsers[name].force_login(self.users[name])
        for name, user in self.users.items():
            PlayerName.objects.create(user=user, name=name.title())
        self.talk = reverse("club:talk", args=[self.roster.link_id])

    def act(self, who: str, do: str, address: str = "", **fields: Any) -> HttpResponse:
        return self.browsers[who].post(address or self.talk, {"do": do, **fields})

    def see(self, who: str, address: str = "") -> str:
        return markup(self.browsers[who].get(address or self.talk))

    def comment(self, who: str = "ben", text: str = "Well drawn.") -> ListComment:
        return ListComment.objects.create(owner=self.users[who], roster=self.roster, text=text)

    def show_page(self, who: str = "ann", visibility: str = "public", **shows: bool) -> PlayerPage:
        choices = PageChoices(name=who.title(), text="", visibility=visibility, **shows)
        page = save_page(self.users[who], choices)
        assert isinstance(page, PlayerPage)
        return page


@pytest.fixture
def cast() -> Cast:
    return Cast()


# ---- new comments ----------------------------------------------------------------------------------------------------

FOLLOWING = reverse_lazy("club:players")


def send_news(*, hours: int = 0) -> list[mail.EmailMultiAlternatives]:
    """Let hours pass, and run the timer's command. Return its mails."""
    passed = timedelta(hours=hours)
    ListComment.objects.update(created=F("created") - passed)
    CommentMail.objects.update(created=F("created") - passed, mailed=F("mailed") - passed)
    mail.outbox.clear()
    call_command("send_club_mail", verbosity=0)
    return list(mail.outbox)


def test_the_owner_of_a_list_sees_how_many_comments_are_new(cast: Cast) -> None:
    lists, account_page = reverse("roster:rosters"), reverse("roster:account")
    assert "new comment" not in cast.see("ann", lists)
    assert cast.act("ben", "write", text="Well drawn.").status_code == 303
    assert cast.act("cleo", "write", text="More boats!").status_code == 303
    assert cast.act("ann", "write", text="Thanks.").status_code == 303
    for page in (lists, account_page):
        (mark,) = html.fromstring(cast.see("ann", page)).find_class("comment-news")
        assert mark.text_content().strip() == "2 new comments"
        assert mark.get("href") == f"{FOLLOWING}#received"
        assert "new comment" not in cast.see("ben", page)
    assert "new comment" not in cast.see("guest", lists)
    # Neither the pages of others nor opening the list as another player changes it.
    assert 'class="tag">new' not in cast.see("ben") + cast.see("guest")
    assert "2 new comments" in cast.see("ann", lists)

    # Hidden, deleted and blocked ones do not count, nor those of deactivated accounts or on lists that are not public.
    comment = ListComment.objects.get(owner=cast.users["ben"])
    for model, row, change, back in (
        (ListComment, comment, {"taken_down": True}, {"taken_down": False}),
        (User, cast.users["ben"], {"is_active": False}, {"is_active": True}),
    ):
        model.objects.filter(pk=row.pk).update(**change)
        assert "1 new comment" in cast.see("ann", lists)
        model.objects.filter(pk=row.pk).update(**back)
    Roster.objects.update(visibility=Visibility.LINK)
    assert "new comment" not in cast.see("ann", lists)
    Roster.objects.update(visibility=Visibility.PUBLIC)
    BlockedPlayer.objects.create(owner=cast.users["ann"], player=cast.users["ben"])
    assert count_new_comments(cast.users["ann"]) == 1
    delete_account(cast.users["cleo"])
    assert count_new_comments(cast.users["ann"]) == 0


def test_comments_are_new_until_their_owner_was_shown_them(cast: Cast) -> None:
    ann = cast.users["ann"]
    cast.comment()
    assert cast.see("ann").count('class="tag">new') == 1
    assert cast.see("ann").count('class="tag">new') == count_new_comments(ann) == 0
    cast.comment("cleo")
    assert count_new_comments(ann) == 1
    assert cast.see("ann", FOLLOWING).count('class="tag">new') == 1
    assert "new comment" not in cast.see("ann", reverse("roster:rosters"))
    # More than the page shows at once.
    for _ in range(SHOWN_COMMENTS + 1):
        cast.comment()
    assert [cast.see("ann", FOLLOWING).count('class="tag">new') for _ in range(3)] == [SHOWN_COMMENTS, 1, 0]


def test_authors_are_not_told_who_read_their_comments(cast: Cast) -> None:
    cast.comment()
    switch_comment_mail(cast.users["ben"], wanted=True)
    file = io.BytesIO()
    export_account_data(cast.users["ben"], file)
    exported = zipfile.ZipFile(file)
    comment = json.loads(exported.read("list_comments.jsonl"))
    assert comment["text"] == "Well drawn."
    assert "is_unread" not in comment
    assert "comment_mails.jsonl" in exported.namelist()


def test_owners_who_asked_get_one_mail_for_several_comments(cast: Cast) -> None:
    cast.comment()
    assert send_news(hours=1) == []
    assert cast.act("ann", "mail", FOLLOWING).status_code == 303
    ListComment.objects.update(is_unread=True)
    # Comments from before are not mailed, fresh ones wait, and one's own are no news.
    assert send_news() == []
    for who in ("ben", "cleo", "ann"):
        cast.comment(who, text="Hello")
    assert send_news() == []
    (letter,) = send_news(hours=1)
    assert letter.to == ["ann@example.org"]
    assert "2 new comments on your lists" in letter.subject
    assert f"{cast.roster.name}: 2" in letter.body
    assert f"{FOLLOWING}#received" in letter.body
    assert "Hello" not in letter.body
    # The same comments are not mailed again, and new ones wait for a day.
    assert send_news(hours=2) == []
    cast.comment("cleo")
    assert send_news(hours=2) == []
    assert len(send_news(hours=24)) == 1
    # Who has seen a comment needs no mail.
    cast.comment("ben")
    cast.see("ann")
    assert send_news(hours=72) == []


def test_comments_that_are_hidden_withdrawn_or_of_blocked_players_are_not_mailed(cast: Cast) -> None:
    CommentMail.objects.create(user=cast.users["ann"])
    for change in ({"taken_down": True}, {"taken_down": False}):
        cast.comment()
        ListComment.objects.update(**change)
        if not change["taken_down"]:
            BlockedPlayer.objects.create(owner=cast.users["ann"], player=cast.users["ben"])
        assert send_news(hours=1) == []
    assert cast.act("ben", "delete", comment=ListComment.objects.latest("pk").pk).status_code == 303
    assert send_news(hours=1) == []
    cast.comment("cleo")
    User.objects.filter(pk=cast.users["ann"].pk).update(is_active=False)
    assert send_news(hours=1) == []


def test_mail_about_comments_stops_by_one_click(cast: Cast) -> None:
    assert cast.act("ann", "mail", FOLLOWING).status_code == 303
    cast.comment()
    (letter,) = send_news(hours=1)
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in letter.body
    page = reverse("club:comment-mail")
    signed = urlsplit(link).query
    # Mail programs post without cookies or a token; looking at the page changes nothing.
    browser = Client(enforce_csrf_checks=True)
    assert "Stop email about comments" in browser.get(f"{page}?{signed}").content.decode()
    assert CommentMail.objects.exists()
    answer = browser.post(f"{page}?{signed}", {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "We do not email ann@example.org" in answer.content.decode()
    assert not CommentMail.objects.exists()
    assert browser.post(f"{page}?{signed}").status_code == 200
    for bad in ("", "?who=", "?who=x", f"?{signed}x", f"?who={sign_recipient(Recipient(email='dan@example.org'))}"):
        assert browser.get(page + bad).status_code == browser.post(page + bad).status_code == 404
    # The page "Following" switches it on again and off; it is about the signed-in account only.
    assert cast.act("ann", "mail", FOLLOWING).status_code == 303
    assert cast.act("ben", "no-mail", FOLLOWING).status_code == 303
    assert CommentMail.objects.exists()
    assert cast.act("ann", "no-mail", FOLLOWING).status_code == 303
    assert not CommentMail.objects.exists()


# ---- likes -----------------------------------------------------------------------------------------------------------


def test_a_list_is_liked_once_by_others(cast: Cast) -> None:
    assert cast.act("ben", "like").status_code == 303
    assert cast.act("ben", "like").status_code == 303
    assert cast.act("cleo", "like").status_code == 303
    assert talk.count_likes(cast.roster) == 2
    assert "2 likes" in cast.see("guest")
    assert cast.act("ann", "like").status_code == 422
    assert cast.act("guest", "like").status_code == 422
    assert cast.act("ben", "unlike").status_code == 303
    assert list(LikedList.objects.values_list("owner__email", flat=True)) == ["cleo@example.org"]


def test_only_public_lists_have_a_talk(cast: Cast) -> None:
    comment = cast.comment()
    report = reverse("club:comment-report", args=[comment.pk])
    for change in ({"visibility": "link"}, {"visibility": "private"}, {"binned": timezone.now()}, {"taken_down": True}):
        Roster.objects.update(**({"visibility": "public", "binned": None, "taken_down": False} | change))
        for who in ("ann", "ben", "guest"):
            assert cast.browsers[who].get(cast.talk).status_code == 404
            assert cast.act(who, "write", text="x").status_code == 404
        assert cast.browsers["cleo"].get(report).status_code == 404
    assert cast.browsers["ben"].get(reverse("club:talk", args=["x"])).status_code == 404
    assert ListComment.objects.count() == 1


def test_the_page_of_a_list_asks_for_it(cast: Cast) -> None:
    assert f'hx-get="{cast.talk}"' in cast.see("guest", cast.roster.get_absolute_url())
    fragment = cast.browsers["ben"].get(cast.talk, headers=HTMX).content.decode()
    assert fragment.lstrip().startswith("<section")
    written = cast.browsers["ben"].post(cast.talk, {"do": "write", "text": "Here"}, headers=HTMX)
    assert (written.status_code, "Here" in written.content.decode()) == (200, True)
    assert "noindex" in cast.browsers["guest"].get(cast.talk)["X-Robots-Tag"]
    Roster.objects.update(visibility=Visibility.LINK)
    assert cast.talk not in cast.see("guest", cast.roster.get_absolute_url())


# ---- comments --------------------------------------------------------------------------------------------------------


def test_comments_are_plain_text_with_line_breaks(cast: Cast) -> None:
    assert cast.act("ben", "write", text=f" First\r\nsecond {SCRIPT}\x07 ").status_code == 303
    assert ListComment.objects.get().text == f"First\nsecond {SCRIPT}"
    page = cast.browsers["guest"].get(cast.talk).content.decode()
    assert "First<br>second" in page
    assert SCRIPT not in page


@pytest.mark.parametrize("text", ["", " \n\t ", "x" * 2_001])
def test_bad_comments_are_refused_and_lose_nothing(cast: Cast, text: str) -> None:
    answer = cast.act("ben", "write", text=text)
    assert answer.status_code == 422
    assert text.strip() in answer.content.decode()
    assert not ListComment.objects.exists()
    comment = cast.comment()
    answer = cast.act("ben", "edit", comment=comment.pk, text=text)
    assert answer.status_code == 422
    comment.refresh_from_db()
    assert comment.text == "Well drawn."


def test_the_longest_comment_is_stored(cast: Cast) -> None:
    assert cast.act("ben", "write", text="x" * 2_000).status_code == 303


def test_who_is_signed_out_or_nameless_keeps_the_text(cast: Cast) -> None:
    PlayerName.objects.filter(user=cast.users["ben"]).delete()
    answers = [cast.act(who, "write", text="Long thought out") for who in ("guest", "ben")]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert ["Long thought out" in answer.content.decode() for answer in answers] == [True, True]
    assert not ListComment.objects.exists()


def test_the_same_text_counts_once_and_many_are_too_many(cast: Cast) -> None:
    assert [cast.act("ben", "write", text="Twice").status_code for _ in range(2)] == [303, 303]
    assert ListComment.objects.count() == 1
    rows = [ListComment(owner=cast.users["ben"], roster=cast.roster, text=str(n)) for n in range(talk.MOST_AN_HOUR - 1)]
    ListComment.objects.bulk_create(rows)
    answer = cast.act("ben", "write", text="One more")
    assert (answer.status_code, "One more" in answer.content.decode()) == (422, True)
    assert cast.act("cleo", "write", text="My first").status_code == 303
    ListComment.objects.update(created=timezone.now() - timedelta(hours=2))
    assert cast.act("ben", "write", text="One more").status_code == 303


def test_authors_edit_for_some_minutes(cast: Cast) -> None:
    comment = cast.comment()
    assert cast.act("ben", "edit", comment=comment.pk, text="Better drawn.").status_code == 303
    comment.refresh_from_db()
    assert (comment.text, comment.edited is None) == ("Better drawn.", False)
    for who in ("ann", "cleo", "guest"):
        assert cast.act(who, "edit", comment=comment.pk, text="Mine").status_code == 422
    ListComment.objects.update(created=timezone.now() - timedelta(minutes=talk.EDIT_MINUTES + 1))
    late = cast.act("ben", "edit", comment=comment.pk, text="Too late")
    assert late.status_code == 422
    comment.refresh_from_db()
    assert comment.text == "Better drawn."


def test_authors_and_the_lists_owner_delete(cast: Cast) -> None:
    first, second = cast.comment(), cast.comment("cleo")
    assert cast.act("cleo", "delete", comment=first.pk).status_code == 422
    assert cast.act("guest", "delete", comment=first.pk).status_code == 422
    assert cast.act("ben", "delete", comment=first.pk).status_code == 303
    assert cast.act("ben", "delete", comment=first.pk).status_code == 422
    assert cast.act("ann", "delete", comment=second.pk).status_code == 303
    assert not ListComment.objects.exists()


def test_authors_delete_where_the_list_is_private_now(cast: Cast) -> None:
    comment, players = cast.comment(), reverse("club:players")
    Roster.objects.update(visibility=Visibility.PRIVATE)
    assert cast.act("cleo", "delete", players, comment=comment.pk).status_code == 422
    assert "Well drawn." in cast.see("ben", players)
    assert cast.act("ben", "delete", players, comment=comment.pk).status_code == 303
    assert not ListComment.objects.exists()


def test_the_owner_switches_comments_off(cast: Cast) -> None:
    cast.comment()
    assert cast.act("ben", "close").status_code == 422
    assert cast.act("ann", "close").status_code == 303
    assert cast.act("ann", "close").status_code == 303
    seen = {who: "Well drawn." in cast.see(who) for who in ("ann", "ben", "cleo", "guest")}
    assert seen == {"ann": True, "ben": True, "cleo": False, "guest": False}
    answer = cast.act("cleo", "write", text="Still here?")
    assert (answer.status_code, "Still here?" in answer.content.decode()) == (422, True)
    assert cast.act("ann", "open").status_code == 303
    assert "Well drawn." in cast.see("guest")
    assert not ClosedTalk.objects.exists()


def test_older_comments_are_on_further_pages(cast: Cast) -> None:
    rows = [ListComment(owner=cast.users["ben"], roster=cast.roster, text=f"Number {n}.") for n in range(51)]
    ListComment.objects.bulk_create(rows)
    assert "Number 50." in cast.see("guest")
    assert "Number 0." not in cast.see("guest")
    assert "Number 0." in cast.see("guest", f"{cast.talk}?page=2")
    assert cast.browsers["guest"].get(f"{cast.talk}?page=x").status_code == 200


@pytest.mark.parametrize("fields", [{}, {"do": "nonsense"}, {"do": "delete", "comment": "x"}, {"do": "block"}])
def test_unknown_acts_change_nothing(cast: Cast, fields: dict[str, str]) -> None:
    cast.comment()
    assert cast.browsers["ann"].post(cast.talk, fields).status_code == 422
    assert (ListComment.objects.count(), BlockedPlayer.objects.count()) == (1, 0)
    assert cast.browsers["ann"].put(cast.talk).status_code == 405


# ---- moderation ------------------------------------------------------------------------------------------------------


def test_comments_are_reported_and_hidden_by_staff(cast: Cast) -> None:
    comment = cast.comment()
    report = reverse("club:comment-report", args=[comment.pk])
    assert cast.browsers["ben"].get(report).status_code == 404
    assert cast.browsers["guest"].get(report).status_code == 200
    assert cast.browsers["guest"].post(report, {"reason": "nonsense"}).status_code == 400
    assert cast.browsers["guest"].post(report, {"reason": "offensive"}).status_code == 302
    assert AbuseReport.objects.get().thing == comment
    take_down(comment)
    assert [message.to for message in mail.outbox] == [["ben@example.org"]]
    seen = {who: "Well drawn." in cast.see(who) for who in ("ann", "ben", "cleo", "guest")}
    assert seen == {"ann": False, "ben": True, "cleo": False, "guest": False}
    assert cast.act("ben", "edit", comment=comment.pk, text="Changed").status_code == 422
    staff = Client()
    staff.force_login(account("staff@example.org", staff=True))
    assert "Well drawn." in markup(staff.get(cast.talk))
    for address in ("roster_abusereport_changelist", "club_listcomment_changelist", "club_playerpage_changelist"):
        assert staff.get(reverse(f"admin:{address}")).status_code == 200
    put_back(comment)
    assert "Well drawn." in cast.see("guest")


def test_player_pages_are_reported_and_hidden_by_staff(cast: Cast) -> None:
    page = cast.show_page()
    report = reverse("club:player-report", args=[page.link_id])
    assert cast.browsers["ann"].get(report).status_code == 404
    assert cast.browsers["ben"].post(report, {"reason": "advert", "text": "Look"}).status_code == 302
    cast.act("ben", "follow", page.get_absolute_url())
    take_down(page)
    answers = {who: cast.browsers[who].get(page.get_absolute_url()).status_code for who in ("ann", "ben", "guest")}
    assert answers == {"ann": 200, "ben": 404, "guest": 404}
    assert page.get_absolute_url() not in cast.see("guest")
    assert page.get_absolute_url() not in cast.see("ben", reverse("club:players"))


# ---- player pages ----------------------------------------------------------------------------------------------------


def test_a_page_is_off_until_its_player_shows_it(cast: Cast) -> None:
    settings = reverse("club:player-page")
    assert cast.browsers["guest"].get(settings).status_code == 302
    assert 'value="private" checked' in cast.see("ann", settings)
    assert not PlayerPage.objects.exists()
    form = {"name": "Ann", "text": f"Hello\n{SCRIPT}", "visibility": "private"}
    assert cast.act("ann", "save", settings, **form).status_code == 303
    page = PlayerPage.objects.get()
    answers = {who: cast.browsers[who].get(page.get_absolute_url()).status_code for who in ("ann", "ben", "guest")}
    assert answers == {"ann": 200, "ben": 404, "guest": 404}
    assert cast.act("ben", "follow", page.get_absolute_url()).status_code == 404
    for visibility, robots in (("link", "noindex, nofollow"), ("public", None)):
        assert cast.act("ann", "save", settings, **(form | {"visibility": visibility})).status_code == 303
        answer = cast.browsers["guest"].get(page.get_absolute_url())
        assert answer.get("X-Robots-Tag") == robots
        assert ("noindex" in answer.content.decode()) == (robots is not None)
        assert SCRIPT not in answer.content.decode()
        assert (page.get_absolute_url() in cast.see("guest")) == (visibility == "public")


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": "everybody"},
        {"visibility": ""},
        {"name": ""},
        {"name": "ben"},
        {"name": "x" * 41},
        {"text": "x" * 1_001},
        {"do": "nonsense"},
        {"do": "block", "follower": "1"},
    ],
    ids=str,
)
def test_bad_pages_are_refused_and_lose_nothing(cast: Cast, fields: dict[str, str]) -> None:
    form = {"do": "save", "name": "Ann", "text": "About me", "visibility": "public", "shows_lists": "on"}
    answer = cast.browsers["ann"].post(reverse("club:player-page"), form | fields)
    assert answer.status_code == 422
    typed = form | fields
    assert typed["do"] != "save" or f">{typed['text']}</textarea>" in answer.content.decode()
    assert not PlayerPage.objects.exists()
    assert cast.users["ann"].player_name.name == "Ann"


def test_a_page_shows_only_what_its_player_chose(cast: Cast) -> None:
    cast.roster.name = "Shown list"
    Roster.objects.update(name="Shown list")
    for name, is_open in (("Open club", True), ("Closed club", False)):
        club = Club.objects.create(name=name, is_open=is_open)
        ClubMember.objects.create(club=club, user=cast.users["ann"], name="Ann")
    game = Game.objects.create(
        name="Game", version=cast.roster.version, owner=cast.users["ann"], ended=timezone.now(), winner=0
    )
    GameSide.objects.bulk_create(GameSide(game=game, place=place, player=f"Player {place}") for place in (0, 1))
    said = ("Shown list", "Open club", "Closed club", "Won", "Player 1")
    page = cast.show_page()
    assert [text for text in said if text in cast.see("guest", page.get_absolute_url())] == []
    cast.show_page(shows_lists=True, shows_clubs=True, shows_games=True)
    shown = [text for text in said if text in cast.see("guest", page.get_absolute_url())]
    assert shown == ["Shown list", "Open club", "Won"]
    Roster.objects.update(visibility=Visibility.LINK)
    assert "Shown list" not in cast.see("guest", page.get_absolute_url())


def test_a_new_link_closes_the_old_one(cast: Cast) -> None:
    page = cast.show_page()
    assert cast.act("ann", "renew", reverse("club:player-page")).status_code == 303
    assert cast.browsers["guest"].get(page.get_absolute_url()).status_code == 404
    page.refresh_from_db()
    assert cast.browsers["guest"].get(page.get_absolute_url()).status_code == 200


# ---- following and blocking ------------------------------------------------------------------------------------------


def test_followers_see_new_public_lists_and_nothing_private(cast: Cast) -> None:
    page, players = cast.show_page(shows_lists=True), reverse("club:players")
    address = page.get_absolute_url()
    assert cast.browsers["guest"].get(players).status_code == 302
    assert cast.act("guest", "follow", address).status_code == 422
    assert cast.act("ann", "follow", address).status_code == 422
    assert [cast.act("ben", "follow", address).status_code for _ in range(2)] == [303, 303]
    assert FollowedPlayer.objects.count() == 1
    link = cast.roster.get_absolute_url()
    assert link in cast.see("ben", players)
    assert link not in cast.see("cleo", players)
    for visibility in (Visibility.LINK, Visibility.PRIVATE):
        Roster.objects.update(visibility=visibility)
        assert link not in cast.see("ben", players)
    Roster.objects.update(visibility=Visibility.PUBLIC)
    for shows in ({"shows_lists": False}, {"shows_lists": True, "visibility": "private"}):
        cast.show_page(**shows)
        assert link not in cast.see("ben", players)
    assert cast.act("ben", "unfollow", players, followed=page.pk).status_code == 303
    assert not FollowedPlayer.objects.exists()
    assert cast.act("ben", "nonsense", players).status_code == 422


def test_players_are_followed_from_a_list(cast: Cast) -> None:
    assert cast.act("ben", "follow").status_code == 422
    cast.show_page(visibility="link")
    assert cast.act("ben", "follow").status_code == 422
    cast.show_page()
    assert cast.act("ben", "follow").status_code == 303
    assert FollowedPlayer.objects.get().owner == cast.users["ben"]
    assert cast.act("ben", "unfollow").status_code == 303
    assert not FollowedPlayer.objects.exists()
    PlayerName.objects.filter(user=cast.users["ben"]).delete()
    assert cast.act("ben", "follow").status_code == 422


def test_blocked_players_neither_follow_nor_like_nor_comment(cast: Cast) -> None:
    page, settings = cast.show_page(), reverse("club:player-page")
    cast.act("ben", "follow", page.get_absolute_url())
    follower = FollowedPlayer.objects.get()
    assert cast.act("cleo", "block", settings, follower=follower.pk).status_code == 422
    assert "Ben" in cast.see("ann", settings)
    assert cast.act("ann", "block", settings, follower=follower.pk).status_code == 303
    assert not FollowedPlayer.objects.exists()
    refused = [cast.act("ben", "like"), cast.act("ben", "follow"), cast.act("ben", "write", text="Kept text")]
    assert [answer.status_code for answer in refused] == [422, 422, 422]
    assert "Kept text" in refused[2].content.decode()
    block = BlockedPlayer.objects.get()
    assert cast.act("ben", "unblock", settings, block=block.pk).status_code == 303
    assert BlockedPlayer.objects.exists()
    assert cast.act("ann", "unblock", settings, block=block.pk).status_code == 303
    assert cast.act("ben", "like").status_code == 303


def test_authors_and_pages_are_blocked(cast: Cast) -> None:
    comment = cast.comment()
    assert cast.act("cleo", "block", comment=comment.pk).status_code == 422
    assert cast.act("ann", "block", comment=comment.pk).status_code == 303
    assert cast.act("ann", "block", comment=comment.pk).status_code == 303
    assert cast.act("cleo", "block", cast.show_page().get_absolute_url()).status_code == 303
    assert cast.act("ann", "block", PlayerPage.objects.get().get_absolute_url()).status_code == 422
    blocks = BlockedPlayer.objects.order_by("pk").values_list("owner__email", "player__email")
    assert list(blocks) == [("ann@example.org", "ben@example.org"), ("cleo@example.org", "ann@example.org")]


# ---- similar lists ---------------------------------------------------------------------------------------------------


def copy_list(cast: Cast, who: str, name: str, units: list[str], **fields: Any) -> Roster:
    roster = Roster.objects.get(pk=cast.roster.pk)
    roster.pk = None
    roster.public_id = roster.link_id = name.ljust(22, "x")
    roster.owner, roster.name = cast.users[who], name
    roster.units = [[unit, 1, ""] for unit in units]
    for field, value in fields.items():
        setattr(roster, field, value)
    roster.save()
    return roster


def test_similar_lists_have_the_most_units_in_common(cast: Cast) -> None:
    Roster.objects.update(units=[["Wardens", 5, ""], ["Cutters", 1, ""], ["Heron", 1, ""]])
    cast.roster.refresh_from_db()
    copy_list(cast, "ben", "one", ["Heron"])
    copy_list(cast, "ben", "three", ["Heron", "Wardens", "Cutters"])
    copy_list(cast, "cleo", "none", ["Reeds"])
    copy_list(cast, "cleo", "two", ["Cutters", "Wardens", "Reeds"])
    copy_list(cast, "ann", "own", ["Heron", "Wardens"])
    copy_list(cast, "ben", "secret", ["Heron", "Wardens"], is_secret=True)
    copy_list(cast, "ben", "link", ["Heron", "Wardens"], visibility=Visibility.LINK)
    copy_list(cast, "ben", "binned", ["Heron", "Wardens"], binned=timezone.now())
    copy_list(cast, "ben", "other", ["Heron", "Wardens"], faction_id="others")
    assert [roster.name for roster in talk.list_similar(cast.roster)] == ["three", "two", "one"]
    page = cast.see("guest")
    assert [name for name in ("three", "own", "secret", "none") if f"<b>{name}</b>" in page] == ["three"]
    Roster.objects.filter(pk=cast.roster.pk).update(is_secret=True)
    assert talk.list_similar(Roster.objects.get(pk=cast.roster.pk)) == []


def test_queries_do_not_grow(cast: Cast) -> None:
    """The numbers of the list's page are pinned in tests/roster/test_query_counts."""
    Roster.objects.update(units=[["Wardens", 5, ""]])
    page = cast.show_page(shows_lists=True, shows_clubs=True, shows_games=True)
    cast.act("ben", "follow", page.get_absolute_url())
    addresses = (cast.talk, page.get_absolute_url(), reverse("club:players"), reverse("club:player-page"))
    counts = []
    for number in (1, 2, 3):
        copy_list(cast, "cleo", f"copy{number}", ["Wardens"])
        copy_list(cast, "ann", f"mine{number}", ["Wardens"])
        cast.comment("ben", f"Text {number}")
        cast.comment("cleo", f"Other {number}")
        queries = []
        for address in addresses:
            with CaptureQueriesContext(connection) as captured:
                assert cast.browsers["ben"].get(address).status_code == 200
            queries.append(len(captured))
        counts.append(queries)
    assert counts[0] == counts[2]
    assert max(counts[0]) <= 20


# ---- accounts --------------------------------------------------------------------------------------------------------


def test_an_account_takes_everything_along_and_leaves_nothing(cast: Cast) -> None:
    page = cast.show_page("ben")
    cast.act("ann", "follow", page.get_absolute_url())
    cast.show_page("ann")
    cast.act("ben", "follow")
    cast.act("ben", "like")
    cast.act("ben", "write", text="From Ben")
    cast.comment("cleo", "From Cleo")
    cast.act("ben", "block", cast.show_page("cleo").get_absolute_url())
    file = io.BytesIO()
    export_account_data(cast.users["ben"], file)
    with zipfile.ZipFile(file) as archive:
        names = ("player_pages", "followed_players", "blocked_players", "liked_lists", "list_comments")
        rows = {name: [json.loads(line) for line in archive.open(f"{name}.jsonl")] for name in names}
        everything = "".join(archive.read(name).decode() for name in archive.namelist())
    assert {name: len(lines) for name, lines in rows.items()} == dict.fromkeys(names, 1)
    assert rows["list_comments"][0]["text"] == "From Ben"
    assert "From Cleo" not in everything
    ann = io.BytesIO()
    export_account_data(cast.users["ann"], ann)
    with zipfile.ZipFile(ann) as archive:
        assert archive.read("list_comments.jsonl") == b""
        assert archive.read("liked_lists.jsonl") == b""
    comment = ListComment.objects.get(owner=cast.users["ben"])
    AbuseReport.objects.create(thing=comment, reason="other")
    delete_account(cast.users["ben"])
    assert list(ListComment.objects.values_list("text", flat=True)) == ["From Cleo"]
    left = (LikedList, FollowedPlayer, BlockedPlayer, AbuseReport)
    assert [model.__name__ for model in left if model.objects.exists()] == []
    assert "Ben" not in cast.see("ann")
    delete_account(cast.users["ann"])
    assert not ListComment.objects.exists()
